//! A flag for every key, made from the table.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};

use super::KEYS;

const HEADING: &str = "Configuration (also as WAYMARK_* variables and in waymark.toml)";

/// What was given on the command line.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// In the order of [`KEYS`].
    pub(super) given: Vec<Option<String>>,
    pub(super) file: Option<PathBuf>,
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Flags, clap::Error> {
        let given = KEYS.iter().map(|key| matches.get_one::<String>(key.name).cloned()).collect();
        Ok(Flags { given, file: matches.get_one::<PathBuf>("config").cloned() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Flags::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config")
            .long("config")
            .value_name("FILE")
            .value_parser(clap::value_parser!(PathBuf))
            .help("Read this file instead of the nearest waymark.toml")
            .help_heading(HEADING);
        KEYS.iter().fold(command.arg(file), |command, key| {
            let help = match key.default {
                "" => key.help.to_string(),
                default => format!("{} [default: {default}]", key.help),
            };
            let flag = Arg::new(key.name).long(key.flag()).value_name("VALUE").help(help).help_heading(HEADING);
            command.arg(flag.allow_hyphen_values(false))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flags::augment_args(command)
    }
}
