"""Where does somebody want mail, and of what? The relay sends it; nothing of this shows where the installation has no mail."""
