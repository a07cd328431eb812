"""Tokens, bots and tickets for streams."""

from __future__ import annotations

from typing import Any

from services.gateway import tokens
from services.gateway.api import schemas as shapes
from services.gateway.edge.idempotency import Answer
from services.gateway.edge.routes import Call, Door, Routes

routes = Routes("tokens", __name__, description="How programs prove who they are")
SHOWN = ("secret_shown_once",)


@routes.at("GET", "/tokens", Door("account.session", gives=shapes.listed(shapes.Token)))
def list_tokens(call: Call) -> object:
    """The tokens of the account and of its bots."""
    return {"items": tokens.tokens(call.gate.store, call.caller), "next": None}


@routes.at("POST", "/tokens", Door("account.session", takes=shapes.TokenIn, gives=shapes.NewToken, status=201, codes=(*SHOWN, "scope_too_wide")))
def make_token(call: Call) -> Answer:
    """Make a token. Its secret is in this answer and is never shown again."""
    return _once(tokens.own_token(call.work, call.caller, call.body))


@routes.at("DELETE", "/tokens/<token>", Door("account.session"))
def revoke(call: Call, token: str) -> None:
    """Revoke a token; it fails from the next request on."""
    tokens.revoke(call.work, call.caller, token)


@routes.at("GET", "/bots", Door("bot.list", gives=shapes.listed(shapes.Bot)))
def list_bots(call: Call) -> object:
    """The bots of the account."""
    return {"items": tokens.bots(call.gate.store, call.caller), "next": None}


@routes.at("POST", "/bots", Door("bot.make", takes=shapes.BotIn, gives=shapes.Bot, status=201, codes=("name_taken",), bucket="creations"))
def make_bot(call: Call) -> Answer:
    """Open an account for a bot that belongs to this account."""
    return _tagged(tokens.make_bot(call.work, call.caller, call.body), 201)


@routes.at("PATCH", "/bots/<bot>", Door("bot.change", takes=shapes.BotChange, gives=shapes.Bot, matched=True,
                                        codes=("changed_meanwhile", "precondition_missing")))
def change_bot(call: Call, bot: str) -> Answer:
    """Change what is told of a bot."""
    return _tagged(tokens.change_bot(call.work, call.caller, bot, call.body, call.version), 200)


@routes.at("POST", "/bots/<bot>/tokens", Door("bot.token", takes=shapes.BotTokenIn, gives=shapes.NewToken, status=201, codes=SHOWN))
def bot_token(call: Call, bot: str) -> Answer:
    """Make a token with which the bot plays its own seats, and nothing else."""
    return _once(tokens.bot_token(call.work, call.caller, bot, call.body))


@routes.at("POST", "/stream-tickets", Door("ticket.make", takes=shapes.TicketIn, gives=shapes.Ticket, status=201, keyed=False, bucket="streams"))
def make_ticket(call: Call) -> Answer:
    """A ticket for one stream, for an EventSource that can send no header: it works once, for a minute."""
    return Answer(201, tokens.make_ticket(call.gate.store, call.caller, call.body["stream"]))


def _once(made: dict[str, Any]) -> Answer:
    return Answer(201, made, secret_of=made["token"])


def _tagged(bot: dict[str, Any], status: int) -> Answer:
    return Answer(status, bot, {"ETag": f'"{bot["version"]}"'})
