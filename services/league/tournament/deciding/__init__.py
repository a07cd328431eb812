"""What follows from an act? Each of these files answers for one chapter of the league's rules."""
