//! For commands that ask the bridge something and are done.

use crate::boot::ensure::{self, Found};
use crate::client::explain;
use crate::config::{Configuration, Flags};
use crate::home::Home;
use crate::serve::block_on;

/// Works with the bridge of the database, which is found or started.
pub fn with_bridge<T>(flags: &Flags, work: impl AsyncFnOnce(&mut Found) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let configuration = Configuration::load(flags)?;
    block_on(async {
        let home = Home::open()?;
        let mut found = ensure::ensure(&configuration, &home).await?;
        work(&mut found).await
    })
}

/// One call.
pub fn call<T>(
    flags: &Flags,
    calling: impl AsyncFnOnce(&mut Found) -> Result<tonic::Response<T>, tonic::Status>,
) -> anyhow::Result<T> {
    with_bridge(flags, async |found| {
        let answer = calling(found).await;
        answer.map(tonic::Response::into_inner).map_err(|status| explain(&found.address, status))
    })
}
