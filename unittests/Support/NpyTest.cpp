//===- NpyTest.cpp - NumPy array files ------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Round trips, what NumPy writes, and files that lie.
//
//===----------------------------------------------------------------------===//

#include "fp8/Support/Npy.h"
#include "fp8/Support/File.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace fp8::support;

namespace {
/// A directory that goes away with the test.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern = ::testing::TempDir() + "fp8npyXXXXXX";
    path = ::mkdtemp(pattern.data());
  }
  ~TemporaryDirectory() {
    for (const std::string &file : files)
      ::unlink(file.c_str());
    ::rmdir(path.c_str());
  }
  std::string file(const std::string &name) {
    files.push_back(path + "/" + name);
    return files.back();
  }
  std::string path;

private:
  std::vector<std::string> files;
};

std::vector<char> makeFile(std::string header, size_t dataBytes,
                           char version = 1) {
  std::vector<char> bytes{'\x93', 'N', 'U', 'M', 'P', 'Y', version, 0};
  bytes.push_back(static_cast<char>(header.size() & 0xff));
  bytes.push_back(static_cast<char>(header.size() >> 8));
  if (version > 1)
    bytes.insert(bytes.end(), {0, 0});
  bytes.insert(bytes.end(), header.begin(), header.end());
  for (size_t i = 0; i < dataBytes; ++i)
    bytes.push_back(static_cast<char>(i));
  return bytes;
}

std::string errorOf(const std::vector<char> &bytes) {
  std::string error;
  EXPECT_FALSE(parseNpy("x.npy", bytes, error));
  EXPECT_EQ(error.find('\n'), std::string::npos);
  return error;
}
} // namespace

TEST(Npy, RoundTripKeepsTypeShapeAndBytes) {
  TemporaryDirectory directory;
  int index = 0;
  for (const char *descr : {"<f4", "<V2", "|u1", "|b1", "<i8", "<f2"})
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{}, {5}, {2, 3}, {0, 4}, {1, 2, 3, 1}}) {
      NpyArray array{descr, shape, {}};
      array.data.resize(*elementCount(shape) * array.itemSize());
      for (size_t i = 0; i < array.data.size(); ++i)
        array.data[i] = static_cast<char>(i * 37 + 1);
      std::string path = directory.file(std::to_string(index++) + ".npy");
      EXPECT_FALSE(writeNpy(path, array));
      std::string error;
      std::optional<NpyArray> back = readNpy(path, error);
      ASSERT_TRUE(back) << error;
      EXPECT_EQ(back->descr, descr);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->data, array.data);
    }
}

TEST(Npy, DataIsAlignedTo64Bytes) {
  TemporaryDirectory directory;
  std::string path = directory.file("a.npy");
  ASSERT_FALSE(writeNpy(path, {"<f4", {3}, std::vector<char>(12)}));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  EXPECT_EQ((static_cast<size_t>(file.tellg()) - 12) % 64, 0u);
}

TEST(Npy, ReadsFortranOrderAndLaterVersions) {
  std::string error;
  auto bytes =
      makeFile("{\"shape\":(2,3),'fortran_order':True,'descr':'|u1'}\n", 6, 2);
  std::optional<NpyArray> array = parseNpy("f", bytes, error);
  ASSERT_TRUE(array) << error;
  EXPECT_EQ(array->data, (std::vector<char>{0, 2, 4, 1, 3, 5}));
}

TEST(Npy, RefusesWhatIsNotAnArray) {
  const std::string good =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n";
  EXPECT_NE(errorOf({}).find("expected a .npy file"), std::string::npos);
  EXPECT_NE(errorOf({'P', 'K', 3, 4}).find("expected a .npy file"),
            std::string::npos);
  EXPECT_NE(errorOf(makeFile(good, 16, 9)).find("version"), std::string::npos);
  EXPECT_NE(errorOf(makeFile(good, 15))
                .find("expected 16 bytes of data, got "
                      "15"),
            std::string::npos);
  EXPECT_NE(errorOf(makeFile(good, 17)).find("got 17"), std::string::npos);
  std::vector<char> cut = makeFile(good, 16);
  for (size_t size = 0; size + 16 < cut.size(); ++size)
    errorOf(std::vector<char>(cut.begin(), cut.begin() + size));
}

TEST(Npy, RefusesTypesAndShapes) {
  auto header = [](const std::string &descr, const std::string &shape) {
    return makeFile("{'descr': " + descr +
                        ", 'fortran_order': False, 'shape': " + shape + "}\n",
                    4);
  };
  EXPECT_NE(errorOf(header("'>f4'", "(1,)")).find("little-endian"),
            std::string::npos);
  EXPECT_NE(errorOf(header("'|O'", "(1,)")).find("numeric type"),
            std::string::npos);
  EXPECT_NE(errorOf(header("[('a', '<f4')]", "(1,)")).find("header"),
            std::string::npos);
  EXPECT_NE(errorOf(header("'<f4'", "(-1,)")).find("header"),
            std::string::npos);
  EXPECT_NE(
      errorOf(header("'<f4'", "(4294967296, 4294967296)")).find("overflow"),
      std::string::npos);
  EXPECT_NE(errorOf(header("'<f4'", "(1000000,)")).find("expected 4000000"),
            std::string::npos);
}

TEST(Npy, MissingAndUnwritableFilesAreOneLine) {
  TemporaryDirectory directory;
  std::string error;
  EXPECT_FALSE(readNpy(directory.path + "/none.npy", error));
  EXPECT_NE(error.find("No such file"), std::string::npos);
  EXPECT_FALSE(readNpy(directory.path, error));
  EXPECT_NE(error.find("regular file"), std::string::npos);
  auto failed = writeFile(directory.path + "/no/such/x", "a", 1);
  ASSERT_TRUE(failed);
  EXPECT_NE(failed->find("cannot write"), std::string::npos);
}

TEST(Npy, FullDiskIsAnErrorAndLeavesNothing) {
  if (::access("/dev/full", W_OK) != 0)
    GTEST_SKIP() << "no /dev/full";
  std::vector<char> data(1 << 16);
  auto failed = writeFile("/dev/full", data.data(), data.size());
  ASSERT_TRUE(failed);
  EXPECT_NE(failed->find("No space left"), std::string::npos);
}

TEST(Npy, FailedWriteKeepsTheOldFile) {
  TemporaryDirectory directory;
  std::string path = directory.file("keep");
  ASSERT_FALSE(writeFile(path, "old", 3));
  ASSERT_FALSE(writeFile(path, "newer", 5));
  std::ifstream file(path);
  std::string text;
  file >> text;
  EXPECT_EQ(text, "newer");
}
