//! Addresses of sockets, as the bytes that a call brings.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6, UdpSocket};
use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::errno::Errno;
use nix::libc::{self, socklen_t};

/// An address of a socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SocketAddress {
    /// A file.
    Path(Vec<u8>),
    /// A name that is no file.
    Abstract,
    /// A port of a machine.
    Internet(SocketAddr),
    /// Any other family, none among them.
    Other,
}

/// The address in these bytes.
pub(super) fn parse(bytes: &[u8]) -> SocketAddress {
    let Some((family, rest)) = bytes.split_first_chunk::<2>() else { return SocketAddress::Other };
    let number = |at: usize| rest.get(at..at + 2).map(|two| u16::from_be_bytes([two[0], two[1]]));
    match i32::from(u16::from_ne_bytes(*family)) {
        libc::AF_UNIX => match rest.first() {
            Some(0) | None => SocketAddress::Abstract,
            Some(_) => SocketAddress::Path(rest.iter().copied().take_while(|byte| *byte != 0).collect()),
        },
        libc::AF_INET => {
            let address = rest.get(2..6).and_then(|four| <[u8; 4]>::try_from(four).ok());
            match (address, number(0)) {
                (Some(address), Some(port)) => {
                    SocketAddress::Internet(SocketAddr::new(Ipv4Addr::from(address).into(), port))
                }
                _ => SocketAddress::Other,
            }
        }
        libc::AF_INET6 => {
            let address = rest.get(6..22).and_then(|all| <[u8; 16]>::try_from(all).ok());
            match (address, number(0)) {
                (Some(address), Some(port)) => {
                    let scope = rest.get(22..26).and_then(|four| four.try_into().ok());
                    let scope = scope.map_or(0, u32::from_ne_bytes);
                    SocketAddress::Internet(SocketAddrV6::new(address.into(), port, 0, scope).into())
                }
                _ => SocketAddress::Other,
            }
        }
        _ => SocketAddress::Other,
    }
}

/// The same bytes with another address of the same family.
pub(super) fn with(bytes: &[u8], address: IpAddr) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    match address {
        IpAddr::V4(address) => changed[4..8].copy_from_slice(&address.octets()),
        IpAddr::V6(address) => changed[8..24].copy_from_slice(&address.octets()),
    }
    changed
}

/// Whether an address is this machine's own; `None` where nothing tells.
pub(super) fn is_of_this_machine(target: SocketAddr) -> Option<bool> {
    let address = target.ip().to_canonical();
    if address.is_loopback() || address.is_unspecified() { Some(true) } else { is_of_an_interface(target) }
}

/// Whether an interface has this address: then what is sent there comes from there. Nothing is sent. A link-local address is of the
/// interface that the target names.
fn is_of_an_interface(target: SocketAddr) -> Option<bool> {
    let address = target.ip().to_canonical();
    let (any, target): (IpAddr, SocketAddr) = match address {
        IpAddr::V4(_) => (Ipv4Addr::UNSPECIFIED.into(), (address, 9).into()),
        IpAddr::V6(_) => (Ipv6Addr::UNSPECIFIED.into(), target),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    match socket.connect(target) {
        Ok(()) => Some(socket.local_addr().ok()?.ip() == address),
        // No way leads there.
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENETUNREACH | libc::EHOSTUNREACH)) => {
            Some(false)
        }
        Err(_) => None,
    }
}

/// The address that a connection goes to which names none.
pub(super) fn specified(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V6(sixth) if sixth.to_ipv4_mapped() == Some(Ipv4Addr::UNSPECIFIED) => {
            Ipv4Addr::LOCALHOST.to_ipv6_mapped().into()
        }
        other => other,
    }
}

type WithAddress = unsafe extern "C" fn(libc::c_int, *const libc::sockaddr, socklen_t) -> libc::c_int;

/// Makes a call of a socket and an address.
pub(super) fn with_address(socket: &OwnedFd, address: &[u8], call: WithAddress) -> nix::Result<i32> {
    let length = socklen_t::try_from(address.len()).map_err(|_| Errno::EINVAL)?;
    // SAFETY: the kernel reads so many bytes, which outlive the call.
    #[expect(unsafe_code, reason = "the library's own call knows some families alone")]
    let result = unsafe { call(socket.as_raw_fd(), address.as_ptr().cast(), length) };
    Errno::result(result)
}
