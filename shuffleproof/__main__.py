"""`python -m shuffleproof`: the command line."""

from shuffleproof.command_line import main

main()
