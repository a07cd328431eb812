"""Does a form of each of the six shapes say what it should, with scripts and without?"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask, render_template_string
from playwright.sync_api import Page, Route
from werkzeug.datastructures import MultiDict

from services.gateway.web.forms import command_of
from services.gateway.web.pages import pages
from shared.kernel.choices import Arrange, Goods, Label, Lot, Member, Number, One, Shape, Some, Text
from shared.kernel.content import Words
from tests.laws.pebbles import content
from tests.ledger import rule
from tests.web.conftest import Meet, Person

WORDS: Words = content.WORDS["en"]


def member(value: str | int) -> Member:
    return Member(value, Label("pebble", pebble=value))


FEW = tuple(member(value) for value in ("amber", "coal", 7))
SHAPES: dict[str, Shape] = {
    "few": One(FEW),
    "many": One(tuple(member(f"m{number}") for number in range(20))),
    "some": Some(FEW, least=1, most=2),
    "arranged": Arrange(FEW, ("1", "2", "4+"), least=1),
    "bid": Number(500, 2300, 100),
    "deal": Goods((Lot("coral", Label("pebble", pebble="coral"), 3),), {"0": (Lot("ivy", Label("pebble", pebble="ivy"), 2),), "2": ()}),
    "name": Text(1, 40, suggestions=("Medusa", "Loki")),
}
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shapes</title>
<link rel="stylesheet" href="/static/css/tokens.css"><link rel="stylesheet" href="/static/css/controls.css">
<script type="module">import { enhance } from "/static/js/shapes.js"; import { commandOf } from "/static/js/forms.js";
enhance(document); document.forms[0].addEventListener("submit", event => { window.said = commandOf(event.target, event.submitter) }); document.body.dataset.ready = "yes";
</script></head><body><main>{% import "parts/shapes.html" as shapes with context %}<ul>
{{ shapes.choice_form(choice, 31, "/shapes/sent", 2, 1, "token", "a-key") }}</ul></main></body></html>"""


def page_with(choice: dict[str, Any]) -> str:
    app = Flask("shapes")
    app.register_blueprint(pages)
    with app.test_request_context():
        return render_template_string(PAGE, choice=choice)


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def person(request: pytest.FixtureRequest, meet: Meet) -> Person:
    return meet(java_script_enabled=request.param)


def choice_of(fields: dict[str, Shape], do: str = "answer") -> dict[str, Any]:
    return {"do": do, "label": "Answer", "fields": {name: json.loads(WORDS.json(shape)) for name, shape in fields.items()}}


def shown(person: Person, fields: dict[str, Shape]) -> Page:
    """A page with one choice, as the site would write it, and a place that takes what is sent."""
    def form(route: Route) -> None:
        route.fulfill(body=page_with(choice_of(fields)), content_type="text/html")

    person.window.route("**/shapes", form)
    person.window.route("**/shapes/sent", lambda route: route.fulfill(body="sent", content_type="text/plain"))
    return person.go("/shapes")


def sent(page: Page, press: str = "button.first") -> dict[str, Any]:
    """The command that the server reads out of the form."""
    with page.expect_request("**/shapes/sent") as waiting:
        page.click(press)
    form = MultiDict(parse_qsl(waiting.value.post_data or "", keep_blank_values=True))
    assert (form["ask"], form["seat"], form["key"], form["form_token"]) == ("31", "2", "a-key", "token")
    return command_of(form)


@rule("PL-354", "PL-351", "PL-701")
def test_one_of_few_is_one_press(person: Person):
    page = shown(person, {"few": SHAPES["few"]})
    assert sent(page, "button:has-text('Coal')") == {"do": "answer", "few": "coal"}
    page = shown(person, {"few": SHAPES["few"]})
    assert sent(page, "button:has-text('7')") == {"do": "answer", "few": 7}


@rule("PL-354", "PL-351")
def test_one_of_many_is_a_list(person: Person):
    page = shown(person, {"many": SHAPES["many"]})
    page.select_option("select", label="m13")
    assert sent(page) == {"do": "answer", "many": "m13"}


@rule("PL-355")
def test_some_are_boxes(person: Person):
    page = shown(person, {"some": SHAPES["some"]})
    page.check("input[value='\"amber\"']")
    page.check("input[value='7']")
    command = sent(page)
    assert command == {"do": "answer", "some": ["amber", 7]}
    assert SHAPES["some"].fault(command["some"]) == ""


@rule("PL-354")
def test_places_are_filled_from_lists(person: Person):
    page = shown(person, {"arranged": SHAPES["arranged"]})
    page.select_option("[name='arrange:arranged:1']", label="Coal")
    page.select_option("[name='arrange:arranged:4+']", value="7")
    command = sent(page)
    assert command == {"do": "answer", "arranged": {"1": "coal", "4+": 7}}
    assert SHAPES["arranged"].fault(command["arranged"]) == ""


@rule("PL-354")
def test_a_number_keeps_to_its_steps(person: Person):
    page = shown(person, {"bid": SHAPES["bid"]})
    assert page.get_attribute("input[type=number]", "step") == "100"
    page.fill("input[type=number]", "700")
    assert sent(page) == {"do": "answer", "bid": 700}


@rule("PL-354")
def test_a_deal_is_two_lists_and_a_partner(person: Person):
    page = shown(person, {"deal": SHAPES["deal"]})
    page.select_option("select", label="seat 1")
    page.fill("[name='goods:deal:give:coral']", "2")
    page.fill("[name='goods:deal:take:0:ivy']", "1")
    command = sent(page)
    assert command == {"do": "answer", "deal": {"with": "0", "give": {"coral": 2}, "take": {"ivy": 1}}}
    assert SHAPES["deal"].fault(command["deal"]) == ""


@rule("PL-354", "CH-126")
def test_a_text_is_typed_or_a_suggestion_taken(person: Person):
    page = shown(person, {"name": SHAPES["name"]})
    page.fill("input[type=text]", "Baba Yaga")
    assert sent(page) == {"do": "answer", "name": "Baba Yaga"}
    page = shown(person, {"name": SHAPES["name"]})
    page.click("summary")
    if page.locator("body[data-ready]").count():        # the script fills it in, for a last look
        page.click("button:has-text('Medusa')")
        assert page.input_value("input[type=text]") == "Medusa"
        assert sent(page)["name"] == "Medusa"
    else:
        assert sent(page, "button:has-text('Medusa')")["name"] == "Medusa"


@rule("PL-356")
def test_the_script_reads_a_form_as_the_server_does(meet: Meet):
    """Every shape at once, in both readings."""
    person = meet()
    page = shown(person, dict(SHAPES))
    page.check("[name='one:few'][value='7']")
    page.select_option("[name='one:many']", label="m2")
    page.check("[name='some:some'] >> nth=2")
    page.select_option("[name='arrange:arranged:2']", label="Amber")
    page.fill("[name='number:bid']", "600")
    page.fill("[name='goods:deal:give:coral']", "1")
    page.fill("[name='text:name']", "Loki")
    page.evaluate("document.forms[0].addEventListener('submit', () => sessionStorage.setItem('said', JSON.stringify(window.said)))")
    command = sent(page)
    assert json.loads(page.evaluate("sessionStorage.getItem('said')")) == command
    assert all(SHAPES[name].fault(value) == "" for name, value in command.items() if name != "do")
