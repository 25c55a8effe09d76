#include "app/cli/commands/probe_command.h"

#include <algorithm>
#include <optional>

#include "app/cli/commands/probe_along.h"
#include "app/cli/commands/probe_output.h"
#include "app/cli/options/step_choice.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/fields/paged/budget_advice.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/places/probed_values.h"
#include "core/fields/places/surface_places.h"
#include "core/session/json/session_json.h"
#include "core/session/run/runner.h"

namespace farfield::cli {
namespace {

constexpr int kCount = 101;  // of points of a line where none is said
/// Points that one task looks up.
constexpr std::uint64_t kPointsPerTask = 32;
/// Of all points and steps as many are on their way as a small part of the budget holds.
constexpr std::uint64_t kPartOfBudget = 64, kMostRows = 32'768;
/// Fewer than this are looked up one after the other.
constexpr std::uint64_t kFewPoints = 64;

class ProbeCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "probe",
        "gives the values of functions at points, along lines and along the lines of an object, in time",
        {"A line per point: the point, then the values, or \"outside\" where no unblanked cell holds it. Of "
         "adaptive grids (AMR) with values of cells they are those of the finest cell that holds the point; "
         "of surfaces in space those of the face on which it lies, to a ten-thousandth of the diagonal of "
         "the data. Of "
         "several functions the first line, after a #, says which values follow, NAME[3] for a vector of "
         "three; of several steps a line says which follows.",
         "Where a session is named in place of data, the same points and lines are read in all data of it that "
         "have the functions, one after the other, and a line, or in a table a first column, says in which.",
         "With --along a session is named in place of data: of its isolines, streamlines or surface-lines of that "
         "name each point has the number of its line, the distance along it, the point and the values that "
         "the lines show there. Pieces that meet are one line.",
         "With --csv rows of step, time, number of the line, distance along it, x, y, z, block, cell (i, j, "
         "k) and values; where no cell holds the point those after z are empty. With --along there are no "
         "block and cell."},
        {{"SESSION|DATA", "", "a session file, or grid or data files or URLs", ListTarget{&m_data.sources},
          true}},
        m_data.options()};
    manual.options.insert(
        manual.options.end(),
        {{"--function", "NAME",
          "what to evaluate, by name, NASA's number or as an expression; may be repeated",
          ListTarget{&m_functions, true}, true},
         {"--at", "X,Y,Z", "where; several points may follow", ListTarget{&m_points}},
         {"--line", "X,Y,Z", "the two ends of a line, one after the other; several lines may follow",
          ListTarget{&m_ends}},
         {"--along", "OBJECT", "an object of the session, along whose lines is read", &m_along},
         {"--count", "N", "points of a line, its ends included", IntegerTarget{&m_count, 2, 1'000'000'000},
          false, "101"}});
    manual.options.push_back(stepsOption(m_steps, ""));
    manual.options.back().byDefault = "0; with --along those that the session shows";
    manual.options.insert(manual.options.end(),
                          {{"--csv", "FILE", "write comma-separated values; - is standard output", &m_csv},
                           overwriteOption(m_overwrite),
                           {"--json", "", "print JSON", &m_json},
                           memoryOption(m_memoryBytes),
                           processorsOption(m_processors)});
    return manual;
  }

  void run(const Context& context) override {
    if (m_count > 0 && m_ends.empty()) throw UsageError("--count is of a --line", "leave it out");
    if (m_overwrite && m_csv.empty()) throw UsageError("--overwrite goes with --csv", "leave it out");
    if (!m_along.empty()) return probeAlong(alongQuestion(), context);
    if (m_steps.empty()) m_steps = "0";
    const ProbePoints points(m_points, m_ends, static_cast<std::uint64_t>(m_count > 0 ? m_count : kCount));
    if (points.size() == 0)
      throw UsageError("name points with --at or a line with --line",
                       "or a session, and an object of it with --along");
    if (m_json && m_csv == "-") throw UsageError("--json and --csv - both print", "give --csv a file");
    const std::vector<Source> sources = this->sources(context.stop);
    RunFiles files(m_overwrite);
    if (sources.front().name) files.reads(m_data.sources);
    for (const Source& source : sources) declareReads(files, source.request);
    declareTable(files, m_csv);
    ProbeFiles output({m_csv, m_json, sources.front().name.has_value()});
    std::vector<std::string> lacking;
    // Half an answer is none: of several data nothing is printed before the last of them is open and fits to the others.
    output.hold();
    for (const Source& source : sources) {
      // What one of several data sets lacks the others may have.
      const bool mayLack = sources.size() > 1;
      MemoryAccount account(m_memoryBytes);
      Opened opened;
      std::unique_ptr<fields::PagedData> paged;
      fields::withBudgetAdvice(
          m_memoryBytes,
          [&](MemoryAccount& rehearsed) {
            const Opened tried = open(source, mayLack, context, points, rehearsed);
            return rehearsed.usedBytes() +
                   (tried.plan ? fields::PagedData::smallestFreeBytes(*tried.data, tried.paging) : 0);
          },
          [&] {
            opened = open(source, mayLack, context, points, account);
            declareReads(files, *opened.data);
            if (opened.plan)
              paged = std::make_unique<fields::PagedData>(*opened.data, account, opened.paging);
          });
      const bool isLast = &source == &sources.back();
      if (paged) {
        probe(points, source, opened, *paged, output, isLast, context.stop);
      } else {
        lacking.push_back(*source.name + " is left out: " + opened.lacks);
        if (isLast) output.release();
      }
    }
    if (lacking.size() == sources.size())
      throw Invalid("no data of the session have what is asked for; " + lacking.front())
          .at(m_data.sources.front());
    for (const std::string& text : lacking) log::warning(text);
    output.finish();
  }

 private:
  AlongQuestion alongQuestion() const {
    if (!m_points.empty() || !m_ends.empty()) throw UsageError("--along goes without --at and --line");
    if (m_data.sources.size() != 1 || !looksLikeSession(m_data.sources.front()))
      throw UsageError("--along is of an object of a session",
                       "name the session's file in place of the data");
    requireNoOptionsOfData();
    if (m_json && m_csv == "-") throw UsageError("--json and --csv - both print", "give --csv a file");
    return {m_data.sources.front(), m_along,     m_functions, m_steps, m_csv, m_json, m_overwrite,
            m_memoryBytes,          m_processors};
  }

  struct Source {
    std::optional<std::string> name;  ///< of those of a session
    fields::OpenRequest request;
  };

  std::vector<Source> sources(const std::stop_token& stop) const {
    if (m_data.sources.size() != 1 || !looksLikeSession(m_data.sources.front()))
      return {{std::nullopt, m_data.request(stop)}};
    requireNoOptionsOfData();
    const session::Session session = session::readSession(m_data.sources.front());
    std::vector<Source> all;
    for (const session::DataSource& source : session.data) {
      all.push_back({source.name, session::requestOf(session, source)});
      all.back().request.stop = stop;
    }
    if (all.empty()) throw Invalid("the session names no data").at(m_data.sources.front());
    return all;
  }

  void requireNoOptionsOfData() const {
    if (!m_data.solutions.empty() || !m_data.reader.empty() || !m_data.settings.empty())
      throw UsageError("a session names its data itself", "leave out --solution, --reader and --option");
  }

  struct Opened {
    std::unique_ptr<fields::OpenData> data;
    std::shared_ptr<const fields::FunctionPlan> plan;
    std::string lacks;  ///< why there is no plan
    std::vector<std::int64_t> steps;
    fields::PagedDataOptions paging;
    std::uint64_t rowCount = 0;  ///< on their way at a time
    MemoryClaim rows;
  };

  Opened open(const Source& source, bool mayLack, const Context& context, const ProbePoints& points,
              MemoryAccount& account) const {
    Opened opened;
    try {
      opened.data = context.environment.readers.open(source.request, account);
    } catch (Error& error) {
      if (source.name) error.at("data " + *source.name);
      throw;
    }
    const paging::DatasetDescription& description = opened.data->description();
    try {
      requireValues(*opened.data, source.request);
      opened.steps = stepsNamed(m_steps, description.steps());
      opened.plan = std::make_shared<const fields::FunctionPlan>(description, m_functions);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      if (!mayLack) throw;
      opened.lacks = error.what();
      return opened;
    }
    for (const fields::FunctionInfo& function : opened.plan->functions())
      if (function.onWalls)
        throw Invalid("'" + function.name + "' has values on walls only",
                      "farfield integrate --surface, or a session with a grid-surface, shows them");
    const std::uint64_t total = points.size() * opened.steps.size();
    opened.paging.arrays = opened.plan->arrays();
    opened.paging.processors = m_processors;
    if (total < kFewPoints) opened.paging.scheduler = tasks::SchedulerKind::Serial;
    const std::uint64_t rowBytes =
        sizeof(fields::Location) + sizeof(double) * static_cast<std::uint64_t>(opened.plan->outputCount());
    const std::uint64_t most =
        std::clamp(account.budgetBytes() / kPartOfBudget / rowBytes, kPointsPerTask, kMostRows);
    opened.rowCount = std::min(total, most);
    opened.rows = account.claim(Purpose::Results, opened.rowCount * rowBytes, "values at points");
    return opened;
  }

  void probe(const ProbePoints& points, const Source& source, const Opened& opened, fields::PagedData& data,
             ProbeFiles& files, bool isLast, const std::stop_token& stop) const {
    const paging::DatasetDescription& description = data.description();
    ProbeOutput output({description, *opened.plan, source.name.value_or(""), opened.steps.size() > 1}, files);
    if (isLast) files.release();
    Progress progress("probe", "points", progressStyle(log::level() == log::Level::Quiet));
    const auto values = static_cast<std::size_t>(opened.plan->outputCount());
    const fields::ProbedValues probed(description);
    const bool hasSurfaces = fields::hasSurfacesInSpace(description);
    std::vector<fields::Location> places(opened.rowCount);
    std::vector<double> found(opened.rowCount * values);
    const auto valuesOf = [&](std::uint64_t row) { return std::span(found).subspan(row * values, values); };

    // All points of the first step, then those of the next: what is looked up at a time may reach over steps.
    const std::uint64_t total = points.size() * opened.steps.size();
    const auto stepOf = [&](std::uint64_t number) { return opened.steps[number / points.size()]; };
    std::uint64_t outside = 0;
    const auto scheduler = data.makeScheduler();
    for (std::uint64_t first = 0; first < total; first += opened.rowCount) {
      const std::uint64_t count = std::min(opened.rowCount, total - first);
      tasks::TaskGroup group;
      group.name = "probe";
      group.count = (count + kPointsPerTask - 1) / kPointsPerTask;
      group.admission = &data.admission();
      group.progress = [&](std::size_t done, std::size_t) {
        progress.update(first + std::min(count, done * kPointsPerTask), total);
      };
      group.run = [&](std::size_t n, tasks::TaskContext& task) {
        const std::uint64_t end = std::min(count, (n + 1) * kPointsPerTask);
        std::unique_ptr<fields::Sampler> sampler = data.makeSampler(task, opened.plan);
        for (std::uint64_t row = n * kPointsPerTask; row < end; ++row) {
          if (!sampler) sampler = data.makeSampler(task, opened.plan);
          const fields::FieldTime time{stepOf(first + row)};
          // Looked up afresh, so that the answer does not depend on what is asked beside it.
          places[row] = {};
          const Vec3 point = points[(first + row) % points.size()].at;
          if (!sampler->locate(point, time, places[row])) {
            if (!hasSurfaces) continue;
            sampler.reset();  // a task has room for one of them
            const auto face =
                fields::placeOnSurface(data, task, opened.plan, point, time.step, valuesOf(row));
            if (face) places[row] = face->where;
            continue;
          }
          sampler->evaluate(probed.at(point, places[row], time, *sampler), time, valuesOf(row));
        }
      };
      scheduler->run(group, stop);
      for (std::uint64_t row = 0; row < count; ++row) {
        const std::int64_t step = stepOf(first + row);
        if (!places[row].valid()) ++outside;
        output.add({step, description.times[static_cast<std::size_t>(step)],
                    points[(first + row) % points.size()], places[row], valuesOf(row)});
      }
    }
    opened.data->checkUnchanged();
    output.finish();
    if (outside > 0 && (!m_ends.empty() || !m_csv.empty()))
      log::note((source.name ? *source.name + ": " : "") + std::to_string(outside) + " of " +
                std::to_string(total) +
                (opened.steps.size() > 1 ? " points, all steps together, are outside the data"
                                         : " points are outside the data"));
  }

  DataArguments m_data;
  std::vector<std::string> m_functions, m_points, m_ends;
  std::string m_steps, m_csv, m_along;
  int m_count = 0;  ///< none is said
  bool m_json = false, m_overwrite = false;
  std::uint64_t m_memoryBytes = 0;
  int m_processors = 1;
};

}  // namespace

std::unique_ptr<Command> makeProbeCommand() {
  return std::make_unique<ProbeCommand>();
}

}  // namespace farfield::cli
