//! Visiting every value and class that an object holds: what moving to another program changes. (References alone are visited
//! by `trace`, which the collector uses and which has to be fast.)

use crate::heap::{
    Activation, Callback, Coroutine, Dict, Frame, Future, FutureState, Iterator, Key, Object, Set, Waiting,
};
use crate::types::TypeId;
use crate::value::Value;

/// Who is shown them.
pub(crate) trait Visitor {
    fn value(&mut self, value: &mut Value);
    fn class(&mut self, class: &mut TypeId);

    fn values(&mut self, values: &mut [Value]) {
        values.iter_mut().for_each(|value| self.value(value));
    }
}

impl Object {
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Object::List(list) => visitor.values(&mut list.items),
            Object::Tuple(items) => visitor.values(items),
            Object::Dict(dict) => dict.visit(visitor),
            Object::Set(set) => set.visit(visitor),
            Object::Range(_) | Object::View { .. } => {}
            Object::Slice(parts) => visitor.values(&mut parts[..]),
            Object::Instance(instance) => {
                visitor.class(&mut instance.class);
                instance.fields.visit(visitor);
            }
            Object::Exception(exception) => {
                visitor.class(&mut exception.class);
                visitor.values(&mut exception.args);
                exception.fields.visit(visitor);
                exception.hidden.visit(visitor);
                visitor.value(&mut exception.cause);
                visitor.value(&mut exception.context);
            }
            Object::Iterator(iterator) => iterator.visit(visitor),
            Object::Function(function) => {
                visitor.values(&mut function.defaults);
                visitor.values(&mut function.cells);
            }
            Object::Method { receiver, .. } => visitor.value(receiver),
            Object::Bound { receiver, function } => {
                visitor.value(receiver);
                visitor.value(function);
            }
            Object::Cell(value) => visitor.value(value),
            Object::Coroutine(coroutine) => match &mut **coroutine {
                Coroutine::Function(frame) => frame.visit(visitor),
                Coroutine::Action(request) => {
                    visitor.values(&mut request.positional);
                    request.keyword.iter_mut().for_each(|(_, value)| visitor.value(value));
                }
                Coroutine::Sleep { result, .. } => visitor.value(result),
                Coroutine::Step { value, .. } => visitor.value(value),
                Coroutine::Consumed => {}
            },
            Object::Future(future) => future.visit(visitor),
        }
    }
}

impl Iterator {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Iterator::Sequence { source, .. } | Iterator::Reversed { source, .. } => visitor.value(source),
            Iterator::Items { items, .. } => visitor.values(items),
            Iterator::Enumerate { inner, .. } => visitor.value(inner),
            Iterator::Zip { inner, .. } => visitor.values(inner),
            Iterator::Map { function, inner } => {
                visitor.value(function);
                visitor.values(inner);
            }
            Iterator::Filter { function, inner } => {
                visitor.value(function);
                visitor.value(inner);
            }
            Iterator::Generator(frame) | Iterator::AsyncGenerator(frame) => {
                frame.iter_mut().for_each(|frame| frame.visit(visitor));
            }
            Iterator::Foreign(inner) => visitor.value(inner),
            Iterator::Dict { .. }
            | Iterator::Set { .. }
            | Iterator::GeneratorDone
            | Iterator::AsyncGeneratorDone
            | Iterator::Exhausted => {}
        }
    }
}

impl Frame {
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        visitor.values(&mut self.locals);
        visitor.values(&mut self.operands);
        visitor.values(&mut self.handling);
    }
}

impl Activation {
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Activation::Frame(frame) => frame.visit(visitor),
            Activation::Driver(driver) => {
                visitor.value(&mut driver.function);
                visitor.value(&mut driver.source);
                visitor.values(&mut driver.items);
                visitor.values(&mut driver.keys);
            }
        }
    }
}

impl Future {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        if let FutureState::Done(value) = &mut self.state {
            visitor.value(value);
        }
        for callback in &mut self.callbacks {
            if let Callback::Call(function) = callback {
                visitor.value(function);
            }
        }
        if let Some(task) = &mut self.task {
            task.stack.iter_mut().for_each(|activation| activation.visit(visitor));
            visitor.value(&mut task.start);
            visitor.value(&mut task.cancel_message);
            if let Waiting::Timer { result, .. } = &mut task.waiting {
                visitor.value(result);
            }
        }
    }
}

impl Dict {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.change(|key, name, value| {
            visitor.value(name);
            visitor.value(value);
            key.visit(visitor);
        });
    }
}

impl Set {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        self.change(|key, value| {
            visitor.value(value);
            key.visit(visitor);
        });
    }
}

impl Key {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Key::Type(class) => visitor.class(class),
            Key::Record(class, parts) => {
                visitor.class(class);
                *parts = visited(parts, visitor).into();
            }
            Key::Tuple(parts) => *parts = visited(parts, visitor).into(),
            Key::FrozenSet(parts) => {
                let mut changed = visited(parts, visitor);
                changed.sort();
                *parts = changed.into();
            }
            _ => {}
        }
    }
}

fn visited(parts: &[Key], visitor: &mut dyn Visitor) -> Vec<Key> {
    let mut parts = parts.to_vec();
    parts.iter_mut().for_each(|part| part.visit(visitor));
    parts
}
