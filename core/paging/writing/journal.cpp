#include "core/paging/writing/journal.h"

#include <algorithm>
#include <cstring>

#include "core/base/bytes.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/index_shape.h"

namespace farfield::paging::detail {
namespace {

constexpr char kMagic[8] = {'F', 'a', 'r', 'F', 'J', 'r', 'n', 'l'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 24;
/// Records are buffered up to this size. A killed process loses the pages of these, which are made again.
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
/// A header names every array; this is enough for some ten million.
constexpr std::uint32_t kMaxTextBytes = 1u << 31;

std::uint64_t headerBytes(const std::string& text) {
  return (kHeaderBytes + text.size() + 7) / 8 * 8;
}

bool isIntact(std::span<const std::byte> record, std::uint64_t sequence) {
  const std::byte* end = record.data() + record.size();
  return load<std::uint64_t>(end - 16) == sequence &&
         load<std::uint64_t>(end - 8) == checksum(record.first(record.size() - 8));
}

}  // namespace

Journal::Journal(File file, std::uint64_t headerBytes, const PageSequence& sequence)
    : m_file(std::move(file)), m_headerBytes(headerBytes), m_sequence(&sequence), m_aheadAt(headerBytes) {}

Journal Journal::create(const std::filesystem::path& path, const std::string& text,
                        const PageSequence& sequence) {
  Journal journal(File::openForWriting(path, true), headerBytes(text), sequence);
  std::vector<std::byte> header(journal.m_headerBytes);
  std::memcpy(header.data(), kMagic, sizeof kMagic);
  store(header.data() + 8, kVersion);
  store(header.data() + 12, static_cast<std::uint32_t>(text.size()));
  std::memcpy(header.data() + kHeaderBytes, text.data(), text.size());
  store(header.data() + 16, checksum({header.data() + kHeaderBytes, text.size()}));
  journal.m_file.writeAt(0, header);
  return journal;
}

Journal Journal::createBehind(const std::filesystem::path& path, const std::string& text,
                              const PageSequence& sequence, std::uint64_t first, EarlierRecords earlier) {
  Journal journal = create(path, text, sequence);
  journal.m_first = journal.m_entries = first;
  journal.m_earlier = std::move(earlier);
  return journal;
}

std::optional<std::string> Journal::textOf(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  const File file = File::openForReading(path);
  std::byte header[kHeaderBytes];
  if (file.readSomeAt(0, header) != kHeaderBytes || std::memcmp(header, kMagic, sizeof kMagic) != 0 ||
      load<std::uint32_t>(header + 8) != kVersion)
    return {};
  const auto bytes = load<std::uint32_t>(header + 12);
  if (bytes > kMaxTextBytes || bytes > file.size() - kHeaderBytes) return {};
  std::string text(bytes, '\0');
  const std::span<std::byte> span = std::as_writable_bytes(std::span(text));
  file.readAt(kHeaderBytes, span);
  if (checksum(span) != load<std::uint64_t>(header + 16)) return {};
  return text;
}

Journal Journal::open(const std::filesystem::path& path, const std::string& text,
                      const PageSequence& sequence) {
  return Journal(File::openForWriting(path, false), headerBytes(text), sequence);
}

std::optional<JournalEntry> Journal::readNext() {
  if (m_entries == m_sequence->count()) return {};
  const std::uint32_t array = m_sequence->page(m_entries).array;
  const std::size_t bytes = m_sequence->recordBytes(array);
  if (m_ahead.size() - m_aheadUsed < bytes) {
    m_ahead.erase(m_ahead.begin(), m_ahead.begin() + static_cast<std::ptrdiff_t>(m_aheadUsed));
    m_aheadUsed = 0;
    const std::size_t kept = m_ahead.size();
    m_ahead.resize(kept + std::max(bytes, kBufferBytes));
    const std::size_t got = m_file.readSomeAt(m_aheadAt, std::span(m_ahead).subspan(kept));
    m_ahead.resize(kept + got);
    m_aheadAt += got;
    if (m_ahead.size() < bytes) return {};
  }
  const std::span<const std::byte> record(m_ahead.data() + m_aheadUsed, bytes);
  if (!isIntact(record, m_entries)) return {};
  JournalEntry entry;
  entry.place = load<PagePlace>(record.data());
  const auto components = static_cast<int>((bytes - sizeof(PagePlace) - 24) / 16);
  entry.summary = loadSummary(record.data() + sizeof(PagePlace), components);
  m_aheadUsed += bytes;
  ++m_entries;
  return entry;
}

void Journal::cutTo(std::uint64_t entries) {
  m_file.resize(offsetOf(entries));
  m_entries = entries;
  m_ahead = {};
  m_aheadUsed = 0;
  m_aheadAt = offsetOf(entries);
}

void Journal::append(const JournalEntry& entry) {
  const std::size_t at = m_buffer.size();
  m_buffer.resize(at + journalRecordBytes(static_cast<int>(entry.summary.components.size())));
  const std::span<std::byte> record = std::span(m_buffer).subspan(at);
  store(record.data(), entry.place);
  storeSummary(record.data() + sizeof(PagePlace), entry.summary);
  store(record.data() + record.size() - 16, m_entries);
  store(record.data() + record.size() - 8, checksum(record.first(record.size() - 8)));
  ++m_entries;
  if (m_buffer.size() >= kBufferBytes) flush();
}

void Journal::flush() {
  if (m_buffer.empty()) return;
  m_file.writeAt(offsetOf(m_entries) - m_buffer.size(), m_buffer);
  m_buffer.clear();
}

void Journal::readRecords(std::uint32_t array, std::uint64_t firstPage, std::uint64_t count,
                          std::vector<std::byte>& records) const {
  const std::size_t bytes = m_sequence->recordBytes(array);
  records.resize(count * bytes);
  for (std::uint64_t done = 0; done < count;) {
    // Pages of one step lie together.
    const PageId id{array, firstPage + done};
    const std::uint64_t part = std::min(count - done, m_sequence->pagesLeftInStep(id));
    const std::uint64_t sequence = m_sequence->sequenceOf(id);
    const std::span<std::byte> out = std::span(records).subspan(done * bytes, part * bytes);
    if (sequence < m_first) {
      m_earlier(array, firstPage + done, part, bytes, out);
      done += part;
      continue;
    }
    m_file.readAt(offsetOf(sequence), out);
    for (std::uint64_t n = 0; n < part; ++n)
      if (!isIntact(out.subspan(n * bytes, bytes), sequence + n))
        throw Corrupt("entry " + std::to_string(sequence + n) + " is damaged",
                      "convert again, without --resume")
            .at("file " + m_file.path().string());
    done += part;
  }
}

}  // namespace farfield::paging::detail
