//! The module `json`.

use crate::python::{Constants, Functions};

pub const FUNCTIONS: Functions = &[];
pub const CONSTANTS: Constants = &[];
