"""Where does a championship come from, who enters it, and what can be read of it? Pairing and counting is the league's own."""
