#pragma once
// What takes the new vertices of particles while they move: the record that is kept of each has its last one, the log of paths all of
// them, and the extent what they reach.

#include <algorithm>
#include <optional>
#include <span>

#include "core/flow/particle_group.h"
#include "core/session/run/particles/particles_run.h"

namespace farfield::session {

/// Of one particle. Belongs to a task, as what it writes to.
class RecordSink final : public flow::LineSink {
 public:
  /// Of the record itself only the last one is kept.
  RecordSink(ParticleRecord& record, PathLog::Writer& paths, PathExtent& extent)
      : m_record(record), m_paths(paths), m_extent(extent) {
    m_paths.begin(record.lastRun);
  }
  ~RecordSink() override { m_paths.end(); }

  void vertex(Vec3 point, double time, std::span<const double> values) override {
    values = values.first(m_record.values.size());
    std::copy(values.begin(), values.end(), m_record.values.begin());
    m_extent.addToRanges(point, values.data());
    m_extent.latest = std::max(m_extent.latest, time);
    m_extent.oldest = std::max(m_extent.oldest, time - m_record.particle.release);
    m_paths.vertex(point, time, values);
  }

 private:
  ParticleRecord& m_record;
  PathLog::Writer& m_paths;
  PathExtent& m_extent;
};

/// Of several.
class RecordSinks final : public flow::GroupSink {
 public:
  RecordSinks(std::span<ParticleRecord* const> records, PathLog::Writer& paths, PathExtent& extent)
      : m_records(records), m_paths(paths), m_extent(extent) {}
  flow::LineSink& of(std::size_t n) override {
    m_sink.reset();
    return m_sink.emplace(*m_records[n], m_paths, m_extent);
  }

 private:
  std::span<ParticleRecord* const> m_records;
  PathLog::Writer& m_paths;
  PathExtent& m_extent;
  std::optional<RecordSink> m_sink;
};

}  // namespace farfield::session
