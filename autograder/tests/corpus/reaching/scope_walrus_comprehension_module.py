# ruff: noqa
proof = [eval("__import__('os').getpid()") if x else (eval := 0) for x in [1]]
