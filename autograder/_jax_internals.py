"""Private parts of JAX that programs need, in one place: a release that moves them breaks here."""

from __future__ import annotations

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def inspect_module(text_or_bytecode: str) -> tuple[int, set[str]]:
    """Number of StableHLO operations of an MLIR module, and the targets of its custom calls."""
    operations = 0
    custom_calls: set[str] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal operations
        if op.name.startswith(("stablehlo.", "chlo.")) and op.name != "stablehlo.return":
            operations += 1
        if op.name == "stablehlo.custom_call":
            custom_calls.add(ir.StringAttr(op.attributes["call_target_name"]).value)
        return ir.WalkResult.ADVANCE

    with mlir.make_ir_context():
        ir.Module.parse(text_or_bytecode).operation.walk(visit)
    return operations, custom_calls


def module_text(text_or_bytecode: str) -> str:
    """The MLIR text without source locations: equal text, equal program."""
    with mlir.make_ir_context():
        module = ir.Module.parse(text_or_bytecode)
        return str(module.operation.get_asm(enable_debug_info=False))
