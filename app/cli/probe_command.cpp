#include "app/cli/probe_command.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/resources.h"
#include "core/base/units.h"
#include "core/fields/paged_data.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

Vec3 parsePoint(const std::string& text) {
  Vec3 point;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int axis = 0; axis < 3; ++axis) {
    const auto [after, failure] = std::from_chars(at, end, point[axis]);
    const bool separated = axis < 2 ? after != end && *after == ',' : after == end;
    if (failure != std::errc{} || !separated || !std::isfinite(point[axis]))
      throw UsageError("'" + text + "' is not a point X,Y,Z").at("--at");
    at = after + 1;
  }
  return point;
}

struct Answer {
  Vec3 at;
  fields::Location where;
  std::vector<double> values;  ///< empty where no cell holds the point
};

class ProbeCommand final : public Command {
 public:
  Manual manual() override {
    Manual manual{
        "probe",
        "prints the values of a function at points",
        {"A line per point: the point, then the values, or \"outside\" where no unblanked cell holds it."},
        {{"DATA", "", "grid or data files", ListTarget{&m_data.sources}, true}},
        m_data.options()};
    manual.options.insert(
        manual.options.end(),
        {{"--function", "NAME", "what to evaluate, by name or NASA's number", &m_function, true},
         {"--at", "X,Y,Z", "where; several points may follow", ListTarget{&m_points}, true},
         {"--step", "N", "time step", IntegerTarget{&m_step, 0, 1'000'000'000}, false, "0"},
         {"--json", "", "print JSON", &m_json},
         memoryOption(m_memoryBytes)});
    return manual;
  }

  void run(const Context& context) override {
    std::vector<Answer> answers;
    for (const std::string& text : m_points) answers.push_back({parsePoint(text), {}, {}});
    MemoryAccount account(m_memoryBytes);
    const auto data = context.environment.readers.open(m_data.request(), account);
    const paging::DatasetDescription& description = data->description();
    if (m_step >= description.steps())
      throw Invalid("step " + std::to_string(m_step) + " is not there",
                    "the data have steps 0 to " + std::to_string(description.steps() - 1));
    const auto plan =
        std::make_shared<const fields::FunctionPlan>(description, std::vector<std::string>{m_function});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.scheduler = tasks::SchedulerKind::Serial;
    fields::PagedData paged(*data, account, options);

    tasks::TaskGroup group;
    group.name = "probe";
    group.count = answers.size();
    group.admission = &paged.admission();
    group.run = [&](std::size_t n, tasks::TaskContext& task) {
      Answer& answer = answers[n];
      const auto sampler = paged.makeSampler(task, plan, m_step);
      if (!sampler->locate(answer.at, answer.where)) return;
      answer.values.resize(static_cast<std::size_t>(sampler->valueCount()));
      sampler->evaluate(answer.where, answer.values);
    };
    paged.makeScheduler()->run(group, context.stop);
    if (m_json)
      printJson(description, plan->functions().front().name, answers);
    else
      print(answers);
  }

 private:
  static void print(const std::vector<Answer>& answers) {
    for (const Answer& answer : answers) {
      std::string line =
          formatNumber(answer.at.x) + "," + formatNumber(answer.at.y) + "," + formatNumber(answer.at.z);
      for (const double value : answer.values) line += " " + formatNumber(value);
      if (answer.values.empty()) line += " outside";
      std::printf("%s\n", line.c_str());
    }
  }

  static void printJson(const paging::DatasetDescription& data, const std::string& function,
                        const std::vector<Answer>& answers) {
    Json out = {{"function", function}, {"points", Json::array()}};
    for (const Answer& answer : answers) {
      Json point = {{"at", Json::array({answer.at.x, answer.at.y, answer.at.z})}};
      if (answer.values.empty()) {
        point["value"] = nullptr;
      } else {
        const Index3& dims = data.blocks[static_cast<std::size_t>(answer.where.block)].dims;
        const Index3 cell = unlinear(answer.where.cell, {dims[0] - 1, dims[1] - 1, dims[2] - 1});
        point["value"] = answer.values.size() == 1 ? Json(answer.values[0]) : Json(answer.values);
        point["block"] = answer.where.block;
        point["cell"] = cell;
        point["xi"] = Json::array({answer.where.xi.x, answer.where.xi.y, answer.where.xi.z});
      }
      out["points"].push_back(std::move(point));
    }
    std::printf("%s\n", out.dump(2).c_str());
  }

  DataArguments m_data;
  std::string m_function;
  std::vector<std::string> m_points;
  int m_step = 0;
  bool m_json = false;
  std::uint64_t m_memoryBytes = 0;
};

}  // namespace

std::unique_ptr<Command> makeProbeCommand() {
  return std::make_unique<ProbeCommand>();
}

}  // namespace farfield::cli
