# ruff: noqa
import dataclasses


@dataclasses.dataclass
class P:
    x: int = 0


class Set:
    def __init__(self, field):
        match field:
            case self:
                pass
        self.name = "__class__"


Set(dataclasses.fields(P)[0])
proof = dataclasses.asdict(P())
