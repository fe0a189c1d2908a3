"""What an exception means: whose fault it is, on which line, and the cause that was seen."""
