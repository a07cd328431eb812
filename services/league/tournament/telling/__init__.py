"""What is told of a tournament beside its pages: to those who sit there, and to referees?"""
