"""Which numbered clauses does a test prove?"""

import re
from typing import Any

import pytest


def rule(*clauses: str) -> Any:
    """Marks a test with the clauses it proves: `@rule("CH-101", "CH-102")`."""
    for clause in clauses:
        if not re.fullmatch(r"[A-Z]{2}-\d{3,4}|EX?-\d{1,3}", clause):
            raise ValueError(f"{clause!r} is not the number of a clause")
    return pytest.mark.rule(*clauses)
