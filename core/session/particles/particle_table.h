#pragma once
// All particles of an object, on disk: what is known of each is one record in a file without a name, so that
// there can be many more of them than memory holds. A task reads a few neighbouring ones, moves them on, and
// writes them back.

#include <cstdint>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <span>
#include <vector>

#include "core/flow/particle.h"
#include "core/session/spool_file.h"

namespace farfield::session {

/// A particle, and what its last vertex is labelled with.
struct ParticleRecord {
  flow::Particle particle;
  std::uint64_t lastRun = 0;   ///< of its path, in a PathLog; 0: none
  std::vector<double> values;  ///< the functions' at its last vertex; NaN before the first
};

/// Thread-safe; two tasks do not write the same particle.
class ParticleTable {
 public:
  /// Of `count` particles with `values` numbers each, none of which has been written. Throws Io.
  ParticleTable(const std::filesystem::path& folder, std::uint64_t count, int values);

  std::uint64_t count() const { return m_count; }
  int values() const { return m_values; }
  /// As many as there are in `out`, from number `first` on, with one access to the file. Of a particle that was never
  /// written, one that is not alive and has no vertices. Throws Io.
  void read(std::uint64_t first, std::span<ParticleRecord> out) const;
  void write(std::uint64_t first, std::span<const ParticleRecord> records);

  /// All particles in order, so many at a time as are read at once. Throws Io, and what `visit` throws.
  void visit(const std::function<void(std::uint64_t number, const ParticleRecord&)>& visit) const;

  /// A record as bytes, for checkpoints: of one size, meaningful to the same program alone.
  std::size_t recordBytes() const { return m_bytes; }
  void readBytes(std::uint64_t first, std::span<std::byte> out) const;
  void writeBytes(std::uint64_t first, std::span<const std::byte> bytes);
  /// The records 0 … count-1 of `other`, which has the same values.
  void copyFrom(const ParticleTable& other, std::uint64_t count);

 private:
  void decode(std::span<const std::byte> bytes, ParticleRecord& out) const;
  std::uint64_t m_count;
  int m_values;
  std::size_t m_bytes;
  SpoolFile m_file;
  mutable std::shared_mutex m_mutex;  ///< nobody sees half of a record
};

}  // namespace farfield::session
