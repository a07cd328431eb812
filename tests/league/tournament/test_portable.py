"""Does a tournament travel whole, and are its exports exact?"""

import copy
import json

import pytest

from services.league.refusals import Refused
from services.league.tournament.deciding.portable import digest
from services.league.tournament.doors import TOURNAMENT
from tests.league.tournament.desk import THREE, Desk, refused, running, stage, through
from tests.ledger import rule


def exported(desk, form="json", **more):
    desk.host("export", form=form, **more)
    return desk.answer


def taken_over(document, name="t-copy"):
    desk = Desk()
    desk.host("import_export", tournament=name, organisation="o-2", document=json.loads(json.dumps(document)))
    return desk


@rule("LG-985", "LG-107")
def test_an_export_taken_over_gives_the_same_pages_and_hashes():
    desk = running(stage("swiss", rounds=3), 7)
    through(desk)
    desk.own("acc-002", "withdraw")
    desk.play()
    document = exported(desk)
    assert document["form"] == "league-1"
    copied = taken_over(document)
    assert copied.seed == desk.seed
    assert not copied.orders
    assert not copied.stops
    for name in ("standing/1", "round/1/1", "round/1/2", "round/1/3", "entrants", "cross/1"):
        assert copied.page(name) == desk.page(name), name
    final = {key: value for key, value in copied.page("final").items() if key != "tournament"}
    assert final == {key: value for key, value in desk.page("final").items() if key != "tournament"}
    copied.host("explain", stage=1, round=3)
    assert copied.answer["equal"], "the draws keep the name under which they were made"


@rule("LG-985", "LG-982")
def test_a_file_that_is_not_whole_is_refused():
    desk = running(stage("swiss", rounds=2), 4)
    running_document = exported(desk)
    with pytest.raises(Refused) as caught:
        taken_over(running_document)
    assert (caught.value.code, caught.value.named) == ("bad_file", ("finished",))
    desk.play()
    document = exported(desk)
    for changes, fault in (({"form": "league-2"}, "form"), ({"events": document["events"][:-1]}, "hash"), ({"events": []}, "form")):
        with pytest.raises(Refused) as caught:
            taken_over({**document, **changes})
        assert (caught.value.code, caught.value.named) == ("bad_file", (fault,))
    wrong = copy.deepcopy(document["events"])
    wrong[3] = {"kind": "unheard"}
    with pytest.raises(Refused) as caught:
        taken_over({**document, "events": wrong, "hash": digest(wrong)})
    assert caught.value.named == ("event 4",)
    reseeded = copy.deepcopy(document["events"])
    reseeded[-1]["seed"] = "00" * 32
    with pytest.raises(Refused) as caught:
        taken_over({**document, "events": reseeded, "hash": digest(reseeded)})
    assert caught.value.named == ("seed",)


@rule("LG-987")
def test_two_exports_of_one_version_are_equal_and_name_it():
    desk = running(stage("swiss", rounds=2), 5)
    through(desk)
    for form, what in (("json", "standings"), ("csv", "standings"), ("csv", "results"), ("csv", "pairings"), ("csv", "cross"), ("trf16", "results")):
        first, second = exported(desk, form, what=what), exported(desk, form, what=what)
        assert first == second
        assert first["version"] == desk.state.version


@rule("LG-163", "LG-1003")
def test_an_export_shows_no_draft():
    desk = running(stage("swiss", rounds=2), 6, auto_start=False)
    document = exported(desk)
    assert [line["kind"] for line in document["events"]][-1] == "withheld"
    assert len(document["events"]) == desk.state.version
    desk.referee("publish")
    assert "round_drafted" in [line["kind"] for line in exported(desk)["events"]]


@rule("LG-984")
def test_tables_for_spreadsheets():
    desk = running(stage("swiss", rounds=2), 5)
    through(desk)
    standings = exported(desk, "csv", what="standings")
    assert standings["text"].splitlines()[0].startswith("rank,number,name,points,points_decimal,played")
    assert len(standings["text"].splitlines()) == 6
    assert standings["name"].endswith(f"-v{desk.state.version}.csv")
    assert len(exported(desk, "csv", what="pairings", round=1)["text"].splitlines()) == 5
    assert "allocated" in exported(desk, "csv", what="results")["text"]


@rule("LG-986")
def test_trf16_where_it_can_be_said():
    desk = running(stage("swiss", rounds=2), 4)
    through(desk)
    text = exported(desk, "trf16", round=1)["text"]
    assert text.startswith("012 Cup\n")
    assert sum(line.startswith("001 ") for line in text.splitlines()) == 4
    for form in (stage("swiss", THREE, rounds=2), stage("swiss", rounds=2, best_of=3)):
        other = running(form, 6)
        with refused("not_exportable"):
            other.host("export", form="trf16")
    early = Desk(stage())
    with refused("not_exportable"):
        early.host("export", form="csv")


@rule("LG-103")
def test_nothing_is_asked_of_what_is_not_there():
    desk = Desk()
    with refused("not_found"):
        desk.host("open")
    desk.create(stage())
    with refused("wrong_state"):
        desk.create(stage())
    assert TOURNAMENT.counts(desk.state) == ()
