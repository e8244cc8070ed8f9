//! Every name that a program can use without declaring it, for those who compile to programs.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use waymark_runner::registry;

/// `names`: what each stands for; `methods`: by class, those that run without a worker.
pub fn json() -> Json {
    let names = registry::all_names().filter_map(|name| Some((name, registry::kind(name)?)));
    let names: BTreeMap<&str, &str> = names.collect();
    let methods = registry::class_names().map(|class| (class, registry::method_names(class)));
    let methods: BTreeMap<&str, Vec<&str>> = methods.filter(|(_, methods)| !methods.is_empty()).collect();
    json!({ "names": names, "methods": methods })
}
