#pragma once
// All particles of an object: one record each in memory, as far as there is room, or in a file without a name, so that there
// can be many more of them than memory holds. A task reads a few neighbouring ones, moves them on, and writes them back.

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <span>
#include <vector>

#include "core/flow/particle.h"
#include "core/session/particles/roomy_spool.h"

namespace farfield::session {

/// A particle, and the labels of its last vertex.
struct ParticleRecord {
  flow::Particle particle;
  /// The last run of its path in a PathLog; 0: none.
  std::uint64_t lastRun = 0;
  bool isWritten = true;  ///< false: nothing is known of it, nor where it begins
  /// Of the functions at its last vertex; NaN before the first.
  boost::container::small_vector<double, 6> values;
};

/// Thread-safe; two tasks do not write the same particle.
class ParticleTable {
 public:
  /// For `count` particles with `values` numbers each; `room` may be null. Throws Io.
  ParticleTable(const std::filesystem::path& folder, std::uint64_t count, int values,
                std::shared_ptr<SpoolRoom> room);

  std::uint64_t count() const { return m_count; }
  int values() const { return m_values; }
  /// Fills `out` with the particles from number `first` on, in one access to the file. A particle that was
  /// never written is not alive and has no vertices. Throws Io.
  void read(std::uint64_t first, std::span<ParticleRecord> out) const;
  void write(std::uint64_t first, std::span<const ParticleRecord> records);

  /// As RoomySpool::leaveMemory(), while nobody writes.
  void leaveMemory();
  /// Visits all particles in order, reading many at a time. Throws Io, and what `visit` throws.
  void visit(const std::function<void(std::uint64_t number, const ParticleRecord&)>& visit) const;

  /// A record as bytes, for checkpoints: fixed in size, readable by the same program only.
  std::size_t recordBytes() const { return m_bytes; }
  void readBytes(std::uint64_t first, std::span<std::byte> out) const;
  void writeBytes(std::uint64_t first, std::span<const std::byte> bytes);
  /// Takes the records 0 … count-1 from `other`, which has the same values.
  void copyFrom(const ParticleTable& other, std::uint64_t count);

 private:
  void decode(const std::byte* bytes, ParticleRecord& out) const;
  void encode(std::span<const ParticleRecord> records, std::byte* out) const;
  std::uint64_t m_count;
  int m_values;
  std::size_t m_bytes;
  RoomySpool m_file;
  /// No reader sees half of a record.
  mutable std::shared_mutex m_mutex;
};

}  // namespace farfield::session
