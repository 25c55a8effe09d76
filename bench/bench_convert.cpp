// Conversion against the limits of the machine, in one run: how fast the disk reads and writes, how fast the
// codec encodes these very pages with as many processors, and how fast PLOT3D files become a store. JSON on
// standard output.
//
//   bench_convert [FOLDER] [MEGABYTES] [SAMPLE] [PAGE-EDGE]

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/cli/sample_writer.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/fields/samples/sample.h"
#include "core/paging/convert/converter.h"
#include "core/tasks/loop_threads.h"
#include "plugins/plot3d/plot3d_reader.h"

using namespace farfield;

namespace {

constexpr std::uint64_t kMega = 1'000'000;
constexpr std::size_t kPieceBytes = 1 << 20;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

double rate(std::uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / static_cast<double>(kMega) / seconds;
}

/// Writes the file's pages to the disk and takes them out of the system's cache.
void makeCold(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
}

double diskReadRate(const std::filesystem::path& path) {
  makeCold(path);
  const File file = File::openForReading(path);
  std::vector<std::byte> piece(kPieceBytes);
  const Stopwatch watch;
  std::uint64_t at = 0;
  while (const std::size_t got = file.readSomeAt(at, piece)) at += got;
  return rate(at, watch.seconds());
}

double diskWriteRate(const std::filesystem::path& path, std::uint64_t bytes) {
  File file = File::openForWriting(path, true);
  std::vector<std::byte> piece(kPieceBytes);
  for (std::size_t n = 0; n < piece.size(); ++n) piece[n] = static_cast<std::byte>(n * 2654435761u >> 13);
  const Stopwatch watch;
  for (std::uint64_t at = 0; at < bytes; at += piece.size()) file.writeAt(at, piece);
  file.sync();
  const double result = rate(bytes, watch.seconds());
  file.close();
  std::filesystem::remove(path);
  return result;
}

struct CodecRate {
  double megabytesPerSecond = 0;
  double ratio = 1;
};

/// Encodes pages of the block in the middle, of all its arrays in turn, with `processors` threads.
CodecRate codecRate(const paging::BoxReader& input, int edge, int processors) {
  const paging::DatasetDescription& data = input.description();
  std::vector<std::vector<std::byte>> pages;
  std::vector<int> elementBytes;
  for (std::uint32_t n = 0; n < data.arrays.size(); ++n) {
    const paging::ArrayDescription& array = data.arrays[n];
    if (array.block != static_cast<int>(data.blocks.size() / 2)) continue;
    const paging::PageLayout layout = paging::PageLayout::even(array.layout.dims(), edge);
    for (std::int64_t page = 0; page < std::min<std::int64_t>(layout.pageCount(), 400); ++page) {
      const IndexBox box = layout.box(page);
      pages.emplace_back(static_cast<std::size_t>(product(box.size) * array.nodeBytes()));
      input.read(n, 0, box, pages.back());
      elementBytes.push_back(sizeOf(array.type));
    }
  }
  std::uint64_t raw = 0;
  for (const auto& page : pages) raw += page.size();
  std::atomic<std::uint64_t> stored{0};
  const int rounds = static_cast<int>(1 + 400 * kMega / raw);
  tasks::LoopThreads threads(processors);
  const Stopwatch watch;
  for (int round = 0; round < rounds; ++round)
    threads.forPieces(static_cast<std::int64_t>(pages.size()), 1, [&](std::int64_t piece, std::int64_t) {
      const auto n = static_cast<std::size_t>(piece);
      thread_local paging::Scratch scratch, out;
      out.resize(paging::encodedBound(paging::Codec::Zstd, pages[n].size()));
      stored += paging::encode(paging::Codec::Zstd, elementBytes[n], pages[n], out, scratch);
    });
  return {rate(raw * static_cast<std::uint64_t>(rounds), watch.seconds()),
          static_cast<double>(raw) * rounds / static_cast<double>(stored.load())};
}

nlohmann::json run(const std::filesystem::path& folder, std::uint64_t megabytes, const std::string& name,
                   int edge) {
  std::filesystem::create_directories(folder);
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  samples::SampleOptions options;
  options.curvilinear = true;
  options.blocks = 4;
  const auto nodes = static_cast<double>(megabytes * kMega) / (4.0 * 36);
  const auto side = static_cast<std::int64_t>(std::cbrt(nodes));
  options.size = {side, side, side};
  const auto sample = samples::makeSample(name, options);
  const auto files = cli::writePlot3dSample(*sample, folder / "bench_convert", {});
  std::uint64_t inputBytes = 0;
  for (const auto& file : files) inputBytes += std::filesystem::file_size(file);

  const plot3d::Plot3dReader input({{files[0]}, {files[1]}});
  const double read = diskReadRate(files[1]);
  const double write = diskWriteRate(folder / "bench_convert.disk", inputBytes / 2);
  const CodecRate codec = codecRate(input, edge, processors);

  const std::filesystem::path store = folder / "bench_convert.h5";
  MemoryAccount account(std::uint64_t{200} << 20);
  paging::ConvertOptions convert;
  convert.pageEdge = edge;
  convert.processors = processors;
  convert.overwrite = true;
  for (const auto& file : files) makeCold(file);
  const Stopwatch watch;
  const paging::ConvertResult result = paging::convert(input, store, convert, account);
  const double seconds = watch.seconds();
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);

  const double conversion = rate(inputBytes, seconds);
  // What is written is smaller than what is read by the codec's ratio.
  const double writeLimit = write * static_cast<double>(inputBytes) / static_cast<double>(result.storedBytes);
  const double limit = std::min({read, writeLimit, codec.megabytesPerSecond});
  for (const auto& file : files) std::filesystem::remove(file);
  std::filesystem::remove(store);
  return {{"benchmark", "convert"},
          {"sample", name},
          {"pageEdge", edge},
          {"codec", "zstd"},
          {"processors", processors},
          {"inputBytes", inputBytes},
          {"storedBytes", result.storedBytes},
          {"diskReadMBps", read},
          {"diskWriteMBps", write},
          {"codecMBps", codec.megabytesPerSecond},
          {"codecRatio", codec.ratio},
          {"convertSeconds", seconds},
          {"convertMBps", conversion},
          {"limitMBps", limit},
          {"shareOfLimit", conversion / limit},
          {"budgetBytes", account.budgetBytes()},
          {"budgetPeakBytes", account.peakBytes()},
          {"peakRssBytes", static_cast<std::uint64_t>(usage.ru_maxrss) * 1024}};
}

}  // namespace

int main(int count, char** words) {
  try {
    const std::filesystem::path folder = count > 1 ? words[1] : std::filesystem::temp_directory_path();
    const std::uint64_t megabytes = count > 2 ? std::strtoull(words[2], nullptr, 10) : 1000;
    const std::string sample = count > 3 ? words[3] : "cylinder";
    const int edge = count > 4 ? std::atoi(words[4]) : paging::ConvertOptions().pageEdge;
    if (megabytes < 10 || edge < 2)
      throw Invalid("a size of at least 10 MB and an edge of at least 2 are needed");
    std::cout << run(folder, megabytes, sample, edge).dump(2) << '\n';
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "bench_convert: " << error.what() << '\n';
    return 1;
  }
}
