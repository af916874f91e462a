/*===- call_sizes.c - A program that calls a graph for several sizes --------===*\
|*
|* Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Calls one function of an object (-DHEADER, -DFUNCTION) on one context, once
|* for each number, which is what all of its dynamic sizes are, and writes the
|* bytes of its results. The second call for a number must only launch.
|*
|*   call_sizes INPUTS OUTPUTS M...     INPUTS/M/in_NN.npy to OUTPUTS/M/N.bin
|*
\*===----------------------------------------------------------------------===*/

#include HEADER

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASTE2(A, B) A##B
#define PASTE(A, B) PASTE2(A, B)
#define ARGUMENTS PASTE(FUNCTION, _ARGUMENTS)
#define RESULTS PASTE(FUNCTION, _RESULTS)
#define SIZES PASTE(FUNCTION, _SIZES)
#define argument_table PASTE(FUNCTION, _arguments)
#define result_table PASTE(FUNCTION, _results)
#define workspace_size PASTE(FUNCTION, _workspace_size)
#define result_bytes PASTE(FUNCTION, _result_bytes)

static fp8_context *context;
static int64_t sizes[SIZES];

static void check(int status, const char *what) {
  if (!status)
    return;
  printf("%s failed: %s\n", what, fp8_last_error(context));
  exit(1);
}

/* The bytes of a tensor of the table, which has no computed sizes. */
static uint64_t count_bytes(const fp8_tensor_info *info) {
  uint64_t bytes = !strcmp(info->type, "bf16") ? 2 : 4;
  if (info->bytes)
    return info->bytes;
  for (uint32_t i = 0; i < info->rank; ++i) {
    uint64_t extent = info->shape[i];
    for (int j = 0; j < SIZES; ++j)
      if (info->shape[i] == FP8_SIZE(j))
        extent = (uint64_t)sizes[j];
    bytes *= extent;
  }
  return bytes;
}

/* The bytes of argument `i`: a file's, or what state starts with. */
static void *load(const char *folder, const char *m, int i) {
  const fp8_tensor_info *info = &argument_table[i];
  uint64_t size = count_bytes(info);
  unsigned char *bytes = calloc(size + 4, 1);
  if (!strcmp(info->state, "multiplier")) {
    float one = 1.0f;
    for (uint64_t at = 0; at < size; at += sizeof one)
      memcpy(bytes + at, &one, sizeof one);
  } else if (!strcmp(info->state, "update")) {
    bytes[0] = 1;
  } else if (!*info->state) {
    char path[4096];
    unsigned char head[10];
    snprintf(path, sizeof path, "%s/%s/in_%02d.npy", folder, m, i);
    FILE *file = fopen(path, "rb");
    if (!file || fread(head, 1, 10, file) != 10 ||
        fseek(file, 10 + head[8] + 256 * head[9], SEEK_SET) ||
        fread(bytes, 1, size, file) != size) {
      printf("cannot read %s\n", path);
      exit(1);
    }
    fclose(file);
  }
  return bytes;
}

static void write_result(const char *folder, const char *m, int i,
                         fp8_buffer result, uint64_t bytes) {
  char path[4096];
  unsigned char *found = malloc(bytes + 1);
  check(fp8_copy_out(context, found, result, bytes), "fp8_copy_out");
  snprintf(path, sizeof path, "%s/%s/%d.bin", folder, m, i);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(found, 1, bytes, file) != bytes || fclose(file)) {
    printf("cannot write %s\n", path);
    exit(1);
  }
  free(found);
}

static void run(const char *inputs, const char *outputs, const char *m) {
  fp8_buffer arguments[ARGUMENTS + 1], results[RESULTS + 1];
  fp8_statistics first, second;
  for (int j = 0; j < SIZES; ++j)
    sizes[j] = atoll(m);
  for (int i = 0; i < ARGUMENTS; ++i) {
    uint64_t size = count_bytes(&argument_table[i]);
    void *bytes = load(inputs, m, i);
    check(fp8_buffer_create(context, size + 1, &arguments[i]), "create");
    check(fp8_copy_in(context, arguments[i], bytes, size), "fp8_copy_in");
    check(fp8_synchronize(context), "fp8_synchronize");
    free(bytes);
  }
  for (int i = 0; i < RESULTS; ++i) {
    check(fp8_buffer_create(context, result_bytes(sizes, (uint32_t)i) + 1,
                            &results[i]),
          "create");
    check(fp8_fill(context, results[i], 0xA5), "fp8_fill");
  }
  check(FUNCTION(context, sizes, arguments, results), "the call");
  fp8_get_statistics(context, &first);
  check(FUNCTION(context, sizes, arguments, results), "the second call");
  fp8_get_statistics(context, &second);
  if (second.allocations != first.allocations ||
      second.synchronizations != first.synchronizations ||
      second.copies_in != first.copies_in ||
      second.copies_out != first.copies_out) {
    printf("a warm call did more than to launch\n");
    exit(1);
  }
  for (int i = 0; i < RESULTS; ++i)
    write_result(outputs, m, i, results[i],
                 result_bytes(sizes, (uint32_t)i));
  for (int i = 0; i < ARGUMENTS; ++i)
    check(fp8_buffer_destroy(context, &arguments[i]), "destroy");
  for (int i = 0; i < RESULTS; ++i)
    check(fp8_buffer_destroy(context, &results[i]), "destroy");
  printf("%s: workspace %" PRIu64 ", %" PRIu64 " launches\n", m,
         workspace_size(sizes), second.launches - first.launches);
}

int main(int argc, char **argv) {
  check(fp8_context_create("cuda", 0, &context), "fp8_context_create");
  for (int i = 3; i < argc; ++i)
    run(argv[1], argv[2], argv[i]);
  fp8_buffer none[ARGUMENTS + RESULTS + 1] = {{0, 0}};
  for (int j = 0; j < SIZES; ++j)
    sizes[j] = -1;
  if (FUNCTION(context, sizes, none, none))
    printf("negative: %s\n", fp8_last_error(context));
  for (int j = 0; j < SIZES; ++j)
    sizes[j] = INT32_MAX;
  if (FUNCTION(context, sizes, none, none))
    printf("huge: %s\n", fp8_last_error(context));
  fp8_context_destroy(context);
  return 0;
}
