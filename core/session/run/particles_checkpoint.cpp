#include "core/session/run/particles_checkpoint.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/paging/pages/codec.h"
#include "core/session/session_json.h"

namespace farfield::session {
namespace {

constexpr std::uint64_t kMostRecords =
    512;  // copied at a time: so few that the system need not give new memory for them

/// What a checkpoint was made for; other particles have another one. Of times, chosen steps and releases those count that
/// the checkpoint has behind it: a series may have grown since.
std::uint64_t purposeOf(const Object& object, std::span<const double> times,
                        std::span<const std::int64_t> chosen, std::span<const double> releases,
                        std::uint64_t seeds, std::size_t recordBytes) {
  Session alone;
  alone.objects.push_back(object);
  std::string text = toJson(alone) + std::to_string(recordBytes) + " " + std::to_string(seeds);
  const auto append = [&](auto numbers) {
    text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  };
  append(times);
  append(chosen);
  append(releases);
  return paging::checksum(std::as_bytes(std::span(text)));
}

std::filesystem::path pathsFile(const std::filesystem::path& checkpoint) {
  std::filesystem::path file = checkpoint;
  return file += ".paths";
}

template <class T>
std::span<const std::byte> bytesOf(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

struct ParticlesCheckpoint::Head {
  std::uint64_t purpose = 0;
  std::int64_t step = 0;
  std::uint64_t chosen = 0;    ///< steps up to and with `step`
  std::uint64_t releases = 0;  ///< that have been let go
  std::uint64_t pathBytes = 0, records = 0, recordBytes = 0, groups = 0;
  std::uint64_t values = 0;
};

std::uint64_t ParticlesCheckpoint::purposeOf(const ParticlesRun& run, const Head& head) {
  const auto particles = run.m_particles.load();
  return session::purposeOf(
      run.object(), std::span(run.m_times).first(run.stepsBehind(head.step, run.m_times.size())),
      std::span(run.m_chosen).first(head.chosen), std::span(run.m_releaseTimes).first(head.releases),
      particles->seeds, particles->table->recordBytes());
}

void ParticlesCheckpoint::write(const ParticlesRun& run, const std::filesystem::path& path) {
  const auto particles = run.m_particles.load();
  const ParticleTable& table = *particles->table;
  Head head;
  head.step = run.m_step;
  head.chosen = static_cast<std::uint64_t>(
      std::upper_bound(run.m_chosen.begin(), run.m_chosen.end(), run.m_step) - run.m_chosen.begin());
  head.releases = run.startedReleases();
  head.purpose = purposeOf(run, head);
  head.records = head.releases * particles->seeds;
  head.recordBytes = table.recordBytes();
  head.groups = head.releases * run.m_groupsPerRelease;
  head.values = static_cast<std::uint64_t>(table.values());
  if (particles->paths) {
    // the paths first: the other file refers to them
    const std::filesystem::path beside = pathsFile(path);
    const bool first = run.m_savedTo != beside;
    File file = File::openForWriting(beside, first);
    if (first) run.m_savedPaths = 1;
    particles->paths->copyTo(file, run.m_savedPaths);
    file.close();
    run.m_savedTo = beside;
    run.m_savedPaths = head.pathBytes = particles->paths->length();
  }
  NewFile file(path);
  file.write(kCheckpointHead);
  file.write(bytesOf(head));
  file.write(std::as_bytes(std::span(run.m_alive).first(head.groups)));
  const Bounds bounds = run.pathBounds();
  file.write(bytesOf(bounds));
  for (int value = 0; value < table.values(); ++value) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    file.write(bytesOf(run.pathRange(value).value_or(std::array<double, 2>{kNone, kNone})));
  }
  std::vector<std::byte> records;
  for (std::uint64_t first = 0; first < head.records; first += kMostRecords) {
    records.resize(std::min(kMostRecords, head.records - first) * table.recordBytes());
    table.readBytes(first, records);
    file.write(records);
  }
  file.commit();
}

std::size_t ParticlesCheckpoint::read(ParticlesRun& run, const RunSteps& steps) {
  const auto particles = run.m_particles.load();
  ParticleTable& table = *particles->table;
  try {
    const File file = File::openForReading(steps.checkpoint);
    std::uint64_t at = std::strlen(kCheckpointHead);
    const auto take = [&](std::span<std::byte> out) {
      file.readAt(at, out);
      at += out.size();
    };
    std::string mark(at, '\0');
    file.readAt(0, std::as_writable_bytes(std::span(mark)));
    Head head;
    take(std::as_writable_bytes(std::span(&head, 1)));
    const std::size_t next = head.chosen;
    if (mark != kCheckpointHead || head.recordBytes != table.recordBytes() ||
        head.values != static_cast<std::uint64_t>(table.values()) || head.step < 0 ||
        static_cast<std::uint64_t>(head.step) >= run.m_times.size() || next > run.m_chosen.size() ||
        head.releases > run.m_releaseTimes.size() || head.records != head.releases * particles->seeds ||
        head.groups != head.releases * run.m_groupsPerRelease || head.purpose != purposeOf(run, head))
      return 0;
    // Steps of which something is missing are computed again, and the state does not go back.
    if (next > steps.first || next == 0) return 0;
    std::vector<std::uint8_t> alive(head.groups);
    take(std::as_writable_bytes(std::span(alive)));
    Bounds bounds;
    take(std::as_writable_bytes(std::span(&bounds, 1)));
    std::vector<std::array<double, 2>> ranges(head.values);
    take(std::as_writable_bytes(std::span(ranges)));
    if (file.size() != at + head.records * head.recordBytes) return 0;
    if (particles->paths) {
      const std::filesystem::path beside = pathsFile(steps.checkpoint);
      const File paths = File::openForReading(beside);
      if (head.pathBytes < 1 || paths.size() < head.pathBytes) return 0;
      particles->paths->copyFrom(paths, head.pathBytes);
      run.m_savedTo = beside;
      run.m_savedPaths = head.pathBytes;
    }
    std::vector<std::byte> records;
    for (std::uint64_t first = 0; first < head.records; first += kMostRecords) {
      records.resize(std::min(kMostRecords, head.records - first) * table.recordBytes());
      take(records);
      table.writeBytes(first, records);
    }
    std::copy(alive.begin(), alive.end(), run.m_alive.begin());
    run.m_step = head.step;
    std::vector<double> least(head.values), most(head.values);
    for (std::size_t n = 0; n < ranges.size(); ++n) {
      least[n] = ranges[n][0];
      most[n] = ranges[n][1];
    }
    if (!bounds.empty()) {
      run.m_extent.add(bounds.min, least);
      run.m_extent.add(bounds.max, most);
    }
    return next;
  } catch (const Error&) {
    // cut short or missing: the run starts from the beginning
    return 0;
  }
}

}  // namespace farfield::session
