#pragma once
// Numbered byte streams (*chains*) in one spool file. Each is written from its beginning by one task at a
// time while others write other chains. A chain is a list of blocks of the spool's block size; one that fits
// a block takes only what it needs and is written at once. A writer holds one block in memory, whatever the
// length of the result. The ends of all chains are in a directory at the front of the file, so that even the
// number of chains takes no memory. Finished chains can be read while others are being written.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/memory_account.h"
#include "core/session/results/spool_file.h"

namespace farfield::session {

/// A finished chain.
struct ChainEntry {
  std::uint64_t firstBlock = 0;  ///< offset in the file; 0 if the chain is empty
  std::uint64_t bytes = 0;
  std::array<std::int32_t, 3> tags{};  ///< chosen by the owner
  std::uint32_t finished = 0;          ///< 1; 0 if the chain was never finished
};
static_assert(sizeof(ChainEntry) == 32);

class ChainSpool {
 public:
  static constexpr std::size_t kLeastBlockBytes = 512;

  /// For chains 0 … chainCount-1. `blockBytes` is at least kLeastBlockBytes. Throws Io.
  ChainSpool(const std::filesystem::path& folder, std::uint64_t chainCount, std::size_t blockBytes,
             MemoryAccount& account);

  /// Writes one chain. Movable; belongs to one task. An unfinished chain counts as never written.
  class Writer {
   public:
    /// Throws Io (disk full).
    void append(std::span<const std::byte> data);
    /// Makes the chain readable. No appends after it. Throws Io.
    void finish(const std::array<std::int32_t, 3>& tags);
    std::uint64_t bytes() const { return m_bytes; }

   private:
    friend class ChainSpool;
    Writer(ChainSpool& spool, std::uint64_t chain, MemoryClaim claim);
    void flush(bool last);
    ChainSpool* m_spool;
    std::uint64_t m_chain, m_firstBlock = 0, m_block = 0, m_bytes = 0;
    std::vector<std::byte> m_buffer;
    MemoryClaim m_claim;
  };

  /// Starts chain `number`; its block is claimed from the account. Throws OverBudget. Thread-safe.
  Writer open(std::uint64_t number);

  /// Finishes those of the chains `first` … first + count - 1 that are not, each with `bytesEach` bytes, which `fill` puts in place;
  /// returns how many. All are written at once, so that a great many small chains cost little. At most a block each; memory of
  /// togetherBytes() is the caller's to claim. Nobody writes these chains meanwhile. `fill` may stop the task. Throws Io.
  std::size_t finishTogether(std::uint64_t first, std::size_t count, std::size_t bytesEach,
                             const std::array<std::int32_t, 3>& tags,
                             const std::function<void(std::uint64_t number, std::span<std::byte> out)>& fill);
  static std::uint64_t togetherBytes(std::size_t count, std::size_t bytesEach);

  /// Reads finished chains, one after the other. One thread per reader; any number of readers, at any time.
  class Reader {
   public:
    explicit Reader(const ChainSpool& spool);
    void start(const ChainEntry& entry);
    /// The next run of bytes, up to a block; empty at the end. Valid until the next call. Throws Io.
    std::span<const std::byte> next();

   private:
    const ChainSpool* m_spool;
    MemoryClaim m_claim;
    std::vector<std::byte> m_buffer;
    std::uint64_t m_block = 0, m_left = 0;
  };

  /// The directory in order. Thread-safe. Throws Io.
  void forEachEntry(const std::function<void(std::uint64_t number, const ChainEntry&)>& visit) const;
  ChainEntry entry(std::uint64_t number) const;

  std::uint64_t chainCount() const { return m_chainCount; }
  std::size_t blockBytes() const { return m_blockBytes; }
  MemoryAccount& account() const { return *m_account; }

 private:
  SpoolFile m_file;
  std::uint64_t m_chainCount;
  std::size_t m_blockBytes;
  MemoryAccount* m_account;
  /// Held while entries are read or written, so that a finished entry is read whole, and its chain too.
  mutable std::mutex m_directory;
};

}  // namespace farfield::session
