"""Which programs are there for people? One module per `cupboard` command."""
