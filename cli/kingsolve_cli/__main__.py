"""`python -m kingsolve_cli`: the command, for where its script is not on the path."""

from .app import main

main(prog_name="kingsolve")
