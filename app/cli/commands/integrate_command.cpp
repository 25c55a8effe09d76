#include "app/cli/commands/integrate_command.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/commands/integral_table.h"
#include "app/cli/files/json_list.h"
#include "app/cli/files/result_output.h"
#include "app/cli/options/step_choice.h"
#include "app/cli/options/surface_choice.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/log.h"
#include "core/base/units.h"
#include "core/fields/paged/budget_advice.h"
#include "core/session/json/session_json.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/kinds/slice/slice_run.h"
#include "core/session/run/runner.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One data set with the surfaces asked for.
struct DataSurfaces {
  std::string name;  ///< the session's; empty: named on the command line
  fields::OpenRequest request;
  std::vector<std::string> surfaces, slices;                    ///< on the command line; or
  std::vector<std::pair<std::string, session::Shape>> objects;  ///< the session's surfaces and slices
};

/// The same opened.
struct OpenedSurfaces {
  std::unique_ptr<fields::OpenData> data;
  std::vector<extract::IntegralSurface> surfaces;
  std::vector<std::string> objects;  ///< of each surface; empty: none
  IntegralQuestions questions;
  std::unique_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<extract::SurfaceIntegrator> integrator;
  MemoryClaim rows;
};

class IntegrateCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "integrate",
        "integrates functions over grid surfaces and slices: areas, means, flows, forces",
        {"A surface is BLOCK:FACE with one of imin, imax, jmin, jmax, kmin, kmax; BLOCK:all, all faces of a "
         "block; or BLOCK:RANGES such as 0:i=10:40,k=0, one index fixed, or the faces of a box of nodes. "
         "BLOCK is a number or all. A slice is X,Y,Z:NX,NY,NZ, a point of its plane and the normal. Of a "
         "session its grid surfaces and slices are taken.",
         "Normals of faces and boxes point out of the block or box, those of a sheet with one index fixed to "
         "where that index grows. So a mass flow counts what leaves as positive, and a force is that of the "
         "fluid in the block on what lies beyond its face.",
         "Faces with a blanked node are left out. What lies on several blocks that overlap counts several "
         "times."},
        {{"SESSION|DATA", "", "a session file, or grid or data files or URLs", ListTarget{&m_data.sources},
          true}},
        m_data.options()};
    manual.options.insert(
        manual.options.end(),
        {{"--surface", "BLOCK:FACE", "what to integrate over; may be repeated",
          ListTarget{&m_surfaces, true}},
         {"--slice", "X,Y,Z:NX,NY,NZ", "a plane through all blocks to integrate over; may be repeated",
          ListTarget{&m_slices, true}},
         {"--function", "NAME",
          "what to integrate, by name, NASA's number or as an expression; may be repeated",
          ListTarget{&m_functions, true}},
         {"--mass-flow", "", "the flow of momentum (density times velocity) through the surface",
          &m_massFlow},
         {"--force", "", "the integral of pressure times normal", &m_force},
         {"--reference-pressure", "P", "what the force takes off the pressure", &m_reference, false, "0"},
         {"--flip", "", "let normals point the other way", &m_flip}});
    manual.options.push_back(stepsOption(m_steps, ""));
    manual.options.back().byDefault = "0; of a session those that it shows";
    manual.options.insert(
        manual.options.end(),
        {{"--csv", "FILE", "write all numbers as comma-separated values; - is standard output", &m_csv},
         overwriteOption(m_overwrite),
         {"--json", "", "print JSON", &m_json},
         memoryOption(m_memoryBytes),
         processorsOption(m_processors)});
    return manual;
  }

  void run(const Context& context) override {
    if (m_json && m_csv == "-") throw UsageError("--json and --csv - both print", "give --csv a file");
    m_referencePressure = referencePressure();
    const std::vector<DataSurfaces> all = questionsAsked(context.stop);
    RunFiles files(m_overwrite);
    files.reads(m_data.sources);
    for (const DataSurfaces& asked : all) declareReads(files, asked.request);
    declareTable(files, m_csv);
    m_total = all.size() == 1;
    // Half an answer is none: of several data all can be opened and asked before anything is printed.
    if (all.size() > 1)
      for (const DataSurfaces& asked : all) requireAnswer(asked, context);
    m_head.clear();
    ResultOutput table(m_csv), text("");
    std::optional<JsonList> json;
    for (const DataSurfaces& asked : all) integrate(asked, context, files, table, text, json);
    if (json) json->end();
    table.finish();
  }

 private:
  double referencePressure() const {
    if (m_reference.empty()) return 0;
    if (!m_force) throw UsageError("--reference-pressure goes with --force");
    double pressure = 0;
    const char* const end = m_reference.data() + m_reference.size();
    const auto [after, failure] = std::from_chars(m_reference.data(), end, pressure);
    if (failure != std::errc{} || after != end || !std::isfinite(pressure))
      throw UsageError("'" + m_reference + "' is not a number").at("--reference-pressure");
    return pressure;
  }

  std::vector<DataSurfaces> questionsAsked(const std::stop_token& stop) {
    const bool isSession = m_data.sources.size() == 1 && looksLikeSession(m_data.sources.front());
    if (!isSession) {
      if (m_surfaces.empty() && m_slices.empty())
        throw UsageError("name a surface", "such as --surface 0:kmin, or --surface all:all for all faces");
      if (m_steps.empty()) m_steps = "0";
      return {{"", m_data.request(stop), m_surfaces, m_slices, {}}};
    }
    if (!m_surfaces.empty() || !m_slices.empty() || !m_data.solutions.empty() || !m_data.reader.empty() ||
        !m_data.settings.empty())
      throw UsageError("a session names its data and surfaces itself",
                       "leave out --surface, --slice, --solution, --reader and --option");
    const session::Session session = session::readSession(m_data.sources.front());
    m_sessionTime = session.time;
    std::vector<DataSurfaces> all;
    for (const session::DataSource& source : session.data) {
      DataSurfaces asked{source.name, {}, {}, {}, {}};
      for (const session::Object& object : session.objects)
        if (object.visible && object.data == source.name &&
            (object.type() == session::kTypeOf<session::GridSurface> ||
             object.type() == session::kTypeOf<session::Slice>))
          asked.objects.emplace_back(object.name, object.shape);
      if (asked.objects.empty()) continue;
      asked.request = session::requestOf(session, source);
      all.push_back(std::move(asked));
    }
    if (all.empty())
      throw Invalid("no surface is shown", "add an object of type grid-surface or slice")
          .at(m_data.sources.front());
    return all;
  }

  OpenedSurfaces open(const DataSurfaces& asked, const Context& context, MemoryAccount& account) const {
    OpenedSurfaces opened;
    fields::OpenRequest request = asked.request;
    request.stop = context.stop;
    opened.data = context.environment.readers.open(request, account);
    requireValues(*opened.data, request);
    const paging::DatasetDescription& description = opened.data->description();
    const auto add = [&](std::vector<extract::OrientedSurface> sheets, const std::string& object) {
      for (extract::OrientedSurface& sheet : sheets) {
        if (m_flip) sheet.towardsLower = !sheet.towardsLower;
        opened.surfaces.emplace_back(std::move(sheet));
        opened.objects.push_back(object);
      }
    };
    const auto addSlice = [&](const extract::Plane& plane, const std::string& object) {
      opened.surfaces.emplace_back(extract::OrientedSlice{extract::Slice(description, plane), m_flip});
      opened.objects.push_back(object);
    };
    for (const std::string& text : asked.surfaces) add(surfacesNamed(text, description), "");
    for (const std::string& text : asked.slices) addSlice(planeNamed(text), "");
    for (const auto& [name, shape] : asked.objects) try {
        const auto* const slice = std::get_if<session::Slice>(&shape);
        if (slice && slice->index)
          add(session::sheetsOf(*slice->index, description), name);
        else if (slice)
          for (const extract::Plane& plane : session::planesOf(*slice, description)) addSlice(plane, name);
        else
          add(session::sheetsOf(std::get<session::GridSurface>(shape), description), name);
      } catch (Error& error) {
        error.at("object " + name);
        throw;
      }
    // A mesh may have no border: each of its faces is one of two cells.
    if (opened.surfaces.empty())
      throw Invalid("there is no face to integrate over",
                    "see the surfaces with farfield info, or give a --slice")
          .at(request.sources.front());
    opened.plan = plan(description, opened.questions);
    opened.integrator = std::make_unique<extract::SurfaceIntegrator>(*opened.plan);
    opened.rows = account.claim(
        Purpose::Results, extract::rowMemory(*opened.integrator, account.budgetBytes()), "sums of patches");
    return opened;
  }

  /// The functions asked for, and those that the mass flow and the force are made of.
  std::unique_ptr<fields::FunctionPlan> plan(const paging::DatasetDescription& description,
                                             IntegralQuestions& questions) const {
    std::vector<std::string> names = m_functions;
    questions.plain = names.size();
    questions.referencePressure = m_referencePressure;
    const auto need = [&](const std::string& name, const char* option, const char* advice) {
      try {
        const fields::FunctionPlan alone(description, {name});
      } catch (const NotFound& error) {
        throw NotFound(error.message(), advice).at(option);
      }
      names.push_back(name);
      return names.size() - 1;
    };
    if (m_massFlow)
      questions.massFlow =
          need("momentum", "--mass-flow", "without a density, --function velocity gives the flow of volume");
    if (m_force) {
      questions.force = need("pressure", "--force", "name what is a pressure here with --function");
      // Taken off at the nodes: the sums then are of small numbers.
      if (m_referencePressure != 0) names.back() = "pressure-(" + formatNumber(m_referencePressure) + ")";
    }
    auto made = std::make_unique<fields::FunctionPlan>(description, names);
    questions.functions = made->functions();
    return made;
  }

  fields::PagedDataOptions paging(const OpenedSurfaces& opened) const {
    fields::PagedDataOptions options;
    options.arrays = opened.plan->arrays();
    options.processors = m_processors;
    options.resultBytesPerTask = extract::integralTaskBytes(*opened.integrator, opened.surfaces);
    return options;
  }

  std::vector<std::int64_t> steps(const paging::DatasetDescription& description) const {
    if (!m_steps.empty()) return stepsNamed(m_steps, description.steps());
    return stepsShown(*m_sessionTime, description.steps());
  }

  void requireAnswer(const DataSurfaces& asked, const Context& context) const {
    MemoryAccount account(m_memoryBytes);
    try {
      const OpenedSurfaces opened = open(asked, context, account);
      steps(opened.data->description());
      beginTable(opened.questions, asked.name);
    } catch (const OverBudget&) {
      // said below, with what would do
    } catch (Error& error) {
      error.at("data " + asked.name);
      throw;
    }
  }
  /// True for the first data: a table has one head. Throws Invalid where those of others need another.
  bool beginTable(const IntegralQuestions& questions, const std::string& dataName) const {
    const std::string head = integralCsvHead(questions);
    if (m_head.empty()) {
      m_head = head;
      return true;
    }
    if (head != m_head && !m_csv.empty())
      throw Invalid("the functions of " + dataName + " have other components than those of other data",
                    "name those of one number, or leave out --csv");
    return false;
  }
  void integrate(const DataSurfaces& asked, const Context& context, RunFiles& files, ResultOutput& table,
                 ResultOutput& text, std::optional<JsonList>& json) const {
    MemoryAccount account(m_memoryBytes);
    OpenedSurfaces opened;
    std::unique_ptr<fields::PagedData> paged;
    std::vector<std::int64_t> chosen;
    fields::withBudgetAdvice(
        m_memoryBytes,
        [&](MemoryAccount& rehearsed) {
          const OpenedSurfaces tried = open(asked, context, rehearsed);
          return rehearsed.usedBytes() + fields::PagedData::smallestFreeBytes(*tried.data, paging(tried));
        },
        [&] {
          opened = open(asked, context, account);
          declareReads(files, *opened.data);
          chosen = steps(opened.data->description());
          paged = std::make_unique<fields::PagedData>(*opened.data, account, paging(opened));
        });
    const paging::DatasetDescription& description = opened.data->description();
    const bool isFirst = beginTable(opened.questions, asked.name);
    if (!m_csv.empty() && isFirst) table.write(m_head);
    if (m_json && !json) json.emplace(text, head(opened.questions), "steps");

    Progress progress("integrate", "patches", progressStyle(log::level() == log::Level::Quiet));
    std::size_t stepsDone = 0;
    extract::SurfaceJob job;
    job.rows = std::move(opened.rows);
    job.stop = context.stop;
    job.progress = [&](std::size_t done, std::size_t total) {
      progress.update(stepsDone * total + done, chosen.size() * total);
    };
    for (const std::int64_t step : chosen) {
      job.step = step;
      const std::vector<extract::SurfaceIntegral> found =
          extract::integrateSurfaces(opened.surfaces, *opened.integrator, *paged, job);
      std::vector<IntegralRow> rows;
      for (std::size_t n = 0; n < found.size(); ++n)
        rows.push_back({opened.objects[n], nameOf(opened.surfaces[n], description),
                        normalOf(opened.surfaces[n]), found[n]});
      const IntegralRow total{"", "total", "", extract::sumOf(found)};
      sayWhatIsMissing(opened.questions, total.of);
      write(opened.questions, asked, step, description.times[static_cast<std::size_t>(step)], rows, total,
            chosen.size() > 1, table, text, json);
      ++stepsDone;
    }
    opened.data->checkUnchanged();
  }

  Json head(const IntegralQuestions& questions) const {
    Json out;
    out["functions"] = Json::array();
    for (std::size_t n = 0; n < questions.plain; ++n) out["functions"].push_back(questions.functions[n].name);
    if (questions.force) out["referencePressure"] = questions.referencePressure;
    return out;
  }

  static void sayWhatIsMissing(const IntegralQuestions& questions, const extract::SurfaceIntegral& total) {
    const std::int64_t faces = total.cells + total.cellsLeftOut;
    if (total.cellsLeftOut > 0)
      log::note(std::to_string(total.cellsLeftOut) + " of " + std::to_string(faces) +
                " faces are blanked and left out");
    for (std::size_t f = 0; f < total.functions.size(); ++f)
      if (total.functions[f].cellsWithout > 0)
        log::warning(questions.functions[f].name + " has no value at " +
                     std::to_string(total.functions[f].cellsWithout) + " of " + std::to_string(faces) +
                     " faces, which its integrals leave out");
  }

  void write(const IntegralQuestions& questions, const DataSurfaces& asked, std::int64_t step, double time,
             const std::vector<IntegralRow>& rows, const IntegralRow& total, bool manySteps,
             ResultOutput& table, ResultOutput& text, std::optional<JsonList>& json) const {
    const bool withTotal = m_total && rows.size() > 1;
    if (!m_csv.empty()) {
      for (const IntegralRow& row : rows) table.write(integralCsv(questions, step, time, row));
      if (withTotal) table.write(integralCsv(questions, step, time, total));
    }
    if (json) {
      Json out = {{"step", step}, {"time", time}};
      if (!asked.name.empty()) out["data"] = asked.name;
      out["surfaces"] = Json::array();
      for (const IntegralRow& row : rows) out["surfaces"].push_back(integralJson(questions, row));
      if (m_total) out["total"] = integralJson(questions, total);
      json->add(out);
    } else if (m_csv.empty()) {
      if (manySteps) text.write("step " + std::to_string(step) + ", time " + formatRounded(time) + "\n");
      std::vector<IntegralRow> lines = rows;
      if (withTotal) lines.push_back(total);
      text.write(integralText(questions, lines));
    }
  }

  DataArguments m_data;
  std::vector<std::string> m_surfaces, m_slices, m_functions;
  bool m_massFlow = false, m_force = false, m_flip = false, m_json = false, m_overwrite = false;
  std::string m_reference, m_steps, m_csv;
  double m_referencePressure = 0;
  bool m_total = true;         ///< one data set: what is summed belongs together
  mutable std::string m_head;  ///< of the table
  std::optional<session::TimeSelection> m_sessionTime;
  std::uint64_t m_memoryBytes = 0;
  int m_processors = 1;
};

}  // namespace

std::unique_ptr<Command> makeIntegrateCommand() {
  return std::make_unique<IntegrateCommand>();
}

}  // namespace farfield::cli
