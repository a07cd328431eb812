"""Which couples are worth most together? Exact for whole numbers of any size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import networkx as nx

Edge = tuple[int, int, int]


class _Plain(nx.Graph):  # type: ignore[misc]
    """A graph whose neighbours are read without a view around them: the matching asks for a weight millions of times."""

    def __getitem__(self, node: int) -> dict[int, dict[str, int]]:
        """The neighbours of a node, with the worth of each couple."""
        neighbours: dict[int, dict[str, int]] = self._adj[node]
        return neighbours


def heaviest(edges: Iterable[Edge], *, full: bool) -> dict[int, int]:
    """The partner of everybody who has one; with `full`, as many couples as can be come before their worth."""
    graph = _Plain()
    graph.add_weighted_edges_from(edges)
    found = nx.max_weight_matching(graph, maxcardinality=full)
    return {one: other for couple in found for one, other in (couple, couple[::-1])}


def is_whole(count: int, neighbours: Sequence[Sequence[int]]) -> bool:
    """Can all be paired at once? `neighbours` lists for each whom it may meet."""
    if count % 2 or any(not near for near in neighbours):
        return False
    return _greedy(count, neighbours) or _exact(count, neighbours)


def _greedy(count: int, neighbours: Sequence[Sequence[int]]) -> bool:
    """Who has the fewest to choose from chooses first: most fields need no more than this."""
    taken = [False] * count
    for one in sorted(range(count), key=lambda at: len(neighbours[at])):
        if not taken[one]:
            free = next((other for other in neighbours[one] if not taken[other]), None)
            if free is None:
                return False
            taken[one] = taken[free] = True
    return True


def _exact(count: int, neighbours: Sequence[Sequence[int]]) -> bool:
    edges = ((one, other, 1) for one in range(count) for other in neighbours[one] if one < other)
    return len(heaviest(edges, full=True)) == count
