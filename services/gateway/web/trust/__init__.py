"""Pages of second factors, of opened views and of programs of other people."""

from services.gateway.web.trust import clients, opened_views, second_factor

__all__ = ["clients", "opened_views", "second_factor"]
