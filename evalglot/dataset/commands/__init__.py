"""The commands `evalglot collect`, `query` and `trend`."""
