//! Commands that look for instances and at them: `list`, `count`, `stuck`, `show`, `signal`, `export`, `import`. What changes many at once is
//! in `control`, what looks for longer in `watch`.

pub mod count;
pub mod filter;
pub mod list;
pub mod name;
mod object;
pub mod show;
pub mod signal;
pub mod transfer;

pub use filter::Filter;
pub use name::Name;
pub use object::{shown, status, value};
