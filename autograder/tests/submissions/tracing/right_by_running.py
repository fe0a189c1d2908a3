# right: looks instead of guessing; exercise: tracing
import contextlib
import io


def lines(function, *calls):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        for x, y in calls:
            function(x, y)
    return out.getvalue().splitlines()


def jitted():
    return jax.jit(lambda a, b: sum_squared_error(a, b))


integers = three.astype(jnp.int32)
weight = 2
f = jax.jit(weighted_sum)
f(three)
weight = 10
answers = {
    "prints_plain": len(lines(sum_squared_error, *[(three, three + i) for i in range(3)])),
    "prints_jitted": len(lines(jitted(), *[(three, three + i) for i in range(3)])),
    "prints_shapes": len(lines(jitted(), *[(x, x) for x in (three, four, three, four)])),
    "prints_dtypes": len(lines(jitted(), *[(x, x) for x in (three, integers, three)])),
    "shown": "tracer" if "Tracer" in lines(jitted(), (three, three))[0] else "numbers",
    "primitives": [e.primitive.name for e in jax.make_jaxpr(sum_squared_error)(three, three).eqns],
    "primitives_jitted": [e.primitive.name for e in jax.make_jaxpr(jitted())(three, three).eqns],
    "result_shape": sum_squared_error(three, three).shape,
    "old_weight": float(f(three)),
    "new_weight": float(f(four)),
}
