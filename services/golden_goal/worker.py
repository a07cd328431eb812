"""Who carries out the commands of Golden Goal? This Celery application."""

from services.golden_goal.game import GAME
from shared.runtime.worker import celery_app

app = celery_app(GAME)
