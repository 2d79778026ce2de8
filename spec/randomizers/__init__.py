"""Local randomizers with exact laws."""
