"""What may a referee change of what has happened, and what follows from it?"""
