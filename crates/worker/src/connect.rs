//! How a server of ours is reached: in plain text, or over TLS. For workers, and for the command, which talks to bridges.
//!
//! The scheme of an address decides. Without one, this host is spoken to in plain text, and others over TLS where an authority is
//! named that vouches for them.

use std::net::IpAddr;
use std::time::Duration;

use rustls::CertificateError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

/// How long a look at who answers may take.
const LOOK_MAX: Duration = Duration::from_secs(5);

/// Whom to believe that they are who they say.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Certificates of authorities, as PEM. None: the system's.
    pub authorities: Option<String>,
    /// What a certificate must be for. None: the host of the address.
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

/// An address without its scheme, and the scheme if it has one.
pub fn split(address: &str) -> (Option<Scheme>, &str) {
    let schemes = [("https://", Scheme::Https), ("http://", Scheme::Http)];
    let found = schemes.iter().find_map(|(prefix, scheme)| Some((Some(*scheme), address.strip_prefix(prefix)?)));
    let (scheme, rest) = found.unwrap_or((None, address));
    (scheme, rest.trim_end_matches('/'))
}

/// Whether TLS is spoken there.
pub fn is_secure(address: &str, trust: &Trust) -> bool {
    match split(address) {
        (Some(scheme), _) => scheme == Scheme::Https,
        (None, rest) => trust.authorities.is_some() && !is_socket(rest) && !is_loopback(rest),
    }
}

/// Whether others may read what is said there.
pub fn is_exposed(address: &str, trust: &Trust) -> bool {
    let (_, rest) = split(address);
    let is_any = ip(rest).is_some_and(|ip| ip.is_unspecified());
    !is_secure(address, trust) && !is_socket(rest) && !is_loopback(rest) && !is_any
}

pub(crate) fn is_socket(rest: &str) -> bool {
    rest.starts_with("unix:")
}

/// By what is written: a name is not asked for what it leads to, because somebody else may answer.
fn is_loopback(rest: &str) -> bool {
    host(rest).eq_ignore_ascii_case("localhost") || ip(rest).is_some_and(|ip| ip.is_loopback())
}

fn ip(rest: &str) -> Option<IpAddr> {
    host(rest).parse().ok().map(|ip: IpAddr| ip.to_canonical())
}

fn host(rest: &str) -> &str {
    let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Not connected yet.
pub fn endpoint(address: &str, trust: &Trust) -> Result<Endpoint, Problem> {
    let wrong =
        |error: tonic::transport::Error| Problem::Address { address: address.into(), reason: innermost(&error) };
    let (_, rest) = split(address);
    if is_socket(rest) {
        return Endpoint::from_shared(rest.to_string()).map_err(wrong);
    }
    if !is_secure(address, trust) {
        return Endpoint::from_shared(format!("http://{rest}")).map_err(wrong);
    }
    let mut config = ClientTlsConfig::new();
    config = match &trust.authorities {
        Some(pem) if CertificateDer::pem_slice_iter(pem.as_bytes()).flatten().next().is_none() => {
            return Err(Problem::NoAuthority);
        }
        Some(pem) => config.ca_certificate(Certificate::from_pem(pem)),
        None => config.with_native_roots(),
    };
    if let Some(name) = &trust.name {
        config = config.domain_name(name);
    }
    Endpoint::from_shared(format!("https://{rest}")).and_then(|endpoint| endpoint.tls_config(config)).map_err(wrong)
}

/// Why two can't talk although both are there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    #[error("`{address}` is no address to connect to: {reason}")]
    Address { address: String, reason: String },
    #[error("there is no certificate in the file that `tls_ca` names")]
    NoAuthority,
    #[error("nobody that we trust has signed the certificate of {address}")]
    Untrusted { address: String, has_authority: bool },
    #[error("the certificate of {address} is not for this name: {reason}")]
    OtherName { address: String, reason: String },
    #[error("the certificate of {address} can't be used: {reason}")]
    Certificate { address: String, reason: String },
    #[error("what answers at {address} does not speak TLS: {reason}")]
    NoTls { address: String, reason: String },
    #[error("what answers at {address} speaks TLS, and was spoken to in plain text")]
    OnlyTls { address: String },
}

impl Problem {
    /// The way out.
    pub fn hint(&self) -> String {
        match self {
            Problem::Address { .. } => "write HOST:PORT, or https://HOST:PORT for TLS".into(),
            Problem::NoAuthority => "it is a PEM file, with `-----BEGIN CERTIFICATE-----`".into(),
            Problem::Untrusted { has_authority: false, .. } => {
                "set tls_ca (WAYMARK_TLS_CA) to a PEM file with the certificate of the authority that signed it".into()
            }
            Problem::Untrusted { has_authority: true, .. } => {
                "tls_ca (WAYMARK_TLS_CA) has another authority than the one that signed it".into()
            }
            Problem::OtherName { .. } => {
                "connect by a name that it is for, or set tls_name (WAYMARK_TLS_NAME) to one".into()
            }
            Problem::Certificate { reason, .. } if reason.contains("CaUsedAsEndEntity") => {
                "it is marked as an authority's: make one with basicConstraints=CA:FALSE".into()
            }
            Problem::Certificate { .. } => "give the server another one (tls_certificate, tls_key)".into(),
            Problem::NoTls { address, .. } => format!(
                "set tls_certificate and tls_key there; or, where nobody else can listen, write http://{}",
                split(address).1
            ),
            Problem::OnlyTls { address } => format!(
                "write https://{}, and set tls_ca (WAYMARK_TLS_CA) unless the system trusts its certificate",
                split(address).1
            ),
        }
    }

    /// What a connection that could not be made means. None: nobody is there.
    pub fn of(address: &str, trust: &Trust, error: &(dyn std::error::Error + 'static)) -> Option<Problem> {
        if !is_secure(address, trust) {
            return None;
        }
        let (address, mut next) = (address.to_string(), Some(error));
        while let Some(error) = next {
            // An io::Error does not count what is in it among its sources.
            let io = error.downcast_ref::<std::io::Error>();
            let inside = io.and_then(|io| io.get_ref()).and_then(|inside| inside.downcast_ref::<rustls::Error>());
            if let Some(problem) = inside.or_else(|| error.downcast_ref()) {
                return Some(Problem::of_handshake(address, trust, problem));
            }
            let ended = [std::io::ErrorKind::UnexpectedEof, std::io::ErrorKind::ConnectionReset];
            if io.is_some_and(|io| ended.contains(&io.kind())) {
                return Some(Problem::NoTls { address, reason: error.to_string() });
            }
            next = error.source();
        }
        None
    }

    fn of_handshake(address: String, trust: &Trust, error: &rustls::Error) -> Problem {
        match error {
            // The second: an authority of the same name, with another key.
            rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::BadSignature) => {
                Problem::Untrusted { address, has_authority: trust.authorities.is_some() }
            }
            rustls::Error::InvalidCertificate(
                problem @ (CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }),
            ) => Problem::OtherName { address, reason: problem.to_string() },
            rustls::Error::InvalidCertificate(problem) => Problem::Certificate { address, reason: problem.to_string() },
            other => Problem::NoTls { address, reason: other.to_string() },
        }
    }
}

/// Plain text was not understood there: was it because only TLS is? Nothing is sent but the beginning of a handshake.
pub async fn only_tls(address: &str) -> Option<Problem> {
    let (_, rest) = split(address);
    if is_socket(rest) {
        return None;
    }
    // It trusts nobody, so whoever speaks TLS shows a certificate that is not good enough.
    let endpoint = Endpoint::from_shared(format!("https://{rest}")).ok()?.tls_config(ClientTlsConfig::new()).ok()?;
    let error = tokio::time::timeout(LOOK_MAX, endpoint.connect()).await.ok()?.err()?;
    match Problem::of(&format!("https://{rest}"), &Trust::default(), &error)? {
        Problem::NoTls { .. } => None,
        _ => Some(Problem::OnlyTls { address: rest.into() }),
    }
}

/// The outer reasons say "transport error".
pub fn innermost(error: &dyn std::error::Error) -> String {
    let mut inner = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_tls_is_spoken_and_who_can_listen() {
        // (address, TLS without and with an authority, others can listen without and with one)
        let cases = [
            ("unix:/run/workers", [false, false], [false, false]),
            ("127.0.0.1:1", [false, false], [false, false]),
            ("[::1]:1", [false, false], [false, false]),
            ("[::ffff:127.0.0.1]:1", [false, false], [false, false]),
            ("localhost:1", [false, false], [false, false]),
            ("http://localhost:1/", [false, false], [false, false]),
            ("https://localhost:1", [true, true], [false, false]),
            ("10.0.0.1:1", [false, true], [true, false]),
            ("0.0.0.0:1", [false, true], [false, false]),
            ("[::]:1", [false, true], [false, false]),
            ("bridge.internal:1", [false, true], [true, false]),
            ("localhost.example:1", [false, true], [true, false]),
            ("http://bridge.internal:1", [false, false], [true, true]),
            ("https://bridge.internal:1", [true, true], [false, false]),
        ];
        let trusts = [None, Some("pem".to_string())].map(|authorities| Trust { authorities, name: None });
        for (address, secure, exposed) in cases {
            assert_eq!(trusts.each_ref().map(|trust| is_secure(address, trust)), secure, "{address}");
            assert_eq!(trusts.each_ref().map(|trust| is_exposed(address, trust)), exposed, "{address}");
        }
    }
}
