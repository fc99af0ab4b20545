//! The project as it is now: settings and pins are read again when they are other files than before.
//!
//! Each question looks whether they are. So an approval counts for the very next call, even before a watch
//! has reported it. [`Watching`](super::Watching) is for those who want to know without asking. The other
//! files that tools are read from are looked at whenever an project lists.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::open_error::NotReady;
use super::pending_changes::Unapproved;
use super::pins::candidates;
use crate::model::{Caller, Seen};
use crate::project::context::Context;
use crate::project::open_error::OpenError;
use crate::project::opened::Project;
use crate::project::project_settings::ProjectSettings;
use crate::settings::{self, NotThere, SettingsSearch};
use crate::sys::files::{self, Stamp};
use crate::sys::watch::WatchedPlaces;

/// A change of the settings, as it is reported.
#[derive(Debug)]
pub enum News {
    /// They hold from now on.
    Taken(Arc<Project>),
    /// They cannot be used, and those from before hold on.
    Kept(OpenError),
    /// There are none that can be used, and nothing is offered.
    Nothing(OpenError),
    /// They are not watched, or not all that tools are read from, for this reason: it is looked at now and then.
    Unwatched(String),
}

/// A project whose settings may change, come and go while it is served to agents.
#[derive(Debug)]
pub struct Live {
    /// The context of each project that it opens.
    pub context: Context,
    /// The caller of each client that is not known to be another.
    caller: Caller,
    explicit: Option<PathBuf>,
    /// The files of the pins that may hold here.
    pins: Vec<PathBuf>,
    state: Mutex<LiveState>,
    news: UnboundedSender<News>,
}

#[derive(Debug)]
struct LiveState {
    basis: Basis,
    current: Result<Arc<Project>, NotReady>,
}

impl Live {
    /// Opens the project that the working directory is in, for agents. `explicit` is the value of `--config`.
    /// The receiver at the other end gets each change of the settings.
    ///
    /// # Errors
    /// When settings that are named are not there, or every user of this machine may write them. With any others that
    /// cannot be used it goes on: nothing is offered until they can.
    pub fn open(
        context: Context,
        explicit: Option<PathBuf>,
    ) -> Result<(Self, UnboundedReceiver<News>), OpenError> {
        let (news, hears) = unbounded_channel();
        // Once, at the start: the process that started this server may be gone later.
        let caller = context.over_mcp();
        let pins = pins(&context, explicit.as_deref());
        let basis = Basis::of(&context, explicit.as_deref(), &pins);
        let current = match opened(&context, explicit.as_deref()) {
            Err(error @ (OpenError::NotThere(_) | OpenError::WorldWritable(_))) => return Err(error),
            opened => opened,
        };
        let current = match current {
            Ok(project) => Ok(Arc::new(project)),
            Err(error) => {
                let why = NotReady::from(&error);
                let _ = news.send(News::Nothing(error));
                Err(why)
            }
        };
        if let Ok(project) = &current {
            let _ = news.send(News::Taken(Arc::clone(project)));
        }
        let state = Mutex::new(LiveState { basis, current });
        Ok((Self { context, caller, explicit, pins, state, news }, hears))
    }

    /// The caller of each client: an agent, or a process of a run where this server was started inside one.
    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// The context that the project is opened in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The project under the settings as they are now.
    ///
    /// # Errors
    /// With what is wrong and what to do, when there is nothing to offer.
    pub fn project(&self) -> Result<Arc<Project>, NotReady> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let basis = Basis::of(&self.context, self.explicit.as_deref(), &self.pins);
        let has_others = || state.current.as_ref().is_ok_and(|current| current.settings.has_other_packages());
        if state.basis != basis || has_others() {
            self.open_again(&mut state);
            state.basis = basis;
        }
        state.current.clone()
    }

    /// The same; where there are no settings at all, a project without tools.
    ///
    /// # Errors
    /// As [`project`](Self::project), when the settings cannot be used.
    pub fn project_or_empty(&self) -> Result<Arc<Project>, NotReady> {
        self.project().or_else(|why| {
            let empty = || Project::without_settings(self.context.clone(), self.caller);
            if why.is_absence { Ok(Arc::new(empty())) } else { Err(why) }
        })
    }

    fn open_again(&self, state: &mut LiveState) {
        let opened = opened(&self.context, self.explicit.as_deref());
        self.context.metrics.reloaded(opened.is_ok());
        // Where the settings broke, those of before hold on, with the servers of their time.
        let opened = match (opened, &state.current) {
            (Ok(Project { settings: ProjectSettings { unusable: Some(error), .. }, .. }), Ok(before))
                if before.settings.place.is_some() =>
            {
                Err(error)
            }
            (opened, _) => opened,
        };
        match (opened, &state.current) {
            (Ok(mut project), before) => {
                let known = before.as_ref().ok().map(|before| before.concerns());
                if let Ok(before) = before {
                    project.take_over(before);
                }
                let project = Arc::new(project);
                if known != Some(project.concerns()) {
                    self.tell(News::Taken(Arc::clone(&project)));
                }
                state.current = Ok(project);
            }
            // A person who removes the settings takes away the permissions in them.
            (Err(error @ (OpenError::NoSettings { .. } | OpenError::NotThere(_))), _)
            | (Err(error), Err(_)) => {
                let why = NotReady::from(&error);
                if state.current.as_ref().err() != Some(&why) {
                    self.tell(News::Nothing(error));
                }
                state.current = Err(why);
            }
            (Err(error), Ok(project)) => {
                project.catalog.set_stale_settings(&error);
                self.tell(News::Kept(error));
            }
        }
    }

    /// The settings and servers that wait here, where nothing of them was ever approved.
    pub fn first_approval(&self) -> Option<Unapproved> {
        super::first_approval::first_approval(&self.context, self.explicit.as_deref())
    }

    pub(crate) fn tell(&self, news: News) {
        // Without a listener, agents still learn it from the project's losses.
        let _ = self.news.send(news);
    }

    /// The files that decide which settings count and what of them agents get.
    pub(crate) fn places(&self) -> WatchedPlaces {
        let environment = &self.context.environment;
        let settings = settings::candidates(environment, self.explicit.as_deref());
        let settings: Vec<PathBuf> =
            settings.into_iter().chain(settings::server_candidates(environment)).collect();
        let targets = settings.iter().map(|file| files::canonical(file)).collect::<Vec<_>>();
        let files = settings.into_iter().chain(targets).chain(self.pins.iter().cloned());
        WatchedPlaces { files: files.collect(), ..WatchedPlaces::default() }
    }
}

fn opened(context: &Context, explicit: Option<&Path>) -> Result<Project, OpenError> {
    let project = Project::open(context.clone(), explicit, Caller::Agent)?;
    project.settings.fit_for_serving()?;
    Ok(project)
}

/// The files of the pins that may hold here.
fn pins(context: &Context, explicit: Option<&Path>) -> Vec<PathBuf> {
    let Some(ledger) = context.ledger() else { return Vec::new() };
    let environment = &context.environment;
    let named = settings::named(environment, explicit).map(|(file, _)| super::pins::key(&file));
    let of_servers = settings::server_candidates(environment).into_iter().map(|file| super::pins::key(&file));
    let of_servers: Vec<PathBuf> = of_servers.collect();
    // Those of the user name servers as well, and have no pin of their own.
    let of_settings = settings::candidates(environment, explicit).into_iter();
    let of_settings = of_settings.filter(|file| !file.ends_with(".git")).map(|file| super::pins::key(&file));
    let naming = of_settings.chain(of_servers.iter().cloned());
    let definitions: Vec<PathBuf> = naming.map(|file| ledger.server_pins_file(&file)).collect();
    let users = settings::user_places(environment).into_iter().map(|place| super::pins::key_of(&place));
    let pinned = candidates(environment.directory(), environment).chain(named).chain(of_servers).chain(users);
    pinned.map(|file| ledger.pin_file(&file)).chain(definitions).collect()
}

/// The files that an project is opened from. While they stay the same, a new project would be no different.
#[derive(Debug, PartialEq)]
struct Basis {
    search: Result<SettingsSearch, NotThere>,
    settings: Option<Seen>,
    servers: Vec<(settings::SettingsPlace, Seen)>,
    pins: Vec<Option<Stamp>>,
}

impl Basis {
    fn of(context: &Context, explicit: Option<&Path>, pins: &[PathBuf]) -> Self {
        let (search, servers) = settings::find_all(&context.environment, explicit);
        let place = search.as_ref().ok().and_then(|search| search.place.as_ref());
        let settings = place.map(|place| settings::kept(place, &context.files));
        let servers = servers.into_iter().map(|place| (place.clone(), settings::look(&place.file))).collect();
        let pins = pins.iter().map(|file| files::stamp(file)).collect();
        Self { search, settings, servers, pins }
    }
}
