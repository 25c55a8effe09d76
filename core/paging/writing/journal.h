#pragma once
// What the writer knows of the pages in a partial store: a file OUT.part.journal beside OUT.part, written
// after the pages it speaks of. It makes resuming possible, and it is the memory of finish(), which builds
// the index from it: what is held in RAM does not grow with the number of pages.
//
//   header:  magic "FarFJrnl", version u32, text bytes u32, checksum u64 of the text, the text (codec, then
//            the description: what the pages were made for)
//   records: one per page in the order of PageSequence: PagePlace, summary record, sequence number u64,
//            checksum u64 of the record before it

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/paging/store/page_summary.h"
#include "core/paging/store/store_format.h"
#include "core/paging/writing/page_sequence.h"

namespace farfield::paging::detail {

struct JournalEntry {
  PagePlace place;
  PageSummary summary;
};

/// One thread at a time.
class Journal {
 public:
  /// Starts an empty journal at `path`. The sequence outlives it.
  static Journal create(const std::filesystem::path& path, const std::string& text,
                        const PageSequence& sequence);
  /// The text of the journal at `path`; nothing when there is no intact header.
  static std::optional<std::string> textOf(const std::filesystem::path& path);
  /// Opens one whose text is known; entries are read one by one with readNext().
  static Journal open(const std::filesystem::path& path, const std::string& text,
                      const PageSequence& sequence);
  Journal(Journal&&) = default;

  /// The entry behind those read or appended so far, or nothing where there is none that is intact.
  std::optional<JournalEntry> readNext();
  /// Cuts off everything behind the first `entries`; the next append() follows them.
  void cutTo(std::uint64_t entries);
  std::uint64_t entries() const { return m_entries; }

  /// Appends; buffered. Throws Io.
  void append(const JournalEntry& entry);
  /// Writes what is buffered. Pages that it speaks of must have been written.
  void flush();
  /// Reads the records of pages [firstPage, firstPage + count) of `array`, which may span steps, into
  /// `records` (resized; recordBytes each, beginning with PagePlace and summary record). Throws Corrupt where
  /// one is damaged.
  void readRecords(std::uint32_t array, std::uint64_t firstPage, std::uint64_t count,
                   std::vector<std::byte>& records) const;

  const std::filesystem::path& path() const { return m_file.path(); }

 private:
  Journal(File file, std::uint64_t headerBytes, const PageSequence& sequence);
  std::uint64_t offsetOf(std::uint64_t entry) const {
    return m_headerBytes + m_sequence->recordOffset(entry);
  }

  File m_file;
  std::uint64_t m_headerBytes;
  const PageSequence* m_sequence;
  std::uint64_t m_entries = 0;      ///< read or appended
  std::vector<std::byte> m_buffer;  ///< of appended records, not yet written
  std::vector<std::byte> m_ahead;   ///< read ahead by readNext()
  std::size_t m_aheadUsed = 0;
  std::uint64_t m_aheadAt = 0;  ///< file position behind m_ahead
};

}  // namespace farfield::paging::detail
