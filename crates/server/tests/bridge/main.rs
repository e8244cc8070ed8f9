//! The bridge over real sockets: what it takes, what it refuses and with which words, and that nobody waits in vain.

mod harness;
mod mail;
mod queues;
mod register;
mod schedules;
mod serving;
mod start;
mod wait;
