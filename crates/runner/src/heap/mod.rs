//! The heap of an instance: an arena of everything that has identity. A reference is an index, so cycles are fine;
//! what nothing reaches is freed by marking from the roots, when the heap has doubled since the last time.

mod dict;
mod key;
mod object;
mod visit;

pub use dict::{Dict, Set};
pub use key::{Key, Scalar};
pub use object::{
    ActionRequest, Activation, Callback, Coroutine, Driver, DriverKind, Exception, Frame, FunctionObject, Future,
    FutureState, Gather, Instance, Iterator, List, Object, Policy, Range, Task, ViewKind, Waiting,
};

use serde::{Deserialize, Serialize};

pub(crate) use visit::Visitor;

pub(crate) use object::{all as trace_all, one as trace_one};

/// A reference into the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Id(pub u32);

#[derive(Debug, Default)]
pub struct Heap {
    slots: Vec<Slot>,
    free: Vec<u32>,
    live: usize,
    /// How many objects survived the last collection.
    survivors: usize,
}

#[derive(Debug)]
struct Slot {
    marked: bool,
    object: Option<Object>,
}

/// A heap smaller than this is never worth collecting.
const COLLECT_MIN: usize = 1_024;

impl Heap {
    pub fn add(&mut self, object: Object) -> Id {
        self.live += 1;
        let slot = Slot { marked: false, object: Some(object) };
        match self.free.pop() {
            Some(at) => {
                self.slots[at as usize] = slot;
                Id(at)
            }
            None => {
                self.slots.push(slot);
                Id((self.slots.len() - 1) as u32)
            }
        }
    }

    /// # Panics
    /// When the object was freed: a root was missed, which is a bug.
    #[inline]
    pub fn get(&self, id: Id) -> &Object {
        self.slots[id.0 as usize].object.as_ref().expect("a reference outlived its object")
    }

    /// # Panics
    /// As [`Heap::get`].
    #[inline]
    pub fn get_mut(&mut self, id: Id) -> &mut Object {
        self.slots[id.0 as usize].object.as_mut().expect("a reference outlived its object")
    }

    pub fn len(&self) -> usize {
        self.live
    }

    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Whether a collection would pay: the heap has doubled since the last one.
    pub fn wants_collection(&self) -> bool {
        self.live >= COLLECT_MIN.max(self.survivors * 2)
    }

    /// Frees all that cannot be reached from `roots`. The cost is linear in the heap, so amortised constant per allocation.
    pub fn collect(&mut self, roots: impl IntoIterator<Item = Id>) {
        let mut pending: Vec<Id> = roots.into_iter().collect();
        while let Some(id) = pending.pop() {
            let slot = &mut self.slots[id.0 as usize];
            if std::mem::replace(&mut slot.marked, true) {
                continue;
            }
            if let Some(object) = &mut slot.object {
                object.trace(&mut |id| pending.push(*id));
            }
        }
        self.live = 0;
        self.free.clear();
        for (at, slot) in self.slots.iter_mut().enumerate() {
            if std::mem::take(&mut slot.marked) {
                self.live += 1;
            } else {
                slot.object = None;
                self.free.push(at as u32);
            }
        }
        // A burst of garbage must not keep its memory for ever.
        while self.slots.last().is_some_and(|slot| slot.object.is_none()) {
            self.slots.pop();
        }
        let kept = self.slots.len() as u32;
        self.free.retain(|at| *at < kept);
        self.slots.shrink_to(self.live * 2 + COLLECT_MIN);
        self.free.shrink_to(self.live + COLLECT_MIN);
        self.survivors = self.live;
    }

    /// Bytes of all objects, roughly: strings that are shared count each time.
    pub fn weight(&self) -> usize {
        self.objects().map(Object::weight).sum()
    }

    /// Moves all objects to the front, without holes: afterwards ids count from 0. Gives the new id of every old one.
    /// The caller changes the references that it holds itself.
    pub fn compact(&mut self) -> Vec<Id> {
        let mut moved = vec![Id(u32::MAX); self.slots.len()];
        let mut kept = Vec::with_capacity(self.live);
        for (at, slot) in std::mem::take(&mut self.slots).into_iter().enumerate() {
            if slot.object.is_some() {
                moved[at] = Id(kept.len() as u32);
                kept.push(slot);
            }
        }
        self.slots = kept;
        self.free = Vec::new();
        for slot in &mut self.slots {
            if let Some(object) = &mut slot.object {
                object.trace(&mut |id| *id = moved[id.0 as usize]);
            }
        }
        moved
    }

    /// All objects, in the order of their ids; after [`Heap::compact`] that is every slot.
    pub fn objects(&self) -> impl std::iter::Iterator<Item = &Object> {
        self.slots.iter().filter_map(|slot| slot.object.as_ref())
    }

    pub fn ids(&self) -> impl std::iter::Iterator<Item = Id> {
        self.slots.iter().enumerate().filter(|(_, slot)| slot.object.is_some()).map(|(at, _)| Id(at as u32))
    }

    pub fn objects_mut(&mut self) -> impl std::iter::Iterator<Item = &mut Object> {
        self.slots.iter_mut().filter_map(|slot| slot.object.as_mut())
    }

    /// A heap of these objects, with ids from 0.
    pub fn from_objects(objects: Vec<Object>) -> Heap {
        let live = objects.len();
        let slots = objects.into_iter().map(|object| Slot { marked: false, object: Some(object) }).collect();
        Heap { slots, free: Vec::new(), live, survivors: live }
    }
}
