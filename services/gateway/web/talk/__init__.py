"""Talk on the site: on the page of a match, and before moderators."""

from services.gateway.web.talk import forms

__all__ = ["forms"]
