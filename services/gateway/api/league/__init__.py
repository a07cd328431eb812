"""The league over HTTP: organisations, tournaments, championships, ratings."""
