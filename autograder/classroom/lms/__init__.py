"""Marks for a learning management system: a roster, and the files that such systems import."""
