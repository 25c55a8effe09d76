#include "core/session/run/particles/particles_checkpoint.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/piecewise_checksum.h"
#include "core/session/json/session_json.h"
#include "core/session/kinds/shapes.h"

namespace farfield::session {
namespace {

constexpr std::uint64_t kMostRecords =
    512;  // copied at a time: so few that the system need not give new memory for them
constexpr std::uint64_t kCheckedBytes = std::uint64_t{1} << 16;  // at a time

/// A checksum of texts and numbers.
class Sum {
 public:
  void text(const std::string& text) {
    number(text.size());
    m_bytes.add(std::as_bytes(std::span(text)));
  }
  template <class T>
  void number(const T& value) {
    m_bytes.add(std::as_bytes(std::span(&value, 1)));
  }
  template <class T>
  void numbers(std::span<const T> values) {
    number(values.size());
    m_bytes.add(std::as_bytes(values));
  }
  std::uint64_t value() const { return m_bytes.value(); }

 private:
  paging::PiecewiseChecksum m_bytes;
};

/// Without what particles do not depend on.
Object withoutLooks(Object object) {
  Object bare;
  bare.name = object.name;
  bare.data = object.data;
  bare.color.by = object.color.by;
  bare.engine = object.engine;
  bare.budgetMs = object.budgetMs;
  bare.shape = session::withoutLooks(std::move(object.shape));
  return bare;
}

std::string wholeName(const std::string& source) {
  return isUrl(source) ? source : std::filesystem::absolute(source).lexically_normal().string();
}

std::filesystem::path pathsFile(const std::filesystem::path& checkpoint) {
  std::filesystem::path file = checkpoint;
  return file += ".paths";
}

template <class T>
std::span<const std::byte> bytesOf(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

constexpr const char* kDeleteIt = "delete it; the particles are then computed from the beginning";

[[noreturn]] void refuseDamaged(const std::filesystem::path& file) {
  throw Corrupt("is damaged, or was written by another version of Farfield", kDeleteIt)
      .at("file " + file.string());
}

/// The bytes before the checksum at the end. Throws Corrupt if it is that of other bytes.
std::uint64_t checkedBytes(const File& file) {
  const std::uint64_t size = file.size();
  std::uint64_t written = 0;
  if (size < sizeof written) refuseDamaged(file.path());
  const std::uint64_t end = size - sizeof written;
  paging::PiecewiseChecksum sum;
  std::vector<std::byte> bytes;
  for (std::uint64_t at = 0; at < end; at += bytes.size()) {
    bytes.resize(std::min(kCheckedBytes, end - at));
    file.readAt(at, bytes);
    sum.add(bytes);
  }
  file.readAt(end, std::as_writable_bytes(std::span(&written, 1)));
  if (written != sum.value()) refuseDamaged(file.path());
  return end;
}

/// A new file that ends with a checksum of what it holds.
class SummedFile {
 public:
  explicit SummedFile(const std::filesystem::path& path) : m_file(path) {}
  void write(std::span<const std::byte> bytes) {
    m_sum.add(bytes);
    m_file.write(bytes);
  }
  void commit() {
    const std::uint64_t sum = m_sum.value();
    m_file.write(bytesOf(sum));
    m_file.commit();
  }

 private:
  NewFile m_file;
  paging::PiecewiseChecksum m_sum;
};

}  // namespace

struct ParticlesCheckpoint::Head {
  std::uint64_t object = 0;  ///< of what: ownerOf()
  std::uint64_t purpose = 0;
  std::uint64_t sources = 0, solutions = 0;  ///< files of the data, of which more may have come since
  std::int64_t step = 0;
  std::uint64_t chosen = 0;    ///< steps up to and with `step`
  std::uint64_t releases = 0;  ///< that have been let go
  std::uint64_t pathBytes = 0, pathSum = 0, records = 0, recordBytes = 0, groups = 0;
  std::uint64_t values = 0;
};

/// Whose particles a checkpoint has: the object's, as far as they depend on it, of these data.
std::uint64_t ParticlesCheckpoint::ownerOf(const ParticlesRun& run, const fields::OpenData& data,
                                           const Head& head) {
  const auto particles = run.m_particles.load();
  Sum sum;
  Session alone;
  alone.objects.push_back(withoutLooks(run.object()));
  sum.text(toJson(alone));
  sum.number(particles->seeds);
  sum.number(particles->table->recordBytes());
  const paging::DatasetDescription& its = data.description();
  sum.text(its.format);
  for (const paging::BlockDescription& block : its.blocks) {
    sum.numbers(std::span<const std::int64_t>(block.dims));
    sum.number(block.kind);
    for (const Vec3& place : {block.origin, block.spacing})
      for (int axis = 0; axis < 3; ++axis) sum.number(place[axis]);
    if (block.axes)
      for (const std::vector<double>& axis : *block.axes) sum.numbers(std::span(axis));
    sum.number(block.cells);
  }
  for (const paging::ArrayDescription& array : its.arrays) {
    if (std::find(run.arrays().begin(), run.arrays().end(), array.name) == run.arrays().end()) continue;
    sum.text(array.name);
    sum.number(array.block);
    sum.number(array.components);
    sum.number(array.type);
  }
  if (const fields::OpenRequest* const request = data.request()) {
    const auto names = [&](const std::vector<std::string>& files, std::uint64_t count) {
      sum.number(count);
      for (std::size_t n = 0; n < count && n < files.size(); ++n) sum.text(wholeName(files[n]));
    };
    names(request->sources, head.sources);
    names(request->solutions, head.solutions);
    sum.text(request->reader);
    for (const auto& [key, value] : request->options) {
      sum.text(key);
      sum.text(value);
    }
  }
  return sum.value();
}

/// Of times, chosen steps and releases those count that the checkpoint has behind it: a series may have grown since.
std::uint64_t ParticlesCheckpoint::purposeOf(const ParticlesRun& run, const Head& head) {
  Sum sum;
  sum.numbers(std::span(std::as_const(run.m_times)).first(run.stepsBehind(head.step, run.m_times.size())));
  sum.numbers(std::span(std::as_const(run.m_chosen)).first(head.chosen));
  sum.numbers(std::span(std::as_const(run.m_releaseTimes)).first(head.releases));
  return sum.value();
}

void ParticlesCheckpoint::write(const ParticlesRun& run, const fields::OpenData& data,
                                const std::filesystem::path& path) {
  const auto particles = run.m_particles.load();
  const ParticleTable& table = *particles->table;
  Head head;
  if (const fields::OpenRequest* const request = data.request()) {
    head.sources = request->sources.size();
    head.solutions = request->solutions.size();
  }
  head.step = run.m_step;
  head.chosen = static_cast<std::uint64_t>(
      std::upper_bound(run.m_chosen.begin(), run.m_chosen.end(), run.m_step) - run.m_chosen.begin());
  head.releases = run.startedReleases();
  head.object = ownerOf(run, data, head);
  head.purpose = purposeOf(run, head);
  head.records = head.releases * particles->seeds;
  head.recordBytes = table.recordBytes();
  head.groups = head.releases * run.m_groupsPerRelease;
  head.values = static_cast<std::uint64_t>(table.values());
  if (particles->paths) {
    // the paths first: the other file refers to them
    const std::filesystem::path beside = pathsFile(path);
    ParticlesRun::SavedPaths& saved = run.m_saved;
    const bool first = saved.file != beside;
    // One of an earlier run needs the paths that these take the place of.
    if (std::error_code ignored; first) std::filesystem::remove(path, ignored);
    File file = File::openForWriting(beside, first);
    if (first) saved = {};
    particles->paths->copyTo(file, saved.bytes,
                             [&](std::span<const std::byte> part) { saved.sum.add(part); });
    file.close();
    saved.file = beside;
    saved.bytes = head.pathBytes = particles->paths->length();
    head.pathSum = saved.sum.value();
  }
  SummedFile file(path);
  file.write(std::as_bytes(std::span(std::string_view(kCheckpointHead))));
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

void ParticlesCheckpoint::remove(const std::filesystem::path& path) noexcept {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(pathsFile(path), ignored);
}

std::size_t ParticlesCheckpoint::read(ParticlesRun& run, const fields::OpenData& data,
                                      const RunSteps& steps) {
  if (!std::filesystem::exists(steps.checkpoint)) return 0;
  const auto particles = run.m_particles.load();
  ParticleTable& table = *particles->table;
  const File file = File::openForReading(steps.checkpoint);
  const std::uint64_t end = checkedBytes(file);
  std::uint64_t at = 0;
  const auto take = [&](std::span<std::byte> out) {
    if (out.size() > end - at) refuseDamaged(steps.checkpoint);
    file.readAt(at, out);
    at += out.size();
  };
  std::string mark(std::strlen(kCheckpointHead), '\0');
  take(std::as_writable_bytes(std::span(mark)));
  Head head;
  take(std::as_writable_bytes(std::span(&head, 1)));
  if (mark != kCheckpointHead) refuseDamaged(steps.checkpoint);
  if (head.object != ownerOf(run, data, head))
    throw Invalid("was left by a run of another object or of other data than this session's",
                  std::string("choose another output folder, or ") + kDeleteIt)
        .at("file " + steps.checkpoint.string());
  const std::size_t next = head.chosen;
  // Steps of which something is missing are computed again, and the state does not go back.
  if (head.step < 0 || static_cast<std::uint64_t>(head.step) >= run.m_times.size() ||
      next > run.m_chosen.size() || head.releases > run.m_releaseTimes.size() ||
      head.purpose != purposeOf(run, head) || next > steps.first || next == 0)
    return 0;
  if (head.recordBytes != table.recordBytes() || head.records != head.releases * particles->seeds ||
      head.values != static_cast<std::uint64_t>(table.values()) ||
      head.groups != head.releases * run.m_groupsPerRelease)
    refuseDamaged(steps.checkpoint);
  std::vector<std::uint8_t> alive(head.groups);
  take(std::as_writable_bytes(std::span(alive)));
  Bounds bounds;
  take(std::as_writable_bytes(std::span(&bounds, 1)));
  std::vector<std::array<double, 2>> ranges(head.values);
  take(std::as_writable_bytes(std::span(ranges)));
  if (end != at + head.records * head.recordBytes) refuseDamaged(steps.checkpoint);
  if (particles->paths) readPaths(run, head, pathsFile(steps.checkpoint));
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
}

void ParticlesCheckpoint::readPaths(ParticlesRun& run, const Head& head,
                                    const std::filesystem::path& beside) {
  const std::string place = "file " + beside.string();
  if (!std::filesystem::exists(beside))
    throw NotFound(
        "is missing; the checkpoint beside it needs it",
        std::string("bring it back, or delete the checkpoint, too: the particles are then computed ") +
            "from the beginning")
        .at(place);
  const File file = File::openForReading(beside);
  const auto refuse = [&] {
    throw Corrupt("is damaged, or does not belong to the checkpoint beside it",
                  "delete both; the particles are then computed from the beginning")
        .at(place);
  };
  // A log begins behind its first byte, which nobody writes where nothing has been followed yet.
  if (head.pathBytes < 1 || (head.pathBytes > 1 && file.size() < head.pathBytes)) refuse();
  ParticlesRun::SavedPaths saved;
  run.m_particles.load()->paths->copyFrom(file, head.pathBytes,
                                          [&](std::span<const std::byte> part) { saved.sum.add(part); });
  if (saved.sum.value() != head.pathSum) refuse();
  saved.file = beside;
  saved.bytes = head.pathBytes;
  run.m_saved = std::move(saved);
}

}  // namespace farfield::session
