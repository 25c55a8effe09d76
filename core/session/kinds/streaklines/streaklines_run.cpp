#include "core/session/kinds/streaklines/streaklines_run.h"

#include <array>

#include "core/session/run/particle_colors.h"
#include "core/session/vtp_writer.h"

namespace farfield::session {
namespace {

// columns of a vertex as it is written and drawn; the functions' values follow
constexpr int kRelease = 3, kAge = 4, kSeed = 5, kTime = 6, kValues = 7;

/// The particles at one time, seed after seed, from the youngest to the oldest; a line ends where a particle
/// in between has left.
class Streaks final : public Polylines {
 public:
  Streaks(std::shared_ptr<const Particles> particles, double now)
      : m_particles(std::move(particles)), m_now(now) {
    visitLines([&](const PolylineSummary& line) {
      ++m_lines;
      m_vertices += line.vertices;
    });
  }
  int width() const override { return kValues + m_particles->table->values(); }
  std::uint64_t lineCount() const override { return m_lines; }
  std::uint64_t vertexCount() const override { return m_vertices; }

  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override {
    std::uint64_t number = 0;
    visitStreaks([&](std::uint64_t seed, std::span<const std::uint64_t> streak) {
      const double cell = static_cast<double>(seed);
      visit({number++, streak.size(), {&cell, 1}});
    });
  }
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const override {
    std::uint64_t number = 0;
    ParticleRecord record;
    std::vector<double> run;
    visitStreaks([&](std::uint64_t seed, std::span<const std::uint64_t> streak) {
      run.clear();
      for (const std::uint64_t n : streak) {
        m_particles->table->read(n, record);
        const flow::Particle& its = record.particle;
        run.insert(run.end(), {its.position.x, its.position.y, its.position.z, its.release,
                               m_now - its.release, static_cast<double>(seed), m_now});
        run.insert(run.end(), record.values.begin(), record.values.end());
      }
      visit({number++, streak.size(), {}}, run);
    });
  }

 private:
  /// The particles, by number, that are joined.
  void visitStreaks(
      const std::function<void(std::uint64_t seed, std::span<const std::uint64_t> streak)>& visit) const {
    ParticleRecord record;
    std::vector<std::uint64_t> streak;
    for (std::uint64_t seed = 0; seed < m_particles->seeds; ++seed) {
      const auto end = [&] {
        if (!streak.empty()) visit(seed, streak);
        streak.clear();
      };
      for (std::size_t release = m_particles->releases.size(); release-- > 0;) {
        const std::uint64_t n = m_particles->numberOf(release, seed);
        m_particles->table->read(n, record);
        const bool there = record.particle.alive() && record.particle.vertices > 0;
        if (there)
          streak.push_back(n);
        else
          end();
      }
      end();
    }
  }

  std::shared_ptr<const Particles> m_particles;
  double m_now;
  std::uint64_t m_lines = 0, m_vertices = 0;
};

const OwnColors kOwn{{"release", kRelease}, {"age", kAge}, {"seed", kSeed}, {"time", kTime}};

}  // namespace

StreaklinesRun::StreaklinesRun(const Object& object, const paging::DatasetDescription& description)
    : ParticlesRun(object, description,
                   {std::get<Streaklines>(object.shape).vector, std::get<Streaklines>(object.shape).seeds,
                    std::get<Streaklines>(object.shape).release,
                    std::get<Streaklines>(object.shape).integrator, true, false},
                   namesOf(kOwn)),
      m_lines(std::get<Streaklines>(object.shape)) {}

void StreaklinesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  ParticlesRun::step(surroundings, step);
  m_shown.store(std::make_shared<const Streaks>(particles(), timeOf(step)));
}

void StreaklinesRun::writeGeometry(const std::filesystem::path& path) const {
  LineFileContents contents;
  contents.vertices = {{"release", kRelease, 1}, {"age", kAge, 1}};
  contents.cells = {{"seed"}};
  contents.asPoints = m_lines.asPoints;
  addColor(contents, m_colorName, columnOf(kOwn, m_colorName, colorValue(), kValues));
  writeLines(path, *m_shown.load(), contents);
}

scene::SceneItem StreaklinesRun::item(const Object& look) const {
  const auto shown = m_shown.load();
  if (!shown) return describedItem(look, std::nullopt);
  const auto column = columnOf(kOwn, m_colorName, colorValue(), kValues);
  scene::SceneItem item = describedItem(look, column ? rangeOf(*shown, *column) : std::nullopt);
  item.lines = m_lines.asPoints ? dashGeometry(shown, column, kValues, dashLength(pathBounds()))
                                : lineGeometry(shown, column);
  item.widthPixels = std::get<Streaklines>(look.shape).widthPixels;
  return item;
}

Bounds StreaklinesRun::bounds() const {
  Bounds bounds;
  if (const auto shown = m_shown.load())
    shown->visitVertices([&, width = static_cast<std::size_t>(shown->width())](const PolylineSummary&,
                                                                               std::span<const double> run) {
      for (std::size_t at = 0; at < run.size(); at += width)
        bounds.add(Vec3{run[at], run[at + 1], run[at + 2]});
    });
  return bounds;
}

void StreaklinesRun::count(ObjectStats& stats) const {
  ParticlesRun::count(stats);
  const auto shown = m_shown.load();
  stats.count += shown->lineCount();
  stats.points += shown->vertexCount();
}

std::unique_ptr<ObjectRun> makeRun(const Streaklines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<StreaklinesRun>(object, description);
}

}  // namespace farfield::session
