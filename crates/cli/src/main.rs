//! The `waymark` command. Each command is a file; this one only says which there are.
//!
//! Data goes to stdout, talk to stderr. Exit codes: 0 all is well; 1 the user's program is wrong or has failed; 2 the
//! command could not be carried out.

mod bench;
mod boot;
mod check;
mod client;
mod compile;
mod completions;
mod config;
mod control;
mod home;
mod input;
mod instances;
mod migrate;
mod python;
mod queues;
mod render;
mod retention;
mod run;
mod runner;
mod schedule;
mod serve;
mod sim;
mod source;
mod span;
mod table;
mod terminal;
mod versions;
mod watch;
mod workflows;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Durable workflows in ordinary code.
#[derive(Parser)]
#[command(name = "waymark", version, propagate_version = false)]
struct Waymark {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Compile(compile::Options),
    Check(check::Options),
    Sim(sim::Options),
    Bench(bench::Options),
    Run(run::Options),
    List(instances::list::Options),
    Count(instances::count::Options),
    Stuck(instances::list::StuckOptions),
    Show(instances::show::Options),
    Watch(watch::Options),
    Signal(instances::signal::Options),
    Cancel(control::Cancel),
    Terminate(control::Terminate),
    Pause(control::Pause),
    Resume(control::Resume),
    Retry(control::Retry),
    Export(instances::transfer::Export),
    Import(instances::transfer::Import),
    #[command(subcommand)]
    Queues(queues::Command),
    #[command(subcommand)]
    Retention(retention::Command),
    Versions(versions::Options),
    Migrate(migrate::Options),
    Dev(serve::dev::Options),
    Bridge(serve::bridge::Options),
    StartWorkers(serve::start_workers::Options),
    #[command(hide = true)]
    ScriptedWorker(serve::scripted_worker::Options),
    #[command(hide = true)]
    TestWorker(serve::test_worker::Options),
    #[command(hide = true)]
    Runner(runner::Options),
    #[command(subcommand)]
    Schedule(schedule::Command),
    Config(config::show::Options),
    Completions(completions::Options),
}

fn main() -> ExitCode {
    let done = match Waymark::parse().command {
        Command::Compile(options) => compile::run(&options),
        Command::Check(options) => check::run(&options),
        Command::Sim(options) => sim::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::Run(options) => run::run(&options),
        Command::List(options) => instances::list::run(&options),
        Command::Count(options) => instances::count::run(&options),
        Command::Stuck(options) => instances::list::stuck(&options),
        Command::Show(options) => instances::show::run(&options),
        Command::Watch(options) => watch::run(&options),
        Command::Signal(options) => instances::signal::run(&options),
        Command::Cancel(options) => control::cancel(&options),
        Command::Terminate(options) => control::terminate(&options),
        Command::Pause(options) => control::pause(&options),
        Command::Resume(options) => control::resume(&options),
        Command::Retry(options) => control::retry(&options),
        Command::Export(options) => instances::transfer::export(&options),
        Command::Import(options) => instances::transfer::import(&options),
        Command::Queues(command) => queues::run(&command),
        Command::Retention(command) => retention::run(&command),
        Command::Versions(options) => versions::run(&options),
        Command::Migrate(options) => migrate::run(&options),
        Command::Dev(options) => serve::dev::run(&options),
        Command::Bridge(options) => serve::bridge::run(&options),
        Command::StartWorkers(options) => serve::start_workers::run(&options),
        Command::ScriptedWorker(options) => serve::scripted_worker::run(&options),
        Command::TestWorker(options) => serve::test_worker::run(&options),
        Command::Runner(options) => runner::run(&options),
        Command::Schedule(command) => schedule::run(&command),
        Command::Config(options) => config::show::run(&options),
        Command::Completions(options) => completions::run(&options),
    };
    terminal::exit_code(done)
}
