"""What a function is checked for: siblings of one shape, and the registry that lists them."""
