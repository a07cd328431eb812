"""Is the schema up to date, and if not, bring it there: `cupboard migrate [--check] [--json]`."""

import argparse
import json

import psycopg

from shared.desk import here
from shared.runtime.migrate import migrate, to_do


def main(argv: list[str]) -> int:
    """Ends with 1 when --check finds something to do."""
    parser = argparse.ArgumentParser(prog="cupboard migrate", description="Carries out the numbered migrations that are still to be done.")
    parser.add_argument("--check", action="store_true", help="change nothing, only tell what is to be done")
    parser.add_argument("--json", action="store_true", help="tell it as JSON")
    wanted = parser.parse_args(argv)
    settings = here.settings("migrate")
    if wanted.check:
        with psycopg.connect(settings.database_url) as connection:
            names = [migration.name for migration in to_do(connection)]
    else:
        names = migrate(settings.database_url, settings.passwords())
    tell(names, "to do" if wanted.check else "carried out", as_json=wanted.json)
    return 1 if wanted.check and names else 0


def tell(names: list[str], what: str, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({what.replace(" ", "_"): names}))
    else:
        print("\n".join(f"{what}: {name}" for name in names) or "the schema is up to date")
