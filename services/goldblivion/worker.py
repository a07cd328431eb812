"""Who carries out the commands of GOLDblivion? This Celery application."""

from services.goldblivion.game import GAME
from shared.runtime.worker import celery_app

app = celery_app(GAME)
