# ruff: noqa
if False:

    class __builtins__:
        pass


proof = __builtins__["eval"]("__import__('os').getpid()")
