# ruff: noqa
class Catch:
    def __radd__(self, frame):
        self.got = frame
        return frame


class Glob(Catch):
    pass


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        try:
            Step(trace)
        except AttributeError:
            pass
        return True


class Step:
    def __init__(self, trace):
        match trace:
            case self:
                pass
        self.tb_frame += catch


catch = Catch()
with Manager():
    1 / 0


class Back:
    def __init__(self, frame):
        match frame:
            case self:
                pass
        self.f_globals += world


world = Glob()
try:
    Back(catch.got)
except AttributeError:
    pass
proof = (catch.got, world.got["__builtins__"])
