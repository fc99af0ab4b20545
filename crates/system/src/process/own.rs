//! The ways to a supervisor: cuff's own binary, and the spawner.

use std::io;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::{Arc, Mutex, PoisonError};

use crate::expected_runs::ExpectedRuns;
#[cfg(target_os = "linux")]
use crate::spawner::Spawner;

/// The way to a supervisor: a fork of this process, else its binary, started again.
#[derive(Debug, Clone)]
pub struct Supervisor {
    binary: PathBuf,
    /// `None`: the binary is always started.
    #[cfg(target_os = "linux")]
    spawner: Option<Arc<Mutex<Option<Arc<Spawner>>>>>,
}

impl Supervisor {
    /// The running binary, even if another one has replaced it on disk since.
    ///
    /// # Errors
    /// When the operating system does not report it.
    pub fn of_process() -> io::Result<Self> {
        let own = Path::new("/proc/self/exe");
        // A link that only the kernel can follow; the forked child sees the same binary through it.
        let known = cfg!(target_os = "linux") && own.is_symlink();
        Ok(Self {
            binary: if known { own.into() } else { std::env::current_exe()? },
            #[cfg(target_os = "linux")]
            spawner: Some(Arc::default()),
        })
    }

    /// A cuff at this path, which is started for each run.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            binary: path.into(),
            #[cfg(target_os = "linux")]
            spawner: None,
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.binary
    }

    /// Makes runs cheaper to start from now on. To be called before this process has threads. A run does it by itself where
    /// there is one thread by then.
    pub fn prepare(&self, expected: ExpectedRuns) {
        #[cfg(target_os = "linux")]
        self.spawner_for(expected);
        #[cfg(not(target_os = "linux"))]
        let _ = expected;
    }

    /// The spawner, which is forked when it is first asked for; `None` where that cannot be done now.
    #[cfg(target_os = "linux")]
    pub(crate) fn spawner(&self) -> Option<Arc<Spawner>> {
        self.spawner_for(ExpectedRuns::ManyRuns)
    }

    #[cfg(target_os = "linux")]
    fn spawner_for(&self, expected: ExpectedRuns) -> Option<Arc<Spawner>> {
        let mut spawner = self.spawner.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        if spawner.is_none() {
            *spawner = Spawner::fork(expected).map(Arc::new);
        }
        spawner.clone()
    }

    /// Does without a spawner that was killed.
    #[cfg(target_os = "linux")]
    pub(crate) fn forget(&self, dead: &Arc<Spawner>) {
        let Some(spawner) = &self.spawner else { return };
        let mut spawner = spawner.lock().unwrap_or_else(PoisonError::into_inner);
        spawner.take_if(|known| Arc::ptr_eq(known, dead));
    }
}
