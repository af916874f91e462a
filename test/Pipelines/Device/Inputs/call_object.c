/*===- call_object.c - A program that embeds a compiled graph --------------===*\
|*
|* Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Calls one function of an object (-DHEADER, -DFUNCTION) with the .npy files of
|* a folder: on the context's own stream and workspace, on ours, and inside a
|* stream capture; then for more steps, with the state carried. Every way must
|* give the same bytes, which are written for others to compare.
|*
|*   call_object INPUTS OUTPUTS STEPS     exit status 0 if all of that held
|*   call_object INPUTS cold-capture      a first call inside a capture
|*   call_object INPUTS warm-capture      any later one
|*   call_object INPUTS bad-buffers       what callers get wrong
|*
\*===----------------------------------------------------------------------===*/

#include HEADER

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The driver API, as far as a caller with its own stream needs it. */
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
int cuMemAlloc_v2(unsigned long long *, size_t);
int cuMemFree_v2(unsigned long long);
int cuStreamCreate(CUstream *, unsigned);
int cuStreamDestroy_v2(CUstream);
int cuStreamSynchronize(CUstream);
int cuStreamBeginCapture_v2(CUstream, int);
int cuStreamEndCapture(CUstream, CUgraph *);
int cuGraphInstantiateWithFlags(CUgraphExec *, CUgraph, unsigned long long);
int cuGraphLaunch(CUgraphExec, CUstream);
int cuGraphDestroy(CUgraph);
int cuGraphExecDestroy(CUgraphExec);

#define PASTE2(A, B) A##B
#define PASTE(A, B) PASTE2(A, B)
#define ARGUMENTS PASTE(FUNCTION, _ARGUMENTS)
#define RESULTS PASTE(FUNCTION, _RESULTS)
#define WORKSPACE_BYTES PASTE(FUNCTION, _WORKSPACE_BYTES)
#define argument_table PASTE(FUNCTION, _arguments)
#define result_table PASTE(FUNCTION, _results)
#define workspace_size PASTE(FUNCTION, _workspace_size)

static fp8_context *context;
static fp8_buffer arguments[ARGUMENTS + 1], results[RESULTS + 1];
static unsigned char *expected[RESULTS + 1];

static void check(int status, const char *what) {
  if (!status)
    return;
  printf("%s failed: %s\n", what, fp8_last_error(context));
  exit(1);
}

/* The bytes of argument `i`: a file's, or what state starts with. */
static void *load(const char *folder, int i) {
  const fp8_tensor_info *info = &argument_table[i];
  unsigned char *bytes = calloc(info->bytes + 1, 1);
  if (!strcmp(info->state, "multiplier")) {
    float one = 1.0f;
    for (uint64_t at = 0; at < info->bytes; at += sizeof one)
      memcpy(bytes + at, &one, sizeof one);
  } else if (!strcmp(info->state, "update")) {
    bytes[0] = 1;
  } else if (!*info->state) {
    char path[4096];
    unsigned char head[10];
    snprintf(path, sizeof path, "%s/in_%02d.npy", folder, i);
    FILE *file = fopen(path, "rb");
    if (!file || fread(head, 1, 10, file) != 10 ||
        fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET) ||
        fread(bytes, 1, info->bytes, file) != info->bytes) {
      printf("cannot read %s\n", path);
      exit(1);
    }
    fclose(file);
  }
  return bytes;
}

static void open_context(const char *inputs) {
  check(fp8_context_create("cuda", 0, &context), "fp8_context_create");
  for (int i = 0; i < ARGUMENTS; ++i) {
    void *bytes = load(inputs, i);
    check(fp8_buffer_create(context, argument_table[i].bytes + 1,
                            &arguments[i]),
          "fp8_buffer_create");
    check(fp8_copy_in(context, arguments[i], bytes, argument_table[i].bytes),
          "fp8_copy_in");
    check(fp8_synchronize(context), "fp8_synchronize");
    free(bytes);
  }
  for (int i = 0; i < RESULTS; ++i) {
    check(fp8_buffer_create(context, result_table[i].bytes + 1, &results[i]),
          "fp8_buffer_create");
    check(fp8_fill(context, results[i], 0xA5), "fp8_fill");
  }
}

static void call(const char *how) {
  check(FUNCTION(context, arguments, results), how);
}

/* Results must be those of the first call; they are overwritten afterwards. */
static void compare(const char *how) {
  for (int i = 0; i < RESULTS; ++i) {
    uint64_t bytes = result_table[i].bytes;
    unsigned char *found = malloc(bytes + 1);
    check(fp8_copy_out(context, found, results[i], bytes), "fp8_copy_out");
    if (!expected[i]) {
      expected[i] = found;
    } else if (memcmp(expected[i], found, bytes)) {
      printf("%s: result %d differs\n", how, i);
      exit(1);
    } else {
      free(found);
    }
    check(fp8_fill(context, results[i], 0x5A), "fp8_fill");
  }
  check(fp8_synchronize(context), "fp8_synchronize");
  printf("%s: %d results\n", how, RESULTS);
}

/* Nothing but launches may happen between two calls of fp8_get_statistics. */
static void only_launches(const fp8_statistics *before) {
  fp8_statistics now;
  fp8_get_statistics(context, &now);
  if (now.launches == before->launches || now.copies_in != before->copies_in ||
      now.copies_out != before->copies_out ||
      now.allocations != before->allocations ||
      now.synchronizations != before->synchronizations) {
    printf("a warm call did more than to launch\n");
    exit(1);
  }
}

static CUgraph capture(CUstream stream) {
  CUgraph graph = 0;
  fp8_statistics before;
  fp8_get_statistics(context, &before);
  check(cuStreamBeginCapture_v2(stream, 0), "cuStreamBeginCapture");
  call("a captured call");
  check(cuStreamEndCapture(stream, &graph), "cuStreamEndCapture");
  only_launches(&before);
  return graph;
}

static void run_everywhere(void) {
  unsigned long long workspace = 0;
  CUstream stream;
  CUgraphExec exec;
  call("the first call");
  compare("own stream and workspace");

  check(workspace_size() != WORKSPACE_BYTES, "the header's workspace");
  check(cuMemAlloc_v2(&workspace, workspace_size()), "cuMemAlloc");
  check(cuStreamCreate(&stream, 1), "cuStreamCreate");
  check(fp8_set_workspace(context, workspace, workspace_size()),
        "fp8_set_workspace");
  check(fp8_set_stream(context, stream), "fp8_set_stream");
  call("a call on our stream");
  compare("our stream and workspace");

  CUgraph graph = capture(stream);
  check(cuGraphInstantiateWithFlags(&exec, graph, 0), "cuGraphInstantiate");
  for (int i = 0; i < 2; ++i) {
    check(cuGraphLaunch(exec, stream), "cuGraphLaunch");
    check(cuStreamSynchronize(stream), "cuStreamSynchronize");
    compare("captured");
  }
  check(cuGraphExecDestroy(exec), "cuGraphExecDestroy");
  check(cuGraphDestroy(graph), "cuGraphDestroy");
  check(fp8_set_stream(context, 0), "fp8_set_stream");
  check(fp8_set_workspace(context, 0, 0), "fp8_set_workspace");
  check(cuStreamDestroy_v2(stream), "cuStreamDestroy");
  check(cuMemFree_v2(workspace), "cuMemFree");
}

/* State results take the place of their arguments; nothing is copied. */
static void run_steps(int steps) {
  fp8_statistics before;
  fp8_get_statistics(context, &before);
  for (int step = 0; step < steps; ++step) {
    call("a step");
    for (int i = 0; step + 1 < steps && i < ARGUMENTS; ++i) {
      int next = argument_table[i].next;
      if (next < 0)
        continue;
      fp8_buffer old = arguments[i];
      arguments[i] = results[next];
      results[next] = old;
    }
  }
  only_launches(&before);
}

static void write_results(const char *folder) {
  for (int i = 0; i < RESULTS; ++i) {
    char path[4096];
    unsigned char *bytes = malloc(result_table[i].bytes + 1);
    check(fp8_copy_out(context, bytes, results[i], result_table[i].bytes),
          "fp8_copy_out");
    snprintf(path, sizeof path, "%s/%d.bin", folder, i);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, result_table[i].bytes, file) !=
                     result_table[i].bytes) {
      printf("cannot write %s\n", path);
      exit(1);
    }
    fclose(file);
    free(bytes);
  }
}

static void say(const char *what, fp8_status status) {
  printf("%s: %s\n", what, status ? fp8_last_error(context) : "taken");
}

static void try_bad_buffers(void) {
  fp8_buffer first = arguments[0], last = results[RESULTS - 1];
  arguments[0].bytes = argument_table[0].bytes - 1;
  say("short argument", FUNCTION(context, arguments, results));
  arguments[0] = first;
  arguments[0].address = 0;
  say("null argument", FUNCTION(context, arguments, results));
  arguments[0] = first;
  results[RESULTS - 1].address += 4;
  say("unaligned result", FUNCTION(context, arguments, results));
  results[RESULTS - 1] = last;
  say("unaligned workspace", fp8_set_workspace(context, first.address + 1, 64));
  check(fp8_set_workspace(context, first.address, 16), "fp8_set_workspace");
  say("small workspace", FUNCTION(context, arguments, results));
  check(fp8_set_workspace(context, 0, 0), "fp8_set_workspace");
  say("good", FUNCTION(context, arguments, results));
}

static void try_capture(void) {
  CUstream stream;
  CUgraph graph;
  check(cuStreamCreate(&stream, 1), "cuStreamCreate");
  check(fp8_set_stream(context, stream), "fp8_set_stream");
  check(cuStreamBeginCapture_v2(stream, 0), "cuStreamBeginCapture");
  say("call", FUNCTION(context, arguments, results));
  printf("end: %d\n", cuStreamEndCapture(stream, &graph) != 0);
  check(fp8_set_stream(context, 0), "fp8_set_stream");
  check(cuStreamDestroy_v2(stream), "cuStreamDestroy");
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  open_context(argv[1]);
  if (!strcmp(argv[2], "bad-buffers")) {
    try_bad_buffers();
  } else if (!strcmp(argv[2], "cold-capture")) {
    try_capture();
  } else if (!strcmp(argv[2], "warm-capture")) {
    call("the first call");
    try_capture();
  } else if (argc == 4) {
    run_everywhere();
    run_steps(atoi(argv[3]));
    write_results(argv[2]);
  }
  fp8_context_destroy(context);
  return 0;
}
