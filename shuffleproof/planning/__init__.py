"""Plans: calibrate a protocol, weigh protocols, compose rounds, sweep over grids."""
