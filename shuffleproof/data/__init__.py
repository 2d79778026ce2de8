"""Reading data sets as a stream, and writing results whole or not at all."""
