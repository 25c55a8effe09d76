#pragma once
// The numbers of a DataArray of VTK's XML files: raw appended ones in place, blocks compressed by zlib or lz4
// by unpacking them when they are read, base64 and text from a copy.

#include <memory>

#include "core/base/memory_account.h"
#include "plugins/arrays/block_bytes.h"
#include "plugins/arrays/copies.h"
#include "plugins/vtkfile/xml_elements.h"

namespace farfield::vtkfile {

/// Properties of all arrays, from the element VTKFile.
struct FileWords {
  bool bigEndian = false;
  bool wideHeaders = false;  ///< UInt64 before values, not UInt32
  bool compressed = false;
  arrays::BlockCodec codec = arrays::BlockCodec::Zlib;
  /// Offset of the appended values; 0: there are none.
  std::uint64_t appended = 0;
  bool appendedIsText = false;  ///< base64

  /// Throws Unsupported (unknown compressor), Corrupt.
  static FileWords from(const std::vector<XmlElement>& elements, const arrays::ByteSource& file);
};

/// What all files of a data set share: the blocks unpacked last, and the copy of what must be copied.
struct SharedArrays {
  explicit SharedArrays(MemoryAccount& account) : blocks(std::make_shared<arrays::BlockCache>(account)) {}
  /// The copy, made when it is needed first.
  arrays::GrowingCopy& copyFile();

  std::shared_ptr<arrays::BlockCache> blocks;
  std::shared_ptr<arrays::GrowingCopy> copy;
};

class DataArrays {
 public:
  /// With `copy` false values that need a copy are not read, and numbersOf() returns nothing for them.
  DataArrays(std::shared_ptr<const arrays::ByteSource> file, const FileWords& words, bool copy,
             SharedArrays& shared)
      : m_file(std::move(file)), m_words(words), m_mayCopy(copy), m_shared(shared) {}

  struct Found {
    std::shared_ptr<const arrays::ByteSource> bytes;
    bool bigEndian = false;  ///< of the numbers; a copy of text is native
  };
  /// Finds the `numbers` numbers of `type` of the element. Throws Corrupt, naming the array, if there are
  /// fewer, Unsupported, OverBudget.
  Found numbersOf(const XmlElement& array, arrays::NumberType type, std::uint64_t numbers);
  /// Whether some are copied.
  bool copies() const { return m_copies; }

 private:
  Found find(const XmlElement& array, arrays::NumberType type, std::uint64_t numbers);
  Found inPlace(const std::shared_ptr<const arrays::ByteSource>& source, std::uint64_t offset,
                std::uint64_t bytes);
  Found ofBlocks(const std::shared_ptr<const arrays::ByteSource>& source, std::uint64_t offset,
                 std::uint64_t bytes);
  Found fromText(std::uint64_t begin, std::uint64_t end, std::uint64_t bytes);
  Found unpackedCopy(const arrays::CompressedBlocks& blocks);
  arrays::GrowingCopy& copyFile() { return m_shared.copyFile(); }
  MemoryAccount& account() const { return m_shared.blocks->account(); }
  std::uint64_t wordAt(const std::byte* bytes) const;
  int wordBytes() const { return m_words.wideHeaders ? 8 : 4; }

  std::shared_ptr<const arrays::ByteSource> m_file;
  FileWords m_words;
  bool m_mayCopy, m_copies = false;
  SharedArrays& m_shared;
};

}  // namespace farfield::vtkfile
