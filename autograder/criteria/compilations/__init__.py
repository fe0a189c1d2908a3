"""Compilations: how often, where and why a student's function compiles."""
