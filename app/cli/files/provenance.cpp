#include "app/cli/files/provenance.h"

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

std::string hexText(std::uint64_t sum) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(sum));
  return text;
}

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
  return hexText(paging::checksum(std::as_bytes(std::span(sums))));
}

/// Of a folder that is data (Zarr, AMReX): the names and sizes of its files, and the bytes of the small ones, which describe the others.
struct FolderPrint {
  std::uint64_t bytes = 0;
  std::string fingerprint;
};
FolderPrint printOf(const std::filesystem::path& folder) {
  FolderPrint print;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().lexically_relative(folder).string());
  std::sort(files.begin(), files.end());
  std::vector<std::byte> small(kPieceBytes);
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < files.size(); ++n) {
    const std::uint64_t bytes = std::filesystem::file_size(folder / files[n]);
    print.bytes += bytes;
    std::vector<std::uint64_t> sums{sum, paging::checksum(std::as_bytes(std::span(files[n]))), bytes};
    if (n < kPieces && bytes <= kPieceBytes) {
      const File file = File::openForReading(folder / files[n]);
      sums.push_back(paging::checksum(std::span(small).first(file.readSomeAt(0, small))));
    }
    sum = paging::checksum(std::as_bytes(std::span(sums)));
  }
  print.fingerprint = hexText(sum);
  return print;
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
    if (std::filesystem::is_directory(sources[n])) {
      const std::filesystem::path folder = std::filesystem::canonical(sources[n]);
      const FolderPrint print = printOf(folder);
      attributes[key] = folder.filename().string();
      attributes[key + ".bytes"] = std::to_string(print.bytes);
      attributes[key + ".fingerprint"] = print.fingerprint;
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
