//! Where a scheduler is: `df://host:port`.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A scheduler's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

/// A text that is no scheduler's address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no scheduler's address: it looks like df://host:50050")]
pub struct NotAnAddress(String);

impl FromStr for Address {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Address, NotAnAddress> {
        let wrong = || NotAnAddress(text.to_owned());
        let rest = text.strip_prefix("df://").ok_or_else(wrong)?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = rest.rsplit_once(':').ok_or_else(wrong)?;
        // An IPv6 address stands in brackets, so that its colons are not the port's.
        let bracketed = host.starts_with('[') && host.ends_with(']');
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        if host.is_empty() || !(bracketed || host.chars().all(plain)) {
            return Err(wrong());
        }
        Ok(Address {
            host: host.to_owned(),
            port: port.parse().map_err(|_| wrong())?,
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "df://{}:{}", self.host, self.port)
    }
}

impl Address {
    pub(crate) fn url(&self) -> String {
        format!("http://{}:{}", self.host, self.port)
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

/// Whether only this machine reaches what is bound to an address.
pub(crate) fn is_loopback(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for text in [
            "df://localhost:50050",
            "df://10.0.0.7:1",
            "df://[::1]:50050",
        ] {
            let address: Address = text.parse().expect("an address");
            assert_eq!(address.to_string(), text);
        }
        let slash: Address = "df://a-b.example:7/".parse().expect("an address");
        assert_eq!(slash.url(), "http://a-b.example:7");
        for text in [
            "localhost:50050",
            "df://localhost",
            "df://:50050",
            "df://a:b:1",
            "df://a:65536",
            "http://a:1",
            "df://a/b:1",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn loopback_has_several_spellings() {
        for ip in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert!(is_loopback(ip.parse().expect("an IP")), "{ip}");
        }
        for ip in ["0.0.0.0", "::", "10.0.0.1", "::ffff:10.0.0.1"] {
            assert!(!is_loopback(ip.parse().expect("an IP")), "{ip}");
        }
    }
}
