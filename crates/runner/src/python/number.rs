//! `int`, `float` and `bool`: constructors, methods, parsing.

use crate::python::{Constructors, Functions, Methods};

pub const CONSTRUCTORS: Constructors = &[];
pub const FUNCTIONS: Functions = &[];
pub const INT_METHODS: Methods = &[];
pub const FLOAT_METHODS: Methods = &[];
