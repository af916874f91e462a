"""The demo's model: one transformer block that reads text, trained with Adam.

`transformer.mlir` next to this file is the exported training step; this writes
it again (and a test compares):

    python -m fp8.export examples/demo/transformer.py:train_step \\
        --args=arguments -o examples/demo/transformer.mlir \\
        --signature=examples/demo/transformer.json

The step maps (parameters, first and second moments, step count, ids, next ids)
to (loss, parameters, moments, count): everything but the text is carried from
one step to the next. Master weights and moments are f32; the matmuls read BF16
copies, accumulate in f32 and round to BF16.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
from jax import lax

BF16, F32, I32 = jnp.bfloat16, jnp.float32, jnp.int32
BATCH, TIME, WIDTH, HIDDEN, HEADS, VOCABULARY = 8, 64, 128, 384, 4, 96
RATE, BETA1, BETA2, EPSILON = 3e-3, 0.9, 0.95, 1e-8


def linear(name, x, w):
    with jax.named_scope(name):
        return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def norm(x, gain):
    wide = x.astype(F32)
    power = (wide * wide).mean(-1, keepdims=True)
    return (wide * lax.rsqrt(power + 1e-5) * gain.astype(F32)).astype(BF16)


def attention(p, x):
    split = lambda z: z.reshape(BATCH, TIME, HEADS, WIDTH // HEADS)
    q, k, v = (split(linear(n, x, p[n])) for n in ("query", "key", "value"))
    with jax.named_scope("scores"):
        s = jnp.einsum("bihd,bjhd->bhij", q, k, preferred_element_type=F32)
    s = s / math.sqrt(WIDTH // HEADS)
    row, column = (lax.broadcasted_iota(I32, (TIME, TIME), d) for d in (0, 1))
    weights = jax.nn.softmax(jnp.where(row >= column, s, -1e30), -1).astype(BF16)
    with jax.named_scope("mix"):
        o = jnp.einsum("bhij,bjhd->bihd", weights, v, preferred_element_type=F32)
    return linear("proj", o.astype(BF16).reshape(BATCH, TIME, WIDTH), p["proj"])


def loss_of(p, ids, targets):
    x = p["embed"][ids] + p["position"]
    x = x + attention(p, norm(x, p["gain1"]))
    h = norm(x, p["gain2"])
    h = jax.nn.silu(linear("gate", h, p["gate"])) * linear("up", h, p["up"])
    x = norm(x + linear("down", h, p["down"]), p["gain3"])
    with jax.named_scope("head"):
        logits = jnp.dot(x, p["head"], preferred_element_type=F32)
    hot = jax.nn.one_hot(targets, VOCABULARY, dtype=F32)
    return -(jax.nn.log_softmax(logits) * hot).sum(-1).mean()


def train_step(master, first, second, count, ids, targets):
    compute = jax.tree.map(lambda w: w.astype(BF16), master)
    loss, grads = jax.value_and_grad(loss_of)(compute, ids, targets)
    grads = jax.tree.map(lambda g: g.astype(F32), grads)
    count = count + 1
    t = count.astype(F32)
    fix1, fix2 = (1 - jnp.exp(t * math.log(b)) for b in (BETA1, BETA2))
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, first, grads)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, second, grads)
    new = jax.tree.map(
        lambda w, m, v: w - RATE * (m / fix1) / (jnp.sqrt(v / fix2) + EPSILON),
        master,
        first,
        second,
    )
    return loss, new, first, second, count


def arguments():
    leaf = lambda *shape: jax.ShapeDtypeStruct(shape, F32)
    p = {n: leaf(WIDTH, WIDTH) for n in ("query", "key", "value", "proj")}
    p |= {n: leaf(WIDTH) for n in ("gain1", "gain2", "gain3")}
    p |= {n: leaf(WIDTH, HIDDEN) for n in ("gate", "up")}
    p |= {"down": leaf(HIDDEN, WIDTH), "head": leaf(WIDTH, VOCABULARY)}
    p |= {"embed": leaf(VOCABULARY, WIDTH), "position": leaf(TIME, WIDTH)}
    ids = jax.ShapeDtypeStruct((BATCH, TIME), I32)
    return p, p, p, jax.ShapeDtypeStruct((), I32), ids, ids
