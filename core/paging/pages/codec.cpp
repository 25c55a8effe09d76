#include "core/paging/pages/codec.h"

#include <lz4.h>
#include <xxhash.h>
#ifdef FARFIELD_XXHASH_DISPATCH
#include <xxh_x86dispatch.h>  // XXH3_64bits() of the same value by wider instructions
#endif
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/inflate.h"
#include "core/paging/pages/shuffle.h"

namespace farfield::paging {
namespace {

constexpr int kZstdLevel = 1;
constexpr int kGzipLevel = 4;
/// Block size of the LZ4 framing, as HDF5's LZ4 filter chooses it: pages are one block.
constexpr std::size_t kLz4BlockBytes = std::size_t{1} << 30;
constexpr std::size_t kLz4HeaderBytes = 12;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

[[noreturn]] void failEncoding(const char* codec) {
  throw Io(std::string(codec) + " could not compress a page",
           "where memory is short, lower --memory or raise the limit (ulimit -v)");
}

[[noreturn]] void failDecoding(const char* codec, const std::string& why) {
  throw Corrupt("does not decode with " + std::string(codec) + " (" + why + ")");
}

std::string sizes(std::size_t got, std::size_t expected) {
  return std::to_string(got) + " bytes instead of " + std::to_string(expected);
}

// A context is the working memory of one call, kept per thread because making one costs more than decoding a
// small page. It carries nothing from page to page.

std::size_t zstdEncode(std::span<const std::byte> from, std::span<std::byte> out) {
  thread_local std::unique_ptr<ZSTD_CCtx, FreeContext> context{ZSTD_createCCtx()};
  if (!context) failEncoding("zstd");
  const std::size_t size =
      ZSTD_compressCCtx(context.get(), out.data(), out.size(), from.data(), from.size(), kZstdLevel);
  if (ZSTD_isError(size)) failEncoding("zstd");
  return size;
}

void zstdDecode(std::span<const std::byte> stored, std::span<std::byte> out) {
  // Exactly one frame of the current format. The library would also accept several, and its earliest
  // versions, whose decoders are less tested.
  if (stored.size() < 4 || load<std::uint32_t>(stored.data()) != ZSTD_MAGICNUMBER)
    failDecoding("zstd", "no frame");
  const unsigned long long content = ZSTD_getFrameContentSize(stored.data(), stored.size());
  if (content == ZSTD_CONTENTSIZE_ERROR) failDecoding("zstd", "damaged frame header");
  if (content != ZSTD_CONTENTSIZE_UNKNOWN && content != out.size())
    failDecoding("zstd", sizes(content, out.size()));
  const std::size_t frame = ZSTD_findFrameCompressedSize(stored.data(), stored.size());
  if (ZSTD_isError(frame) || frame != stored.size())
    failDecoding("zstd", "the frame does not end with the bytes");
  thread_local std::unique_ptr<ZSTD_DCtx, FreeContext> context{ZSTD_createDCtx()};
  if (!context) throw Io("no memory for decoding", "lower --memory, or raise the limit (ulimit -v)");
  const std::size_t size =
      ZSTD_decompressDCtx(context.get(), out.data(), out.size(), stored.data(), stored.size());
  if (ZSTD_isError(size)) failDecoding("zstd", ZSTD_getErrorName(size));
  if (size != out.size()) failDecoding("zstd", sizes(size, out.size()));
}

template <class T>
void storeBigEndian(std::byte* to, T value) {
  store(to, byteSwapped(value));
}
template <class T>
T loadBigEndian(const std::byte* from) {
  return byteSwapped(load<T>(from));
}

std::size_t lz4Encode(std::span<const std::byte> from, std::span<std::byte> out) {
  const std::size_t blockBytes = std::min(from.size(), kLz4BlockBytes);
  storeBigEndian<std::uint64_t>(out.data(), from.size());
  storeBigEndian<std::uint32_t>(out.data() + 8, static_cast<std::uint32_t>(blockBytes));
  std::size_t used = kLz4HeaderBytes;
  for (std::size_t done = 0; done < from.size();) {
    const std::size_t part = std::min(blockBytes, from.size() - done);
    std::byte* to = out.data() + used + 4;
    // A block that does not get smaller is stored as it is; its size says so.
    std::size_t size = static_cast<std::size_t>(
        LZ4_compress_default(reinterpret_cast<const char*>(from.data() + done), reinterpret_cast<char*>(to),
                             static_cast<int>(part), static_cast<int>(part - 1)));
    if (size == 0) {
      std::copy_n(from.data() + done, part, to);
      size = part;
    }
    storeBigEndian<std::uint32_t>(to - 4, static_cast<std::uint32_t>(size));
    used += 4 + size;
    done += part;
  }
  return used;
}

void lz4Decode(std::span<const std::byte> stored, std::span<std::byte> out) {
  if (stored.size() < kLz4HeaderBytes) failDecoding("lz4", "no header");
  const auto total = loadBigEndian<std::uint64_t>(stored.data());
  const std::size_t blockBytes = loadBigEndian<std::uint32_t>(stored.data() + 8);
  if (total != out.size()) failDecoding("lz4", sizes(total, out.size()));
  if (!out.empty() && (blockBytes == 0 || blockBytes > static_cast<std::size_t>(LZ4_MAX_INPUT_SIZE)))
    failDecoding("lz4", "block size " + std::to_string(blockBytes));
  std::size_t read = kLz4HeaderBytes;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t part = std::min(blockBytes, out.size() - done);
    if (stored.size() - read < 4) failDecoding("lz4", "a block is missing");
    const std::size_t size = loadBigEndian<std::uint32_t>(stored.data() + read);
    read += 4;
    if (size == 0 || size > stored.size() - read) failDecoding("lz4", "a block is cut short");
    if (size == part) {
      std::copy_n(stored.data() + read, part, out.data() + done);
    } else {
      if (size > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        failDecoding("lz4", "block too large");
      const int got = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data() + read),
                                          reinterpret_cast<char*>(out.data() + done), static_cast<int>(size),
                                          static_cast<int>(part));
      if (got < 0 || static_cast<std::size_t>(got) != part) failDecoding("lz4", "damaged block");
    }
    read += size;
    done += part;
  }
  if (read != stored.size()) failDecoding("lz4", "bytes after the last block");
}

std::size_t gzipEncode(std::span<const std::byte> from, std::span<std::byte> out) {
  uLongf size = out.size();
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(from.data()),
                from.size(), kGzipLevel) != Z_OK)
    failEncoding("gzip");
  return size;
}

void gzipDecode(std::span<const std::byte> stored, std::span<std::byte> out) {
  if (inflateAtOnce(stored, out)) return;
  uLongf size = out.size();
  uLong read = stored.size();
  const int result = uncompress2(reinterpret_cast<Bytef*>(out.data()), &size,
                                 reinterpret_cast<const Bytef*>(stored.data()), &read);
  if (result == Z_MEM_ERROR)
    throw Io("no memory for decoding", "lower --memory, or raise the limit (ulimit -v)");
  if (result != Z_OK) failDecoding("gzip", result == Z_BUF_ERROR ? "cut short or too long" : "damaged");
  if (size != out.size()) failDecoding("gzip", sizes(size, out.size()));
  if (read != stored.size()) failDecoding("gzip", "bytes after the end");
}

}  // namespace

const char* nameOf(Codec codec) {
  switch (codec) {
    case Codec::None:
      return "none";
    case Codec::Zstd:
      return "zstd";
    case Codec::Lz4:
      return "lz4";
    case Codec::Gzip:
      return "gzip";
  }
  return "unknown";
}

Codec codecNamed(const std::string& name) {
  for (const Codec codec : {Codec::None, Codec::Zstd, Codec::Lz4, Codec::Gzip})
    if (name == nameOf(codec)) return codec;
  throw Invalid("there is no codec \"" + name + "\"", "use zstd, lz4, gzip or none");
}

std::size_t encodedBound(Codec codec, std::size_t rawBytes) {
  switch (codec) {
    case Codec::None:
      return rawBytes;
    case Codec::Zstd:
      return ZSTD_compressBound(rawBytes);
    case Codec::Lz4:
      return kLz4HeaderBytes + rawBytes + 4 * ((rawBytes + kLz4BlockBytes - 1) / kLz4BlockBytes);
    case Codec::Gzip:
      return compressBound(rawBytes);
  }
  return rawBytes;
}

std::size_t encode(Codec codec, int elementBytes, std::span<const std::byte> raw, std::span<std::byte> out,
                   Scratch& scratch) {
  if (codec == Codec::None) {
    std::copy(raw.begin(), raw.end(), out.begin());
    return raw.size();
  }
  if (elementBytes > 1) {
    if (scratch.size() < raw.size()) scratch.resize(raw.size());
    const std::span<std::byte> shuffled(scratch.data(), raw.size());
    shuffle(elementBytes, raw, shuffled);
    raw = shuffled;
  }
  switch (codec) {
    case Codec::Zstd:
      return zstdEncode(raw, out);
    case Codec::Lz4:
      return lz4Encode(raw, out);
    case Codec::Gzip:
      return gzipEncode(raw, out);
    case Codec::None:
      break;
  }
  throw Invalid("unknown codec " + std::to_string(static_cast<int>(codec)));
}

void decode(Codec codec, int elementBytes, std::span<const std::byte> stored, std::span<std::byte> out,
            Scratch& scratch) {
  if (codec == Codec::None) {
    if (stored.size() != out.size()) failDecoding("none", sizes(stored.size(), out.size()));
    std::copy(stored.begin(), stored.end(), out.begin());
    return;
  }
  std::span<std::byte> target = out;
  if (elementBytes > 1) {
    if (scratch.size() < out.size()) scratch.resize(out.size());
    target = std::span<std::byte>(scratch.data(), out.size());
  }
  switch (codec) {
    case Codec::Zstd:
      zstdDecode(stored, target);
      break;
    case Codec::Lz4:
      lz4Decode(stored, target);
      break;
    case Codec::Gzip:
      gzipDecode(stored, target);
      break;
    default:
      throw Corrupt("unknown codec " + std::to_string(static_cast<int>(codec)));
  }
  if (elementBytes > 1) unshuffle(elementBytes, target, out);
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace farfield::paging
