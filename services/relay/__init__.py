"""What leaves this installation? The relay sends what happened in competitions to the endpoints of their organisations; it knows no rule."""
