//! Measures how often [`edgeflake::identify`] is right about the ids of `identify.txt`. The ids
//! were drawn after the numbers in `identify` had been tuned. If you tune these numbers again, draw
//! other ids. Otherwise the numbers may be tuned to these very ids.

use edgeflake::identify::{Candidate, Classifier};

/// The ids are judged as if now were 2026-11-21.
const NOW_MS: u64 = 1_795_219_200_000;

/// For larger shares, the web page says "likely".
const LIKELY: f64 = 0.85;

/// Ids of one system: a row of the table.
struct Row {
    /// A preset, a unit of Unix time, or `none`.
    source: String,
    ids: Vec<u64>,
}

fn rows(is_column: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    let text = include_str!("identify.txt");
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (kind, rest) = line.split_once(' ').unwrap();
        let (source, _) = rest.split_once([' ', ':']).unwrap();
        let (_, ids) = rest.split_once(" = ").unwrap();
        let ids: Vec<u64> = ids.split(' ').map(|id| id.parse().unwrap()).collect();
        let row = |ids| Row { source: source.to_owned(), ids };
        match kind {
            "each" | "both" if !is_column => rows.extend(ids.into_iter().map(|id| row(vec![id]))),
            "column" | "both" if is_column => rows.push(row(ids)),
            "each" | "column" => {}
            other => panic!("{other} is neither each, column nor both"),
        }
    }
    rows
}

/// The systems that give an id the same date, and their share in a row.
type Reading = (Vec<&'static str>, f64);

/// Returns the readings of a row, the likeliest first, and "no known system" among them.
fn readings(ids: &[u64]) -> Vec<Reading> {
    let count = f64::from(u32::try_from(ids.len()).unwrap());
    let classifier = Classifier::of(ids, NOW_MS);
    let all: Vec<Vec<Candidate>> = ids.iter().map(|id| classifier.identify(*id)).collect();
    let mut readings: Vec<(u64, Reading)> = Vec::new();
    for found in &all[0] {
        let name = found.name();
        let shares = all.iter().flatten().filter(|other| other.name() == name);
        let share = shares.map(|other| other.share).sum::<f64>() / count;
        match readings.iter_mut().find(|(instant_ms, _)| *instant_ms == found.instant_ms) {
            Some((_, (names, sum))) => {
                names.push(name);
                *sum += share;
            }
            None => readings.push((found.instant_ms, (vec![name], share))),
        }
    }
    let total: f64 = all.iter().flatten().map(|found| found.share).sum();
    let mut readings: Vec<Reading> = readings.into_iter().map(|(_, reading)| reading).collect();
    readings.push((vec!["none"], 1.0 - total / count));
    readings.sort_by(|a, b| b.1.total_cmp(&a.1));
    readings
}

/// Counts how often these rows are judged right.
fn score(rows: &[Row]) -> String {
    let [mut first, mut within_two, mut likely, mut likely_wrong] = [0; 4];
    for row in rows {
        let readings = readings(&row.ids);
        let source = row.source.as_str();
        let place = readings.iter().position(|(names, _)| names.contains(&source));
        let is_likely = readings[0].1 > LIKELY;
        first += u32::from(place == Some(0));
        within_two += u32::from(matches!(place, Some(0 | 1)));
        likely += u32::from(is_likely);
        likely_wrong += u32::from(is_likely && place != Some(0));
    }
    let count = rows.len();
    format!(
        "{first} of {count} first, {within_two} within two, {likely} likely, {likely_wrong} of \
         them wrong"
    )
}

#[test]
fn ids_and_columns_of_known_systems() {
    let scores = [false, true].map(|is_column| score(&rows(is_column)));
    assert_eq!(
        scores,
        [
            "108 of 150 first, 130 within two, 90 likely, 5 of them wrong",
            "21 of 25 first, 23 within two, 17 likely, 0 of them wrong",
        ]
    );
}
