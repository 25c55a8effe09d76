#pragma once
// The writer's records of the pages in a partial store: a file OUT.part.journal beside OUT.part, written
// after the pages. Resuming uses it, and finish() builds the index from it, so that memory does not grow with
// the number of pages.
//
//   header:  magic "FarFJrnl", version u32, text bytes u32, checksum u64 of the text, the text (codec, then
//            the description: what the pages were made for)
//   records: one per page in the order of PageSequence: PagePlace, summary record, sequence number u64,
//            checksum u64 of the record before it

#include <filesystem>
#include <functional>
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

/// What a store knew of its pages before it grew. Fills in `count` records of `recordBytes` each, as far as the
/// summary record.
using EarlierRecords = std::function<void(std::uint32_t array, std::uint64_t firstPage, std::uint64_t count,
                                          std::size_t recordBytes, std::span<std::byte> records)>;

/// One thread at a time.
class Journal {
 public:
  /// Starts an empty journal at `path`. The sequence outlives it.
  static Journal create(const std::filesystem::path& path, const std::string& text,
                        const PageSequence& sequence);
  /// The same for a store that has `first` pages of the sequence already, which `earlier` knows.
  static Journal createBehind(const std::filesystem::path& path, const std::string& text,
                              const PageSequence& sequence, std::uint64_t first, EarlierRecords earlier);
  /// The text of the journal at `path`; nothing if it has no intact header.
  static std::optional<std::string> textOf(const std::filesystem::path& path);
  /// Opens a journal whose text is known; entries are read one by one with readNext().
  static Journal open(const std::filesystem::path& path, const std::string& text,
                      const PageSequence& sequence);
  Journal(Journal&&) = default;

  /// The entry after those read or appended so far; nothing if there is no intact one.
  std::optional<JournalEntry> readNext();
  /// Removes everything after the first `entries`; the next append() continues there.
  void cutTo(std::uint64_t entries);
  std::uint64_t entries() const { return m_entries; }

  /// Appends; buffered. Throws Io.
  void append(const JournalEntry& entry);
  /// Writes what is buffered. The pages must have been written before.
  void flush();
  /// Reads the records of pages [firstPage, firstPage + count) of `array`, which may span steps, into
  /// `records` (resized; recordBytes each, beginning with PagePlace and summary record). Throws Corrupt if
  /// one is damaged.
  void readRecords(std::uint32_t array, std::uint64_t firstPage, std::uint64_t count,
                   std::vector<std::byte>& records) const;

  const std::filesystem::path& path() const { return m_file.path(); }

 private:
  Journal(File file, std::uint64_t headerBytes, const PageSequence& sequence);
  std::uint64_t offsetOf(std::uint64_t entry) const {
    return m_headerBytes + m_sequence->recordOffset(entry) - m_sequence->recordOffset(m_first);
  }

  File m_file;
  std::uint64_t m_headerBytes;
  const PageSequence* m_sequence;
  std::uint64_t m_first = 0;  ///< pages of which m_earlier knows
  EarlierRecords m_earlier;
  std::uint64_t m_entries = 0;      ///< read or appended, after those
  std::vector<std::byte> m_buffer;  ///< appended records not yet written
  std::vector<std::byte> m_ahead;   ///< read ahead by readNext()
  std::size_t m_aheadUsed = 0;
  std::uint64_t m_aheadAt = 0;  ///< file position after m_ahead
};

}  // namespace farfield::paging::detail
