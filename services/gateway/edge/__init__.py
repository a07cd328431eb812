"""The rim of the gateway: what every request goes through, whatever it asks for."""
