"""How do mails leave the house? Each is a row, claimed, sent and marked; start at `post.py`."""
