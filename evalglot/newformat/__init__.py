"""`evalglot new-format`: the beginnings of a package that adds a format."""
