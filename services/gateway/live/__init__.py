"""The engine of the stream: who reads what, what has become readable, and how it is written."""
