//! Built-in functions: `len`, `range`, `isinstance`, ….

use crate::python::{Constants, Constructors, Functions};

pub const FUNCTIONS: Functions = &[];
pub const CONSTRUCTORS: Constructors = &[];
pub const CONSTANTS: Constants = &[];
