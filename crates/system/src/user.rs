//! The user of this process.

use std::path::PathBuf;

use nix::unistd::geteuid;

/// The number of the user.
pub fn own() -> u32 {
    geteuid().as_raw()
}

/// Whether it is the administrator.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// The home folder that the system's own list has for the user, without asking a server of names.
#[expect(clippy::disallowed_methods, reason = "the list of users is a file of the system")]
pub fn home() -> Option<PathBuf> {
    home_of(own(), &std::fs::read_to_string("/etc/passwd").ok()?)
}

fn home_of(user: u32, list: &str) -> Option<PathBuf> {
    let number = user.to_string();
    let fields = list.lines().map(|line| line.split(':').collect::<Vec<_>>());
    let own = fields.into_iter().find(|fields| fields.get(2) == Some(&&*number))?;
    own.get(5).map(PathBuf::from).filter(|home| home.is_absolute() && home.parent().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_is_the_sixth_field() {
        let list = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\na:x:1000:1000:A B,,:/home/a:/bin/sh\nbroken\n";
        assert_eq!(home_of(1000, list), Some("/home/a".into()));
        assert_eq!(home_of(0, list), Some("/root".into()));
        assert_eq!((home_of(65534, list), home_of(7, list)), (None, None));
    }
}
