"""`python -m evalglot`."""

from evalglot.cli import main

main()
