#include "core/session/particles/particle_table.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <type_traits>

#include "core/base/stoppable_waits.h"

namespace farfield::session {
namespace {

constexpr std::uint64_t kVisitedAtATime = 256;

/// The part of a record that has a fixed size.
struct Fixed {
  flow::Particle particle;
  std::uint64_t lastRun = 0;
  std::uint64_t written = 0;
};
static_assert(std::is_trivially_copyable_v<Fixed>);

}  // namespace

ParticleTable::ParticleTable(const std::filesystem::path& folder, std::uint64_t count, int values,
                             std::shared_ptr<SpoolRoom> room)
    : m_count(count),
      m_values(values),
      m_bytes(sizeof(Fixed) + static_cast<std::size_t>(values) * sizeof(double)),
      m_file(folder, count * m_bytes, std::move(room)) {}

void ParticleTable::decode(const std::byte* bytes, ParticleRecord& out) const {
  Fixed fixed;
  std::memcpy(static_cast<void*>(&fixed), bytes, sizeof fixed);
  out.isWritten = fixed.written != 0;
  if (!out.isWritten) {
    out.values.assign(static_cast<std::size_t>(m_values), std::numeric_limits<double>::quiet_NaN());
    out.particle = {};
    out.lastRun = 0;
    out.particle.termination = flow::Termination::SeedOutside;
    return;
  }
  out.particle = fixed.particle;
  out.lastRun = fixed.lastRun;
  out.values.resize(static_cast<std::size_t>(m_values), boost::container::default_init);
  std::memcpy(out.values.data(), bytes + sizeof fixed, m_bytes - sizeof fixed);
}

void ParticleTable::encode(std::span<const ParticleRecord> records, std::byte* out) const {
  for (const ParticleRecord& record : records) {
    const Fixed fixed{record.particle, record.lastRun, 1};
    std::memcpy(out, static_cast<const void*>(&fixed), sizeof fixed);
    std::memcpy(out + sizeof fixed, record.values.data(), m_bytes - sizeof fixed);
    out += m_bytes;
  }
}

void ParticleTable::read(std::uint64_t first, std::span<ParticleRecord> out) const {
  const auto decodeAll = [&](const std::byte* bytes) {
    for (ParticleRecord& record : out) {
      decode(bytes, record);
      bytes += m_bytes;
    }
  };
  {
    const std::shared_lock lock(m_mutex);
    if (const std::byte* const there = m_file.inPlace(first * m_bytes, out.size() * m_bytes))
      return decodeAll(there);
  }
  std::vector<std::byte> bytes(out.size() * m_bytes);
  readBytes(first, bytes);
  decodeAll(bytes.data());
}

void ParticleTable::write(std::uint64_t first, std::span<const ParticleRecord> records) {
  {
    const std::unique_lock lock(m_mutex);
    if (std::byte* const there = m_file.inPlace(first * m_bytes, records.size() * m_bytes))
      return encode(records, there);
  }
  std::vector<std::byte> bytes(records.size() * m_bytes);
  encode(records, bytes.data());
  writeBytes(first, bytes);
}

void ParticleTable::leaveMemory() {
  const std::unique_lock lock(m_mutex);  // who reads in place
  m_file.leaveMemory();
}

void ParticleTable::visit(
    const std::function<void(std::uint64_t number, const ParticleRecord&)>& visit) const {
  std::vector<std::byte> bytes;
  ParticleRecord record;
  for (std::uint64_t first = 0; first < m_count; first += kVisitedAtATime) {
    StoppableWaits::throwIfStopped();
    const std::uint64_t count = std::min(kVisitedAtATime, m_count - first);
    bytes.resize(count * m_bytes);
    readBytes(first, bytes);
    for (std::uint64_t n = 0; n < count; ++n) {
      decode(bytes.data() + n * m_bytes, record);
      visit(first + n, record);
    }
  }
}

void ParticleTable::copyFrom(const ParticleTable& other, std::uint64_t count) {
  std::vector<std::byte> bytes;
  for (std::uint64_t first = 0; first < count; first += kVisitedAtATime) {
    bytes.resize(std::min(kVisitedAtATime, count - first) * m_bytes);
    other.readBytes(first, bytes);
    writeBytes(first, bytes);
  }
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
