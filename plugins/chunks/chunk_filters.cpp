#include "plugins/chunks/chunk_filters.h"

#include <lz4.h>
#include <zlib.h>

#ifdef FARFIELD_BLOSC
#include <blosc.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/inflate.h"
#include "core/paging/pages/shuffle.h"

namespace farfield::chunks {
namespace {

constexpr std::size_t kChecksumBytes = 4;

bool isChecksum(FilterKind kind) {
  return kind == FilterKind::Fletcher32 || kind == FilterKind::Crc32c;
}
bool isCompression(FilterKind kind) {
  return !isChecksum(kind) && kind != FilterKind::Shuffle;
}

[[noreturn]] void fail(FilterKind kind, const std::string& why) {
  throw Corrupt("does not decode with " + std::string(nameOf(kind)) + " (" + why + ")",
                "copy the file again");
}

/// The checksum of Fletcher over big-endian words of 16 bits, as HDF5 computes it.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  std::uint32_t sum1 = 0, sum2 = 0;
  const auto fold = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  std::size_t words = bytes.size() / 2;
  const std::byte* at = bytes.data();
  while (words > 0) {
    // so many words do not overflow
    const std::size_t some = std::min<std::size_t>(words, 360);
    words -= some;
    for (std::size_t n = 0; n < some; ++n, at += 2) {
      sum1 += std::to_integer<std::uint32_t>(at[0]) << 8 | std::to_integer<std::uint32_t>(at[1]);
      sum2 += sum1;
    }
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  if (bytes.size() % 2 != 0) {
    sum1 += std::to_integer<std::uint32_t>(*at) << 8;
    sum2 += sum1;
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  return fold(sum2) << 16 | fold(sum1);
}

/// CRC-32C (Castagnoli, polynomial 0x1EDC6F41, reflected), eight tables of one byte each.
std::uint32_t crc32c(std::span<const std::byte> bytes) {
  static const auto kTables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t crc = n;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
      tables[0][n] = crc;
    }
    for (std::size_t t = 1; t < 8; ++t)
      for (std::size_t n = 0; n < 256; ++n)
        tables[t][n] = tables[t - 1][n] >> 8 ^ tables[0][tables[t - 1][n] & 0xff];
    return tables;
  }();
  std::uint32_t crc = 0xffffffff;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    const auto low = load<std::uint32_t>(at) ^ crc, high = load<std::uint32_t>(at + 4);
    crc = kTables[7][low & 0xff] ^ kTables[6][low >> 8 & 0xff] ^ kTables[5][low >> 16 & 0xff] ^
          kTables[4][low >> 24] ^ kTables[3][high & 0xff] ^ kTables[2][high >> 8 & 0xff] ^
          kTables[1][high >> 16 & 0xff] ^ kTables[0][high >> 24];
  }
  for (; left > 0; --left, ++at)
    crc = crc >> 8 ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xff];
  return ~crc;
}

/// The bytes before the checksum.
std::span<const std::byte> checked(FilterKind kind, std::span<const std::byte> bytes) {
  if (bytes.size() < kChecksumBytes) fail(kind, "too short");
  const auto body = bytes.first(bytes.size() - kChecksumBytes);
  const auto said = load<std::uint32_t>(bytes.data() + body.size());
  bool good = false;
  if (kind == FilterKind::Crc32c) {
    good = crc32c(body) == said;
  } else {
    const std::uint32_t found = fletcher32(body);
    // HDF5 before 1.6.3 swapped the bytes of each half on little-endian machines
    const std::uint32_t swapped = (found & 0x00ff00ff) << 8 | (found >> 8 & 0x00ff00ff);
    good = found == said || swapped == said;
  }
  if (!good)
    throw Corrupt("its checksum (" + std::string(nameOf(kind)) + ") is wrong", "copy the file again");
  return body;
}

/// Deflate with the frame of gzip or zlib, exactly `out`.
void inflateAll(std::span<const std::byte> stored, std::span<std::byte> out) {
  if (paging::inflateAtOnce(stored, out)) return;
  constexpr auto kMost = std::numeric_limits<uInt>::max();
  if (stored.size() > kMost || out.size() > kMost) fail(FilterKind::Gzip, "too large");
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 32) != Z_OK)
    throw Io("no memory for decoding", "lower --memory, or raise the limit (ulimit -v)");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(stored.data()));
  stream.avail_in = static_cast<uInt>(stored.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  const bool good = result == Z_STREAM_END && stream.avail_out == 0;
  inflateEnd(&stream);
  if (!good) fail(FilterKind::Gzip, "damaged, cut short or too long");
}

void lz4Block(std::span<const std::byte> stored, std::span<std::byte> out) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (stored.size() < 4 || stored.size() > kMost || out.size() > kMost ||
      load<std::uint32_t>(stored.data()) != out.size())
    fail(FilterKind::Lz4Size, "not of the chunk's size");
  const auto got = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data() + 4),
                                       reinterpret_cast<char*>(out.data()),
                                       static_cast<int>(stored.size() - 4), static_cast<int>(out.size()));
  if (got < 0 || static_cast<std::size_t>(got) != out.size()) fail(FilterKind::Lz4Size, "damaged");
}

void unblosc([[maybe_unused]] std::span<const std::byte> stored, [[maybe_unused]] std::span<std::byte> out) {
#ifdef FARFIELD_BLOSC
  std::size_t bytes = 0;
  if (blosc_cbuffer_validate(stored.data(), stored.size(), &bytes) < 0 || bytes != out.size())
    fail(FilterKind::Blosc, "not of the chunk's size");
  const int got = blosc_decompress_ctx(stored.data(), out.data(), out.size(), 1);
  if (got < 0 || static_cast<std::size_t>(got) != out.size()) fail(FilterKind::Blosc, "damaged");
#else
  throw Unsupported("is compressed with blosc, which this build lacks", "build with libblosc-dev");
#endif
}

void decompress(FilterKind kind, std::span<const std::byte> stored, std::span<std::byte> out) {
  paging::Scratch none;
  switch (kind) {
    case FilterKind::Zlib:
      return paging::decode(paging::Codec::Gzip, 1, stored, out, none);
    case FilterKind::Zstd:
      return paging::decode(paging::Codec::Zstd, 1, stored, out, none);
    case FilterKind::Lz4:
      return paging::decode(paging::Codec::Lz4, 1, stored, out, none);
    case FilterKind::Gzip:
      return inflateAll(stored, out);
    case FilterKind::Lz4Size:
      return lz4Block(stored, out);
    case FilterKind::Blosc:
      return unblosc(stored, out);
    default:
      break;
  }
}

}  // namespace

const char* nameOf(FilterKind kind) {
  switch (kind) {
    case FilterKind::Shuffle:
      return "shuffle";
    case FilterKind::Fletcher32:
      return "fletcher32";
    case FilterKind::Crc32c:
      return "crc32c";
    case FilterKind::Zlib:
      return "zlib";
    case FilterKind::Gzip:
      return "gzip";
    case FilterKind::Zstd:
      return "zstd";
    case FilterKind::Lz4:
    case FilterKind::Lz4Size:
      return "lz4";
    case FilterKind::Blosc:
      return "blosc";
  }
  return "unknown";
}

FilterChain::FilterChain(std::vector<Filter> filters) : m_filters(std::move(filters)) {
  if (std::count_if(m_filters.begin(), m_filters.end(),
                    [](const Filter& its) { return isCompression(its.kind); }) > 1)
    throw Unsupported("is compressed twice", "rewrite it with one compression, then open or convert that");
  if (m_filters.size() > kMostAdded / kChecksumBytes) throw Unsupported("has too many filters");
}

std::uint64_t FilterChain::mostStoredBytes(std::uint64_t rawBytes) const {
  std::uint64_t most = rawBytes;
  for (const Filter& filter : m_filters) {
    if (isChecksum(filter.kind)) most += kChecksumBytes;
    // what does not shrink grows by less than this, whatever the library
    if (isCompression(filter.kind)) most += most / 64 + 1024;
  }
  return most;
}

void FilterChain::undo(std::span<const std::byte> stored, std::uint32_t skipped, std::span<std::byte> raw,
                       paging::Scratch& work) const {
  const auto applies = [&](std::size_t n) { return n >= 32 || (skipped >> n & 1) == 0; };
  // bytes before the compression: the chunk and its checksums
  std::size_t before = raw.size();
  for (std::size_t n = 0; n < m_filters.size(); ++n) {
    if (!applies(n)) continue;
    if (isCompression(m_filters[n].kind)) break;
    if (isChecksum(m_filters[n].kind)) before += kChecksumBytes;
  }
  const auto makesBytes = [](const Filter& filter) {
    return isCompression(filter.kind) || (filter.kind == FilterKind::Shuffle && filter.elementBytes > 1);
  };
  std::size_t makers = 0;
  for (std::size_t n = 0; n < m_filters.size(); ++n) makers += applies(n) && makesBytes(m_filters[n]);
  // what makes new bytes alternates between `work` and `raw`, so that the last one ends in `raw`
  std::span<const std::byte> now = stored;
  for (std::size_t n = m_filters.size(); n-- > 0;) {
    if (!applies(n)) continue;
    const Filter& filter = m_filters[n];
    if (isChecksum(filter.kind)) now = checked(filter.kind, now);
    if (!makesBytes(filter)) continue;
    const std::size_t bytes = isCompression(filter.kind) ? before : now.size();
    --makers;
    std::span<std::byte> to = raw;
    if (makers % 2 != 0 || bytes != raw.size()) {
      if (bytes > workBytes(raw.size()))
        throw Corrupt("a chunk is larger than it can be", "copy the file again");
      if (work.size() < bytes) work.resize(bytes);
      to = {work.data(), bytes};
    }
    if (now.data() == to.data())
      throw Unsupported("has filters in an order that is not known", "rewrite it, then open or convert that");
    if (isCompression(filter.kind))
      decompress(filter.kind, now, to);
    else
      paging::unshuffle(filter.elementBytes, now, to);
    now = to;
  }
  if (now.size() != raw.size())
    throw Corrupt(
        "a chunk has " + std::to_string(now.size()) + " bytes instead of " + std::to_string(raw.size()),
        "copy the file again");
  if (now.data() != raw.data()) std::memcpy(raw.data(), now.data(), raw.size());
}

}  // namespace farfield::chunks
