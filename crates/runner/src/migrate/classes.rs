//! Classes: by name, from the old program's numbers to the new one's.

use rustc_hash::{FxHashMap, FxHashSet};
use waymark_ir::{TypeDescriptor, TypeKind};

use super::{Comparison, Problem, ProblemKind};
use crate::heap::{Object, Visitor};
use crate::instance::Instance;
use crate::types::{TypeId, Types};
use crate::value::Value;

/// Which classes there are objects of, or are held themselves.
#[derive(Default)]
struct Used(FxHashSet<TypeId>);

impl Visitor for Used {
    fn value(&mut self, value: &mut Value) {
        if let Value::Type(class) = value {
            self.0.insert(*class);
        }
    }

    fn class(&mut self, class: &mut TypeId) {
        self.0.insert(*class);
    }
}

struct Renumber(FxHashMap<TypeId, TypeId>);

impl Visitor for Renumber {
    fn value(&mut self, value: &mut Value) {
        if let Value::Type(class) = value {
            self.class(class);
        }
    }

    fn class(&mut self, class: &mut TypeId) {
        if let Some(to) = self.0.get(class) {
            *class = *to;
        }
    }
}

impl Comparison<'_> {
    pub(super) fn move_classes(&self, instance: &mut Instance, problems: &mut Vec<Problem>) {
        let mut used = Used::default();
        instance.visit(&mut used);
        let mut used: Vec<TypeId> = used.0.into_iter().filter(|class| !class.is_builtin()).collect();
        used.sort_unstable();
        let old = std::mem::take(&mut instance.cx.types);
        let mut new = Types::new(self.new.types.clone());
        let mut numbers = FxHashMap::default();
        for class in used {
            let info = old.get(class);
            let above: Vec<String> = info.mro[1..]
                .iter()
                .filter(|base| **base != TypeId::OBJECT)
                .map(|base| old.get(*base).name.to_string())
                .collect();
            let to = new.learn(&info.name, &above);
            numbers.insert(class, to);
            if let (Some(was), Some(is)) = (&info.descriptor, &new.get(to).descriptor)
                && let Some(reason) = self.misfit(instance, class, was, is)
            {
                let hint = "let what holds such objects finish on its version, or keep the class as it was";
                let problem = Problem::of_instance(format!("class {}: {reason}", info.name));
                problems.push(Problem { kind: ProblemKind::Class, hint: hint.into(), ..problem });
            }
        }
        instance.visit(&mut Renumber(numbers));
        instance.cx.types = new;
    }

    /// Why objects of a class, as they are, are none of the class in the new program.
    fn misfit(&self, instance: &Instance, class: TypeId, was: &TypeDescriptor, is: &TypeDescriptor) -> Option<String> {
        let has_objects = instance.cx.heap.objects().any(|object| match object {
            Object::Instance(one) => one.class == class,
            Object::Exception(one) => one.class == class,
            _ => false,
        });
        if !has_objects {
            return None;
        }
        match (&was.kind, &is.kind) {
            (TypeKind::Enum(were), TypeKind::Enum(are)) => {
                let held = instance.cx.members.keys().filter(|(enumeration, _)| *enumeration == class);
                let find = |members: &[(String, waymark_ir::Value)], wanted: &str| {
                    members.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
                };
                let gone = held.map(|(_, name)| name).find(|name| find(were, name) != find(are, name));
                gone.map(|name| format!("its member {name} is in use, and is not the same in the new code"))
            }
            (were, are) if were != are => Some("there are objects of it, and it is another kind of class now".into()),
            _ => {
                let names = |of: &TypeDescriptor| of.fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
                let (were, are) = (names(was), names(is));
                let come: Vec<&String> = are.iter().filter(|name| !were.contains(name)).collect();
                let gone: Vec<&String> = were.iter().filter(|name| !are.contains(name)).collect();
                let list = |names: &[&String]| names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
                match (&come[..], &gone[..]) {
                    ([], []) if were == are => None,
                    ([], []) => Some("there are objects of it, and its fields are in another order now".into()),
                    ([], gone) => Some(format!("there are objects of it, and it has no field {} any more", list(gone))),
                    (come, _) => Some(format!("there are objects of it, and it has the new field {}", list(come))),
                }
            }
        }
    }
}
