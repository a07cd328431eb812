"""What leaves this installation? The relay sends what happened in competitions to the endpoints of their organisations, and mails to whoever wants them; it knows no rule."""
