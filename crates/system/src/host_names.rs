//! The addresses of hosts in the network, by their names.

use std::io;
use std::net::IpAddr;
use std::process::Stdio;

use tokio::net::lookup_host;

/// The C library's own program for such questions.
const PROGRAM: &str = "getent";

/// The addresses of a host, at least one.
///
/// A C library that is part of this binary may only load the machine's modules for names (of systemd, mDNS or a directory
/// service) where those were built for the very same version, and may crash otherwise. Then the machine's own library is
/// asked, by its program `getent`. A machine without that has no such modules.
///
/// # Errors
/// When the host has no address, or nobody can be asked.
pub async fn addresses(host: &str) -> io::Result<Vec<IpAddr>> {
    if is_static() && !host.starts_with('-') {
        match ask(host).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            asked => return asked?.ok_or_else(|| io::Error::other("the name is not known")),
        }
    }
    Ok(lookup_host((host, 0)).await?.map(|address| address.ip()).collect())
}

/// The answer of `getent`; `None`: the host has no address.
///
/// # Errors
/// When the program does not start.
#[expect(clippy::disallowed_methods, reason = "this is sys; the program is a part of the C library")]
async fn ask(host: &str) -> io::Result<Option<Vec<IpAddr>>> {
    let mut command = tokio::process::Command::new(PROGRAM);
    command.args(["ahosts", host]).stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = command.output().await?;
    let addresses = read(&String::from_utf8_lossy(&output.stdout));
    Ok(Some(addresses).filter(|addresses| !addresses.is_empty()))
}

/// The addresses at the beginnings of lines, each once: there is a line for each kind of socket.
fn read(output: &str) -> Vec<IpAddr> {
    let mut addresses = Vec::new();
    for address in output.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()) {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// Whether the C library is part of this binary: then the kernel started it without a loader.
#[cfg(target_os = "linux")]
fn is_static() -> bool {
    // SAFETY: it takes a number and reads what the kernel left at the start of the process.
    #[expect(unsafe_code, reason = "the C library alone knows where the kernel left it")]
    unsafe {
        nix::libc::getauxval(nix::libc::AT_BASE) == 0
    }
}

#[cfg(not(target_os = "linux"))]
fn is_static() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn both_ways_find_this_machine_and_no_host_that_there_is_none_of() {
        let found = addresses("localhost").await.unwrap();
        assert!(found.iter().all(IpAddr::is_loopback) && !found.is_empty(), "{found:?}");
        assert!(addresses("nowhere.invalid").await.is_err());
        assert!(addresses("-V").await.is_err());
        if cfg!(target_os = "linux") {
            let asked = ask("localhost").await.unwrap().unwrap();
            assert!(asked.iter().all(IpAddr::is_loopback), "{asked:?}");
            assert_eq!(ask("nowhere.invalid").await.unwrap(), None);
        }
    }

    #[test]
    fn an_address_is_named_once_and_in_the_order_of_the_library() {
        let output = "2001:db8::1     STREAM host.example\n2001:db8::1     DGRAM  \n192.0.2.7       STREAM \n\nno address\n";
        assert_eq!(
            read(output),
            ["2001:db8::1", "192.0.2.7"].map(|address| address.parse::<IpAddr>().unwrap())
        );
    }
}
