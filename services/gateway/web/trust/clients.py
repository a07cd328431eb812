"""Pages about programs of other people: the question whether one may act for the reader, those who may, and those that the reader has registered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from flask import g, redirect, request
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from services.gateway.accounts import at
from services.gateway.clients import consent
from services.gateway.clients.consent import Given, Refused, Unknown, Way, Wish
from services.gateway.clients.registered import SQL
from services.gateway.edge.gate import gate
from services.gateway.edge.signing_in import caller
from services.gateway.rights import knock
from services.gateway.web.account_pages import again, done
from services.gateway.web.blueprint import for_members, form, pages
from services.gateway.web.forms import sent_key, text
from services.gateway.web.frame import page
from services.gateway.web.inner import ask, items, look

CONSENT = "/oauth/authorize"


@pages.get(CONSENT)
def consent_page() -> Response:
    """PL-179 What is wrong is told to the program only where it is sure whose address that is."""
    gate().counted("reads", caller(gate()))
    return _asked(request.args, _question)


@form(CONSENT)
def decide_consent() -> Response:
    """The question is read anew from the form, and checked as it was on the page."""
    gate().counted("creations", caller(gate()))
    return _asked(request.form, _decided)


def _asked(given: MultiDict[str, str], act: Callable[[Way, Wish], Response]) -> Response:
    facts: Given = {name: given.getlist(name) for name in (*consent.KNOWN, "response_mode")}
    try:
        way = consent.way_of(gate().store, facts, gate().settings.origin)
    except Unknown as problem:
        return page("trust/unknown_client.html", 400, why=str(problem))
    if not caller(gate()).signed_in:    # RFC 9700: also before an error is passed on, so that no link leads through this site unseen
        return redirect(f"/sign-in?next={quote(f'{CONSENT}?{urlencode(facts, doseq=True)}', safe='')}", 303)
    knock(caller(gate()), "account.session")
    try:
        return act(way, consent.wish_of(facts))
    except Refused as problem:
        return redirect(way.refused(problem), 303)


def _question(way: Way, wish: Wish) -> Response:
    host = urlsplit(way.redirect)
    own_machine = host.scheme == "http"
    g.form_ends_at = "http:" if host.netloc.startswith("[") else f"{host.scheme}://{host.netloc}"     # no policy can name an IPv6 address
    ends_at = at(datetime.now(UTC) + timedelta(seconds=consent.CHAIN_LIFE_S))
    asked = [(name, request.args[name]) for name in consent.KNOWN if request.args.get(name)]
    return page("trust/consent.html", client=way.client, words=wish.words, asked=asked, host=host.netloc, own_machine=own_machine, ends_at=ends_at)


def _decided(way: Way, wish: Wish) -> Response:
    yes = text("decision") == "yes"
    return redirect(consent.say_yes(gate().store, caller(gate()), way, wish) if yes else consent.say_no(way), 303)


# Settings ------------------------------------------------------------------------------------------------------------------


@form("/account/let-in/<client>/end")
def put_client_out(client: str) -> Response:
    return done(ask("DELETE", f"/me/clients/{client}", key=sent_key()), "put_out")


@pages.get("/account/clients")
@for_members
def clients_page() -> Response:
    return page("trust/clients.html", typed={}, faults={}, refusal=None, **_own())


@form("/account/clients")
def make_client() -> Response:
    wish = {"name": text("name"), "homepage": text("homepage"), "redirects": text("redirects").split(),
            **({"organisation": text("organisation")} if text("organisation") else {})}
    said = ask("POST", "/clients", wish, key=sent_key())
    return redirect("/account/clients", 303) if said.good else again("trust/clients.html", said, **_own())


@form("/account/clients/<client>/remove")
def remove_client(client: str) -> Response:
    said = ask("DELETE", f"/clients/{client}", key=sent_key())
    return redirect("/account/clients", 303) if said.good else page("trust/clients.html", said.status, typed={}, faults={}, refusal=said.facts, **_own())


def _own() -> dict[str, Any]:
    organisations = gate().store.all(SQL.owned_organisations, account=caller(gate()).account)
    return {"clients": items(look("/clients")), "organisations": organisations}
