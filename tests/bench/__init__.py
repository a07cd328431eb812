"""How fast is it? A stack of its own, a lean client, and a naive queue beside it."""
