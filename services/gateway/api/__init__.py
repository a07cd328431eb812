"""The routes under /api/v1: thin; what they do is said in the files above this folder."""
