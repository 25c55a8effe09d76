#pragma once
// A benchmark is a name, a sentence, and a function that measures and returns JSON. The table in
// benchmarks.cpp lists them all; `farfield bench` runs them by name. Every figure comes with the machine's
// limit, measured in the same run, and the ratio of the two, because absolute times say little on a shared or
// unknown machine.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace farfield::bench {

using Json = nlohmann::ordered_json;

/// How much is measured. Tiny is for tests: it shows that a benchmark runs; its times mean nothing.
enum class Extent { Tiny, Quick, Normal, Full };
const char* nameOf(Extent extent);
/// "tiny", "quick", "normal", "full". Throws Invalid.
Extent extentNamed(const std::string& name);

struct Request {
  Extent extent = Extent::Normal;
  std::uint64_t memoryBytes = 0;  ///< budget of each measured run, and for comparison data in memory
  int processors = 1;
  std::filesystem::path folder;              ///< for files; created if it does not exist, left empty
  std::vector<std::filesystem::path> files;  ///< input of benchmarks that take files
  std::stop_token stop;
  /// Tells on stderr what is being measured.
  std::function<void(const std::string&)> say = [](const std::string&) {};

  /// The value for the extent.
  template <class T>
  T choose(T tiny, T quick, T normal, T full) const {
    return extent == Extent::Tiny     ? tiny
           : extent == Extent::Quick  ? quick
           : extent == Extent::Normal ? normal
                                      : full;
  }
  /// Throws Cancelled on a stop request.
  void throwIfStopped() const;
};

struct Benchmark {
  const char* name;
  const char* summary;  ///< one line
  Json (*run)(const Request& request);
};

/// All benchmarks, in the order in which they are listed and in which "all" runs them.
std::span<const Benchmark> benchmarks();

/// Runs the named ones ("all": every one): {"machine": …, "extent": …, "benchmarks": {NAME: …}}. Throws
/// NotFound for an unknown name, before anything runs.
Json runBenchmarks(std::span<const std::string> names, const Request& request);

}  // namespace farfield::bench
