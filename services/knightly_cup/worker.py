"""Who carries out the commands of Knightly Cup? This Celery application."""

from services.knightly_cup.game import GAME
from shared.runtime.worker import celery_app

app = celery_app(GAME)
