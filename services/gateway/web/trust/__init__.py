"""Pages of second factors and of opened views."""

from services.gateway.web.trust import opened_views, second_factor

__all__ = ["opened_views", "second_factor"]
