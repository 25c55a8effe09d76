#include "core/session/run/particles_checkpoint.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/paging/pages/codec.h"
#include "core/session/session_json.h"

namespace farfield::session {
namespace {

constexpr std::uint64_t kMostRecords = 4096;  // copied at a time

/// What a checkpoint was made for; other particles have another value.
std::uint64_t purposeOf(const Object& object, std::span<const double> times,
                        std::span<const std::int64_t> chosen, std::size_t recordBytes,
                        std::uint64_t records) {
  Session alone;
  alone.objects.push_back(object);
  std::string text = toJson(alone) + std::to_string(recordBytes) + " " + std::to_string(records);
  const auto append = [&](auto numbers) {
    text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  };
  append(times);
  append(chosen);
  return paging::checksum(std::as_bytes(std::span(text)));
}

std::filesystem::path pathsFile(const std::filesystem::path& checkpoint) {
  std::filesystem::path file = checkpoint;
  return file += ".paths";
}

struct Head {
  std::uint64_t purpose = 0;
  std::int64_t step = 0;
  std::uint64_t pathBytes = 0, records = 0, recordBytes = 0, groups = 0;
  std::uint64_t values = 0;
};

template <class T>
std::span<const std::byte> bytesOf(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

void ParticlesCheckpoint::write(const ParticlesRun& run, const std::filesystem::path& path) {
  const auto particles = run.m_particles.load();
  const ParticleTable& table = *particles->table;
  Head head;
  head.purpose = purposeOf(run.object(), run.m_times, run.m_chosen, table.recordBytes(), table.count());
  head.step = run.m_step;
  head.records = table.count();
  head.recordBytes = table.recordBytes();
  head.groups = run.m_alive.size();
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
  file.write(std::as_bytes(std::span(run.m_alive)));
  const Bounds bounds = run.pathBounds();
  file.write(bytesOf(bounds));
  for (int value = 0; value < table.values(); ++value) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    file.write(bytesOf(run.pathRange(value).value_or(std::array<double, 2>{kNone, kNone})));
  }
  std::vector<std::byte> records;
  for (std::uint64_t first = 0; first < table.count(); first += kMostRecords) {
    records.resize(std::min(kMostRecords, table.count() - first) * table.recordBytes());
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
    if (mark != kCheckpointHead || head.records != table.count() || head.recordBytes != table.recordBytes() ||
        head.groups != run.m_alive.size() || head.values != static_cast<std::uint64_t>(table.values()) ||
        head.purpose !=
            purposeOf(run.object(), run.m_times, run.m_chosen, table.recordBytes(), table.count()))
      return 0;
    const auto after = std::upper_bound(run.m_chosen.begin(), run.m_chosen.end(), head.step);
    const auto next = static_cast<std::size_t>(after - run.m_chosen.begin());
    // if files of earlier steps are missing they are computed again, and the state cannot go back
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
    for (std::uint64_t first = 0; first < table.count(); first += kMostRecords) {
      records.resize(std::min(kMostRecords, table.count() - first) * table.recordBytes());
      take(records);
      table.writeBytes(first, records);
    }
    run.m_alive = std::move(alive);
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
