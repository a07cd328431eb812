"""Which couples are not to sit together, without a list of all of them?"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import combinations

Couple = tuple[int, int]                # the lower number first


class Apart:
    """Couples by name, and all couples of one kind: a club of thousands has more couples than anybody should write down."""

    def __init__(self, named: Iterable[Couple] = (), kinds: Iterable[Mapping[int, Hashable]] = ()) -> None:
        self.named = frozenset(named)
        self.kinds = tuple(kind for kind in kinds if kind)

    def __contains__(self, couple: object) -> bool:
        if couple in self.named:
            return True
        if not isinstance(couple, tuple):
            return False
        one, other = couple
        return any(one in kind and kind[one] == kind.get(other) for kind in self.kinds)

    def __bool__(self) -> bool:
        return bool(self.named or self.kinds)

    def among(self, numbers: Iterable[int]) -> Iterator[Couple]:
        """The couples of this field that are meant."""
        return (two for two in combinations(sorted(numbers), 2) if two in self)


Couples = frozenset[Couple] | Apart
NOBODY: Couples = frozenset()


def of_sets(sets: Iterable[frozenset[int]]) -> Iterator[Couple]:
    """LG-951 Every two of each set."""
    return (two for one in sets for two in combinations(sorted(one), 2))
