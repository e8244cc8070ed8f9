//! gRPC services on a listener that the caller opened: behind a token, with TLS where it is wanted, until the caller says stop.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tokio::time::Sleep;
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::server::Connected;
use tonic::transport::{Identity, Server, ServerTlsConfig};

use crate::auth::Access;

/// Calls at the same time on one connection. A wait holds one for as long as it takes, so there are many.
const STREAMS_MAX: u32 = 10_000;
/// A peer that is silent for this long is asked whether it is there…
const KEEPALIVE: Duration = Duration::from_secs(30);
/// …and is gone when it does not answer within this time.
const KEEPALIVE_ANSWER: Duration = Duration::from_secs(20);
/// What a peer may send before it hears that we have taken it, and in one frame: large messages in few pieces.
const WINDOW_BYTES: u32 = 4 << 20;
const FRAME_BYTES_MAX: u32 = 1 << 20;
/// Headers of one call.
const HEADER_BYTES_MAX: u32 = 16 << 10;
const HANDSHAKE_MAX: Duration = Duration::from_secs(10);
/// How long calls may go on after the caller said stop.
const DRAIN_MAX: Duration = Duration::from_secs(5);
/// Wait before the next accept after one that failed: when files run out, the next fails too.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// A server's certificate (with those it was signed by) and private key.
#[derive(Clone)]
pub struct TlsOptions {
    pub certificate_pem: String,
    pub key_pem: String,
}

impl std::fmt::Debug for TlsOptions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("TlsOptions(…)")
    }
}

#[derive(Debug, Error)]
pub enum Error {
    #[error(
        "the TLS certificate or its key can't be used: {reason}\nhint: both are PEM, and the key belongs to the certificate"
    )]
    Tls { reason: String },
    #[error("the server has failed: {reason}")]
    Failed { reason: String },
}

/// Serves until `shutdown`; then takes no more calls and lets those that run come to their end, but not for long.
pub async fn serve<L: Listener>(
    listener: L,
    routes: Routes,
    access: Access,
    tls: Option<TlsOptions>,
    shutdown: CancellationToken,
) -> Result<(), Error> {
    let mut server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE))
        .http2_keepalive_timeout(Some(KEEPALIVE_ANSWER))
        .max_concurrent_streams(STREAMS_MAX)
        .initial_stream_window_size(WINDOW_BYTES)
        .initial_connection_window_size(WINDOW_BYTES)
        .max_frame_size(FRAME_BYTES_MAX)
        .http2_max_header_list_size(HEADER_BYTES_MAX);
    if let Some(tls) = tls {
        let identity = Identity::from_pem(tls.certificate_pem, tls.key_pem);
        let config = ServerTlsConfig::new().identity(identity).timeout(HANDSHAKE_MAX);
        server = server.tls_config(config).map_err(|error| Error::Tls { reason: chain(&error) })?;
    }
    let stop = shutdown.clone();
    let serving = server
        .layer(access)
        .add_routes(routes)
        .serve_with_incoming_shutdown(Incoming { listener, pause: None }, async move { stop.cancelled().await });
    let out_of_time = async {
        shutdown.cancelled().await;
        tokio::time::sleep(DRAIN_MAX).await;
    };
    tokio::select! {
        served = serving => served.map_err(|error| Error::Failed { reason: chain(&error) }),
        () = out_of_time => {
            tracing::warn!("calls were still running {DRAIN_MAX:?} after the server was told to stop; they are cut off");
            Ok(())
        }
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(&format!(": {error}"));
        cause = error.source();
    }
    text
}

/// What connections come from.
pub trait Listener: Unpin + Send + 'static {
    type Connection: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static;

    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<Self::Connection>>;
}

impl Listener for TcpListener {
    type Connection = TcpStream;

    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<TcpStream>> {
        let (stream, _) = ready!(TcpListener::poll_accept(self, context))?;
        // Answers are small, and somebody waits for each.
        stream.set_nodelay(true)?;
        Poll::Ready(Ok(stream))
    }
}

impl Listener for UnixListener {
    type Connection = UnixStream;

    fn poll_accept(&self, context: &mut Context<'_>) -> Poll<io::Result<UnixStream>> {
        UnixListener::poll_accept(self, context).map_ok(|(stream, _)| stream)
    }
}

/// Never ends, and never spins.
struct Incoming<L> {
    listener: L,
    pause: Option<Pin<Box<Sleep>>>,
}

impl<L: Listener> Stream for Incoming<L> {
    type Item = io::Result<L::Connection>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            match ready!(self.listener.poll_accept(context)) {
                Ok(connection) => return Poll::Ready(Some(Ok(connection))),
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    self.pause = Some(Box::pin(tokio::time::sleep(ACCEPT_BACKOFF)));
                }
            }
        }
    }
}
