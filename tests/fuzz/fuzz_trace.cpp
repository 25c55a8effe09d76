// Anything as an event log: refused with an error of ours, or gathered and drawn within the picture's columns.
//
// Run: fuzz_trace CORPUS -max_len=8192

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/lifelines/life_lines_picture.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::TemporaryFolder folder;
  constexpr int kWidth = 480;
  const std::filesystem::path path = folder / "trace.json";
  File::openForWriting(path, true).writeAt(0, std::as_bytes(std::span(data, size)));
  try {
    const lifelines::LifeLines lines = lifelines::gatherLifeLines(
        path, {.columns = lifelines::columnsOf(kWidth), .tasks = 5}, {}, [](std::uint64_t, std::uint64_t) {});
    for (const lifelines::ThreadLine& thread : lines.threads)
      if (thread.shares.size() != lines.kinds.size() * static_cast<std::size_t>(lines.columns)) std::abort();
    lifelines::drawLifeLines(lines, "trace", kWidth, lifelines::makeSvgCanvas);
  } catch (const Error&) {
  }
  return 0;
}
