//! How near an address is to this machine: a server must not have cuff ask addresses that are nearer than its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How near an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum AddressNearness {
    /// Anywhere.
    Public,
    /// A private network, a link, or a range that nothing public has.
    Private,
    /// This machine.
    Loopback,
}

impl AddressNearness {
    pub(super) fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }
}

fn of_v4(address: Ipv4Addr) -> AddressNearness {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        // A connection to 0.0.0.0 reaches this machine.
        (0 | 127, ..) => AddressNearness::Loopback,
        (10 | 224..=255, ..)
        | (100, 64..=127, _)
        | (169, 254, _)
        | (172, 16..=31, _)
        | (192, 168, _)
        | (192, 0, 0 | 2)
        | (198, 18 | 19, _)
        | (198, 51, 100)
        | (203, 0, 113) => AddressNearness::Private,
        _ => AddressNearness::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> AddressNearness {
    let [first, second, third, rest @ ..] = address.segments();
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        of_v4(Ipv4Addr::new(a, b, c, d))
    };
    match (first, second, third, rest) {
        (0, 0, 0, [0, 0, 0, 0, 0 | 1]) => AddressNearness::Loopback,
        // Addresses of version 4 within those of version 6: mapped, compatible, translated, 6to4.
        (0, 0, 0, [0, 0 | 0xffff, 0, high, low] | [0, 0, 0xffff, high, low])
        | (0x64, 0xff9b, 0, [0, 0, 0, high, low])
        | (0x2002, high, low, _) => inner(high, low),
        (0xfc00..=0xfdff | 0xfe80..=0xffff, ..) | (0x2001, 0 | 0xdb8, ..) => AddressNearness::Private,
        _ => AddressNearness::Public,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_known_in_every_disguise() {
        for (address, expected) in [
            ("8.8.8.8", AddressNearness::Public),
            ("127.0.0.1", AddressNearness::Loopback),
            ("127.8.9.1", AddressNearness::Loopback),
            ("0.0.0.0", AddressNearness::Loopback),
            ("10.1.2.3", AddressNearness::Private),
            ("172.16.0.1", AddressNearness::Private),
            ("172.32.0.1", AddressNearness::Public),
            ("192.168.1.1", AddressNearness::Private),
            ("169.254.169.254", AddressNearness::Private),
            ("100.100.0.1", AddressNearness::Private),
            ("255.255.255.255", AddressNearness::Private),
            ("::1", AddressNearness::Loopback),
            ("::", AddressNearness::Loopback),
            ("::ffff:127.0.0.1", AddressNearness::Loopback),
            ("::ffff:10.0.0.1", AddressNearness::Private),
            ("::ffff:8.8.8.8", AddressNearness::Public),
            ("64:ff9b::a9fe:a9fe", AddressNearness::Private),
            ("2002:7f00:1::", AddressNearness::Loopback),
            ("fd00::1", AddressNearness::Private),
            ("fe80::1", AddressNearness::Private),
            ("ff02::1", AddressNearness::Private),
            ("2606:4700::1111", AddressNearness::Public),
        ] {
            assert_eq!(AddressNearness::of(address.parse().unwrap()), expected, "{address}");
        }
    }
}
