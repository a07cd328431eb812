"""Why does a format refuse? One error with the code of the ledger's table."""

from __future__ import annotations

from collections.abc import Sequence


class Refused(ValueError):
    """Nothing has changed; `code` says why, `named` says what stands in the way."""

    def __init__(self, code: str, sentence: str, named: Sequence[object] = ()) -> None:
        super().__init__(sentence)
        self.code = code
        self.named = tuple(named)
