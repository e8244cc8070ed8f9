//! Schedules: which instances start by themselves, and when. All of it is arithmetic on what is stored: a [`Definition`] says what its
//! author wants, a [`Calendar`] knows its due times, [`fire`] decides what a due schedule does now. Whoever carries a firing out (the front,
//! through the store) does it in one transaction, gated by the schedule's revision.

mod calendar;
mod definition;
mod firing;

pub use calendar::Calendar;
pub use definition::{Definition, Overlap, When};
pub use firing::{CATCH_UP_MIN, backfill, fire, place, run_id, trigger};
