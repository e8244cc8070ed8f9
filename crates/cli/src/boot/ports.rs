//! Sockets to listen on: the address that was asked for, or the next free port where nobody asked.

use std::io::ErrorKind;
use std::net::{SocketAddr, ToSocketAddrs};

use anyhow::Context;
use tokio::net::TcpListener;
use waymark_worker::connect;

use crate::terminal::hinted;

/// The defaults of the bridge, of the workers' listener and of the web UI: none of them takes another's.
const RESERVED: [u16; 3] = [24117, 24118, 24119];
/// Ports that are tried.
const SEARCH: u16 = 200;

/// What an address means, without listening.
pub fn resolve(name: &str, address: &str) -> anyhow::Result<SocketAddr> {
    let found = connect::split(address).1.to_socket_addrs();
    let mut found = found.with_context(|| format!("`{name}` is `{address}`, which leads nowhere"))?;
    found.next().with_context(|| format!("`{name}` is `{address}`, which leads nowhere"))
}

/// `is_set`: the user wants this port and no other.
pub async fn listen(name: &str, address: SocketAddr, is_set: bool) -> anyhow::Result<TcpListener> {
    let taken = match TcpListener::bind(address).await {
        Ok(listener) => return Ok(listener),
        Err(error) if error.kind() == ErrorKind::AddrInUse => error,
        Err(error) => return Err(error).with_context(|| format!("`{name}`: can't listen on {address}")),
    };
    if is_set {
        return Err(hinted(
            format!("`{name}`: can't listen on {address}: {taken}"),
            format!("stop what listens there, or set another `{name}`; without one, a free port is taken"),
        ));
    }
    let ports = (address.port()..=u16::MAX).take(usize::from(SEARCH)).filter(|port| !RESERVED.contains(port));
    for port in ports {
        match TcpListener::bind(SocketAddr::new(address.ip(), port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("`{name}`: can't listen on port {port}")),
        }
    }
    Err(hinted(
        format!("`{name}`: port {} and the {SEARCH} after it are taken", address.port()),
        format!("set `{name}` to an address that is free"),
    ))
}
