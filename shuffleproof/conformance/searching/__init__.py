"""Looking for inputs on which a harness is wrong, and for the simplest of them."""
