"""How does a program of somebody else come to act for an account, and what can it never do? OAuth 2 with PKCE, for clients without a secret."""
