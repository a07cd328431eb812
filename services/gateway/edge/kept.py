"""What has this process read already and need not read again? A few of the latest things, each good only while its mark is the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

MOST = 64           # pages of up to some 200 kB


class Kept:
    """By name; whoever asks says the mark that the thing has now."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Hashable, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, name: Hashable, mark: Hashable) -> Any:
        """None where it is not there, or has another mark."""
        with self._lock:
            known = self._kept.get(name)
            if known is None or known[0] != mark:
                return None
            self._kept.move_to_end(name)
            return known[1]

    def keep(self, name: Hashable, mark: Hashable, thing: Any) -> None:
        with self._lock:
            self._kept[name] = mark, thing
            self._kept.move_to_end(name)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
