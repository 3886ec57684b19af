"""Compares the transcription in `rules.py` with the Rust code: reads the lines that `decisions.rs`
prints, and decides the same cases.

It fails at the first line in which both decide differently.
"""

import sys
from collections.abc import Iterator

from rules import NONE, PLAIN, Logic, Row, Stamp

L = Logic(PLAIN)
TICKS = 64
IDS_PER_TICK = 2
GRANTED, RENEWED, RELEASED, BATCHED, ENDED, REFUSED = range(6)
NOTHING = [NONE] * 5
#: The count of numbers of a stamp: a version, an end, and eight nodes with their ends.
STAMP = 3 + 2 * 8


def take(line: Iterator[int], count: int) -> list[int]:
    return [next(line) for _ in range(count)]


def decided(line: Iterator[int]) -> tuple[list[int], list[int]]:
    """Returns the decision of the transcribed authority, and the decision of the Rust."""
    start, epoch_ms, tick_ms, lease_ms, future_ms, disagreement_ms = take(line, 6)
    rows = [take(line, 4) for _ in range(4)]
    now_ms, holder_ms, kind, token, node, tick = take(line, 6)
    expected = list(line)

    def clamped(ms: int) -> int:
        return min(max(ms - epoch_ms, 0) // tick_ms, TICKS)

    def row(node: int) -> Row:
        from_, until, _, token = rows[node]
        return Row(max(from_, 0), max(until, 0), token != NONE, token)

    def is_known(node: int) -> bool:
        return rows[node][0] != NONE

    now = clamped(now_ms)
    lease = -(-lease_ms // tick_ms)
    is_outside = now_ms < epoch_ms or (now_ms - epoch_ms) // tick_ms >= TICKS
    is_refused = is_outside or abs(now_ms - holder_ms) > disagreement_ms
    refused = [REFUSED, *NOTHING]

    def choose(excluded: int) -> int | None:
        nodes = [other for other in (1, 2, 3) if other != excluded]
        known = [other for other in nodes if is_known(other)]
        most = clamped(now_ms + future_ms)
        free = sorted(
            (row(other).until, other)
            for other in known
            if row(other).until <= (now if row(other).has_token else most)
        )
        if free and free[0][0] + lease <= now:
            return free[0][1]
        unused = [other for other in nodes if not is_known(other)]
        if unused:
            return unused[0]
        return free[0][1] if free else None

    if kind == 0:
        if is_refused:
            return expected, refused
        held = [(row(other).until, other) for other in (1, 2, 3) if row(other).token == token]
        if held and node != (latest := max(held)[1]) and L.is_fresh(row(latest), now):
            before = row(latest)
            same = [before.from_, before.until, 0, token]
            # An empty span is never granted, not even at a retry.
            return expected, [GRANTED, latest, *same] if before.from_ < before.until else refused
        chosen = choose(node)
        if chosen is None or start > clamped(now_ms + future_ms):
            return expected, refused
        until = clamped(now_ms + lease_ms)
        is_granted, from_ = L.grant(row(chosen), start, now, until)
        granted = [GRANTED, chosen, from_, until, 0, token]
        return expected, granted if is_granted else refused
    if kind == 3:
        if is_refused:
            return expected, refused
        used = max(rows[0][1], 0) * IDS_PER_TICK + max(rows[0][2], 0)
        ceiling = min(clamped(now_ms + future_ms) + 1, TICKS) * IDS_PER_TICK
        earliest = max(now, start) * IDS_PER_TICK
        is_given, from_, until = L.batch(used, earliest, ceiling, 1 + tick)
        row_after = [from_ // IDS_PER_TICK, *divmod(until, IDS_PER_TICK), NONE]
        return expected, [BATCHED, 0, *row_after] if is_given else refused
    ended = [ENDED, *NOTHING]
    if node > 3 or not is_known(node):
        return expected, ended
    before = row(node)
    if kind == 1:
        furthest = clamped(now_ms + future_ms + disagreement_ms)
        bounds = (lease, furthest, TICKS)
        is_renewed, until = L.renew(before, token, tick, now, bounds)
        return expected, [RENEWED, node, before.from_, until, 0, token] if is_renewed else ended
    is_released = L.release(before, token, tick)
    return expected, [RELEASED, node, before.from_, tick, 0, NONE] if is_released else ended


def witnessed(line: Iterator[int]) -> tuple[list[int], list[int]]:
    """Returns the transcribed witness's answer to a stamp, and the answer of the Rust."""
    session, own_start, start, first, until = take(line, 5)
    ends = take(line, 4)
    own, other = take(line, STAMP), take(line, STAMP)
    expected = list(line)
    version, loaded = (own[0], own[1]), (other[0], other[1])
    is_newest = other[0] == session
    confirmed = other if is_newest and L.is_older(version, loaded) else own
    was_rolled_back = L.is_older(loaded, version)
    kept = own if was_rolled_back else other
    restart = [NONE] * 5
    if was_rolled_back:
        stamp = Stamp(list(zip(own[3::2], own[4::2], strict=True)), own[2])
        for node, end in enumerate(ends):
            stamp = L.cover(stamp, node, end) if end != NONE else stamp
        earliest, nodes = L.max(start, own_start), (first, until)
        from_tick = L.restart(stamp, earliest, nodes)
        starts = [L.start_of(stamp, node, earliest, nodes) for node in range(4)]
        restart = [from_tick, *starts]
    opened = [L.session(session, loaded), int(was_rolled_back), *kept, *restart]
    return expected, [int(is_newest), *confirmed, *opened]


def main() -> int:
    counts = [0] * 7
    for number, text in enumerate(sys.stdin):
        kind, *line = map(int, text.split())
        expected, found = (witnessed if kind else decided)(iter(line))
        if expected != found:
            print(f"line {number}: {text}the Rust decides {expected}, and rules.py {found}")
            return 1
        counts[6 if kind else found[0]] += 1
    names = ["granted", "renewed", "released", "batched", "ended", "refused", "by witnesses"]
    print(", ".join(f"{count} {name}" for name, count in zip(names, counts, strict=True)))
    if min(counts) == 0:
        print("error: each kind of decision must occur")
        return 1
    return 0


sys.exit(main())
