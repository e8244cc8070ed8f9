//! The forms in which programs and values leave the process, the hash, and the verifier.

mod build;
mod hash;
mod json;
mod payload;
mod verify;
mod wire;
