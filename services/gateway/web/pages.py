"""Which pages are there? Start here: one module per kind of thing, all on one blueprint."""

from services.gateway.web import account_pages, boards, dress, league, lobby_pages, mail_pages, match_pages, talk, trust
from services.gateway.web.blueprint import pages

__all__ = ["account_pages", "boards", "dress", "league", "lobby_pages", "mail_pages", "match_pages", "pages", "talk", "trust"]
