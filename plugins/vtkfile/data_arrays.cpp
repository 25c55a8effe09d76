#include "plugins/vtkfile/data_arrays.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "plugins/arrays/base64.h"

namespace farfield::vtkfile {
namespace {

using Source = std::shared_ptr<const arrays::ByteSource>;

std::uint64_t offsetOf(const XmlElement& array) {
  std::string_view text = array["offset"];
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size())
    throw Corrupt("its offset is not a number", "check the file");
  return value;
}

Corrupt tooFew(std::uint64_t there, std::uint64_t needed) {
  return Corrupt(
      "has " + std::to_string(there) + " bytes of values where " + std::to_string(needed) + " are needed",
      "check that the copy is complete");
}

/// Throws unless `bytes` bytes lie at `offset`.
void mustLie(const arrays::ByteSource& source, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > source.size() || source.size() - offset < bytes)
    throw Corrupt("its values lie behind the end of the file", "check that the copy is complete");
}

}  // namespace

FileWords FileWords::from(const std::vector<XmlElement>& elements, const arrays::ByteSource& file) {
  FileWords words;
  const XmlElement& top = elements.front();
  words.bigEndian = top["byte_order"] == "BigEndian";
  words.wideHeaders = top["header_type"] == "UInt64";
  if (const std::string_view compressor = top["compressor"]; !compressor.empty()) {
    words.compressed = true;
    if (compressor == "vtkLZ4DataCompressor")
      words.codec = arrays::BlockCodec::Lz4;
    else if (compressor != "vtkZLibDataCompressor")
      throw Unsupported("is compressed by " + printable(compressor) + ", which is not read",
                        "write it with zlib, lz4 or no compression");
  }
  if (elements.back().name == "AppendedData") {
    const XmlElement& appended = elements.back();
    words.appendedIsText = appended["encoding"] == "base64";
    // the values begin after an underscore, which may follow blanks
    std::byte around[64];
    const auto bytes =
        std::min<std::uint64_t>(sizeof around, file.size() - std::min(file.size(), appended.begin));
    file.readAt(appended.begin, {around, static_cast<std::size_t>(bytes)});
    const auto* const mark = std::find(around, around + bytes, std::byte{'_'});
    if (mark == around + bytes)
      throw Corrupt("its appended values do not begin with an underscore", "check that the copy is complete");
    words.appended = appended.begin + static_cast<std::uint64_t>(mark - around) + 1;
  }
  return words;
}

arrays::GrowingCopy& SharedArrays::copyFile() {
  if (!copy) copy = std::make_shared<arrays::GrowingCopy>();
  return *copy;
}

std::uint64_t DataArrays::wordAt(const std::byte* bytes) const {
  if (m_words.wideHeaders) {
    const auto word = load<std::uint64_t>(bytes);
    return m_words.bigEndian ? byteSwapped(word) : word;
  }
  const auto word = load<std::uint32_t>(bytes);
  return m_words.bigEndian ? byteSwapped(word) : word;
}

DataArrays::Found DataArrays::numbersOf(const XmlElement& array, arrays::NumberType type,
                                        std::uint64_t numbers) {
  try {
    return find(array, type, numbers);
  } catch (Error& error) {
    error.at("array " + printable(array["Name"]));
    throw;
  }
}

DataArrays::Found DataArrays::find(const XmlElement& array, arrays::NumberType type, std::uint64_t numbers) {
  const auto bytes = static_cast<std::uint64_t>(
      checkedProduct({static_cast<std::int64_t>(numbers), std::int64_t{arrays::bytesOf(type)}}));
  const std::string_view format = array["format"];
  if (format == "appended") {
    if (m_words.appended == 0) throw Corrupt("its values are to be appended, but none are", "check the file");
    const std::uint64_t offset = offsetOf(array);
    if (offset > m_file->size()) throw tooFew(0, bytes);
    const std::uint64_t begin = m_words.appended + offset;
    if (m_words.appendedIsText) return fromText(begin, m_file->size(), bytes);
    return m_words.compressed ? ofBlocks(m_file, begin, bytes) : inPlace(m_file, begin, bytes);
  }
  if (format == "binary") return fromText(array.begin, array.end, bytes);
  if (format != "ascii" && !format.empty())
    throw Unsupported("its format is '" + printable(format) + "'", "write it as ascii, binary or appended");
  // as many numbers as there is room for
  if (numbers > (array.end - array.begin + 1) / 2)
    throw Corrupt("has too few numbers: " + std::to_string(numbers) + " are needed", "check the file");
  m_copies = true;
  if (!m_mayCopy) return {};
  const std::uint64_t at = copyFile().size();
  arrays::TextNumbers text(*m_file, array.begin, array.end);
  text.append(type, numbers, copyFile().file());
  return {arrays::partOf(m_shared.copy, at, bytes), false};
}

DataArrays::Found DataArrays::inPlace(const Source& source, std::uint64_t offset, std::uint64_t bytes) {
  std::byte head[8];
  mustLie(*source, offset, static_cast<std::uint64_t>(wordBytes()));
  source->readAt(offset, {head, static_cast<std::size_t>(wordBytes())});
  const std::uint64_t there = wordAt(head);
  // a 32-bit word cannot express more than 4 GiB; if it is smaller than it must be, it has overflowed
  const bool ranOver = !m_words.wideHeaders && there == (bytes & 0xffffffff);
  if (there < bytes && !ranOver) throw tooFew(there, bytes);
  offset += static_cast<std::uint64_t>(wordBytes());
  mustLie(*source, offset, bytes);
  return {arrays::partOf(source, offset, bytes), m_words.bigEndian};
}

DataArrays::Found DataArrays::ofBlocks(const Source& source, std::uint64_t offset, std::uint64_t bytes) {
  const auto word = static_cast<std::uint64_t>(wordBytes());
  std::byte head[24];
  mustLie(*source, offset, 3 * word);
  source->readAt(offset, {head, static_cast<std::size_t>(3 * word)});
  arrays::CompressedBlocks blocks;
  blocks.source = source;
  blocks.codec = m_words.codec;
  const std::uint64_t count = wordAt(head);
  blocks.blockBytes = wordAt(head + word);
  blocks.lastBlockBytes = wordAt(head + 2 * word);
  if (blocks.lastBlockBytes == 0) blocks.lastBlockBytes = blocks.blockBytes;
  offset += 3 * word;
  if (count > source->size() / word ||
      (count > 0 && (blocks.blockBytes == 0 || blocks.lastBlockBytes > blocks.blockBytes)))
    throw Corrupt("its table of blocks is wrong", "check that the copy is complete");
  mustLie(*source, offset, count * word);
  const auto there = static_cast<unsigned __int128>(count > 0 ? count - 1 : 0) * blocks.blockBytes +
                     (count > 0 ? blocks.lastBlockBytes : 0);
  if (there < bytes) throw tooFew(static_cast<std::uint64_t>(there), bytes);
  if (count == 0) return {arrays::partOf(source, offset, 0), m_words.bigEndian};
  const MemoryClaim claim = account().claimInEarnest(
      Purpose::Index, (count + 1) * sizeof(std::uint64_t) + count * word, "a table of blocks");
  std::vector<std::byte> sizes(static_cast<std::size_t>(count * word));
  source->readAt(offset, sizes);
  offset += count * word;
  blocks.places.reserve(static_cast<std::size_t>(count + 1));
  blocks.places.push_back(offset);
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::uint64_t size = wordAt(sizes.data() + n * word);
    mustLie(*source, offset, size);
    offset += size;
    blocks.places.push_back(offset);
  }
  const bool bigEndian = m_words.bigEndian;
  if (blocks.blockBytes > arrays::kMostBlockBytes) {
    Found found = unpackedCopy(blocks);
    if (found.bytes) found.bytes = arrays::partOf(found.bytes, 0, bytes);
    return found;
  }
  return {arrays::partOf(arrays::blockBytes(std::move(blocks), m_shared.blocks), 0, bytes), bigEndian};
}

/// For blocks that are too large to be unpacked repeatedly.
DataArrays::Found DataArrays::unpackedCopy(const arrays::CompressedBlocks& blocks) {
  m_copies = true;
  if (!m_mayCopy) return {};
  const std::uint64_t begin = copyFile().size();
  const std::size_t count = blocks.places.size() - 1;
  for (std::size_t n = 0; n < count; ++n) {
    StoppableWaits::throwIfStopped();
    const std::uint64_t bytes = n + 1 == count ? blocks.lastBlockBytes : blocks.blockBytes;
    const Source stored =
        arrays::partOf(blocks.source, blocks.places[n], blocks.places[n + 1] - blocks.places[n]);
    if (blocks.codec == arrays::BlockCodec::Zlib) {
      arrays::appendInflated(*stored, {0, 0, bytes, false}, copyFile().file());
      continue;
    }
    // such a block unpacks to at most 255 times its size
    if (bytes / 256 > stored->size()) throw Corrupt("its table of blocks is wrong", "check the file");
    const MemoryClaim claim =
        account().claimInEarnest(Purpose::Work, stored->size() + bytes, "a block of lz4");
    std::vector<std::byte> packed(static_cast<std::size_t>(stored->size())),
        out(static_cast<std::size_t>(bytes));
    stored->readAt(0, packed);
    arrays::unpackBlock(blocks.codec, packed, out);
    copyFile().file().writeAt(copyFile().size(), out);
  }
  return {arrays::partOf(m_shared.copy, begin, copyFile().size() - begin), m_words.bigEndian};
}

/// Base64 is decoded into a copy, with the headers, which is read as if it had been appended.
DataArrays::Found DataArrays::fromText(std::uint64_t begin, std::uint64_t end, std::uint64_t bytes) {
  const auto word = static_cast<std::uint64_t>(wordBytes());
  arrays::Base64Reader text(*m_file, begin, end);
  const std::uint64_t room = (end - std::min(end, begin)) / 4 * 3 + 3;
  m_copies = true;
  if (!m_mayCopy) return {};
  File& copy = copyFile().file();
  const std::uint64_t at = copyFile().size();
  std::uint64_t to = at;
  std::vector<std::byte> piece(64 * 1024);
  const auto take = [&](std::uint64_t count) {
    if (count > room) throw Corrupt("its base64 ends early", "check that the copy is complete");
    while (count > 0) {
      const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(count, piece.size()));
      text.read({piece.data(), part});
      copy.writeAt(to, {piece.data(), part});
      to += part;
      count -= part;
    }
  };
  if (!m_words.compressed) {
    take(word);
    take(bytes);
    return inPlace(m_shared.copy, at, bytes);
  }
  take(word);
  std::byte head[8];
  copy.readAt(at, {head, static_cast<std::size_t>(word)});
  const std::uint64_t count = wordAt(head);
  if (count > room / word) throw Corrupt("its table of blocks is wrong", "check that the copy is complete");
  take((2 + count) * word);
  std::uint64_t packed = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    copy.readAt(at + (3 + n) * word, {head, static_cast<std::size_t>(word)});
    const std::uint64_t size = wordAt(head);
    if (size > room - std::min(room, packed))
      throw Corrupt("its base64 ends early", "check that the copy is complete");
    packed += size;
  }
  take(packed);
  return ofBlocks(m_shared.copy, at, bytes);
}

}  // namespace farfield::vtkfile
