#include "app/cli/commands/probe_output.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/words/dates.h"

namespace farfield::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(Vec3 point) {
  return formatNumber(point.x) + "," + formatNumber(point.y) + "," + formatNumber(point.z);
}

Json jsonOf(Vec3 point) {
  return Json::array({point.x, point.y, point.z});
}

/// The values of function `number` alone: a number, or a list where it is a vector.
Json valueOf(const fields::FunctionPlan& plan, std::size_t number, std::span<const double> values) {
  const auto first = values.begin() + plan.outputOf(number);
  const int components = plan.functions()[number].components;
  return components == 1 ? Json(*first) : Json(std::vector<double>(first, first + components));
}

std::string csvHead(const fields::FunctionPlan& plan) {
  std::string head = "step,time,line,distance,x,y,z,block,i,j,k";
  for (const fields::FunctionInfo& function : plan.functions())
    for (int k = 0; k < function.components; ++k) {
      const std::string component = function.components == 3 ? std::string(1, "xyz"[k]) : std::to_string(k);
      head += "," + csvField(function.components == 1 ? function.name : function.name + "_" + component);
    }
  return head + "\n";
}

}  // namespace

ProbeFiles::ProbeFiles(const ProbeOutputs& outputs) : m_outputs(outputs), m_csv(outputs.csv), m_print("") {}

void ProbeFiles::hold() {
  m_csv.hold();
  m_print.hold();
}

void ProbeFiles::release() {
  m_csv.release();
  m_print.release();
}

void ProbeFiles::finish() {
  if (m_data) m_data->end();
  m_csv.finish();
}

ProbeOutput::ProbeOutput(const ProbedData& data, ProbeFiles& files)
    : m_data(data.description),
      m_plan(data.plan),
      m_name(data.name),
      m_manySteps(data.manySteps),
      m_files(files),
      m_amr(paging::amrOf(data.description)) {
  const ProbeOutputs& outputs = m_files.m_outputs;
  if (!outputs.csv.empty()) {
    const std::string head = (outputs.named ? "data," : "") + csvHead(m_plan);
    if (m_files.m_head.empty())
      m_files.m_csv.write(head);
    else if (m_files.m_head != head)
      throw Invalid("the functions of " + m_name + " have other components than those of other data",
                    "name those of one number");
    m_files.m_head = head;
  }
  if (outputs.json)
    beginJson();
  else if (outputs.csv.empty())
    beginText();
}

void ProbeOutput::beginJson() {
  Json names = Json::array();
  for (const fields::FunctionInfo& function : m_plan.functions()) names.push_back(function.name);
  if (m_files.m_outputs.named && !m_files.m_data)
    m_files.m_data = std::make_unique<JsonList>(m_files.m_print, Json{{"functions", names}}, "data");
  Json head;
  if (m_files.m_outputs.named) head["name"] = m_name;
  if (names.size() == 1) head["function"] = names.front();
  head["functions"] = names;
  for (const fields::FunctionInfo& function : m_plan.functions())
    if (const std::string units = fields::unitsOf(m_data, function.name); !units.empty())
      head["units"][function.name] = units;
  const auto begin = [&](const char* key) {
    return m_files.m_data ? std::make_unique<JsonList>(*m_files.m_data, head, key)
                          : std::make_unique<JsonList>(m_files.m_print, head, key);
  };
  (m_manySteps ? m_jsonSteps : m_jsonPoints) = begin(m_manySteps ? "steps" : "points");
}

void ProbeOutput::beginText() {
  if (m_files.m_outputs.named) m_files.m_print.write("# data " + m_name + "\n");
  if (m_plan.functions().size() <= 1) return;
  std::string head = "# x,y,z";
  for (const fields::FunctionInfo& function : m_plan.functions())
    head += " " + function.name +
            (function.components > 1 ? "[" + std::to_string(function.components) + "]" : "");
  std::string units;
  for (const fields::FunctionInfo& function : m_plan.functions())
    if (const std::string its = fields::unitsOf(m_data, function.name); !its.empty())
      units += (units.empty() ? "# in " : ", ") + function.name + " " + its;
  if (!units.empty()) head += "\n" + units;
  m_files.m_print.write(head + "\n");
}

void ProbeOutput::beginStep(const ProbeRow& row) {
  m_step = row.step;
  if (m_jsonSteps) {
    if (m_jsonPoints) m_jsonPoints->end();
    m_jsonPoints =
        std::make_unique<JsonList>(*m_jsonSteps, Json{{"step", row.step}, {"time", row.time}}, "points");
  } else if (m_manySteps && !m_files.m_outputs.json && m_files.m_outputs.csv.empty()) {
    const auto date = fields::saidDate(m_data, row.step);
    m_files.m_print.write("# step " + std::to_string(row.step) + ", time " + formatNumber(row.time) +
                          (date ? ", " + *date : "") + "\n");
  }
}

void ProbeOutput::add(const ProbeRow& row) {
  if (m_step != row.step) beginStep(row);
  const ProbeOutputs& outputs = m_files.m_outputs;
  if (!outputs.csv.empty()) m_files.m_csv.write((outputs.named ? csvField(m_name) + "," : "") + csvOf(row));
  if (outputs.json)
    m_jsonPoints->add(jsonOf(row));
  else if (outputs.csv.empty())
    m_files.m_print.write(textOf(row));
}

void ProbeOutput::finish() {
  if (m_jsonPoints) m_jsonPoints->end();
  if (m_jsonSteps) m_jsonSteps->end();
}

ProbeOutput::Cell ProbeOutput::cellOf(const ProbeRow& row) const {
  const auto& block = m_data.blocks[static_cast<std::size_t>(row.where.block)];
  if (m_amr && m_amr->onCells) {
    const paging::AmrCell cell = paging::amrCellAt(block, row.point.at);
    return {cell.at, cell.xi};
  }
  return {fields::cellAt(block, row.where.cell), fields::xiAlongAxes(block, row.where.xi)};
}

std::string ProbeOutput::textOf(const ProbeRow& row) const {
  std::string line = cli::textOf(row.point.at);
  if (row.where.valid())
    for (const double value : row.values) line += " " + formatNumber(value);
  else
    line += " outside";
  return line + "\n";
}

std::string ProbeOutput::csvOf(const ProbeRow& row) const {
  std::string line = std::to_string(row.step) + "," + formatNumber(row.time) + ",";
  if (row.point.line)
    line += std::to_string(*row.point.line) + "," + formatNumber(row.point.distance);
  else
    line += ",";
  line += "," + cli::textOf(row.point.at);
  if (!row.where.valid()) return line + std::string(4 + row.values.size(), ',') + "\n";
  const Index3 cell = cellOf(row).at;
  line += "," + std::to_string(row.where.block);
  for (const std::int64_t index : cell) line += "," + std::to_string(index);
  for (const double value : row.values) line += "," + formatNumber(value);
  return line + "\n";
}

Json ProbeOutput::jsonOf(const ProbeRow& row) const {
  const bool one = m_plan.functions().size() == 1;
  Json point = {{"at", cli::jsonOf(row.point.at)}};
  if (row.point.line) {
    point["line"] = *row.point.line;
    point["distance"] = row.point.distance;
  }
  if (!row.where.valid()) {
    if (one) point["value"] = nullptr;
    point["values"] = nullptr;
    return point;
  }
  if (one) point["value"] = valueOf(m_plan, 0, row.values);
  for (std::size_t n = 0; n < m_plan.functions().size(); ++n)
    point["values"][m_plan.functions()[n].name] = valueOf(m_plan, n, row.values);
  point["block"] = row.where.block;
  const Cell cell = cellOf(row);
  point["cell"] = cell.at;
  point["xi"] = cli::jsonOf(cell.xi);
  if (m_amr) point["level"] = m_amr->levelOf(row.where.block);
  return point;
}

}  // namespace farfield::cli
