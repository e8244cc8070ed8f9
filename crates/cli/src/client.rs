//! Talks to a bridge, for every command that needs one.

use std::time::Duration;

use anyhow::Context;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use waymark_proto::PROTOCOL_VERSION;
use waymark_proto::bridge::bridge_client::BridgeClient;
use waymark_proto::bridge::{GetInfoRequest, Info, ShutdownRequest};
use waymark_worker::connect::{self, Problem, Trust, innermost};

use crate::config::{Configuration, Token};
use crate::home::Home;
use crate::source::read_text;
use crate::terminal::hinted;

/// How long a bridge may take to accept a connection, and to say who it is.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(5);
/// Programs and results may be as large as the bridge allows; it says no itself.
const MESSAGE_BYTES_MAX: usize = 1 << 30;

pub type Calls = BridgeClient<InterceptedService<Channel, Bearer>>;

/// A bridge that has said who it is.
pub struct Client {
    pub calls: Calls,
    pub info: Info,
}

/// Who we are, and whom we believe.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub token: Token,
    pub trust: Trust,
}

impl Credentials {
    pub fn of_client(configuration: &Configuration, home: &Home) -> anyhow::Result<Credentials> {
        let token = match &configuration.values.token {
            Some(token) => token.clone(),
            None => home.token()?,
        };
        Credentials::with_token(configuration, token)
    }

    pub fn with_token(configuration: &Configuration, token: Token) -> anyhow::Result<Credentials> {
        let authorities = configuration.values.tls_ca.as_deref().map(read_text).transpose().context("`tls_ca`")?;
        Ok(Credentials { token, trust: Trust { authorities, name: configuration.values.tls_name.clone() } })
    }
}

/// Why a bridge could not be talked to.
#[derive(Debug)]
pub enum Unreachable {
    /// Nobody answers at the address.
    Nobody(String),
    /// Somebody answers, who is not a bridge for us.
    Other(anyhow::Error),
}

impl Client {
    pub async fn connect(address: &str, credentials: &Credentials) -> Result<Client, Unreachable> {
        let other = |error: anyhow::Error| Unreachable::Other(error);
        let trust = &credentials.trust;
        let endpoint = connect::endpoint(address, trust).map_err(|problem| other(told(&problem)))?;
        let endpoint = endpoint.connect_timeout(ANSWER_TIME_MAX).tcp_nodelay(true);
        let channel = tokio::time::timeout(ANSWER_TIME_MAX, endpoint.connect())
            .await
            .map_err(|_| Unreachable::Nobody("no answer in time".into()))?
            .map_err(|error| match Problem::of(address, trust, &error) {
                Some(problem) => other(told(&problem)),
                None => Unreachable::Nobody(innermost(&error)),
            })?;
        let bearer = Bearer::new(&credentials.token).map_err(other)?;
        let mut calls = BridgeClient::with_interceptor(channel, bearer)
            .max_decoding_message_size(MESSAGE_BYTES_MAX)
            .max_encoding_message_size(MESSAGE_BYTES_MAX);
        let asked = tokio::time::timeout(ANSWER_TIME_MAX, calls.get_info(GetInfoRequest {})).await;
        let info = match asked {
            Ok(Ok(info)) => info.into_inner(),
            Ok(Err(status)) => {
                let is_broken = std::error::Error::source(&status).is_some();
                return Err(match connect::only_tls(address).await.filter(|_| is_broken) {
                    Some(problem) => other(told(&problem)),
                    None => other(explain(address, status)),
                });
            }
            Err(_) => return Err(other(anyhow::anyhow!("{address} takes connections, but does not say who it is"))),
        };
        if info.protocol_version != PROTOCOL_VERSION {
            return Err(other(hinted(
                format!(
                    "the bridge at {address} is waymark {} and speaks protocol {}, this is {} and speaks {PROTOCOL_VERSION}",
                    info.waymark_version,
                    info.protocol_version,
                    env!("CARGO_PKG_VERSION"),
                ),
                "use the same version of waymark on both sides",
            )));
        }
        Ok(Client { calls, info })
    }

    /// Only a bridge that a client started does as it is told.
    pub async fn shut_down(&mut self) -> anyhow::Result<()> {
        self.calls.shutdown(ShutdownRequest {}).await.map_err(|status| anyhow::anyhow!("{}", status.message()))?;
        Ok(())
    }
}

/// A refusal as people should read it.
pub fn explain(address: &str, status: Status) -> anyhow::Error {
    match status.code() {
        Code::Unauthenticated => hinted(
            format!("the bridge at {address} does not accept the token"),
            "set WAYMARK_TOKEN to the one it was started with; a bridge of your own on this host uses the token file",
        ),
        Code::Unimplemented => anyhow::anyhow!("what answers at {address} is not a waymark bridge"),
        // What was being read when the connection broke has another code.
        Code::Unavailable => anyhow::anyhow!("the bridge at {address} went away: {}", status.message()),
        _ if std::error::Error::source(&status).is_some() => {
            anyhow::anyhow!("the bridge at {address} went away: {}", status.message())
        }
        _ => anyhow::anyhow!("the bridge at {address}: {}", status.message()),
    }
}

fn told(problem: &Problem) -> anyhow::Error {
    hinted(problem.to_string(), problem.hint())
}

/// Puts the token on every call.
#[derive(Clone)]
pub struct Bearer(MetadataValue<Ascii>);

impl Bearer {
    fn new(token: &Token) -> anyhow::Result<Bearer> {
        let mut value: MetadataValue<Ascii> =
            format!("Bearer {}", token.secret()).parse().context("the token can't be sent in a header")?;
        value.set_sensitive(true);
        Ok(Bearer(value))
    }
}

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}
