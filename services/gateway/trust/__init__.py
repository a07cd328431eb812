"""What takes more than a password, or more than one person: second factors, opened views, the log of what people with a role did."""
