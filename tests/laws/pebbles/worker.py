"""Who carries out the commands of Pebbles? This Celery application."""

from shared.runtime.worker import celery_app
from tests.laws.pebbles.game import GAME

app = celery_app(GAME)
