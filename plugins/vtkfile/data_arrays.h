#pragma once
// The numbers of a DataArray of VTK's XML files: raw ones behind the XML in place, blocks compressed by zlib or lz4 by
// unpacking them where they are read, base64 and text as a copy.

#include <memory>

#include "core/base/memory_account.h"
#include "plugins/arrays/block_bytes.h"
#include "plugins/arrays/copies.h"
#include "plugins/vtkfile/xml_elements.h"

namespace farfield::vtkfile {

/// What the element VTKFile says of all arrays.
struct FileWords {
  bool bigEndian = false;
  bool wideHeaders = false;  ///< UInt64 in front of values, not UInt32
  bool compressed = false;
  arrays::BlockCodec codec = arrays::BlockCodec::Zlib;
  /// Where appended values begin; 0: there are none.
  std::uint64_t appended = 0;
  bool appendedIsText = false;  ///< base64

  /// Throws Unsupported (a compressor that is not known), Corrupt.
  static FileWords from(const std::vector<XmlElement>& elements, const arrays::ByteSource& file);
};

class DataArrays {
 public:
  /// With `copy` false values that would be copied are not, and numbersOf() gives nothing for them. `account`
  /// outlives this and all that it gives.
  DataArrays(std::shared_ptr<const arrays::ByteSource> file, const FileWords& words, bool copy,
             MemoryAccount& account)
      : m_file(std::move(file)), m_words(words), m_mayCopy(copy), m_account(account) {}

  struct Found {
    std::shared_ptr<const arrays::ByteSource> bytes;
    bool bigEndian = false;  ///< of them: a copy of text is native
  };
  /// Where the `numbers` numbers of `type` of the element are. Throws Corrupt, naming the array, where there are
  /// fewer, Unsupported, OverBudget.
  Found numbersOf(const XmlElement& array, arrays::NumberType type, std::uint64_t numbers);
  /// Some of them are copied.
  bool copies() const { return m_copies; }

 private:
  Found find(const XmlElement& array, arrays::NumberType type, std::uint64_t numbers);
  Found inPlace(const std::shared_ptr<const arrays::ByteSource>& source, std::uint64_t offset,
                std::uint64_t bytes);
  Found ofBlocks(const std::shared_ptr<const arrays::ByteSource>& source, std::uint64_t offset,
                 std::uint64_t bytes);
  Found fromText(std::uint64_t begin, std::uint64_t end, std::uint64_t bytes);
  Found unpackedCopy(const arrays::CompressedBlocks& blocks);
  arrays::GrowingCopy& copyFile();
  std::uint64_t wordAt(const std::byte* bytes) const;
  int wordBytes() const { return m_words.wideHeaders ? 8 : 4; }

  std::shared_ptr<const arrays::ByteSource> m_file;
  FileWords m_words;
  bool m_mayCopy, m_copies = false;
  MemoryAccount& m_account;
  std::shared_ptr<arrays::GrowingCopy> m_copy;
};

}  // namespace farfield::vtkfile
