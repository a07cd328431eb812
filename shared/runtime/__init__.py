"""Where do effects live? Here: Postgres, Redis, Celery, clocks and logs, and nowhere else."""
