"""cp.async.bulk.tensor in the modes im2col::w and im2col::w::128 on random maps.

The pixel of each row of shared memory comes from a formula here; the emulator
steps from one to the next."""
import random
import sys
import tempfile

from emu import Emulator

tool, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)
BYTES = 36864
NAMES = ("c", "w", "h", "d", "n")
KERNEL = """
.visible .entry k%(rank)d%(suffix)s(.param .u64 data, .param .align 64 .b8 map[128],
  .param .u32 c, .param .u32 w, .param .u32 h, .param .u32 d, .param .u32 n, .param .u32 halo,
  .param .u32 offset, .param .u32 bytes, .param .u64 out)
{
  .shared .align 1024 .b8 cells[%(bytes)d];
  .shared .align 8 .b64 bar;
  .reg .pred p;
  .reg .b16 %%halo, %%offset;
  .reg .b32 %%c, %%w, %%h, %%d, %%n, %%bytes, %%t, %%v, %%at;
  .reg .b64 %%out, %%to;
  ld.param.u32 %%c, [c];
  ld.param.u32 %%w, [w];
  ld.param.u32 %%h, [h];
  ld.param.u32 %%d, [d];
  ld.param.u32 %%n, [n];
  ld.param.u16 %%halo, [halo];
  ld.param.u16 %%offset, [offset];
  ld.param.u32 %%bytes, [bytes];
  ld.param.u64 %%out, [out];
  mov.u32 %%t, %%tid.x;
  setp.ne.u32 p, %%t, 0;
  @p bra READY;
  mbarrier.init.shared::cta.b64 [bar], 1;
  fence.proxy.async;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %%bytes;
  cp.async.bulk.tensor.%(rank)dd.shared::cta.global.im2col::w%(mode)s.mbarrier::complete_tx::bytes
    [cells], [map, {%(coordinates)s}], [bar], {%%halo, %%offset};
READY:
  bar.sync 0;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;
  @!p bra WAIT;
  shl.b32 %%t, %%t, 2;
NEXT:
  setp.ge.u32 p, %%t, %%bytes;
  @p ret;
  mov.u32 %%at, cells;
  add.u32 %%at, %%at, %%t;
  ld.shared.u32 %%v, [%%at];
  cvt.u64.u32 %%to, %%t;
  add.u64 %%to, %%out, %%to;
  st.global.u32 [%%to], %%v;
  add.u32 %%t, %%t, 512;
  bra NEXT;
}
"""
SWIZZLES = {"64B": (64, 3, 4), "128B": (128, 7, 4), "128B_ATOM_32B": (128, 3, 5)}


def axes(rank):
    """Names of the coordinates, innermost first."""
    return NAMES[:rank - 1] + ("n",)


def spec(case):
    text = "tmap:b0:elem=u8,mode=%s,dims=%s,strides=%s,swizzle=%s" % (
        case.get("map", "im2col_wide"), "x".join(map(str, case["dims"])),
        "x".join(map(str, case["strides"])), case["swizzle"])
    if case.get("map", "im2col_wide") == "tiled":
        return text + ",box=" + "x".join(["64"] + ["1"] * (len(case["dims"]) - 1))
    return text + ",elemstrides=%s,lower=%d,upper=%d,channels=%d,pixels=%d" % (
        "x".join(["1", str(case["step"])] + ["1"] * (len(case["dims"]) - 2)),
        case["lower"], case["upper"], case["channels"], case["pixels"])


def draw():
    rank, fixed = rng.choice((3, 4, 5)), rng.random() < 0.5
    swizzle = rng.choice(sorted(SWIZZLES))
    row = SWIZZLES[swizzle][0]
    # c, w, then h and d, n.
    dims = [rng.choice((48, 64, 100, 144)), rng.randrange(1, 40)]
    dims += [rng.randrange(1, 4) for _ in range(rank - 3)] + [rng.randrange(1, 9)]
    strides, size = [], -(-dims[0] // 16) * 16
    for extent in dims[1:]:
        strides.append(size)
        size *= extent
    case = {"rank": rank, "fixed": fixed, "swizzle": swizzle, "channels": row,
            "dims": dims, "strides": strides, "size": size,
            "step": rng.choice((1, 1, 2, 3)), "pixels": rng.randrange(1, 180),
            "lower": rng.randrange(-4, 4), "offset": rng.choice((0, 1, 2, 31))}
    # The box has a pixel, the first one is in it or to its left.
    case["upper"] = rng.randrange(-4, 4)
    last = dims[1] - 1 + case["upper"]
    if last < case["lower"]:
        case["lower"] = last
    case["halo"] = rng.choice((0, 1, 2, 3, 31 if fixed else 80))
    at = {"c": rng.randrange(-5, 20), "h": rng.randrange(-1, 4),
          "d": rng.randrange(-1, 4), "n": rng.randrange(-2, dims[-1] + 1),
          "w": rng.randrange(case["lower"] - 3, last + 1)}
    return case, at


def pixel(case, at, index):
    """W and N of the pixel that comes `index` pixels after the first."""
    shift, step = case["offset"], case["step"]
    first, low = at["w"] + shift, case["lower"] + shift
    high = case["dims"][1] - 1 + case["upper"] + shift
    head = (high - first) // step + 1
    if index < head:
        return first + step * index, at["n"]
    images, place = divmod(index - head, (high - low) // step + 1)
    return low + step * place, at["n"] + 1 + images


def expected(case, at, data):
    halo, rows = case["halo"], list(range(128 if case["fixed"] else case["pixels"]))
    if case["fixed"]:
        rows += [32 * (group + 1) + i for i in range(halo) for group in range(4)]
    else:
        rows += range(case["pixels"], case["pixels"] + halo)
    width, mask, bits = SWIZZLES[case["swizzle"]]
    image = [0] * (len(rows) * width)
    outer = axes(case["rank"])[1:]
    for line, index in enumerate(rows):
        place = dict(at)
        place["w"], place["n"] = pixel(case, at, index)
        inside = all(0 <= place[name] < extent
                     for name, extent in zip(outer, case["dims"][1:]))
        base = sum(place[name] * stride
                   for name, stride in zip(outer, case["strides"]))
        for channel in range(width):
            c = at["c"] + channel
            if inside and 0 <= c < case["dims"][0]:
                linear = line * width + channel
                image[linear ^ (linear >> 7 & mask) << bits] = data[base + c]
    return image


def launch(emulator, case, at, data, size, status=0):
    args = [("in", "u8", data), spec(case)]
    args += ["u32:%d" % (at[name] & 0xFFFFFFFF) for name in NAMES]
    args += ["u32:%d" % case["halo"], "u32:%d" % case["offset"], "u32:%d" % size,
             ("out", "u32", size // 4)]
    return emulator.run("k%d%s" % (case["rank"], "f" if case["fixed"] else ""), 1, 128,
                        args, ["--check=strict", "--seed=%d" % rng.randrange(99)], status)


def refused(emulator, case, at, message, status, **changes):
    launch(emulator, {**case, **changes}, at, [0] * case["size"], 128, status)
    assert message in emulator.stderr, (message, emulator.stderr)


text = ".version 8.6\n.target sm_100a\n.address_size 64\n"
for rank in (3, 4, 5):
    for suffix, mode in (("", ""), ("f", "::128")):
        text += KERNEL % {"rank": rank, "suffix": suffix, "mode": mode, "bytes": BYTES,
                          "coordinates": ", ".join("%" + name for name in axes(rank))}
with tempfile.TemporaryDirectory() as tmp:
    with open(tmp + "/k.ptx", "w") as ptx:
        ptx.write(text)
    emulator = Emulator(tool, tmp + "/k.ptx")
    count = 0
    while count < 40:
        case, at = draw()
        data = [rng.randrange(1, 256) for _ in range(case["size"])]
        want = expected(case, at, data)
        if len(want) > BYTES:
            continue
        got, = launch(emulator, case, at, data, len(want))
        got = [word >> 8 * i & 255 for word in got for i in range(4)]
        assert got == want, (case, at)
        count += 1
    right = case["dims"][1] + case["upper"]
    limit = 32 if case["fixed"] else 512
    refused(emulator, case, {**at, "w": right}, "beyond %d" % (right - 1), 3)
    refused(emulator, case, at, "expected wHalo below %d" % limit, 3, halo=limit)
    refused(emulator, case, at, "wOffset below 32", 3, offset=32)
    refused(emulator, case, at, "expected a wide im2col tensor map, got a tiled one", 3,
            map="tiled", rank=case["rank"])
    refused(emulator, case, at, "expected swizzle 64B, 128B or 128B_ATOM_32B", 1,
            swizzle="32B", channels=32)
    refused(emulator, case, at, "a bounding box of at least one pixel", 1, lower=right)
print("im2col::w agrees: %d cases" % count)
