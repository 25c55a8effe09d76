#include "core/session/results/chain_spool.h"

#include <algorithm>
#include <cassert>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"

namespace farfield::session {
namespace {

/// Every block begins with the offset of the next one.
constexpr std::size_t kLinkBytes = sizeof(std::uint64_t);

}  // namespace

ChainSpool::ChainSpool(const std::filesystem::path& folder, std::uint64_t chainCount, std::size_t blockBytes,
                       MemoryAccount& account)
    : m_file(folder,
             static_cast<std::uint64_t>(checkedProduct(
                 {static_cast<std::int64_t>(chainCount), static_cast<std::int64_t>(sizeof(ChainEntry))}))),
      m_chainCount(chainCount),
      m_blockBytes(std::max(blockBytes, kLeastBlockBytes)),
      m_account(&account) {}

ChainSpool::Writer ChainSpool::open(std::uint64_t number) {
  return {*this, number, m_account->claim(Purpose::Results, m_blockBytes, "a result being made")};
}

ChainSpool::Writer::Writer(ChainSpool& spool, std::uint64_t chain, MemoryClaim claim)
    : m_spool(&spool), m_chain(chain), m_claim(std::move(claim)) {
  m_buffer.reserve(spool.m_blockBytes);
}

void ChainSpool::Writer::append(std::span<const std::byte> data) {
  m_bytes += data.size();
  while (!data.empty()) {
    if (m_buffer.size() == m_spool->m_blockBytes) flush(false);
    if (m_buffer.empty()) m_buffer.resize(kLinkBytes);
    const std::size_t n = std::min(data.size(), m_spool->m_blockBytes - m_buffer.size());
    m_buffer.insert(m_buffer.end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(n));
    data = data.subspan(n);
  }
}

void ChainSpool::Writer::flush(bool last) {
  if (m_block == 0) m_firstBlock = m_block = m_spool->m_file.allocate(m_buffer.size());
  std::uint64_t next = 0;
  if (!last) {
    // the offset of the next block is needed now, because this block names it
    next = m_spool->m_file.allocate(m_spool->m_blockBytes);
  }
  store(m_buffer.data(), next);
  m_spool->m_file.write(m_block, m_buffer);
  m_block = next;
  m_buffer.clear();
}

void ChainSpool::Writer::finish(const std::array<std::int32_t, 3>& tags) {
  if (!m_buffer.empty()) flush(true);
  const ChainEntry entry{m_firstBlock, m_bytes, tags, 1};
  {
    const std::lock_guard lock(m_spool->m_directory);
    m_spool->m_file.write(m_chain * sizeof entry, std::as_bytes(std::span(&entry, 1)));
  }
  m_buffer = {};
  m_claim.release();
}

std::uint64_t ChainSpool::togetherBytes(std::size_t count, std::size_t bytesEach) {
  return static_cast<std::uint64_t>(count) * (sizeof(ChainEntry) + kLinkBytes + bytesEach);
}

std::size_t ChainSpool::finishTogether(std::uint64_t first, std::size_t count, std::size_t bytesEach,
                                       const std::array<std::int32_t, 3>& tags,
                                       const std::function<void(std::uint64_t, std::span<std::byte>)>& fill) {
  assert(kLinkBytes + bytesEach <= m_blockBytes && first + count <= m_chainCount);
  std::vector<ChainEntry> entries(count);
  {
    const std::lock_guard lock(m_directory);
    m_file.read(first * sizeof(ChainEntry), std::as_writable_bytes(std::span(entries)));
  }
  const auto open = static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(), [](const ChainEntry& each) { return !each.finished; }));
  if (open == 0) return 0;
  // each is a last block, whose link is zero
  const std::size_t stride = kLinkBytes + bytesEach;
  std::vector<std::byte> blocks(open * stride);
  const std::uint64_t place = m_file.allocate(blocks.size());
  std::size_t at = 0;
  for (std::size_t n = 0; n < count; ++n) {
    if (entries[n].finished) continue;
    fill(first + n, std::span(blocks).subspan(at + kLinkBytes, bytesEach));
    entries[n] = {place + at, bytesEach, tags, 1};
    at += stride;
  }
  m_file.write(place, blocks);
  const std::lock_guard lock(m_directory);
  m_file.write(first * sizeof(ChainEntry), std::as_bytes(std::span(entries)));
  return open;
}

ChainSpool::Reader::Reader(const ChainSpool& spool)
    : m_spool(&spool),
      m_claim(spool.m_account->claim(Purpose::Results, spool.m_blockBytes, "reading results")),
      m_buffer(spool.m_blockBytes) {}

void ChainSpool::Reader::start(const ChainEntry& entry) {
  m_block = entry.firstBlock;
  m_left = entry.finished ? entry.bytes : 0;
}

std::span<const std::byte> ChainSpool::Reader::next() {
  if (m_left == 0) return {};
  StoppableWaits::throwIfStopped();
  const std::size_t payload =
      static_cast<std::size_t>(std::min<std::uint64_t>(m_left, m_spool->m_blockBytes - kLinkBytes));
  m_spool->m_file.read(m_block, std::span(m_buffer).first(kLinkBytes + payload));
  m_block = load<std::uint64_t>(m_buffer.data());
  m_left -= payload;
  return std::span(m_buffer).subspan(kLinkBytes, payload);
}

void ChainSpool::forEachEntry(const std::function<void(std::uint64_t, const ChainEntry&)>& visit) const {
  std::array<ChainEntry, 128> entries;
  for (std::uint64_t first = 0; first < m_chainCount; first += entries.size()) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(entries.size(), m_chainCount - first));
    StoppableWaits::throwIfStopped();
    {
      const std::lock_guard lock(m_directory);
      m_file.read(first * sizeof(ChainEntry), std::as_writable_bytes(std::span(entries).first(n)));
    }
    for (std::size_t i = 0; i < n; ++i) visit(first + i, entries[i]);
  }
}

ChainEntry ChainSpool::entry(std::uint64_t number) const {
  ChainEntry entry;
  const std::lock_guard lock(m_directory);
  m_file.read(number * sizeof entry, std::as_writable_bytes(std::span(&entry, 1)));
  return entry;
}

}  // namespace farfield::session
