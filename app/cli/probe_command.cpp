#include "app/cli/probe_command.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/resources.h"
#include "core/base/units.h"
#include "core/fields/box_search.h"
#include "core/fields/budget_advice.h"
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
        "prints the values of functions at points",
        {"A line per point: the point, then the values, or \"outside\" where no unblanked cell holds it. Of "
         "several "
         "functions the first line, after a #, says which values follow, NAME[3] for a vector of three."},
        {{"DATA", "", "grid or data files", ListTarget{&m_data.sources}, true}},
        m_data.options()};
    manual.options.insert(
        manual.options.end(),
        {{"--function", "NAME", "what to evaluate, by name or NASA's number; may be repeated",
          ListTarget{&m_functions, true}, true},
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
    std::unique_ptr<fields::OpenData> data;
    std::shared_ptr<const fields::FunctionPlan> plan;
    std::unique_ptr<fields::PagedData> paged;
    const auto open = [&](MemoryAccount& from) {
      data = context.environment.readers.open(m_data.request(), from);
      if (m_step >= data->description().steps())
        throw Invalid("step " + std::to_string(m_step) + " is not there",
                      data->description().steps() == 1
                          ? "the data have one step, 0"
                          : "the data have steps 0 to " + std::to_string(data->description().steps() - 1));
      plan = std::make_shared<const fields::FunctionPlan>(data->description(), m_functions);
      fields::PagedDataOptions options;
      options.arrays = plan->arrays();
      options.scheduler = tasks::SchedulerKind::Serial;
      return options;
    };
    fields::withBudgetAdvice(
        m_memoryBytes,
        [&](MemoryAccount& rehearsed) {
          const fields::PagedDataOptions options = open(rehearsed);
          const std::uint64_t needed =
              rehearsed.usedBytes() + fields::PagedData::smallestFreeBytes(*data, options);
          data.reset();  // its claims end before the account
          return needed;
        },
        [&] {
          const fields::PagedDataOptions options = open(account);
          paged = std::make_unique<fields::PagedData>(*data, account, options);
        });

    tasks::TaskGroup group;
    group.name = "probe";
    group.count = answers.size();
    group.admission = &paged->admission();
    group.run = [&](std::size_t n, tasks::TaskContext& task) {
      Answer& answer = answers[n];
      const auto sampler = paged->makeSampler(task, plan, m_step);
      if (!sampler->locate(answer.at, answer.where)) return;
      answer.values.resize(static_cast<std::size_t>(sampler->valueCount()));
      sampler->evaluate(answer.where, answer.values);
    };
    paged->makeScheduler()->run(group, context.stop);
    if (m_json)
      printJson(data->description(), *plan, answers);
    else
      print(*plan, answers);
  }

 private:
  static void print(const fields::FunctionPlan& plan, const std::vector<Answer>& answers) {
    if (plan.functions().size() > 1) {
      std::string head = "# x,y,z";
      for (const fields::FunctionInfo& function : plan.functions())
        head += " " + function.name +
                (function.components > 1 ? "[" + std::to_string(function.components) + "]" : "");
      std::printf("%s\n", head.c_str());
    }
    for (const Answer& answer : answers) {
      std::string line =
          formatNumber(answer.at.x) + "," + formatNumber(answer.at.y) + "," + formatNumber(answer.at.z);
      for (const double value : answer.values) line += " " + formatNumber(value);
      if (answer.values.empty()) line += " outside";
      std::printf("%s\n", line.c_str());
    }
  }

  /// The values of function `number` alone: a number, or a list where it is a vector.
  static Json valueOf(const fields::FunctionPlan& plan, std::size_t number, const Answer& answer) {
    const auto first = answer.values.begin() + plan.outputOf(number);
    const int components = plan.functions()[number].components;
    return components == 1 ? Json(*first) : Json(std::vector<double>(first, first + components));
  }

  static void printJson(const paging::DatasetDescription& data, const fields::FunctionPlan& plan,
                        const std::vector<Answer>& answers) {
    const bool one = plan.functions().size() == 1;
    Json out;
    if (one) out["function"] = plan.functions().front().name;
    out["functions"] = Json::array();
    for (const fields::FunctionInfo& function : plan.functions()) out["functions"].push_back(function.name);
    out["points"] = Json::array();
    for (const Answer& answer : answers) {
      Json point = {{"at", Json::array({answer.at.x, answer.at.y, answer.at.z})}};
      if (answer.values.empty()) {
        if (one) point["value"] = nullptr;
        point["values"] = nullptr;
      } else {
        const Index3& dims = data.blocks[static_cast<std::size_t>(answer.where.block)].dims;
        const Index3 cell = fields::cellAt(dims, answer.where.cell);
        if (one) point["value"] = valueOf(plan, 0, answer);
        for (std::size_t n = 0; n < plan.functions().size(); ++n)
          point["values"][plan.functions()[n].name] = valueOf(plan, n, answer);
        point["block"] = answer.where.block;
        point["cell"] = cell;
        point["xi"] = Json::array({answer.where.xi.x, answer.where.xi.y, answer.where.xi.z});
      }
      out["points"].push_back(std::move(point));
    }
    std::printf("%s\n", out.dump(2).c_str());
  }

  DataArguments m_data;
  std::vector<std::string> m_functions, m_points;
  int m_step = 0;
  bool m_json = false;
  std::uint64_t m_memoryBytes = 0;
};

}  // namespace

std::unique_ptr<Command> makeProbeCommand() {
  return std::make_unique<ProbeCommand>();
}

}  // namespace farfield::cli
