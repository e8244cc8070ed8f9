//! Dicts and sets in insertion order: entries in a vector, a hash table of positions beside it.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::heap::{Id, Key};
use crate::value::Value;

#[derive(Clone, Debug, Default)]
pub struct Dict {
    /// Removed entries stay as holes until there are more holes than entries.
    entries: Vec<Option<Entry>>,
    positions: HashTable<u32>,
    /// Whether some key was one that only a worker can compare.
    custom: bool,
}

#[derive(Clone, Debug)]
struct Entry {
    key: Key,
    name: Value,
    value: Value,
}

fn hash(key: &Key) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

impl Dict {
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Whether looking a key up is a worker's business.
    pub fn is_custom(&self) -> bool {
        self.custom
    }

    fn position(&self, key: &Key) -> Option<usize> {
        let found =
            self.positions.find(hash(key), |at| self.entries[*at as usize].as_ref().is_some_and(|e| e.key == *key));
        found.map(|at| *at as usize)
    }

    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.position(key).and_then(|at| self.entries[at].as_ref()).map(|entry| &entry.value)
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.position(key).is_some()
    }

    /// The key as it was first written, and its value.
    pub fn get_entry(&self, key: &Key) -> Option<(&Value, &Value)> {
        self.position(key).and_then(|at| self.entries[at].as_ref()).map(|entry| (&entry.name, &entry.value))
    }

    /// Sets a value; an existing key keeps its place and its first spelling.
    pub fn insert(&mut self, key: Key, name: Value, value: Value) -> Option<Value> {
        if let Some(at) = self.position(&key) {
            let entry = self.entries[at].as_mut()?;
            return Some(std::mem::replace(&mut entry.value, value));
        }
        let at = self.entries.len() as u32;
        let hashed = hash(&key);
        self.custom |= key.is_custom();
        self.entries.push(Some(Entry { key, name, value }));
        let entries = &self.entries;
        self.positions
            .insert_unique(hashed, at, |at| entries[*at as usize].as_ref().map_or(0, |entry| hash(&entry.key)));
        None
    }

    pub fn remove(&mut self, key: &Key) -> Option<(Value, Value)> {
        let entries = &self.entries;
        let found =
            self.positions.find_entry(hash(key), |at| entries[*at as usize].as_ref().is_some_and(|e| e.key == *key));
        let (at, _) = found.ok()?.remove();
        let entry = self.entries[at as usize].take()?;
        self.close_holes();
        Some((entry.name, entry.value))
    }

    /// Removes the entry that was added last.
    pub fn pop_last(&mut self) -> Option<(Value, Value)> {
        let key = self.entries.iter().rev().flatten().next()?.key.clone();
        self.remove(&key)
    }

    pub fn clear(&mut self) {
        *self = Dict::default();
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> {
        self.entries.iter().flatten().map(|entry| (&entry.name, &entry.value))
    }

    pub fn keyed(&self) -> impl DoubleEndedIterator<Item = (&Key, &Value, &Value)> {
        self.entries.iter().flatten().map(|entry| (&entry.key, &entry.name, &entry.value))
    }

    /// The first entry at or after a position, and the position behind it; for iterators that outlive a borrow.
    pub fn entry_from(&self, mut at: usize) -> Option<(usize, &Value, &Value)> {
        while let Some(slot) = self.entries.get(at) {
            at += 1;
            if let Some(entry) = slot {
                return Some((at, &entry.name, &entry.value));
            }
        }
        None
    }

    /// Visits the references in names and values. When that changed any, keys by identity change with them.
    pub fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        let mut stale = false;
        for entry in self.entries.iter_mut().flatten() {
            if let Value::Ref(id) = &mut entry.value {
                visit(id);
            }
            if let Value::Ref(id) = &mut entry.name {
                visit(id);
            }
            stale |= entry.key.trace(visit);
        }
        if stale {
            self.rehash();
        }
    }

    /// Shows every entry to whoever may change it, then finds the places of the keys anew. Entries stay in their order, and at
    /// their positions, which iterators hold.
    pub(super) fn change(&mut self, mut change: impl FnMut(&mut Key, &mut Value, &mut Value)) {
        for entry in self.entries.iter_mut().flatten() {
            change(&mut entry.key, &mut entry.name, &mut entry.value);
        }
        self.positions.clear();
        for at in 0..self.entries.len() {
            let entries = &self.entries;
            if entries[at].is_none() {
                continue;
            }
            let key_hash = |at: &u32| entries[*at as usize].as_ref().map_or(0, |entry| hash(&entry.key));
            self.positions.insert_unique(key_hash(&(at as u32)), at as u32, key_hash);
        }
    }

    fn close_holes(&mut self) {
        while self.entries.last().is_some_and(Option::is_none) {
            self.entries.pop();
        }
        if self.entries.len() < 16 || self.entries.len() < self.positions.len() * 2 {
            return;
        }
        self.rehash();
    }

    fn rehash(&mut self) {
        self.entries.retain(Option::is_some);
        self.positions.clear();
        for at in 0..self.entries.len() {
            let entries = &self.entries;
            let key_hash = |at: &u32| entries[*at as usize].as_ref().map_or(0, |entry| hash(&entry.key));
            self.positions.insert_unique(key_hash(&(at as u32)), at as u32, key_hash);
        }
    }
}

/// A set, in insertion order (a documented deviation from CPython, whose order is arbitrary).
#[derive(Clone, Debug, Default)]
pub struct Set {
    members: Dict,
    pub frozen: bool,
}

impl Set {
    pub fn new(frozen: bool) -> Set {
        Set { members: Dict::default(), frozen }
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn is_custom(&self) -> bool {
        self.members.is_custom()
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.members.contains(key)
    }

    /// Whether it was new.
    pub fn insert(&mut self, key: Key, value: Value) -> bool {
        if self.members.contains(&key) {
            return false;
        }
        self.members.insert(key, value, Value::None);
        true
    }

    pub fn remove(&mut self, key: &Key) -> bool {
        self.members.remove(key).is_some()
    }

    pub fn pop_first(&mut self) -> Option<Value> {
        let (key, _, _) = self.members.keyed().next()?;
        let key = key.clone();
        self.members.remove(&key).map(|(value, _)| value)
    }

    pub fn clear(&mut self) {
        self.members.clear();
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.members.iter().map(|(value, _)| value)
    }

    pub fn keyed(&self) -> impl DoubleEndedIterator<Item = (&Key, &Value)> {
        self.members.keyed().map(|(key, value, _)| (key, value))
    }

    pub fn trace(&mut self, visit: &mut dyn FnMut(&mut Id)) {
        self.members.trace(visit);
    }

    pub(super) fn change(&mut self, mut change: impl FnMut(&mut Key, &mut Value)) {
        self.members.change(|key, value, _| change(key, value));
    }

    pub fn entry_from(&self, at: usize) -> Option<(usize, &Value)> {
        self.members.entry_from(at).map(|(next, value, _)| (next, value))
    }
}
