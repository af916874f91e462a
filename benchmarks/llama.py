"""A Llama training step with any number of unrolled layers, in JAX."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax import lax

BF16, F32 = jnp.bfloat16, jnp.float32


def _linear(name, x, w):
    with jax.named_scope(name):
        return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def _norm(x, gain):
    wide = x.astype(F32)
    power = (wide * wide).mean(-1, keepdims=True)
    return (wide * lax.rsqrt(power + 1e-5) * gain.astype(F32)).astype(BF16)


def _rotate(x):
    """Rotary positions over [batch, time, heads, width]."""
    time, half = x.shape[1], x.shape[3] // 2
    angle = jnp.outer(jnp.arange(time), 1e4 ** (-jnp.arange(half) / half))
    cos, sin = (f(angle)[None, :, None, :].astype(F32) for f in (jnp.cos, jnp.sin))
    a, b = jnp.split(x.astype(F32), 2, -1)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1).astype(BF16)


def _attention(p, x, heads, groups):
    batch, time, width = x.shape
    size = width // heads
    q = _rotate(_linear("wq", x, p["wq"]).reshape(batch, time, heads, size))
    k = _rotate(_linear("wk", x, p["wk"]).reshape(batch, time, groups, size))
    v = _linear("wv", x, p["wv"]).reshape(batch, time, groups, size)
    k, v = (jnp.repeat(z, heads // groups, axis=2) for z in (k, v))
    s = jnp.einsum("bihd,bjhd->bhij", q, k, preferred_element_type=F32) / math.sqrt(size)
    row, column = (lax.broadcasted_iota(jnp.int32, (time, time), d) for d in (0, 1))
    w = jax.nn.softmax(jnp.where(row >= column, s, -1e30), -1).astype(BF16)
    o = jnp.einsum("bhij,bjhd->bihd", w, v, preferred_element_type=F32)
    return _linear("wo", o.astype(BF16).reshape(batch, time, width), p["wo"])


def _layer(p, x, heads, groups):
    x = x + _attention(p, _norm(x, p["n1"]), heads, groups)
    h = _norm(x, p["n2"])
    h = jax.nn.silu(_linear("wg", h, p["wg"])) * _linear("wu", h, p["wu"])
    return x + _linear("wd", h, p["wd"])


def step(layers, heads=4, groups=2, width=256, hidden=512, batch=1, time=64):
    """The step (SGD) of so many layers, and the shapes of its arguments."""

    def loss(p, x, y):
        for layer in p:
            x = _layer(layer, x, heads, groups)
        return ((x.astype(F32) - y.astype(F32)) ** 2).mean()

    def train(p, x, y):
        value, g = jax.value_and_grad(loss)(p, x, y)
        move = lambda w, d: (w.astype(F32) - 0.1 * d.astype(F32)).astype(w.dtype)
        return value, jax.tree.map(move, p, g)

    shape = lambda *s: jax.ShapeDtypeStruct(s, BF16)
    part = width // heads * groups
    one = {"n1": shape(width), "n2": shape(width), "wq": shape(width, width),
           "wk": shape(width, part), "wv": shape(width, part), "wo": shape(width, width),
           "wg": shape(width, hidden), "wu": shape(width, hidden), "wd": shape(hidden, width)}
    return train, ([one] * layers, shape(batch, time, width), shape(batch, time, width))
