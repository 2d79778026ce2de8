"""The command line: `shuffleproof VERB ...`, one file per verb; `program` puts them together and turns outcomes into exit codes."""
