#include "bench/policies/replacement.h"

#include <array>
#include <numeric>

#include "bench/policies/replacements.h"
#include "core/base/error.h"

namespace farfield::bench {
namespace {

constexpr std::array kNames = {"lru",   "clock",   "counted-clock", "counted-clock-0",
                               "sieve", "s3-fifo", "optimum"};

}  // namespace

std::uint64_t ReplayTrace::distinctBytes() const {
  return std::accumulate(pageBytes.begin(), pageBytes.end(), std::uint64_t{0});
}

std::span<const char* const> replacementNames() {
  return kNames;
}

std::unique_ptr<Replacement> makeReplacement(const std::string& name, const ReplayTrace& trace,
                                             std::uint64_t capacityBytes) {
  if (name == "lru") return std::make_unique<Lru>(trace);
  if (name == "clock") return std::make_unique<Clock>(trace, std::uint8_t{1}, std::uint8_t{1});
  if (name == "counted-clock") return std::make_unique<Clock>(trace, std::uint8_t{3}, std::uint8_t{1});
  if (name == "counted-clock-0") return std::make_unique<Clock>(trace, std::uint8_t{3}, std::uint8_t{0});
  if (name == "sieve") return std::make_unique<Sieve>(trace);
  if (name == "s3-fifo") return std::make_unique<S3Fifo>(trace, capacityBytes);
  if (name == "optimum") return std::make_unique<Optimum>(trace);
  std::string known;
  for (const char* each : kNames) known += (known.empty() ? "" : ", ") + std::string(each);
  throw Invalid("there is no replacement policy '" + name + "'", "use one of: " + known);
}

ReplayResult replay(const ReplayTrace& trace, std::uint64_t capacityBytes, Replacement& replacement) {
  ReplayResult result;
  std::vector<bool> there(trace.pageBytes.size(), false);
  std::uint64_t used = 0;
  for (std::size_t at = 0; at < trace.requests.size(); ++at) {
    const PageId page = trace.requests[at];
    ++result.requests;
    if (there[page]) {
      ++result.hits;
      replacement.hit(page, at);
      continue;
    }
    result.bytesRead += trace.pageBytes[page];
    if (trace.pageBytes[page] > capacityBytes) continue;
    while (used + trace.pageBytes[page] > capacityBytes) {
      const PageId victim = replacement.evict();
      there[victim] = false;
      used -= trace.pageBytes[victim];
      ++result.evictions;
    }
    there[page] = true;
    used += trace.pageBytes[page];
    replacement.fill(page, at);
  }
  return result;
}

}  // namespace farfield::bench
