#include "core/session/kinds/pathlines/pathlines_run.h"

#include <array>
#include <optional>

#include "core/session/results/vtp_writer.h"
#include "core/session/run/particles/particle_colors.h"

namespace farfield::session {
namespace {

// columns of a vertex as it is written and drawn; the functions' values follow
constexpr int kTime = 3, kAge = 4, kRelease = 5, kSeed = 6, kValues = 7;

/// The paths of all particles so far, in the order of the particles.
class Paths final : public Polylines {
 public:
  /// `known`: of those of which anything is known, which are seen; their vertices alone are visited.
  Paths(std::shared_ptr<const Particles> particles, std::uint64_t vertices, bool known = false)
      : m_particles(std::move(particles)), m_vertices(vertices), m_known(known) {}
  int width() const override { return kValues + m_particles->table->values(); }
  std::uint64_t lineCount() const override { return m_particles->table->count(); }
  std::uint64_t vertexCount() const override { return m_vertices; }

  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override {
    m_particles->table->visit([&](std::uint64_t n, const ParticleRecord& record) {
      // Those that are still on their way have reached the last of the times.
      const flow::Termination end =
          record.particle.alive() ? flow::Termination::MaxTime : record.particle.termination;
      const std::array<double, 3> cells{seedOf(n), releaseOf(n), static_cast<double>(end)};
      visit({n, pathVerticesOf(record), cells});
    });
  }

  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const override {
    const auto width = static_cast<std::size_t>(this->width());
    const auto values = static_cast<std::size_t>(m_particles->table->values());
    std::vector<double> out;
    std::optional<PathLog::Reader> paths;
    if (m_particles->paths) paths.emplace(*m_particles->paths);
    m_particles->table->visit([&](std::uint64_t n, const ParticleRecord& record) {
      if (m_known && !record.isWritten) return;
      const PolylineSummary line{n, pathVerticesOf(record), {}};
      const auto put = [&](const double* point, double time, const double* its) {
        out.insert(out.end(),
                   {point[0], point[1], point[2], time, time - releaseOf(n), releaseOf(n), seedOf(n)});
        out.insert(out.end(), its, its + values);
      };
      out.clear();
      if (record.lastRun == 0) {
        // a cell without points makes VTK's filters crash
        const Vec3 at = record.particle.position;
        put(std::array{at.x, at.y, at.z}.data(), releaseOf(n), record.values.data());
        return visit(line, out);
      }
      paths->visit(record.lastRun, [&](std::span<const double> vertices) {
        out.clear();
        out.reserve(vertices.size() / (4 + values) * width);
        for (const double* v = vertices.data(); v < vertices.data() + vertices.size(); v += 4 + values)
          put(v, v[3], v + 4);
        visit(line, out);
      });
    });
  }

 private:
  double seedOf(std::uint64_t n) const { return static_cast<double>(n % m_particles->seeds); }
  double releaseOf(std::uint64_t n) const { return m_particles->releases[n / m_particles->seeds]; }
  std::shared_ptr<const Particles> m_particles;
  std::uint64_t m_vertices;
  bool m_known;
};

const OwnColors kOwn{{"time", kTime}, {"age", kAge}, {"release", kRelease}, {"seed", kSeed}};

}  // namespace

PathlinesRun::PathlinesRun(const Object& object, const paging::DatasetDescription& description)
    : ParticlesRun(object, description,
                   {std::get<Pathlines>(object.shape).vector, std::get<Pathlines>(object.shape).seeds,
                    std::get<Pathlines>(object.shape).release, std::get<Pathlines>(object.shape).integrator,
                    std::get<Pathlines>(object.shape).between, false, true},
                   namesOf(kOwn)),
      m_lines(std::get<Pathlines>(object.shape)) {}

std::shared_ptr<const Polylines> PathlinesRun::lines() const {
  return std::make_shared<Paths>(particles(), pathVertices());
}

void PathlinesRun::writeGeometry(const std::filesystem::path& path) const {
  LineFileContents contents;
  contents.vertices = {{"time", kTime, 1}, {vectorName(), kValues, 3}};
  contents.cells = {{"seed"}, {"release", false}, {"termination"}};
  contents.vectors = vectorName();
  contents.terminations = true;
  contents.asPoints = m_lines.asPoints;
  addColor(contents, m_colorName, columnOf(kOwn, m_colorName, colorValue(), kValues));
  writeLines(path, *lines(), contents);
}

/// Of a column that is no function. Known as vertices are made: a picture is asked for again and again while there are more of them.
std::optional<std::array<double, 2>> PathlinesRun::rangeOfOwn(int column) const {
  const auto its = particles();
  if (its->table->count() == 0) return std::nullopt;
  if (column == kRelease) return std::array{its->releases.front(), its->releases.back()};
  if (column == kSeed) return std::array{0.0, static_cast<double>(its->seeds - 1)};
  if (const auto spans = pathSpans()) return column == kTime ? spans->times : spans->ages;
  return rangeOf(*lines(), column);
}

scene::SceneItem PathlinesRun::item(const Object& look) const {
  const auto its = particles();
  const auto column = columnOf(kOwn, m_colorName, colorValue(), kValues);
  if (!its) return describedItem(look, std::nullopt);
  std::optional<std::array<double, 2>> range;
  if (colorValue())
    range = pathRange(*colorValue());
  else if (column)
    range = rangeOfOwn(*column);
  scene::SceneItem item = describedItem(look, range);
  const auto seen = std::make_shared<Paths>(its, pathVertices(), true);
  item.lines = m_lines.asPoints ? dashGeometry(seen, column, kValues, dashLength(pathBounds()))
                                : lineGeometry(seen, column);
  item.widthPixels = std::get<Pathlines>(look.shape).widthPixels;
  return item;
}

void PathlinesRun::count(ObjectStats& stats) const {
  ParticlesRun::count(stats);
  const auto all = lines();
  stats.count += all->lineCount();
  stats.points += all->vertexCount();
  if (isOnTheWay()) return;
  all->visitLines([&](const PolylineSummary& line) {
    ++stats.terminations[flow::nameOf(static_cast<flow::Termination>(line.cells[2]))];
  });
}

std::unique_ptr<ObjectRun> makeRun(const Pathlines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<PathlinesRun>(object, description);
}

}  // namespace farfield::session
