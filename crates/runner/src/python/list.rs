//! Methods of `list`.

use crate::python::{Functions, Methods};

pub const METHODS: Methods = &[];
pub const FUNCTIONS: Functions = &[];
