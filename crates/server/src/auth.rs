//! Who may talk to us: those who know the token. Everything that isn't on loopback needs one that was set explicitly.
//!
//! [`Access`] is a layer around all services of a listener, so a service that is added later, and a path that nobody serves, are behind
//! it too.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::header::AUTHORIZATION;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tower_layer::Layer;
use tower_service::Service;

/// Where a person finds the token that was missing or wrong.
const HINT: &str = "hint: send `authorization: Bearer <token>` with the token that the server was started with; for a server on \
                    loopback, that is the one in the token file of the user who started it";

const HEALTH: &str = "/grpc.health.v1.Health/";

/// The SHA-256 of a token: enough to check one, useless to whoever reads it in memory or in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    pub fn of(token: &str) -> TokenHash {
        TokenHash::of_bytes(token.as_bytes())
    }

    fn of_bytes(token: &[u8]) -> TokenHash {
        TokenHash(Sha256::digest(token).into())
    }

    /// Takes the same time wherever the two differ.
    fn matches(&self, token: &[u8]) -> bool {
        self.0.ct_eq(&TokenHash::of_bytes(token).0).into()
    }
}

impl std::fmt::Debug for TokenHash {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("TokenHash(…)")
    }
}

/// What a listener asks of those who call.
#[derive(Clone, Debug)]
pub struct Access {
    pub token: TokenHash,
    /// Health needs no token.
    pub open_health: bool,
}

impl Access {
    /// Health is open on loopback, and nowhere else.
    pub fn on(address: SocketAddr, token: TokenHash) -> Access {
        Access { token, open_health: address.ip().to_canonical().is_loopback() }
    }

    fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), Status> {
        if self.open_health && path.starts_with(HEALTH) {
            return Ok(());
        }
        let Some(header) = headers.get(AUTHORIZATION) else {
            return Err(Status::unauthenticated(format!("the call has no token\n{HINT}")));
        };
        match bearer(header.as_bytes()) {
            Some(token) if self.token.matches(token) => Ok(()),
            Some(_) => Err(Status::unauthenticated(format!("the token is not the one of this server\n{HINT}"))),
            None => Err(Status::unauthenticated(format!("the authorization is not of the kind Bearer\n{HINT}"))),
        }
    }
}

fn bearer(header: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = header.split_at_checked("Bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then_some(token.trim_ascii())
}

impl<S> Layer<S> for Access {
    type Service = Guarded<S>;

    fn layer(&self, inner: S) -> Guarded<S> {
        Guarded { access: self.clone(), inner }
    }
}

/// A service behind an [`Access`].
#[derive(Clone, Debug)]
pub struct Guarded<S> {
    access: Access,
    inner: S,
}

impl<S> Service<Request<Body>> for Guarded<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match self.access.check(request.uri().path(), request.headers()) {
            Ok(()) => Box::pin(self.inner.call(request)),
            Err(status) => Box::pin(std::future::ready(Ok(status.into_http()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::codegen::http::HeaderValue;

    #[test]
    fn who_comes_in() {
        let closed = Access { token: TokenHash::of("secret"), open_health: false };
        let open = Access { open_health: true, ..closed.clone() };
        let (bridge, health) = ("/waymark.bridge.v1.Bridge/GetInfo", "/grpc.health.v1.Health/Check");
        let cases = [
            (&closed, bridge, Some("Bearer secret"), true),
            (&closed, bridge, Some("bearer secret"), true),
            (&closed, bridge, Some("Bearer  secret"), true),
            (&closed, health, Some("Bearer secret"), true),
            (&closed, bridge, Some("Bearer secret2"), false),
            (&closed, bridge, Some("Bearer "), false),
            (&closed, bridge, Some("Bearer"), false),
            (&closed, bridge, Some("Basic secret"), false),
            (&closed, bridge, Some("secret"), false),
            (&closed, bridge, Some("Béarer secret"), false),
            (&closed, bridge, None, false),
            (&closed, health, None, false),
            (&open, health, None, true),
            (&open, bridge, None, false),
            (&open, "/grpc.health.v1.Healthy/Check", None, false),
            (&open, "/waymark.bridge.v1.Bridge/grpc.health.v1.Health/Check", None, false),
        ];
        for (access, path, header, expected) in cases {
            let mut headers = HeaderMap::new();
            if let Some(header) = header {
                headers.insert(AUTHORIZATION, HeaderValue::from_bytes(header.as_bytes()).unwrap());
            }
            let answer = access.check(path, &headers);
            assert_eq!(answer.is_ok(), expected, "{path} {header:?}");
            if let Err(status) = answer {
                assert_eq!(status.code(), tonic::Code::Unauthenticated);
                assert!(status.message().contains("hint: ") && !status.message().contains("secret"), "{status}");
            }
        }
    }

    #[test]
    fn health_is_open_on_loopback_only() {
        for (address, open) in [
            ("127.0.0.1:1", true),
            ("[::1]:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("0.0.0.0:1", false),
            ("10.0.0.1:1", false),
            ("[::]:1", false),
        ] {
            assert_eq!(Access::on(address.parse().unwrap(), TokenHash::of("x")).open_health, open, "{address}");
        }
    }

    #[test]
    fn nobody_reads_a_token_in_a_log() {
        assert_eq!(
            format!("{:?}", Access { token: TokenHash::of("secret"), open_health: true }),
            "Access { token: TokenHash(…), open_health: true }"
        );
    }
}
