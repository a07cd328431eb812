"""How does gunicorn write its log? Through ours, like everything else."""

from typing import Any

from gunicorn.glogging import Logger


class GunicornLog(Logger):  # type: ignore[misc]  # gunicorn publishes no types
    """Hands its lines on instead of writing them itself."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for own in (self.error_log, self.access_log):
            own.handlers.clear()
            own.propagate = True
