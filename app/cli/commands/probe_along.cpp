#include "app/cli/commands/probe_along.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/files/json_list.h"
#include "app/cli/files/result_output.h"
#include "app/cli/options/step_choice.h"
#include "app/cli/running/progress.h"
#include "app/cli/running/resources.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/near_names.h"
#include "core/base/temporary_file.h"
#include "core/base/units.h"
#include "core/fields/functions/functions.h"
#include "core/fields/paged/budget_advice.h"
#include "core/session/json/session_json.h"
#include "core/session/results/spool_file.h"
#include "core/session/results/values_along.h"
#include "core/session/run/object_run.h"
#include "core/session/run/runner.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Of the budget, for the points and values of a step.
constexpr std::uint64_t kPartOfBudget = 8;
constexpr std::uint64_t kMostPoints = 100'000'000;

struct Opened {
  std::unique_ptr<fields::OpenData> data;
  std::vector<std::int64_t> steps;
  fields::PagedDataOptions paging;
  std::uint64_t mostPoints = 0;
  MemoryClaim points;
};

const session::Object& objectNamed(const session::Session& session, const AlongQuestion& question) {
  std::vector<std::string> known;
  for (const session::Object& object : session.objects) {
    if (session::hasLines(object.shape)) known.push_back(object.name);
    if (object.name != question.object) continue;
    if (session::hasLines(object.shape)) return object;
    throw Invalid("object " + object.name + " is of type " + session::nameOf(object.type()),
                  "functions are read along isolines, streamlines and surface-lines")
        .at(question.session);
  }
  throw NotFound("there is no object '" + question.object + "'", asGuess(nearNames(question.object, known)))
      .at(question.session);
}

/// What is written of a step, as it comes.
class AlongOutput {
 public:
  AlongOutput(const AlongQuestion& question, bool manySteps)
      : m_question(question), m_manySteps(manySteps), m_csv(question.csv), m_print("") {
    if (!question.csv.empty()) {
      std::string head = "step,time,line,distance,x,y,z";
      for (const std::string& function : question.functions) head += "," + csvField(function);
      m_csv.write(head + "\n");
    }
    if (question.json)
      m_steps.emplace(m_print, Json{{"object", question.object}, {"functions", question.functions}}, "steps");
  }

  void add(std::int64_t step, double time, const session::ValuesAlong& lines) {
    std::optional<JsonList> json;
    if (m_steps) json.emplace(*m_steps, Json{{"step", step}, {"time", time}}, "lines");
    const bool prints = !m_steps && m_question.csv.empty();
    if (prints && m_manySteps)
      m_print.write("# step " + std::to_string(step) + ", time " + formatNumber(time) + "\n");
    if (prints) {
      std::string head = "# line distance x,y,z";
      for (const std::string& function : m_question.functions) head += " " + function;
      m_print.write(head + "\n");
    }
    std::size_t point = 0;
    for (std::size_t line = 0; line < lines.lengths.size(); ++line) {
      std::optional<JsonList> points;
      if (json) points.emplace(*json, Json{{"line", line}}, "points");
      for (std::uint32_t n = 0; n < lines.lengths[line]; ++n, ++point) {
        const Vec3& at = lines.points[point];
        const std::string place = formatNumber(at.x) + "," + formatNumber(at.y) + "," + formatNumber(at.z);
        const std::string distance = formatNumber(lines.distances[point]);
        if (!m_question.csv.empty())
          m_csv.write(std::to_string(step) + "," + formatNumber(time) + "," + std::to_string(line) + "," +
                      distance + "," + place + valuesOf(lines, point, ',') + "\n");
        if (prints)
          m_print.write(std::to_string(line) + " " + distance + " " + place + valuesOf(lines, point, ' ') +
                        "\n");
        if (points) {
          Json its = {{"at", {at.x, at.y, at.z}}, {"distance", lines.distances[point]}};
          for (std::size_t f = 0; f < lines.values.size(); ++f)
            its["values"][m_question.functions[f]] = lines.values[f][point];
          points->add(its);
        }
      }
      if (points) points->end();
    }
    if (json) json->end();
  }

  void finish() {
    if (m_steps) m_steps->end();
    m_csv.finish();
  }

 private:
  static std::string valuesOf(const session::ValuesAlong& lines, std::size_t point, char before) {
    std::string text;
    for (const std::vector<double>& values : lines.values) text += before + formatNumber(values[point]);
    return text;
  }

  const AlongQuestion& m_question;
  bool m_manySteps;
  ResultOutput m_csv, m_print;
  std::optional<JsonList> m_steps;
};

}  // namespace

void probeAlong(const AlongQuestion& question, const Context& context) {
  const session::Session session = session::readSession(question.session);
  const session::Object& object = objectNamed(session, question);
  const session::DataSource* const source = session.find(object.data);
  if (!source)
    throw NotFound("object " + object.name + " shows data that are not there").at(question.session);
  fields::OpenRequest request = session::requestOf(session, *source);
  request.stop = context.stop;
  RunFiles files(question.overwrite);
  files.reads(std::vector<std::string>{question.session});
  declareReads(files, request);
  declareTable(files, question.csv);

  std::vector<session::Object> objects;
  for (const std::string& function : question.functions)
    objects.push_back(session::linesBy(object, function));
  const auto open = [&](MemoryAccount& account) {
    Opened opened;
    opened.data = context.environment.readers.open(request, account);
    requireValues(*opened.data, request);
    const paging::DatasetDescription& description = opened.data->description();
    const fields::FunctionPlan plan(description, question.functions);
    for (const fields::FunctionInfo& function : plan.functions())
      if (function.components != 1)
        throw Invalid("'" + function.name + "' is a vector, and one number is read along lines",
                      "name one of its components or its magnitude");
    opened.steps = question.steps.empty() ? stepsShown(session.time, description.steps())
                                          : stepsNamed(question.steps, description.steps());
    for (const session::Object& each : objects) {
      const auto run = session::makeObjectRun(each, description);
      opened.paging.arrays.insert(opened.paging.arrays.end(), run->arrays().begin(), run->arrays().end());
      opened.paging.stepsAtATime = std::max(opened.paging.stepsAtATime, run->stepsAtATime());
      opened.paging.resultBytesPerTask = std::max(opened.paging.resultBytesPerTask, run->taskBytes());
      opened.paging.keptBytes = std::max(opened.paging.keptBytes, run->stateBytes());
    }
    std::sort(opened.paging.arrays.begin(), opened.paging.arrays.end());
    opened.paging.arrays.erase(std::unique(opened.paging.arrays.begin(), opened.paging.arrays.end()),
                               opened.paging.arrays.end());
    opened.paging.processors = question.processors;
    const std::uint64_t bytesEach = session::AlongCollector::bytesFor(1, objects.size());
    opened.mostPoints =
        std::clamp<std::uint64_t>(account.budgetBytes() / kPartOfBudget / bytesEach, 1, kMostPoints);
    opened.points =
        account.claim(Purpose::Results, session::AlongCollector::bytesFor(opened.mostPoints, objects.size()),
                      "values along lines");
    return opened;
  };
  MemoryAccount account(question.memoryBytes);
  Opened opened;
  std::unique_ptr<fields::PagedData> paged;
  fields::withBudgetAdvice(
      question.memoryBytes,
      [&](MemoryAccount& rehearsed) {
        const Opened tried = open(rehearsed);
        return rehearsed.usedBytes() + fields::PagedData::smallestFreeBytes(*tried.data, tried.paging);
      },
      [&] {
        opened = open(account);
        declareReads(files, *opened.data);
        paged = std::make_unique<fields::PagedData>(*opened.data, account, opened.paging);
      });
  const paging::DatasetDescription& description = opened.data->description();
  AlongOutput output(question, opened.steps.size() > 1);
  Progress progress("probe", "tasks", progressStyle(log::level() == log::Level::Quiet));
  for (const std::int64_t step : opened.steps) {
    session::AlongCollector collector(opened.mostPoints);
    for (const session::Object& each : objects) {
      const auto run = session::makeObjectRun(each, description);
      session::ObjectSurroundings surroundings{
          *paged, account, session::spoolFolder(temporaryFolder()), context.stop, {}};
      surroundings.processors = question.processors;
      surroundings.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
      session::computeAlone(*run, surroundings, step);
      collector.add(run->item().lines.get());
    }
    const session::ValuesAlong lines = collector.take();
    if (lines.isPart)
      log::warning("the lines of " + object.name + " have " + std::to_string(lines.drawn) +
                   " points, of which the first " + std::to_string(opened.mostPoints) +
                   " are read: give more --memory");
    output.add(step, description.times[static_cast<std::size_t>(step)], lines);
  }
  opened.data->checkUnchanged();
  output.finish();
}

}  // namespace farfield::cli
