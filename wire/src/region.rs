//! Places shards and isolates in the world.
//!
//! The world is modelled as a circle. Each region has an arc of the circle. The arc lies between
//! the arcs of nearby regions, and its length is the region's share of all requests. The shards
//! divide the circle evenly. Therefore a shard covers regions that are near each other, whatever
//! the number of shards, and the second-nearest shard is a neighbour of the nearest shard.

/// Cloudflare's location hints, in their order on the circle. The number is the length of the
/// hint's arc, in sixteenths of the circle. The lengths are a rough guess at where Workers run. If
/// a length is wrong, the load is uneven.
pub const REGIONS: [(&str, u64); 9] = [
    ("wnam", 3),
    ("enam", 3),
    ("sam", 1),
    ("afr", 1),
    ("weur", 3),
    ("eeur", 1),
    ("me", 1),
    ("apac", 2),
    ("oc", 1),
];

/// The length of the circle, in the unit of the arcs.
pub const CIRCLE: u64 = 16;

const _: () = {
    let (mut sum, mut i) = (0, 0);
    while i < REGIONS.len() {
        sum += REGIONS[i].1;
        i += 1;
    }
    assert!(sum == CIRCLE);
};

/// Returns the place of an isolate on the circle, in units of 2^-16 of the circle, from the
/// continent and the longitude (in whole degrees) of a request that the isolate answers. `random`
/// chooses the place within the arc of that region, or on the whole circle if the continent is not
/// `AF`, `AS`, `EU`, `NA`, `OC` or `SA`.
#[must_use]
pub fn place(continent: &str, longitude: i16, random: u16) -> u16 {
    region(continent, longitude).map_or(random, |region| within(region, random))
}

/// Returns the region at a continent and a longitude in whole degrees. The caller cuts the fraction
/// off, so -95 stands for all longitudes from -95 to -96.
fn region(continent: &str, longitude: i16) -> Option<&'static str> {
    Some(match continent {
        // Winnipeg and Mexico City (-97 and -99) are in the west; Omaha, Houston (both -95) and
        // Chicago (-87) are in the east.
        "NA" if longitude < -95 => "wnam",
        "NA" => "enam",
        "SA" => "sam",
        "AF" => "afr",
        // Berlin and Rome are west of this longitude, Warsaw and Budapest east.
        "EU" if longitude < 15 => "weur",
        "EU" => "eeur",
        // Dubai and Tehran are west of this longitude, Karachi and Tashkent east.
        "AS" if longitude < 60 => "me",
        "AS" => "apac",
        "OC" => "oc",
        _ => return None,
    })
}

/// Returns the place in a region's arc that `random` chooses.
fn within(region: &str, random: u16) -> u16 {
    let mut from = 0;
    for (name, arc) in REGIONS {
        if name == region {
            let unit = (1 << u16::BITS) / CIRCLE;
            let place = from * unit + ((u64::from(random) * arc * unit) >> u16::BITS);
            return u16::try_from(place).unwrap_or(u16::MAX);
        }
        from += arc;
    }
    random
}

/// Returns Cloudflare's location hint for a shard: the region that covers the largest part of the
/// shard's arc. A sequencer with one shard has no hint, because its object is best placed near its
/// first caller.
#[must_use]
pub fn location_hint(shard: u64, shards: u64) -> Option<&'static str> {
    if shards < 2 {
        return None;
    }
    // The circle is divided into `CIRCLE * shards` units here, so that all numbers are whole.
    let part = shard * CIRCLE..(shard + 1) * CIRCLE;
    let mut from = 0;
    let mut best = None;
    for (name, arc) in REGIONS {
        let end = from + arc * shards;
        let common = end.min(part.end).saturating_sub(from.max(part.start));
        if common > best.map_or(0, |(_, common)| common) {
            best = Some((name, common));
        }
        from = end;
    }
    best.map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn regions() {
        for (continent, longitude, expected) in [
            ("NA", -122, "wnam"), // San Francisco
            ("NA", -74, "enam"),  // New York
            ("SA", -46, "sam"),   // São Paulo
            ("EU", 2, "weur"),    // Paris
            ("EU", 21, "eeur"),   // Warsaw
            ("AS", 55, "me"),     // Dubai
            ("AS", 139, "apac"),  // Tokyo
            ("AF", 28, "afr"),    // Johannesburg
            ("OC", 151, "oc"),    // Sydney
        ] {
            assert_eq!(region(continent, longitude), Some(expected));
        }
        assert_eq!(region("AN", 0), None);
    }

    #[test]
    fn places_are_within_the_arc() {
        for (name, from, until) in
            [("wnam", 0, 0x3000), ("enam", 0x3000, 0x6000), ("oc", 0xf000, 0x1_0000)]
        {
            for random in [0, 1, 0x7fff, u16::MAX] {
                assert!((from..until).contains(&u32::from(within(name, random))), "{name}");
            }
        }
    }

    #[test]
    fn hints() {
        assert_eq!(location_hint(0, 1), None);
        let hints = |shards| (0..shards).map(move |shard| location_hint(shard, shards).unwrap());
        assert_eq!(hints(2).collect::<Vec<_>>(), ["wnam", "weur"]);
        assert_eq!(hints(4).collect::<Vec<_>>(), ["wnam", "enam", "weur", "apac"]);
        assert_eq!(
            hints(16).collect::<Vec<_>>(),
            [
                "wnam", "wnam", "wnam", "enam", "enam", "enam", "sam", "afr", "weur", "weur",
                "weur", "eeur", "me", "apac", "apac", "oc"
            ]
        );
        assert_eq!(hints(64).count(), 64);
    }
}
