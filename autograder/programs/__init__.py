"""Exports, reads and runs programs; all that is private to JAX is used here."""
