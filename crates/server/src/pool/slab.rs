//! Things by number: adding, finding and removing one is a matter of an index. A number is never given out twice, so one that is late
//! finds nothing instead of somebody else.

pub(super) struct Slab<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
}

struct Place<T> {
    generation: u32,
    item: Option<T>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab { places: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    pub fn insert(&mut self, item: T) -> u64 {
        let index = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place { generation: 0, item: None });
            self.places.len() as u32 - 1
        });
        let place = &mut self.places[index as usize];
        place.item = Some(item);
        number(place.generation, index)
    }

    pub fn get(&self, number: u64) -> Option<&T> {
        let place = self.places.get(number as u32 as usize)?;
        if place.generation != (number >> 32) as u32 {
            return None;
        }
        place.item.as_ref()
    }

    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let place = self.places.get_mut(number as u32 as usize)?;
        if place.generation != (number >> 32) as u32 {
            return None;
        }
        place.item.as_mut()
    }

    pub fn remove(&mut self, number: u64) -> Option<T> {
        let place = self.places.get_mut(number as u32 as usize)?;
        if place.generation != (number >> 32) as u32 {
            return None;
        }
        let item = place.item.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(number as u32);
        Some(item)
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        let items = self.places.iter().enumerate();
        items.filter_map(|(index, place)| Some((number(place.generation, index as u32), place.item.as_ref()?)))
    }
}

fn number(generation: u32, index: u32) -> u64 {
    u64::from(generation) << 32 | u64::from(index)
}
