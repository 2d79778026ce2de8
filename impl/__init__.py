"""The specification's mathematics made fast, twice, by other routes than the specification's."""
