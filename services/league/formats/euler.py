"""How can couples be turned so that everybody is first and second equally often? By walking along them until all are used."""

from __future__ import annotations

from collections.abc import Sequence

Edge = tuple[int, int]


def turned(edges: Sequence[Edge]) -> list[bool]:
    """For each couple whether it is to be exchanged; afterwards nobody is first and second with a difference above one."""
    incident: dict[int, list[int]] = {}
    whole = [*edges, *_closing(edges)]
    for at, (one, other) in enumerate(whole):
        incident.setdefault(one, []).append(at)
        incident.setdefault(other, []).append(at)
    exchanged: list[bool | None] = [None] * len(whole)
    for start in range(len(whole)):
        here = whole[start][0]
        step: int | None = start
        while step is not None and exchanged[step] is None:
            exchanged[step] = whole[step][0] != here
            here = sum(whole[step]) - here
            step = _next(incident[here], exchanged)
    return [bool(one) for one in exchanged[:len(edges)]]


def _closing(edges: Sequence[Edge]) -> list[Edge]:
    """Couples with somebody outside, so that everybody has an even number."""
    counts: dict[int, int] = {}
    for edge in edges:
        for one in edge:
            counts[one] = counts.get(one, 0) + 1
    odd = [one for one in sorted(counts) if counts[one] % 2]
    return list(zip(odd[::2], odd[1::2], strict=True))


def _next(near: list[int], used: Sequence[bool | None]) -> int | None:
    while near:
        at = near.pop()
        if used[at] is None:
            return at
    return None
