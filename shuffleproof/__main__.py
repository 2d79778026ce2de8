"""`python -m shuffleproof`: the command line."""

from shuffleproof.command_line.program import main

main()
