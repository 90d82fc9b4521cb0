# SPDX-FileCopyrightText: 2026 The rowfeed authors
# SPDX-License-Identifier: Apache-2.0
"""The steps of a schedule: what may happen to a training, each a function by its name.

Every step can be played at any time, so that a schedule without some of its steps is a
schedule too. That lets `shrink` leave out what a failure does not need.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.simulation.judge import judge_step
from tests.simulation.rows import BrokenPromiseError
from tests.simulation.stores import REFUSED
from tests.simulation.walk import Place, Walk
from tests.simulation.world import Saved, World


def take(world: World, rank: int, count: int) -> None:
    """A rank takes batches."""
    member = world.members[rank % len(world.members)]
    for _ in range(count):
        if not world.take(member):
            break
    if not member.has_failed:
        world.check_state(member, "after batches")


def race(world: World, count: int) -> None:
    """All ranks take batches at the same time."""
    if any(member.has_failed for member in world.members):
        return
    assert world.team is not None
    answers = world.team.race(count)
    for member, own in zip(world.members, answers, strict=True):
        for answer in own:
            world.accept(member, answer)
    world.counts["races of ranks"] += 1


def save(world: World, rank: int, at: str) -> None:
    """All ranks come to the same step, and one of them saves its state."""
    world.align()
    if any(member.has_failed for member in world.members):
        return
    for member in world.members:
        world.check_state(member, "at a save")
    member = world.members[rank % len(world.members)]
    state = world.check_state(member, "at a save", at)
    place = member.walk.stands
    files = None
    if world.case["grows"]:
        files = world.epochs.known.get(place.epoch)
        if (state["fingerprint"] is None) != (files is None):
            raise BrokenPromiseError(f"epoch {place.epoch} has begun or not: {state}")
    world.saved.append(Saved(state, place, files, world.epochs.order))
    world.counts["saves"] += 1


def _chosen(world: World, back: int) -> Saved | None:
    return world.saved[-1 - back % len(world.saved)] if world.saved else None


def kill(world: World, how: str, back: int, run: dict[str, Any]) -> None:
    """All ranks end at this instant, and start anew from one of the states."""
    assert world.team is not None
    before = world.team.run
    world.team.end(how)
    saved = _chosen(world, back)
    world.start({**before, **run}, saved)
    world.counts["kills"] += 1
    if saved is not None:
        world.counts["resumes"] += 1
        if world.team.run["world_size"] != before["world_size"]:
            world.counts["resumes at another world size"] += 1


def reload(world: World, back: int, at: str) -> None:
    """All ranks load a state into the objects that they have."""
    saved = _chosen(world, back)
    if saved is None or world.faulty:
        return
    if saved.files is not None and world.is_gone(saved.files):
        return
    world.ledger.take_back(saved.place)
    for member in world.members:
        kind, text = member.ask("load", saved.state, at)
        if kind == "error":
            raise BrokenPromiseError(f"a state does not load in place: {text}")
        member.walk.put(saved.place)
        member.has_failed, member.suspects = False, set()
    if saved.files is not None:
        world.epochs.known[saved.place.epoch] = saved.files
    world.counts["states loaded in place"] += 1


def set_epoch(world: World, epoch: int) -> None:
    """All ranks go to an epoch; data that grows goes only to one that comes."""
    if world.case["grows"]:
        epoch += max(member.walk.place.epoch for member in world.members) + 1
    place = Place(epoch, 0, epoch + 1, 0)
    world.ledger.take_back(place)
    for member in world.members:
        if member.ask("set_epoch", epoch)[0] == "error":
            raise BrokenPromiseError(f"set_epoch({epoch}) fails")
        member.walk.put(place)
        member.has_failed, member.suspects = False, set(world.faulty)
    world.counts["set_epoch"] += 1


def _together(world: World) -> bool:
    """Brings all ranks to one step; returns whether they may leave it together."""
    is_uneven = world.case["options"]["remainder"] == "uneven"
    has_joined = len({member.walk.has_begun for member in world.members}) > 1
    if (is_uneven and len(world.members) > 1) or has_joined:
        finish(world)
    world.align()
    return not any(member.has_failed for member in world.members)


def leave(world: World) -> None:
    """All ranks leave their iterations and begin others, which are the next epoch."""
    if not _together(world):
        return
    for member in world.members:
        member.ask("iterate")
        member.walk.leave()
    world.counts["iterations left"] += 1


def pickled(world: World) -> None:
    """All ranks go on with a copy of their dataset, from its next epoch."""
    if not _together(world) or world.faulty:
        return
    if world.case["grows"] and world.counts_by_reading and world.files[0].gone:
        return  # A copy counts anew, and cannot read files that are gone.
    for member in world.members:
        kind, text = member.ask("pickled")
        if kind == "error":
            raise BrokenPromiseError(f"a dataset does not pickle: {text}")
        member.walk.leave()
        member.walk.stands = member.walk.place
    epoch = world.members[0].walk.place.epoch
    known = world.epochs.known
    world.epochs.known = {epoch: known[epoch]} if epoch in known else {}
    world.counts["pickled datasets"] += 1


def resize(world: World, world_size: int) -> None:
    """Ranks leave or join, and those that stay keep their iterations."""
    world.align()
    team = world.team
    assert team is not None
    members = team.members
    is_under_way = all(m.walk.has_begun and not m.has_failed for m in members)
    if not is_under_way or world.case["grows"] or team.run["processes"]:
        return
    run = world.fitting({**team.run, "world_size": world_size})
    # With another batch size the ranks that stay would have another dataset. With
    # fewer ranks each may have more windows than a tight budget holds.
    if run["batch_size"] != team.run["batch_size"] or run["budget"] is not None:
        return
    world_size, place = run["world_size"], team.members[0].walk.place
    if any(member.walk.place != place for member in team.members) or world.faulty:
        return
    state = world.check_state(team.members[0], "before a resize")
    for member in team.members[world_size:]:
        member.end("dropped")
    team.run, team.members = run, team.members[:world_size]
    for rank, member in enumerate(team.members):
        kind, text = member.ask("resize", rank, world_size)
        if kind == "error":
            raise BrokenPromiseError(f"resize({rank}, {world_size}) fails: {text}")
        member.walk.regroup(rank, world_size, run["batch_size"] or 1)
    while len(team.members) < world_size:
        kind, text = team.join(place).ask("make", state, True)
        if kind == "error":
            raise BrokenPromiseError(f"a rank cannot join: {text}")
    world.most_dropped = max(world.most_dropped, team.members[0].walk.global_batch)
    world.counts["resizes"] += 1


def look(world: World, rank: int, epoch: int, step: int) -> None:
    """A rank looks at what comes next, at a step of an epoch, and at a length."""
    member = world.members[rank % len(world.members)]
    if world.case["grows"] or world.faulty or member.has_failed:
        return
    assert world.team is not None
    stream, run = world.epochs.stream, world.team.run
    walk = Walk(world.case, run, member.walk.rank, member.walk.place)
    walk.has_begun = member.walk.has_begun
    walk.leave()
    expected = walk.next_step(stream)
    if expected.ids is not None and expected.after.epoch == walk.place.epoch:
        judge_step(member.ask("peek"), expected, (), "peek")
    kind, steps = member.ask("begin_epoch")
    if kind == "error" or steps != walk.steps_left(stream):
        raise BrokenPromiseError(
            f"begin_epoch() is {steps}, not {walk.steps_left(stream)}"
        )
    walk.put(Place(epoch, 0, epoch + 1, 0))
    if count := walk.steps_left(stream):
        first, step = step % count, step % count
        walk.put(Place(epoch, 0, epoch + 1, 0))
        for _ in range(first):
            walk.go(walk.next_step(stream))
        expected = walk.next_step(stream)
        for name in ("batch_at", "which"):
            answer = member.ask(name, epoch, step)
            judge_step(answer, expected, (), f"{name}({epoch}, {step})")
    world.check_state(member, "after looks", "dataset")
    world.counts["looks"] += 1


def begin(world: World) -> None:
    """The next epoch of data that grows begins, before its first batch is asked for."""
    member = world.members[0]
    if not world.case["grows"] or member.has_failed:
        return
    assert world.team is not None
    walk = Walk(world.case, world.team.run, 0, member.walk.place)
    walk.has_begun = member.walk.has_begun
    walk.leave()
    kind, steps = member.ask("begin_epoch")
    expected = walk.steps_left(world.epochs.stream)
    if kind == "error" or steps != expected:
        raise BrokenPromiseError(f"begin_epoch() is {steps}, not {expected}")
    world.counts["epochs begun early"] += 1


def finish(world: World) -> None:
    """All ranks take the rest of their iterations."""
    world.restore()
    world.align()
    world.finish()


def fault(world: World, kind: str, source: int, index: int) -> None:
    """A file suffers a fault."""
    files = world.files[source % len(world.files)]
    if world.case["grows"] or not files.present:
        return
    if world.store is not None:
        world.store.suffer(kind)
        world.refused = set()
        if kind == REFUSED:
            world.refused = {f["name"] for own in world.files for f in own.present}
        for member in world.members:
            member.suspects |= world.refused
        world.counts[f"faults of a store: {kind}"] += 1
        return
    is_checked = world.team is not None and world.team.run["verify_checksums"]
    if kind == "flipped" and not is_checked:
        kind = "overwritten"
    files.suffer(kind, index)
    for member in world.members:
        member.suspects.update(files.faulty)
    world.counts[f"faults: a file {kind}"] += 1


def restore(world: World) -> None:
    """The faults of all files end."""
    world.restore()


def add(world: World, number: int, name: str, groups: list[int], whole: bool) -> None:
    """A file joins data that grows, or the beginning of one."""
    if world.case["grows"]:
        file = {"number": number, "name": name, "groups": groups}
        world.files[0].add(file, is_whole=whole)
        world.counts["files that join"] += 1


def complete(world: World) -> None:
    """Files of which there was only the beginning are completed."""
    world.files[0].complete()


def remove(world: World, index: int) -> None:
    """A file leaves data that grows."""
    if world.case["grows"]:
        world.files[0].remove(index)
        world.counts["files that leave"] += 1


def replace(world: World, index: int, number: int, groups: list[int]) -> None:
    """A file of data that grows is replaced by another one of its name."""
    if world.case["grows"]:
        world.files[0].replace(index, number, groups)
        world.counts["files that are replaced"] += 1


STEPS: dict[str, Callable[..., None]] = {
    step.__name__: step
    for step in (
        take,
        race,
        save,
        kill,
        reload,
        set_epoch,
        leave,
        pickled,
        resize,
        look,
        begin,
        finish,
        fault,
        restore,
        add,
        complete,
        remove,
        replace,
    )
}
