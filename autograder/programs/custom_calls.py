"""The custom calls that programs may make: those that JAX's own linear algebra makes.

A custom call runs compiled code on raw memory. That code trusts the shapes that the program states:
a result that is stated too small is written past its end, and an operand that is stated too small
is read past its end. So a call must be one that JAX itself makes, down to shapes, dtypes, layouts,
attributes and aliases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jaxlib.mlir import ir

_FLOATS = {"s": "f32", "d": "f64", "c": "complex<f32>", "z": "complex<f64>"}
_REAL = {"f32": "f32", "f64": "f64", "complex<f32>": "f32", "complex<f64>": "f64"}
_FIXED = {"i": "i32", "u": "ui32"}
_COMPLEX = {"orgqr": "ungqr", "syevd": "heevd", "sytrd": "hetrd"}
"""LAPACK's names for real numbers, and those for complex ones."""


def _letters(text: str) -> frozenset[str]:
    return frozenset(f"{ord(letter)} : ui8" for letter in text)


_BOOL = frozenset({"true", "false"})


@dataclass(frozen=True)
class _Form:
    """One way to call a routine.

    Attributes:
        signature: operands and results, such as ``"x:mn -> x:mn i:k"``. Before the colon: `x` is
            the routine's own dtype, `r` the real one of the same precision, `i` int32, `u` uint32.
            After it: one letter for each size, after the sizes of a batch that all of them share.
            `k` is the smaller of `m` and `n`, `p` is `n` - 1.
        alias: pairs of a result and the operand whose memory it takes; None is the only result.
        attributes: the admitted values of each.
        sizes: letters whose sizes must not decrease from one to the next. Of results, only these
            may be of sizes that no operand has.
        by_rows: whether matrices are stored row by row, not column by column.
    """

    signature: str
    alias: tuple[tuple[int | None, int], ...] = ((0, 0),)
    attributes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sizes: str = ""
    by_rows: bool = False


_UPLO = {"uplo": _letters("LU")}
_LOWER = {"lower": _BOOL}
_TRSM = {**_UPLO, "trans_x": _letters("NTC"), "diag": _letters("NU")}
_POTRF, _SYEVD, _SYTRD = "x:nn -> x:nn i:", "x:nn -> x:nn r:n i:", "x:nn -> x:nn r:n r:p x:p i:"
_GETRF, _GEQRF, _ORGQR = "x:mn -> x:mn i:k i:", "x:mn -> x:mn x:k", "x:mn x:t -> x:mn"
_SVD_FULL, _SVD_THIN = "x:mn -> x:mn r:k x:mm x:nn i:", "x:mn -> x:mn r:k x:mk x:kn i:"


def _svd(signature: str, full: str, compute: str, transposed: bool | None = None) -> _Form:
    """Return a form of a GPU's singular value decomposition."""
    attributes = {"full_matrices": frozenset({full}), "compute_uv": frozenset(compute.split())}
    if transposed is not None:
        attributes["transposed"] = frozenset({str(transposed).lower()})
    return _Form(signature, attributes=attributes, by_rows=bool(transposed))


_LAPACK: Mapping[str, Sequence[_Form]] = {
    "potrf": [_Form(_POTRF, attributes=_UPLO)],
    "getrf": [_Form(_GETRF)],
    "geqrf": [_Form(_GEQRF)],
    "orgqr": [_Form(_ORGQR, ((None, 0),), sizes="tnm")],
    "syevd": [_Form(_SYEVD, attributes={**_UPLO, "mode": _letters("V")})],
    "sytrd": [_Form(_SYTRD, attributes=_UPLO)],
    "gesdd": [
        _Form(_SVD_FULL, attributes={"mode": _letters("AN")}),
        _Form(_SVD_THIN, attributes={"mode": _letters("SN")}),
    ],
    "trsm": [
        _Form("x:mm x:mn -> x:mn", ((None, 1),), {**_TRSM, "side": _letters("L")}),
        _Form("x:nn x:mn -> x:mn", ((None, 1),), {**_TRSM, "side": _letters("R")}),
    ],
    "gtsv": [_Form("x:n x:n x:n x:nm -> x:n x:n x:n x:nm i:", ((0, 0), (1, 1), (2, 2), (3, 3)))],
}
_GPU: Mapping[str, Sequence[_Form]] = {
    "cusolver_potrf_ffi": [_Form(_POTRF, attributes=_LOWER)],
    "cusolver_getrf_ffi": [_Form(_GETRF)],
    "cusolver_geqrf_ffi": [_Form(_GEQRF)],
    "cusolver_orgqr_ffi": [_Form(_ORGQR, ((None, 0),), sizes="tnm")],
    "cusolver_syevd_ffi": [
        _Form(
            _SYEVD,
            attributes={**_LOWER, "algorithm": frozenset(f"{i} : ui8" for i in range(3))},
        )
    ],
    "cusolver_sytrd_ffi": [_Form(_SYTRD, attributes=_LOWER)],
    "cusolver_gesvdj_ffi": [
        _svd(_SVD_FULL, "true", "true false"),
        _svd("x:mn -> x:mn r:k x:mk x:nk i:", "false", "true false"),
    ],
    "cusolver_gesvd_ffi": [
        form
        for transposed, thin, full in (
            (False, _SVD_THIN, _SVD_FULL),
            (True, "x:mn -> x:mn r:k x:kn x:mk i:", "x:mn -> x:mn r:k x:nn x:mm i:"),
        )
        for form in (
            _svd(full, "true", "true", transposed),
            _svd(thin, "false", "true", transposed),
            _svd("x:mn -> x:mn r:k x:- x:- i:", "true", "false", transposed),
            _svd("x:mn -> x:mn r:k x:- x:- i:", "false", "false", transposed),
        )
    ],
    "cusparse_gtsv2_ffi": [_Form("x:n x:n x:n x:nm -> x:nm", ((None, 3),))],
    "cu_lu_pivots_to_permutation": [_Form("i:t -> i:n", (), sizes="tn")],
    "cu_threefry2x32_ffi": [_Form("u: u: u: u: -> u: u:", ())],
}
_TARGETS: Mapping[str, tuple[Sequence[_Form], str | None]] = {
    **{target: (forms, None) for target, forms in _GPU.items()},
    **{
        f"lapack_{letter}{_COMPLEX.get(name, name) if letter in 'cz' else name}_ffi": (forms, dtype)
        for name, forms in _LAPACK.items()
        for letter, dtype in _FLOATS.items()
    },
}
"""The ways to call each routine, and the routine's own dtype; None if the first operand has it."""

_KERNEL_ATTRIBUTES = {"mhlo.backend_config", "operand_layouts", "result_layouts"}
_HARMLESS = {"mhlo.frontend_attributes", "sdy.sharding_rule"}
"""Attributes that say how to divide a batch among devices, of which there is one."""


@dataclass(frozen=True)
class _Type:
    """A tensor: dtype and shape."""

    dtype: str
    shape: tuple[int, ...]


def why_refused(call: ir.Operation) -> str | None:
    """Explain why a program must not make a custom call; None where JAX makes it itself."""
    target = ir.StringAttr(call.attributes["call_target_name"]).value
    try:
        fits = _fits(target, call)
    except ValueError as error:  # a type or an attribute of another kind
        return f"{target}: {str(error)[:100]}"
    if fits is None:
        return target
    return None if fits else f"{target} with shapes or attributes that JAX does not give it"


def _fits(target: str, call: ir.Operation) -> bool | None:
    """Whether JAX makes this call; None if it never calls the target."""
    operands, results = [[_read_type(v) for v in side] for side in (call.operands, call.results)]
    if target in _OTHERS:
        return _OTHERS[target](call, operands, results)
    if target not in _TARGETS:
        return None
    forms, dtype = _TARGETS[target]
    return any(_fits_form(form, call, operands, results, dtype) for form in forms)


def _read_type(value: ir.Value) -> _Type:
    shaped = ir.RankedTensorType(value.type)
    if not shaped.has_static_shape:
        raise ValueError("a size that is not known")
    return _Type(str(shaped.element_type), tuple(shaped.shape))


def _fits_form(
    form: _Form,
    call: ir.Operation,
    operands: Sequence[_Type],
    results: Sequence[_Type],
    dtype: str | None,
) -> bool:
    left, _, right = form.signature.partition(" -> ")
    taken, given = left.split(), right.split()
    if len(taken) != len(operands) or len(given) != len(results):
        return False
    dtype = dtype or operands[0].dtype
    batch = operands[0].shape[: len(operands[0].shape) - len(_sizes(taken[0]))]
    known: dict[str, int] = {}
    for tokens, tensors in ((taken, operands), (given, results)):
        for token, tensor in zip(tokens, tensors, strict=True):
            if not _fits_token(token, tensor, dtype, batch, known):
                return False
        known.setdefault("k", min(known.get("m", 0), known.get("n", 0)))
        known.setdefault("p", max(known.get("n", 0) - 1, 0))
    ordered = [known[letter] for letter in form.sizes]
    return ordered == sorted(ordered) and _attributes_fit(form, call, taken, given, len(batch))


def _sizes(token: str) -> str:
    return token.partition(":")[2]


def _fits_token(
    token: str, tensor: _Type, dtype: str, batch: tuple[int, ...], known: dict[str, int]
) -> bool:
    """Whether a tensor is what a token of a signature says; a letter is learned where it is new."""
    kind, _, letters = token.partition(":")
    dtypes = {**_FIXED, "x": dtype, "r": _REAL.get(dtype)}
    if tensor.dtype != dtypes[kind]:
        return False
    if letters == "-":  # nothing is returned, not even for a batch
        return tensor.shape == ()
    own = tensor.shape[len(batch) :]
    if tensor.shape[: len(batch)] != batch or len(own) != len(letters):
        return False
    return all(
        known.setdefault(letter, size) == size for letter, size in zip(letters, own, strict=True)
    )


def _attributes_fit(
    form: _Form, call: ir.Operation, taken: Sequence[str], given: Sequence[str], batch: int
) -> bool:
    attributes = _attributes(call)
    expected = _KERNEL_ATTRIBUTES | ({"output_operand_aliases"} if form.alias else set())
    if set(attributes) - _HARMLESS != expected:
        return False
    config = ir.DictAttr(attributes["mhlo.backend_config"])
    values = {entry.name: str(entry.attr) for entry in config}
    if set(values) != set(form.attributes):
        return False
    if any(value not in form.attributes[name] for name, value in values.items()):
        return False
    aliases = [
        f"output_tuple_indices = [{'' if result is None else result}], operand_index = {operand}, "
        "operand_tuple_indices = []"
        for result, operand in form.alias
    ]
    found = ir.ArrayAttr(attributes["output_operand_aliases"]) if aliases else ()
    if [str(a) for a in found] != [f"#stablehlo.output_operand_alias<{a}>" for a in aliases]:
        return False
    return all(
        _layouts(attributes[name]) == [_layout(token, batch, form.by_rows) for token in tokens]
        for name, tokens in (("operand_layouts", taken), ("result_layouts", given))
    )


def _attributes(call: ir.Operation) -> dict[str, ir.Attribute]:
    """Return the attributes of a call but for the name of its target."""
    names = [str(getattr(entry, "name", entry)) for entry in call.attributes]
    return {name: call.attributes[name] for name in names if name != "call_target_name"}


def _layouts(attribute: ir.Attribute) -> list[list[int]]:
    found = [ir.DenseIntElementsAttr(layout) for layout in ir.ArrayAttr(attribute)]
    return [[dimensions[i] for i in range(len(dimensions))] for dimensions in found]


def _layout(token: str, batch: int, by_rows: bool) -> list[int]:
    """Return the dimensions of a tensor, from the one that varies fastest."""
    sizes = _sizes(token)
    if sizes == "-":
        return []
    order = list(reversed(range(batch + len(sizes))))
    if len(sizes) == 2 and not by_rows:
        order[:2] = reversed(order[:2])
    return order


# --- calls that XLA replaces by operations before it compiles ------------------------------------


def _keeps_type(call: ir.Operation, operands: Sequence[_Type], results: Sequence[_Type]) -> bool:
    """Whether the call only marks a value."""
    admitted = {"has_side_effect", "mhlo.frontend_attributes", "mhlo.sharding", "sdy.sharding"}
    return len(operands) == 1 and operands == results and set(_attributes(call)) <= admitted


def _is_top_k(call: ir.Operation, operands: Sequence[_Type], results: Sequence[_Type]) -> bool:
    """Whether the call finds the approximately largest values and their indices."""
    attributes = _attributes(call)
    if set(attributes) != {"called_computations", "mhlo.backend_config"} or len(results) != 2:
        return False
    config = ir.DictAttr(attributes["mhlo.backend_config"])
    dimension, count = (ir.IntegerAttr(config[n]).value for n in ("reduction_dim", "top_k"))
    whole, dtype = operands[0].shape, operands[0].dtype
    if not (0 <= dimension < len(whole) and 0 <= count <= whole[dimension]):
        return False
    one, indices = _Type(dtype, ()), _Type("i32", whole)
    if list(operands) != [operands[0], indices, one, _Type("i32", ())]:
        return False
    # With several devices each returns more than that; there is one, which may return all.
    shapes = {(*whole[:dimension], n, *whole[dimension + 1 :]) for n in (count, whole[dimension])}
    shape = results[0].shape
    return shape in shapes and list(results) == [_Type(dtype, shape), _Type("i32", shape)]


_OTHERS: Mapping[str, Callable[[ir.Operation, Any, Any], bool]] = {
    "Sharding": _keeps_type,
    "SPMDFullToShardShape": _keeps_type,
    "SPMDShardToFullShape": _keeps_type,
    "annotate_device_placement": _keeps_type,
    "ApproxTopK": _is_top_k,
}
