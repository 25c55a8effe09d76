#include "core/session/particles/particle_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <type_traits>

namespace farfield::session {
namespace {

/// The part of a record that has one size.
struct Fixed {
  flow::Particle particle;
  std::uint64_t lastRun = 0;
  std::uint64_t written = 0;
};
static_assert(std::is_trivially_copyable_v<Fixed>);

}  // namespace

ParticleTable::ParticleTable(const std::filesystem::path& folder, std::uint64_t count, int values)
    : m_count(count),
      m_values(values),
      m_bytes(sizeof(Fixed) + static_cast<std::size_t>(values) * sizeof(double)),
      m_file(folder, count * m_bytes) {}

void ParticleTable::read(std::uint64_t number, ParticleRecord& out) const {
  std::vector<std::byte> bytes(m_bytes);
  readBytes(number, bytes);
  Fixed fixed;
  std::memcpy(static_cast<void*>(&fixed), bytes.data(), sizeof fixed);
  out.values.assign(static_cast<std::size_t>(m_values), std::numeric_limits<double>::quiet_NaN());
  out.particle = {};
  out.lastRun = 0;
  if (!fixed.written) {
    out.particle.termination = flow::Termination::SeedOutside;
    return;
  }
  out.particle = fixed.particle;
  out.lastRun = fixed.lastRun;
  std::memcpy(out.values.data(), bytes.data() + sizeof fixed, m_bytes - sizeof fixed);
}

void ParticleTable::write(std::uint64_t number, const ParticleRecord& record) {
  const Fixed fixed{record.particle, record.lastRun, 1};
  std::vector<std::byte> bytes(m_bytes);
  std::memcpy(bytes.data(), static_cast<const void*>(&fixed), sizeof fixed);
  std::memcpy(bytes.data() + sizeof fixed, record.values.data(), m_bytes - sizeof fixed);
  writeBytes(number, bytes);
}

void ParticleTable::readBytes(std::uint64_t first, std::span<std::byte> out) const {
  const std::shared_lock lock(m_mutex);
  m_file.read(first * m_bytes, out);
}

void ParticleTable::writeBytes(std::uint64_t first, std::span<const std::byte> bytes) {
  const std::unique_lock lock(m_mutex);
  m_file.write(first * m_bytes, bytes);
}

}  // namespace farfield::session
