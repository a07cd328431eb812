"""Who carries out the commands of Champions!? This Celery application."""

from services.champions.game import GAME
from shared.runtime.worker import celery_app

app = celery_app(GAME)
