#include "plugins/nrrd/nrrd_reader.h"

#include <algorithm>
#include <functional>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/url.h"
#include "plugins/arrays/copies.h"
#include "plugins/arrays/same_place.h"
#include "plugins/nrrd/nrrd_axes.h"
#include "plugins/nrrd/nrrd_header.h"

namespace farfield::nrrd {
namespace {

using arrays::ByteSource;
using SourcePointer = std::shared_ptr<const ByteSource>;

const std::vector<std::string> kOptions = {"axes", "endian", "name", "spacing", "origin", "vectors"};

/// The offset after `lines` line ends from `offset` on.
std::uint64_t afterLines(const ByteSource& file, std::uint64_t offset, std::int64_t lines) {
  std::vector<char> piece(64 * 1024);
  while (lines > 0) {
    const std::uint64_t left = file.size() - std::min(file.size(), offset);
    StoppableWaits::throwIfStopped();
    if (left == 0) throw Corrupt("has fewer lines than its header skips", "check that the copy is complete");
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
    file.readAt(offset, std::as_writable_bytes(std::span(piece.data(), bytes)));
    std::size_t used = 0;
    while (used < bytes && lines > 0)
      if (piece[used++] == '\n') --lines;
    offset += used;
  }
  return offset;
}

/// Appends the hexadecimal digits of a text as bytes.
void appendHex(const ByteSource& file, std::uint64_t offset, std::uint64_t bytes, File& copy) {
  arrays::TextNumbers words(file, offset);
  std::vector<std::byte> out;
  std::uint64_t written = 0, to = copy.size();
  int high = -1;
  const auto flush = [&] {
    copy.writeAt(to, out);
    to += out.size();
    out.clear();
  };
  while (written < bytes) {
    const std::string_view word = words.word();
    if (word.empty())
      throw Corrupt("holds " + std::to_string(written) + " bytes of values where " + std::to_string(bytes) +
                        " are needed",
                    "check that the copy is complete");
    for (const char letter : word) {
      const int digit = letter >= '0' && letter <= '9'   ? letter - '0'
                        : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                        : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                                         : -1;
      if (digit < 0) throw Corrupt("has a letter that is no hexadecimal digit", "check the file");
      if (high < 0) {
        high = digit;
        continue;
      }
      if (written++ < bytes) out.push_back(static_cast<std::byte>(16 * high + digit));
      high = -1;
    }
    if (out.size() > 64 * 1024) flush();
  }
  flush();
}

class Values {
 public:
  using Open = std::function<SourcePointer(const std::string& name)>;
  Values(const NrrdHeader& header, std::vector<std::string> files, bool copy, Open open)
      : m_header(header), m_files(std::move(files)), m_copy(copy), m_open(std::move(open)) {}

  /// All values of the file in order, `bytes` of them. Nothing if they would have to be copied and are not.
  SourcePointer find(std::uint64_t bytes) {
    if (bytes % m_files.size() != 0)
      throw Corrupt("names " + std::to_string(m_files.size()) + " files, which do not share its " +
                        std::to_string(bytes) + " bytes of values equally",
                    "check the sizes and the data file");
    const std::uint64_t each = bytes / m_files.size();
    std::vector<SourcePointer> parts;
    for (const auto& file : m_files) {
      try {
        SourcePointer source = m_open(file);
        fileBytes += source->size();
        addPart(std::move(source), each, parts);
      } catch (Error& error) {
        if (m_header.detached && !arrays::namesFile(error)) error.at(saidOf(file));
        throw;
      }
    }
    if (!m_copied.isOpen()) return parts.empty() ? nullptr : arrays::joined(std::move(parts));
    return arrays::openFileBytes(std::move(m_copied));
  }
  std::uint64_t fileBytes = 0;

 private:
  void addPart(SourcePointer source, std::uint64_t bytes, std::vector<SourcePointer>& parts) {
    const std::uint64_t size = source->size();
    std::uint64_t offset = m_header.detached ? 0 : m_header.dataOffset;
    if (offset > size) throw Corrupt("ends in its header", "check that the copy is complete");
    offset = afterLines(*source, offset, m_header.lineSkip);
    const bool fromEnd = m_header.byteSkip < 0;
    const auto skip = static_cast<std::uint64_t>(std::max<std::int64_t>(0, m_header.byteSkip));
    if (m_header.encoding == Encoding::Raw) {
      if (fromEnd && size >= bytes) offset = std::max(offset, size - bytes);
      if (!fromEnd) offset += std::min(skip, size);
      if (offset > size || size - offset < bytes)
        throw Corrupt("is too short: " + std::to_string(size) + " bytes where " +
                          std::to_string(offset + bytes) + " are needed",
                      "check that the copy is complete");
      parts.push_back(arrays::partOf(std::move(source), offset, bytes));
      return;
    }
    if (m_header.encoding == Encoding::Bzip2)
      throw Unsupported("is compressed by bzip2, which is not read",
                        "unpack it: teem's unu save -e raw, or any program that reads NRRD");
    if (!m_copy) return;
    if (!m_copied.isOpen()) m_copied = arrays::makeCopy();
    if (m_header.encoding == Encoding::Gzip)
      return arrays::appendInflated(*source, {offset, skip, bytes, fromEnd}, m_copied);
    if (fromEnd) throw Corrupt("skips to the last bytes of text", "check the header");
    offset += std::min(skip, size);
    if (m_header.encoding == Encoding::Hex) return appendHex(*source, offset, bytes, m_copied);
    arrays::TextNumbers numbers(*source, offset);
    numbers.append(m_header.type, bytes / static_cast<std::uint64_t>(arrays::bytesOf(m_header.type)),
                   m_copied);
  }

  const NrrdHeader& m_header;
  std::vector<std::string> m_files;  ///< that have the values, in order
  bool m_copy;
  Open m_open;
  File m_copied;
};

const char* wordsFor(Encoding encoding) {
  switch (encoding) {
    case Encoding::Raw:
      return "raw, read in place";
    case Encoding::Ascii:
      return "text, copied as numbers into a temporary file";
    case Encoding::Hex:
      return "hexadecimal text, copied as numbers into a temporary file";
    case Encoding::Gzip:
      return "compressed by gzip, unpacked into a temporary file";
    case Encoding::Bzip2:
      break;
  }
  return "compressed by bzip2";
}

arrays::Piece pieceOf(const AxisRoles& roles, SourcePointer bytes) {
  arrays::Piece piece{{{0, 0, 0}, roles.dims}, std::move(bytes), 0, {}, 0};
  for (std::size_t a = 0; a < 3; ++a)
    if (roles.space[a] >= 0) piece.strides[a] = roles.strides[static_cast<std::size_t>(roles.space[a])];
  if (roles.components >= 0)
    piece.componentStride = roles.strides[static_cast<std::size_t>(roles.components)];
  return piece;
}

}  // namespace

NrrdData describeNrrd(const fields::OpenRequest& request, bool copy, const paging::ByteStores& stores) {
  const std::vector<std::string>& files = request.sources;
  const arrays::Options& options = request.options;
  arrays::checkOptions(options, kOptions);
  const auto pool = arrays::makeFilePool();
  NrrdData data;
  arrays::PlacedArray placed;
  AxisRoles first;
  const auto letters = options.find("axes");
  bool hasValues = true;
  std::uint64_t stored = 0;
  for (const std::string& file : files) {
    try {
      const SourcePointer source = arrays::namedBytes(file, stores, pool, data.objects);
      const NrrdHeader header = readHeader(*source);
      AxisRoles roles = rolesOf(header, letters == options.end() ? std::string() : letters->second);
      const bool isText = header.encoding == Encoding::Ascii;
      const auto told = arrays::endianOption(options);
      const bool bigEndian = !isText && told.value_or(header.bigEndian.value_or(false));
      if (!told && !header.bigEndian && !isText && arrays::bytesOf(header.type) > 1)
        throw Corrupt("does not say the byte order of its numbers", "give the option endian: little or big");
      if (placed.steps.empty()) {
        placed.type = header.type;
        placed.bigEndian = bigEndian;
        placed.components = static_cast<int>(roles.componentCount);
        first = roles;
        data.explain.push_back(std::string(arrays::nameOf(header.type)) + ", " + wordsFor(header.encoding));
        data.explain.push_back(roles.said);
        data.explain.insert(data.explain.end(), header.notes.begin(), header.notes.end());
        if (arrays::losesDigits(header.type))
          data.explain.push_back("64-bit integers become f64, exact up to 2^53");
        data.description = arrays::describeBlock("nrrd", roles.dims);
        if (!header.space.empty()) data.description.attributes["space"] = header.space;
        if (!header.content.empty()) data.description.attributes["content"] = header.content;
      } else if (roles.dims != first.dims || roles.componentCount != first.componentCount ||
                 header.type != placed.type || bigEndian != placed.bigEndian || roles.stepCount != 1 ||
                 first.stepCount != 1) {
        throw Invalid("is unlike the first of the files, or has several steps itself",
                      "give files of one kind and size, a step each");
      } else {
        arrays::checkSamePlace({first.origin, first.directions}, {roles.origin, roles.directions}, first.dims,
                               options);
      }
      std::int64_t all = arrays::bytesOf(header.type);
      for (const NrrdAxis& axis : header.axes) all = checkedProduct({all, axis.size});
      std::vector<std::string> parts;
      for (const std::string& named : header.dataFiles)
        parts.push_back(fields::namedFile(request, file, named));
      if (!header.detached) parts = {file};
      Values values(header, std::move(parts), copy, [&](const std::string& name) {
        data.valueFiles.emplace_back(name);
        return arrays::namedBytes(name, stores, pool, data.objects);
      });
      SourcePointer bytes = values.find(static_cast<std::uint64_t>(all));
      stored += values.fileBytes + (header.detached ? source->size() : 0);
      hasValues = hasValues && bytes != nullptr;
      placed.steps.push_back({pieceOf(roles, std::move(bytes))});
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(file));
      throw;
    }
  }
  const std::int64_t steps = files.size() > 1 ? static_cast<std::int64_t>(files.size()) : first.stepCount;
  if (first.steps >= 0) placed.stepStride = first.strides[static_cast<std::size_t>(first.steps)];
  if (hasValues) arrays::checkPlaces(placed, steps);

  data.description.times.clear();
  for (std::int64_t n = 0; n < steps; ++n) data.description.times.push_back(static_cast<double>(n));
  data.description.storedBytes = stored;
  data.description.attributes["source"] = lastPartOf(files.front());
  const auto name = options.find("name");
  data.description.arrays.push_back(arrays::describeArray(
      arrays::usableName(name == options.end() ? "value" : name->second, data.description), first.dims,
      placed.components, arrays::keptAs(placed.type), steps));
  data.places.emplace_back(std::move(placed));
  arrays::makeVectors(options, data.description, data.places);
  Vec3 origin = arrays::vectorOption(options, "origin").value_or(first.origin);
  std::array<Vec3, 3> directions = first.directions;
  if (const auto spacing = arrays::vectorOption(options, "spacing"))
    directions = {Vec3{spacing->x, 0, 0}, Vec3{0, spacing->y, 0}, Vec3{0, 0, spacing->z}};
  try {
    arrays::placeNodes(origin, directions, data.description, data.places);
  } catch (Error& error) {
    error.at(saidOf(files.front()));
    throw;
  }
  return data;
}

}  // namespace farfield::nrrd
