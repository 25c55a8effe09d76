#include "app/cli/provenance.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "core/base/bytes.h"
#include "core/base/file.h"
#include "core/paging/pages/codec.h"

namespace farfield::cli {
namespace {

constexpr std::uint64_t kEndBytes = 1 << 20;
constexpr std::uint64_t kPieceBytes = 4096;
constexpr std::uint64_t kPieces = 1024;

std::string fingerprintOf(const File& file) {
  const std::uint64_t size = file.size();
  std::vector<std::byte> buffer(kEndBytes);
  // The checksums of the pieces, one after the other, are what is hashed in the end.
  std::vector<std::uint64_t> sums{size};
  const auto take = [&](std::uint64_t offset, std::uint64_t bytes) {
    const std::size_t got = file.readSomeAt(offset, std::span(buffer).first(bytes));
    sums.push_back(paging::checksum(std::span(buffer).first(got)));
  };
  take(0, std::min(size, kEndBytes));
  take(size - std::min(size, kEndBytes), std::min(size, kEndBytes));
  if (size > 2 * kEndBytes)
    for (std::uint64_t n = 0; n < kPieces; ++n)
      take(kEndBytes + (size - 2 * kEndBytes) / kPieces * n, kPieceBytes);
  char text[24];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(paging::checksum(std::as_bytes(std::span(sums)))));
  return text;
}

}  // namespace

std::map<std::string, std::string> provenanceOf(const std::vector<std::string>& sources) {
  std::map<std::string, std::string> attributes;
  for (std::size_t n = 0; n < sources.size(); ++n) {
    const std::string key = "source." + std::to_string(n);
    if (sources[n].find("://") != std::string::npos) {
      attributes[key] = sources[n];
      continue;
    }
    const File file = File::openForReading(sources[n]);
    attributes[key] = file.path().filename().string();
    attributes[key + ".bytes"] = std::to_string(file.size());
    attributes[key + ".fingerprint"] = fingerprintOf(file);
  }
  return attributes;
}

}  // namespace farfield::cli
