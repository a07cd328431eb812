"""Are the pages complete without scripts, fit for a small phone, quiet under a strict content policy, and readable in both schemes?"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
import requests
from flask import Flask
from playwright.sync_api import expect

from services.gateway import web
from services.gateway.web.pages import pages
from tests.ledger import rule
from tests.web.conftest import PHONE, Meet, Stack, send

HERE = Path(web.__file__).parent
TEMPLATES = sorted(HERE.glob("templates/**/*.html"))
FOR_ALL = ("/", "/games", "/games/pebbles", "/matches", "/matches?state=open&game=pebbles", "/league", "/tournaments", "/championships", "/seasons", "/sign-in", "/sign-up", "/forgotten", "/mail/confirm/a-code", "/accessibility", "/nowhere")
FOR_MEMBERS = ("/my", "/account", "/games/pebbles/new", "/games/champions/new", "/new-tournament")
TOO_SMALL = """least => [...document.querySelectorAll('a, button, input:not([type=hidden]), select, summary')].filter(one => {
    const box = one.getBoundingClientRect(), label = one.closest('label')?.getBoundingClientRect();
    const inText = one.tagName === 'A' && getComputedStyle(one).display === 'inline';
    return box.width && !inText && !one.closest('.skip') && Math.max(box.height, label?.height ?? 0) < least;
}).map(one => one.outerHTML.slice(0, 80))"""


# Without scripts -----------------------------------------------------------------------------------------------------------


@rule("PL-701", "PL-121", "PL-129", "PL-724")
def test_signing_up_out_and_in_again_needs_no_script(meet: Meet):
    person = meet(guest=True, java_script_enabled=False)
    page = person.go("/sign-up")
    page.fill("[name=name]", "Ada-Web")
    page.fill("[name=password]", "aaaaaaaaaaaa")
    page.click("main button")
    expect(page.locator(".fault")).to_have_count(1)
    assert page.input_value("[name=name]") == "Ada-Web"
    expect(page.locator("[name=password][aria-invalid=true]")).to_have_count(1)
    page.fill("[name=password]", "correct horse battery")
    page.click("main button")
    expect(page.locator("nav >> text=Ada-Web")).to_have_count(1)
    page.goto(f"{person.stack.base}/account")
    page.click("text=Sign out")
    expect(page.locator("nav >> text=Sign in")).to_have_count(1)
    page.goto(f"{person.stack.base}/my")
    assert "/sign-in?next=/my" in page.url
    page.fill("[name=name]", "ada-web")
    page.fill("[name=password]", "correct horse battery")
    page.click("main button")
    expect(page).to_have_url(re.compile("/my$"))
    person.complaints = [one for one in person.complaints if "422" not in one]


@rule("PL-701", "PL-172", "PL-135", "PL-138")
def test_settings_tokens_and_blocks_are_forms(meet: Meet):
    other, person = meet(), meet(java_script_enabled=False)
    page = person.go("/account")
    page.select_option("[name=language]", "it")
    page.click("text=Save")
    expect(page.locator("text=Saved.")).to_have_count(1)
    page.click("summary:has-text('Make a token')")
    page.fill("#f-label", "a script")
    page.click("text=Make the token")
    expect(page.locator(".secret")).to_have_text(re.compile("^lg_pat_"))
    page.fill("#f-block", other.name)
    page.click("button:text-is('Block')")
    expect(page.locator("text=Blocked.")).to_have_count(1)
    page.click("button:has-text('Unblock')")
    expect(page.locator("text=No longer blocked.")).to_have_count(1)


@rule("PL-140")
def test_a_reset_link_gives_a_new_password_once(stack: Stack, meet: Meet):
    person = meet(java_script_enabled=False)
    code = "a-code-that-an-operator-handed-out"
    stack.do("INSERT INTO password_resets (code_hash, account_id, ends_at) SELECT %s, account_id, now() + interval '30 minutes' FROM accounts "
             "WHERE name = %s", hashlib.sha256(code.encode()).digest(), person.name)
    page = person.go(f"/reset/{code}")
    page.fill("[name=password]", "another horse battery")
    page.click("main button")
    assert page.url.endswith("/sign-in")
    page.goto(f"{stack.base}/reset/{code}")
    page.fill("[name=password]", "yet another horse")
    page.click("main button")
    expect(page.locator("main")).to_contain_text("used")
    person.complaints = [one for one in person.complaints if "410" not in one]


@rule("PL-576", "PL-577", "PL-140", "PL-701")
def test_mail_is_confirmed_chosen_and_stopped_by_forms(stack: Stack, meet: Meet):
    person = meet(java_script_enabled=False)
    page = person.go("/account")
    page.fill("#f-mail", "ada@example.org")
    send(page, "text=Save the address")
    expect(page.locator("text=ada@example.org is not confirmed")).to_have_count(1)
    send(page, "text=Send the link again")
    code = "a-code-that-came-by-mail"
    stack.do("UPDATE mailboxes SET code_hash = %s WHERE account_id = %s", hashlib.sha256(code.encode()).digest(), person.id)
    page.goto(f"{stack.base}/mail/confirm/{code}")
    send(page, "main button")
    expect(page.locator("main")).to_contain_text("Your address is confirmed.")
    page.goto(f"{stack.base}/account")
    page.check("[name=kinds][value=your_turn]")
    page.fill("[name=quiet_from]", "22:00")
    page.fill("[name=quiet_to]", "07:30")
    send(page, "text=Save what comes")
    assert person.api("GET", "/me")["notices"] == {"mail": ["your_turn"]}
    assert page.input_value("[name=quiet_to]") == "07:30"
    stop = stack.one("SELECT stop_code FROM mailboxes WHERE account_id = %s", person.id)["stop_code"]
    page.goto(f"{stack.base}/mail/stop/{stop}.your_turn")
    send(page, "text=Stop these mails")
    assert person.api("GET", "/me")["notices"] == {"mail": []}
    page.goto(f"{stack.base}/sign-in")
    send(page, "text=Forgotten your password?")
    page.fill("[name=who]", person.name)
    send(page, "text=Send me a link")
    expect(page.locator("main")).to_contain_text("a link is on its way")
    assert stack.one("SELECT count(*) FROM mails WHERE kind = 'reset' AND account_id = %s", person.id)["count"] == 1


@rule("PL-131")
def test_a_form_of_another_site_changes_nothing(stack: Stack, meet: Meet):
    person = meet()
    forged = requests.post(f"{stack.base}/account", data={"language": "it", "zone": "UTC"}, cookies={"cupboard": person.cookie},
                           headers={"Sec-Fetch-Site": "same-origin"}, timeout=5)
    foreign = requests.post(f"{stack.base}/sign-in", data={"name": "x", "password": "y"}, headers={"Origin": "https://elsewhere.example"}, timeout=5)
    assert (forged.status_code, foreign.status_code) == (403, 403)
    assert person.api("GET", "/me")["language"] == "en"


# Every page ----------------------------------------------------------------------------------------------------------------


@rule("PL-701", "PL-721", "PL-725", "PL-718")
def test_every_page_fits_a_small_phone_and_has_large_targets(meet: Meet):
    person = meet(**PHONE)
    for path in (*FOR_ALL, *FOR_MEMBERS, f"/people/{person.name}"):
        page = person.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.evaluate(TOO_SMALL, 44) == [], path
    page.set_viewport_size({"width": 320, "height": 640})
    for path in ("/", "/account", "/games/champions/new"):
        page = person.go(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
    person.complaints = [one for one in person.complaints if "404" not in one]


@rule("PL-814", "PL-716", "PL-719")
def test_every_page_is_well_formed_and_quiet_under_the_content_policy(meet: Meet):
    """One heading at the top, a language, names for all fields; `meet` sees to it that no page has an error."""
    person = meet()
    for path in (*FOR_ALL, *FOR_MEMBERS):
        page = person.go(path)
        assert page.locator("h1").count() == 1, path
        expect(page.locator("html[lang=en]")).to_have_count(1)
        nameless = page.evaluate("[...document.querySelectorAll('main input:not([type=hidden]), main select')].filter(one => !one.labels.length).map(one => one.outerHTML)")
        assert nameless == [], path
        doubled = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id).filter((id, at, all) => all.indexOf(id) !== at)")
        assert doubled == [], path
    person.complaints = [one for one in person.complaints if "404" not in one]


@rule("PL-814")
def test_pages_forbid_inline_scripts_and_styles(stack: Stack):
    policy = requests.get(stack.base, timeout=5).headers["Content-Security-Policy"]
    assert "'unsafe" not in policy
    assert "script-src 'self'" in policy
    for template in TEMPLATES:
        text = template.read_text("utf-8")
        assert not re.search(r"\sstyle=|\son\w+=|javascript:|<style|<script(?![^>]*(src=|type=\"application/json\"))", text), template.name


@rule("PL-701")
def test_every_template_is_sound():
    app = Flask("templates")
    app.register_blueprint(pages)
    for template in TEMPLATES:
        app.jinja_env.get_template(str(template.relative_to(HERE / "templates")))


@rule("PL-717")
def test_the_keyboard_goes_through_a_page_in_its_order_with_a_visible_ring(meet: Meet):
    page = meet().go("/account")
    seen: list[float] = []
    for press in range(14):
        page.keyboard.press("Tab")
        ring = page.evaluate("(() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)] })()")
        assert ring[0] != "none", press
        assert ring[1] >= 2
        if press > 7:
            seen.append(page.evaluate("document.activeElement.getBoundingClientRect().top + scrollY"))
    assert seen == sorted(seen)


@rule("PL-205", "PL-218")
def test_a_problem_looks_like_a_page_to_people_and_like_a_problem_to_programs(stack: Stack):
    people = requests.get(f"{stack.base}/nowhere", headers={"Accept": "text/html"}, timeout=5)
    assert (people.status_code, "There is nothing here" in people.text, 'class="brand"' in people.text) == (404, True, True)
    programs = requests.get(f"{stack.base}/nowhere", headers={"Accept": "application/json"}, timeout=5)
    assert programs.json()["code"] == "not_found"


@rule("PL-701")
def test_the_rules_in_short_stand_on_the_page_of_a_game(meet: Meet):
    page = meet(guest=True, java_script_enabled=False).go("/games/champions")
    assert page.locator("ol li strong").first.inner_text() == "Names."
    assert "RULES.md" not in page.content()
    assert "legal.py" not in page.content()


# Colours ---------------------------------------------------------------------------------------------------------------------


def schemes() -> dict[str, dict[str, str]]:
    light, dark = (HERE / "static/css/tokens.css").read_text("utf-8").split("@media (prefers-color-scheme: dark)")
    found = [dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", part)) for part in (light, dark)]
    return {"light": found[0], "dark": {**found[0], **found[1]}}


def brightness(colour: str) -> float:
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@rule("PL-720")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_controls_stand_out(scheme: str):
    colours = schemes()[scheme]
    grounds = ("paper", "surface", "sunken")
    texts = ["ink", "muted", "accent", "gold", "danger", "sign-circle", "sign-triangle", *(f"seat-{seat}" for seat in range(1, 9))]
    pairs = [(text, ground, 4.5) for text in texts for ground in grounds]
    pairs += [("ink", f"{name}-soft", 4.5) for name in ("accent", "gold", "danger")] + [(f"{name}-ink", name, 4.5) for name in ("accent", "wood", "danger")]
    pairs += [(control, ground, 3) for control in ("edge", "focus") for ground in grounds]
    assert [(one, other, contrast(colours[one], colours[other])) for one, other, least in pairs if contrast(colours[one], colours[other]) < least] == []


@rule("PL-720")
def test_seats_have_symbols_beside_colours():
    marks = re.findall(r'symbol id="(seat-\d)" viewBox="0 0 24 24">(.*?)</symbol>', (HERE / "static/marks.svg").read_text("utf-8"))
    assert [name for name, _ in marks] == [f"seat-{seat}" for seat in range(1, 9)]
    assert len({shape for _, shape in marks}) == 8
