"""What the kit's own code meets under `pytest --as-windows` and `--as-macos`."""
