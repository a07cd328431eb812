"""Who may say what at a match, and who hears it?"""

from __future__ import annotations

from typing import Any

import pytest

from services.gateway.problems import LANGUAGES
from services.gateway.talk import checks
from tests.gateway.conftest import House, Player
from tests.ledger import rule


def say(player: Player, match: str, words: str = "Hello there", room: str = "seats", **more: Any) -> str:
    answer = player.post(f"/matches/{match}/talk", {"room": room, "text": words}, **more)
    assert answer.status_code == 201, answer.json
    return str(answer.json["text"])


def heard(player: Player, match: str, room: str = "seats") -> list[Any]:
    """What this player reads, oldest first."""
    answer = player.get(f"/matches/{match}/talk?room={room}")
    assert answer.status_code == 200, answer.json
    return [one["words"] for one in reversed(answer.json["items"])]


def refusal(player: Player, match: str, body: Any) -> tuple[int, str]:
    answer = player.post(f"/matches/{match}/talk", body)
    return answer.status_code, answer.json["code"]


# What a match allows -----------------------------------------------------------------------------------------------------


@rule("PL-556", "CH-522")
def test_talk_is_off_unless_the_match_says_otherwise(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob)
    assert ada.get(f"/matches/{match}").json["talk"] == "off"
    for body in ({"room": "seats", "text": "Hello"}, {"room": "seats", "phrase": "hello"}):
        assert refusal(ada, match, body) == (422, "talk_off")
    assert ada.get(f"/matches/{match}/talk").json["code"] == "talk_off"


@rule("PL-556")
def test_phrases_are_a_fixed_list_that_everybody_reads_in_their_own_language(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, talk="phrases")
    said = ada.post(f"/matches/{match}/talk", {"room": "seats", "phrase": "well_played"}, headers={"Accept-Language": "it"})
    assert (said.status_code, said.json["words"], said.json["seat"], said.json["own"]) == (201, "Ben giocato!", 0, True)
    assert heard(bob, match) == ["Well played!"]
    assert refusal(ada, match, {"room": "seats", "text": "Well played!"}) == (422, "talk_off")
    assert refusal(ada, match, {"room": "seats", "phrase": "anything else"}) == (422, "invalid")
    assert refusal(ada, match, {"room": "seats", "phrase": "hello", "text": "Hello"}) == (422, "invalid")
    listed = bob.get("/talk/phrases", headers={"Accept-Language": "it"}).json["items"]
    assert {"phrase": "thanks", "words": "Grazie."} in listed
    assert [one["phrase"] for one in listed] == list(checks.PHRASES)


@rule("PL-556")
def test_every_phrase_is_translated():
    assert all(set(words) == set(LANGUAGES) and all(words.values()) for words in checks.PHRASES.values())


@rule("PL-556", "PL-357")
def test_where_talk_is_free_texts_are_cleaned_and_once_said_are_said_once(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, talk="free")
    first = say(ada, match, "  <b>Hello</b>\u202e   you\u200b ", key="again")
    assert say(ada, match, "  <b>Hello</b>\u202e   you\u200b ", key="again") == first
    ada.post(f"/matches/{match}/talk", {"room": "seats", "phrase": "hello"})
    assert heard(bob, match) == ["<b>Hello</b> you", "Hello!"]


@rule("PL-557")
@pytest.mark.parametrize("words", ["You a$$hole", "f u c k", "s.h.i.t", "STRONZO!", "see https://example.com", "write to me@example.org", "call +39 06 1234 5678",
                                   "\u200b\u200b", "come to example.com/x", "z\u0300\u0301\u0302\u0303"])
def test_a_text_that_nobody_should_have_to_read_is_refused_without_a_reason(house: House, ada: Player, bob: Player, words: str):
    match = house.match(ada, bob, talk="free", start=False)
    answer = ada.post(f"/matches/{match}/talk", {"room": "seats", "text": words})
    assert (answer.status_code, answer.json["code"]) == (422, "text_refused")
    assert "errors" not in answer.json
    assert heard(bob, match) == []


@rule("PL-557")
@pytest.mark.parametrize("words", ["I bid 1500000.", "Scunthorpe, e.g. in class", "Bella mossa!", "Peacock, Dickens and Shitake... no, shiitake", "2.30 pm?"])
def test_harmless_words_are_not(words: str):
    assert checks.may_be_said(checks.cleaned(words))


# Rooms -------------------------------------------------------------------------------------------------------------------


@rule("PL-558", "CH-522")
def test_seats_and_onlookers_have_rooms_of_their_own(house: House, ada: Player, bob: Player, nobody: Player):
    match, cleo = house.match(ada, bob, talk="free"), house.player()
    say(ada, match, "my turn")
    say(cleo, match, "she holds the three", "onlookers")
    assert heard(cleo, match) == heard(nobody, match) == ["my turn"]
    assert heard(cleo, match, "onlookers") == heard(nobody, match, "onlookers") == ["she holds the three"]
    assert refusal(cleo, match, {"room": "seats", "text": "hello"}) == (403, "not_your_seat")
    assert refusal(nobody, match, {"room": "onlookers", "text": "hello"}) == (401, "not_signed_in")


@rule("PL-558")
def test_seats_of_a_running_match_do_not_hear_the_onlookers(house: House, ada: Player, bob: Player):
    match, cleo = house.match(ada, bob, talk="free"), house.player()
    say(cleo, match, "she holds the three", "onlookers")
    answer = ada.get(f"/matches/{match}/talk?room=onlookers")
    assert (answer.status_code, answer.json["code"]) == (403, "not_allowed")
    assert refusal(ada, match, {"room": "onlookers", "text": "hello"}) == (403, "not_allowed")
    ada.post(f"/matches/{match}/resignations", {"sure": True})
    assert ada.get(f"/matches/{match}/talk?room=onlookers").json["code"] == "not_allowed"       # who has left might still whisper
    house.work()
    house.play_out(match, ada, bob)
    assert heard(ada, match, "onlookers") == ["she holds the three"]


@rule("PL-558", "PL-218")
def test_a_private_match_is_heard_by_those_who_may_know_of_it(house: House, ada: Player, bob: Player, nobody: Player):
    match = house.match(ada, bob, talk="free")
    house.do("UPDATE matches SET visibility = 'private' WHERE match_id = %s", match)
    say(ada, match)
    for stranger in (house.player(), nobody):
        assert stranger.get(f"/matches/{match}/talk").status_code == 404
    assert refusal(house.player(), match, {"room": "onlookers", "text": "hello"}) == (404, "not_found")


@rule("PL-419", "PL-558")
def test_behind_an_onlooker_delay_everything_is_heard_as_late_as_it_is_seen(house: House, ada: Player, bob: Player):
    match, cleo, dora = house.match(ada, bob, talk="free", onlooker_delay={"seconds": 60, "steps": 2}), house.player(), house.player()
    say(ada, match, "I go for it")
    say(cleo, match, "she goes for it", "onlookers")
    assert heard(bob, match) == ["I go for it"]
    assert heard(cleo, match) == heard(dora, match) == heard(dora, match, "onlookers") == []
    assert heard(cleo, match, "onlookers") == ["she goes for it"]       # what one has said oneself is no news
    back = "UPDATE {} SET at = at - interval '61 seconds' WHERE match_id = %s"
    for table in ("talk", "letters"):
        house.do(back.format(table), match)
    assert heard(dora, match) == heard(dora, match, "onlookers") == []      # and two more steps have to come
    for _ in range(4):
        ask = house.open_ask(match)
        (ada, bob)[ask["seat"]].command(match, ask["ask"], ask["body"]["on_timeout"])
        house.work()
    house.do(back.format("letters"), match)
    assert heard(dora, match) == ["I go for it"]
    assert heard(dora, match, "onlookers") == ["she goes for it"]


@rule("PL-559")
def test_a_token_without_the_scope_reads_and_says_nothing(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, talk="free")
    mute = Player(house, ada.id, ada.name, house.token(ada.id, ["match:read", "match:play"]))
    assert refusal(mute, match, {"room": "seats", "text": "hello"}) == (403, "scope_missing")
    assert heard(mute, match) == []


@rule("PL-556")
def test_a_day_after_the_end_there_is_nobody_to_talk_to(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, talk="free")
    house.play_out(match, ada, bob)
    say(ada, match, "Good game")
    house.do("UPDATE matches SET ended_at = ended_at - interval '25 hours' WHERE match_id = %s", match)
    assert refusal(ada, match, {"room": "seats", "text": "Are you there?"}) == (422, "talk_off")
    assert heard(bob, match) == ["Good game"]


@rule("PL-559", "PL-414", "PL-417")
def test_what_is_said_is_no_part_of_state_log_or_record(house: House, ada: Player, bob: Player):
    match = house.match(ada, bob, talk="free")
    say(ada, match, "xylophone")
    house.play_out(match, ada, bob)
    rows = [house.one("SELECT to_jsonb(t)::text AS line FROM match_states t WHERE match_id = %s", match)["line"],
            *(row["line"] for table in ("steps", "letters", "views", "inbox", "outbox", "audit")
              for row in house.all(f"SELECT to_jsonb(t)::text AS line FROM {table} t"))]
    assert rows
    assert not any("xylophone" in row for row in rows)
