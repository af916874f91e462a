"""Small JAX models that the tests export: an MLP and a transformer block.

A training step is (parameters, inputs, targets) -> (loss, new parameters,
gradients). Matmuls accumulate in f32 and round to BF16.
"""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

BF16, F32 = jnp.bfloat16, jnp.float32
Params = dict[str, Any]


def linear(name: str, x: jax.Array, w: jax.Array) -> jax.Array:
    with jax.named_scope(name):
        return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def norm(x: jax.Array, gain: jax.Array) -> jax.Array:
    wide = x.astype(F32)
    power = (wide * wide).mean(-1, keepdims=True)
    return (wide * lax.rsqrt(power + 1e-6) * gain.astype(F32)).astype(BF16)


def squared_error(out: jax.Array, target: jax.Array) -> jax.Array:
    difference = out.astype(F32) - target.astype(F32)
    return (difference * difference).mean()


def mlp_loss(p: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    h = jnp.tanh(linear("up", x, p["up"]) + p["bias"])
    return squared_error(linear("down", h, p["down"]), y)


def attention(p: Params, x: jax.Array, heads: int) -> jax.Array:
    batch, time, width = x.shape
    split = lambda z: z.reshape(batch, time, heads, width // heads)
    q, k, v = (split(linear(n, x, p[n])) for n in ("query", "key", "value"))
    with jax.named_scope("scores"):
        s = jnp.einsum("bihd,bjhd->bhij", q, k, preferred_element_type=F32)
    s = s / math.sqrt(width // heads)
    row, column = (lax.broadcasted_iota(jnp.int32, (time, time), d) for d in (0, 1))
    weights = jax.nn.softmax(jnp.where(row >= column, s, -1e30), -1).astype(BF16)
    with jax.named_scope("mix"):
        o = jnp.einsum("bhij,bjhd->bihd", weights, v, preferred_element_type=F32)
    return linear("proj", o.astype(BF16).reshape(batch, time, width), p["proj"])


def block(p: Params, x: jax.Array, heads: int = 2) -> jax.Array:
    x = x + attention(p, norm(x, p["gain1"]), heads)
    h = jax.nn.silu(linear("ffn_up", norm(x, p["gain2"]), p["ffn_up"]))
    return x + linear("ffn_down", h, p["ffn_down"])


def block_loss(p: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    return squared_error(block(p, x), y)


def train_step(loss):
    """SGD on `loss(params, x, y)`."""

    def step(p: Params, x: jax.Array, y: jax.Array):
        value, g = jax.value_and_grad(loss)(p, x, y)
        update = lambda w, d: (w.astype(F32) - 0.1 * d.astype(F32)).astype(w.dtype)
        return value, jax.tree.map(update, p, g), g

    return step


def _normal(rng: np.random.Generator, *shape: int, fan_in: int = 1) -> np.ndarray:
    return (rng.standard_normal(shape) / math.sqrt(fan_in)).astype(BF16)


def mlp_arguments(rng: np.random.Generator, rows=48, width=32, hidden=80):
    p = {
        "up": _normal(rng, width, hidden, fan_in=width),
        "bias": _normal(rng, hidden, fan_in=100),
        "down": _normal(rng, hidden, width, fan_in=hidden),
    }
    return p, _normal(rng, rows, width), _normal(rng, rows, width)


def block_arguments(rng: np.random.Generator, batch=2, time=12, width=32, hidden=96):
    square = lambda: _normal(rng, width, width, fan_in=width)
    gain = lambda: (1 + 0.1 * rng.standard_normal(width)).astype(BF16)
    p = {n: square() for n in ("query", "key", "value", "proj")}
    p |= {"gain1": gain(), "gain2": gain()}
    p["ffn_up"] = _normal(rng, width, hidden, fan_in=width)
    p["ffn_down"] = _normal(rng, hidden, width, fan_in=hidden)
    return p, _normal(rng, batch, time, width), _normal(rng, batch, time, width)


MODELS = {
    "mlp": (train_step(mlp_loss), mlp_arguments),
    "block": (train_step(block_loss), block_arguments),
}
