"""Who carries out the commands of Golden Cup? This Celery application."""

from services.golden_cup.game import GAME
from shared.runtime.worker import celery_app

app = celery_app(GAME)
