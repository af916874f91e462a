"""Loads every form of forms.txt in ptx-emu; with ptxas at hand, assembles them:

  check-forms.py PTX_EMU FORMS.txt [PTXAS]

A form that is refused is named. Each target is one module with one kernel; the
emulator loads it as the oldest and as the newest PTX ISA version that it knows,
too: it takes what it knows in any."""
import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = """.version %s
.target %s
.address_size 64
.global .align 16 .b8 gl[256];
.const .align 16 .b8 co[256];
.visible .entry k(.param .u64 a, .param .align 128 .b8 tm[128]) .reqntid 128
{
.reg .pred %%p<8>; .reg .b8 %%b<8>; .reg .b16 %%h<40>; .reg .b32 %%r<200>;
.reg .f32 %%f<200>; .reg .b64 %%rd<60>; .reg .f64 %%fd<20>; .reg .b128 %%q<8>;
.shared .align 128 .b8 sm[4096]; .local .align 16 .b8 lo[64];
"""
# What the emulator does not run is an error that names it.
REFUSED = [
    ("sm_100a", "tcgen05.mma.ws.sp.cta_group::1.kind::mxf8f6f4.block_scale [%r1], "
     "%rd2, %rd1, [%r6], %r3, [%r7], [%r8], %p1;", "no mx kind with .ws"),
    ("sm_100a", "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::2X "
     "[%r1], %rd2, %rd1, %r3, [%r4], [%r5], %p1;", "expected .scale_vec::1X"),
    ("sm_100a", "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block16 "
     "[%r1], %rd2, %rd1, %r3, [%r4], [%r5], %p1;", "expected .scale_vec::1X"),
    ("sm_100a", "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::1X "
     "[%r1], %rd2, %rd1, %r3, [%r4], [%r5], %p1;", "expected .scale_vec::2X"),
    ("sm_100a", "tcgen05.mma.cta_group::2.kind::mxf4.block_scale.scale_vec::4X "
     "[%r1], %rd2, %rd1, %r3, [%r4], [%r5], %p1;", "expected .scale_vec::2X"),
    ("sm_100a", "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::1X "
     "[%r1], %rd2, %rd1, %r3, [%r4], [%r5], %p1;", "expected .scale_vec::2X or"),
    ("sm_100a", "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale "
     "[%r1], %rd2, %rd1, %r3, [%r4], [%r5], %p1;", "expected .scale_vec::2X or"),
    ("sm_100", "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col::w [%rd1, "
     "{%r1, %r2, %r3}], {%h1, %h2};", "found sm_100"),
    ("sm_120a", "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w::128.mbarrier"
     "::complete_tx::bytes [%r1], [%rd1, <r10:3>], [%r3], {%h1, %h2};",
     "found sm_120a"),
    ("sm_100a", "cp.async.bulk.tensor.3d.global.shared::cta.im2col::w.bulk_group "
     "[%rd1, <r10:3>], [%r1];", "expected a load or a prefetch"),
    ("sm_100a", "cp.async.bulk.tensor.2d.shared::cta.global.im2col::w.mbarrier"
     "::complete_tx::bytes [%r1], [%rd1, <r10:2>], [%r3], {%h1, %h2};",
     "expected .3d to .5d"),
    ("sm_100a", "cp.async.bulk.tensor.4d.shared::cta.global.im2col::w.mbarrier"
     "::complete_tx::bytes [%r1], [%rd1, <r10:4>], [%r3], {%h1, %h2, %h3};",
     "expected {wHalo, wOffset}"),
    ("sm_90a", "multimem.red.global.add.f32 [%rd1], %f1;", "'multimem'"),
    ("sm_90a", "vadd.u32.u32.u32 %r0, %r1, %r2;", "'vadd'"),
    ("sm_90a", "mma.sp.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 <f0:4>, "
     "<r0:2>, <r4:2>, <f4:4>, %r60, 0x0;", "no mma.sp of shape m16n8k32"),
    ("sm_90a", "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 <f0:4>, "
     "<r0:4>, <r4:4>, <f4:4>, %r60, 0x1;", "expected a sparsity selector below 1"),
    ("sm_120a", "mma.sp.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 "
     "<f0:4>, <r0:4>, <r4:4>, <f4:4>, %r60, 0x0;", "sp::ordered_metadata"),
    ("sm_90a", "wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e5m2 <f0:4>, %rd1, "
     "%rd2, %r60, 1, %p1, 1, -1;", "expected a sparsity selector below 1"),
    ("sm_90a", "st.async.release.sys.global.b32 [%rd1], %r1;", "sm_100"),
    ("sm_100a", "st.async.release.cta.global.b32 [%rd1], %r1;", ".gpu or .sys"),
    ("sm_100a", "st.async.mmio.gpu.global.b32 [%rd1], %r1;", "expected .release"),
    ("sm_100a", "st.async.release.sys.global.v2.b32 [%rd1], <r0:2>;", "'.v2'"),
    ("sm_100a", "st.async.release.gpu.global.f16x2 [%rd1], %r1;", "expected .b, .u"),
    ("sm_100a", "st.async.release.gpu.global.bf16 [%rd1], %h1;", "expected .b, .u"),
    ("sm_100a", "st.async.release.gpu.global.b128 [%rd1], %q1;", "expected .b, .u"),
    ("sm_90a", "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%r1], "
     "<rd0:4>, [%r3];", "at most 128 bits"),
    ("sm_90a", "st.bulk.weak.shared::cta [%r1], %rd2, 0;", "sm_100"),
    ("sm_100a", "st.bulk.weak.shared::cta [%r1], %rd2, 1;", "the value 0"),
    ("sm_90a", "add.wobble.s32 %r0, %r1, %r2;", "'.wobble'"),
    # Of a family or an architecture: the plain target has none of these.
    ("sm_100", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 <r0:2>, [%r5];",
     "found sm_100"),
    ("sm_120", "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r0}, "
     "[%r5];", "found sm_120"),
    ("sm_103", "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r5], {%r0};",
     "found sm_103"),
    ("sm_120", "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 "
     "<f0:4>, <r0:4>, <r4:2>, <f4:4>;", "found sm_120"),
    ("sm_120", "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale."
     "scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 <f0:4>, <r0:4>, <r4:2>, <f4:4>, "
     "%r10, <h0:2>, %r11, <h2:2>;", "found sm_120"),
    ("sm_100a", "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale."
     "scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 <f0:4>, <r0:4>, <r4:2>, <f4:4>, "
     "%r10, <h0:2>, %r11, <h2:2>;", "found sm_100a"),
    ("sm_100a", "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32 "
     "<f0:4>, <r0:4>, <r4:2>, <f4:4>;", "found sm_100a"),
    ("sm_90", "setmaxnreg.inc.sync.aligned.u32 64;", "found sm_90"),
    ("sm_120a", "redux.sync.min.f32 %f0, %f1, %r2;", "found sm_120a"),
    # It is a register of no one's to write.
    ("sm_90a", "setp.eq.u32 %is_explicit_cluster, %r1, 0;", "destination"),
    ("sm_90a", "setp.eq.u32 1, %r1, 0;", "destination"),
    ("sm_90a", ".reg .v8 .b32 v; mov.b32 v.x, %r1;", "2 or 4 elements"),
    ("sm_90a", ".reg .v4 .b64 v;", "at most 128 bits"),
    ("sm_90a", ".reg .v2 .pred v;", "no predicates"),
    ("sm_90a", ".reg .v2 .b32 v; .reg .v2 .b32 v;", "'v' is declared twice"),
    ("sm_90a", ".reg .v2 .b32 v; .reg .b32 v;", "'v' is declared twice"),
    ("sm_90a", ".reg .b32 v; .reg .v2 .b32 v;", "'v' is declared twice"),
]


def vector(match):
    first, count = int(match[2]), int(match[3])
    return "{%s}" % ", ".join("%%%s%d" % (match[1], first + i)
                              for i in range(count))


def expand(form):
    return re.sub(r"<([a-z]+)(\d+):(\d+)>", vector, form)


def check(command, target, forms, version="8.8"):
    """None, or what the tool says of the module."""
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp, "k.ptx")
        path.write_text(HEAD % (version, target) + "".join(expand(f) + "\n" for f in forms) +
                        "ret;\n}\n")
        done = subprocess.run([c.format(path=path, target=target) for c in command],
                              capture_output=True, text=True)
        return (done.stdout + done.stderr).strip() if done.returncode else None


targets = {}
for line in pathlib.Path(sys.argv[2]).read_text().splitlines():
    if line.startswith(".target "):
        forms = targets.setdefault(line.split()[1], [])
    elif not line.startswith("#"):
        forms.append(line)
tools = {"ptx-emu": [sys.argv[1], "{path}", "--check-only"]}
if len(sys.argv) > 3 and pathlib.Path(sys.argv[3]).exists():
    tools["ptxas"] = [sys.argv[3], "-arch={target}", "{path}", "-o", "{path}.cubin"]
failed = 0


def load(name, target, forms, version):
    """The number of forms that the tool refuses."""
    wrong = 0
    if check(tools[name], target, forms, version) is None:
        return 0
    for form in forms:
        said = check(tools[name], target, [form], version)
        if said:
            wrong += 1
            print("%s, %s, %s: %s\n  %s" % (name, target, version, form, said[:200]))
    return wrong


for name in tools:
    for target, forms in targets.items():
        for version in ("7.0", "8.8", "9.2") if name == "ptx-emu" else ("8.8",):
            failed += load(name, target, forms, version)
for target, form, what in REFUSED:
    said = check(tools["ptx-emu"], target, [form])
    if not said or what not in said or ".ptx:11:" not in said:
        failed += 1
        print("expected an error in line 11 that names %s for %s, found %s" % (
            what, form, said))
print("%d forms, %d wrong" % (sum(map(len, targets.values())) + len(REFUSED),
                             failed))
sys.exit(failed != 0)
