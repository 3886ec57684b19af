//! Runs one hot path at a time: `edgeflake-gates NAME COUNT` prepares the path, then calls
//! [`measured`], whose instructions `npm run gates` counts with callgrind. Without arguments, it
//! lists the names of the paths.
//!
//! A path fails if one of its calls is refused or returns a wrong result.

mod shard;

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::ExitCode;

use edgeflake::identify::Classifier;
use edgeflake::lease::{Call, Holder, Reply, Request, Step, Wait};
use edgeflake::text::{Encoding, Text, format, parse};
use edgeflake::{Decoder, Generator, Instant, Layout, Policy, SharedGenerator, Span, preset};
use edgeflake_wire::write;

use shard::{NOW_MS, Shard};

/// A prepared path. Its argument is the number of times that it runs.
type Path = Box<dyn FnMut(u64)>;

/// Prepares a path.
type Ready = fn() -> Path;

const PATHS: [(&str, Ready); 21] = [
    ("next", next),
    ("next shared", next_shared),
    ("fill of 1,024", fill),
    ("decode", decode),
    ("decode many", decode_many),
    ("print decimal", || print(|id| format(id, Encoding::Decimal))),
    ("parse decimal", || parse_printed(Encoding::Decimal)),
    ("print base62", || print(|id| format(id, Encoding::Base62))),
    ("print hex", || print(|id| format(id, Encoding::Hex))),
    ("parse base62", || parse_printed(Encoding::Base62)),
    ("print an instant", print_instant),
    ("identify an id of a column", identify),
    ("holder step of 1", || step(1)),
    ("holder step of 100", || step(100)),
    ("acquire and release, 1,024 nodes", || acquire_and_release(1_024)),
    ("acquire and release, 65,536 nodes", || acquire_and_release(65_536)),
    ("renew, 1,024 nodes", || renew(1_024)),
    ("renew, 65,536 nodes", || renew(65_536)),
    ("parse a layout", parse_layout),
    ("wire: write an acquire", write_acquire),
    ("wire: write a grant", write_grant),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, count] = arguments.as_slice() else {
        for (name, _) in PATHS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let path = PATHS.iter().find(|(known, _)| known == name);
    let (Some((_, ready)), Ok(count)) = (path, count.parse()) else {
        eprintln!(
            "found {name} {count}; give a path's name, as listed without arguments, and a count"
        );
        return ExitCode::FAILURE;
    };
    let mut run = ready();
    // This first run is not counted, because it allocates memory and does work that happens rarely.
    run(count);
    measured(&mut run, count);
    ExitCode::SUCCESS
}

/// Runs the path while callgrind counts. This function is never inlined, so it has a symbol that
/// callgrind can find.
#[inline(never)]
fn measured(run: &mut Path, count: u64) {
    run(black_box(count));
}

/// Makes a path that calls `step` with each number below the count.
fn steps(mut step: impl FnMut(u64) + 'static) -> Path {
    Box::new(move |count| (0..count).for_each(&mut step))
}

/// An allowed future of 30 years in ms, which is never used up.
const UNBOUNDED_MS: u64 = 1_000_000_000_000;

fn generator(layout: Layout) -> Generator {
    let span = Span::whole(&layout, 1).expect("node 1");
    let policy = Policy { allowed_future_ms: UNBOUNDED_MS, ..Policy::default() };
    Generator::new(layout, span, policy).expect("a generator")
}

fn next() -> Path {
    let mut ids = generator(preset::TWITTER);
    steps(move |_| {
        black_box(ids.next(black_box(NOW_MS)).expect("an id"));
    })
}

fn next_shared() -> Path {
    let layout = preset::TWITTER;
    let span = Span::whole(&layout, 1).expect("node 1");
    let ids = SharedGenerator::new(layout, span, UNBOUNDED_MS).expect("a generator");
    steps(move |_| {
        black_box(ids.next(black_box(NOW_MS)).expect("an id"));
    })
}

fn fill() -> Path {
    let mut ids = generator(preset::HAZELCAST);
    let mut batch = vec![0; 1_024];
    steps(move |_| {
        assert_eq!(ids.fill(black_box(NOW_MS), &mut batch), batch.len());
        black_box(&mut batch);
    })
}

/// Returns an id for each step. The texts of these ids have various digits.
fn id(step: u64) -> u64 {
    1_541_815_603_606_036_480 + step * 1_000_003
}

fn decode() -> Path {
    let layout = preset::TWITTER;
    steps(move |step| {
        black_box(black_box(&layout).decode(black_box(id(step))).expect("an id of the layout"));
    })
}

fn decode_many() -> Path {
    let decoder = Decoder::new(&preset::TWITTER);
    steps(move |step| {
        black_box(decoder.decode(black_box(id(step))).expect("an id of the layout"));
    })
}

fn print(print: fn(u64) -> Text) -> Path {
    steps(move |step| {
        black_box(print(black_box(id(step))));
    })
}

fn print_instant() -> Path {
    let mut line = String::new();
    steps(move |step| {
        line.clear();
        write!(line, "{}", black_box(Instant(NOW_MS + step)))
            .expect("writing to a string never fails");
        black_box(&mut line);
    })
}

fn identify() -> Path {
    let column: Vec<u64> = (0..64).map(id).collect();
    let column = Classifier::of(&column, NOW_MS);
    steps(move |step| {
        black_box(column.likeliest(black_box(id(step))).expect("a source"));
    })
}

fn parse_printed(encoding: Encoding) -> Path {
    let texts: Vec<_> = (0..64).map(|step| format(id(step), encoding).to_string()).collect();
    Box::new(move |count| {
        for text in texts.iter().cycle().take(usize::try_from(count).expect("a count")) {
            black_box(parse(black_box(text), encoding).expect("an id"));
        }
    })
}

fn acquire_and_release(nodes: u64) -> Path {
    let mut shard = Shard::new(nodes);
    steps(move |_| {
        let grant = shard.acquire();
        shard.release(&grant);
    })
}

fn renew(nodes: u64) -> Path {
    let mut shard = Shard::new(nodes);
    steps(move |_| shard.renew())
}

/// Returns a path that steps a holder with a lease, for requests of `length` ids each.
fn step(length: usize) -> Path {
    let mut shard = Shard::new(1_024);
    let mut holder = Holder::new();
    let mut ids = vec![0; length];
    let mut now_ms = NOW_MS;
    loop {
        match holder.step(now_ms, &mut Wait::default(), &mut ids, || 7) {
            Step::Done => break,
            Step::Send(Call { number, request, .. }) => {
                holder.receive(now_ms, number, Ok::<Reply, _>(shard.answer(request)));
            }
            other => panic!("a shard with free nodes granted no lease: {other:?}"),
        }
    }
    steps(move |request| {
        // On average a request comes every half ms, or less often if it asks for many ids, so the
        // allowed future is never used up.
        now_ms += request % 2 + length as u64 / 32;
        let step = holder.step(black_box(now_ms), &mut Wait::default(), &mut ids, || 7);
        assert!(matches!(step, Step::Done), "{step:?}");
    })
}

/// Reads the layout string of a grant. The platform parses the JSON around the string.
fn parse_layout() -> Path {
    let text = preset::TWITTER.to_string();
    steps(move |_| {
        black_box(black_box(&text).parse::<Layout>().expect("a layout"));
    })
}

fn write_acquire() -> Path {
    let (token, incarnation) = (edgeflake::lease::Token::from_random(u128::MAX / 3), Some(2));
    let request = Request::Acquire(edgeflake::lease::Acquire {
        token,
        incarnation,
        excluded_node: Some(7),
        now_ms: NOW_MS,
    });
    steps(move |_| {
        black_box(write(black_box(&request)));
    })
}

fn write_grant() -> Path {
    let reply = Reply::Granted(Shard::new(1_024).acquire());
    steps(move |_| {
        black_box(write(black_box(&reply)));
    })
}
