#include "app/cli/commands/integral_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/cli/files/result_output.h"
#include "core/base/units.h"

namespace farfield::cli {
namespace {

using extract::FunctionIntegral;
using extract::SurfaceIntegral;
using Json = nlohmann::ordered_json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kAxes[3] = {"x", "y", "z"};

/// A number of every row.
struct Column {
  std::string name;     ///< in files
  std::string heading;  ///< in tables; empty: not shown there
  std::function<double(const SurfaceIntegral&)> value;
};

/// A function that has no value anywhere has no integral either.
double where(const FunctionIntegral& function, double value) {
  return function.area > 0 ? value : kNone;
}

std::string componentName(const fields::FunctionInfo& function, std::size_t component) {
  if (function.components == 3) return kAxes[component];
  return std::to_string(component);
}

void addPlain(const fields::FunctionInfo& function, std::size_t number, std::vector<Column>& columns) {
  const std::string& name = function.name;
  const auto add = [&](const std::string& what, bool shown, auto&& value) {
    columns.push_back({name + "_" + what, shown ? name + " " + what : "",
                       [number, value](const auto& of) { return value(of.functions[number]); }});
  };
  const bool vector = function.components == 3;
  if (vector) add("flow", true, [](const FunctionIntegral& f) { return where(f, f.through[0]); });
  if (function.components == 1) {
    add("integral", true, [](const FunctionIntegral& f) { return where(f, f.integral[0]); });
    add("mean", true, [](const FunctionIntegral& f) { return where(f, f.integral[0] / f.area); });
  } else {
    for (std::size_t k = 0; k < static_cast<std::size_t>(function.components); ++k)
      add("integral_" + componentName(function, k), false,
          [k](const FunctionIntegral& f) { return where(f, f.integral[k]); });
  }
  const bool scalar = function.components == 1;
  add("min", scalar, [](const FunctionIntegral& f) { return where(f, f.least); });
  add("max", scalar, [](const FunctionIntegral& f) { return where(f, f.greatest); });
  if (scalar)
    for (std::size_t axis = 0; axis < 3; ++axis)
      add(std::string("normal_") + kAxes[axis], false,
          [axis](const FunctionIntegral& f) { return where(f, f.through[axis]); });
  add("faces_without", false, [](const FunctionIntegral& f) { return static_cast<double>(f.cellsWithout); });
}

std::vector<Column> columnsOf(const IntegralQuestions& questions) {
  std::vector<Column> columns{
      {"faces", "", [](const SurfaceIntegral& of) { return static_cast<double>(of.cells); }},
      {"faces_left_out", "", [](const SurfaceIntegral& of) { return static_cast<double>(of.cellsLeftOut); }},
      {"area", "area", [](const SurfaceIntegral& of) { return of.area; }}};
  for (int axis = 0; axis < 3; ++axis)
    columns.push_back({std::string("area_") + kAxes[axis], "",
                       [axis](const SurfaceIntegral& of) { return of.vectorArea[axis]; }});
  for (std::size_t n = 0; n < questions.plain; ++n) addPlain(questions.functions[n], n, columns);
  if (const auto number = questions.massFlow)
    columns.push_back({"mass_flow", "mass flow", [n = *number](const SurfaceIntegral& of) {
                         return where(of.functions[n], of.functions[n].through[0]);
                       }});
  if (const auto number = questions.force)
    for (std::size_t axis = 0; axis < 3; ++axis)
      columns.push_back({std::string("force_") + kAxes[axis], std::string("force ") + kAxes[axis],
                         [n = *number, axis](const SurfaceIntegral& of) {
                           return where(of.functions[n], of.functions[n].through[axis]);
                         }});
  return columns;
}

std::string nameOf(const IntegralRow& row) {
  return row.object.empty() ? row.surface : row.object + " " + row.surface;
}

/// Values by axis, as a list.
Json listOf(const std::vector<double>& values) {
  return Json(values);
}

Json jsonOf(const fields::FunctionInfo& function, const FunctionIntegral& of) {
  Json out;
  const bool any = of.area > 0, scalar = function.components == 1;
  const auto put = [&](const char* key, Json value) { out[key] = any ? std::move(value) : Json(); };
  if (function.components == 3) put("flow", of.through[0]);
  put("integral", scalar ? Json(of.integral[0]) : listOf(of.integral));
  if (scalar) put("mean", of.integral[0] / of.area);
  put("min", of.least);
  put("max", of.greatest);
  if (scalar) put("timesNormal", listOf(of.through));
  if (of.cellsWithout > 0) out["facesWithout"] = of.cellsWithout;
  return out;
}

}  // namespace

std::string integralText(const IntegralQuestions& questions, const std::vector<IntegralRow>& rows) {
  std::vector<std::vector<std::string>> table;
  table.push_back({"surface", "normal"});
  for (const IntegralRow& row : rows) table.push_back({nameOf(row), row.normal});
  for (const Column& column : columnsOf(questions)) {
    if (column.heading.empty()) continue;
    table[0].push_back(column.heading);
    for (std::size_t n = 0; n < rows.size(); ++n)
      table[n + 1].push_back(formatRounded(column.value(rows[n].of)));
  }
  std::vector<std::size_t> widths(table[0].size(), 0);
  for (const auto& line : table)
    for (std::size_t n = 0; n < line.size(); ++n) widths[n] = std::max(widths[n], line[n].size());
  std::string text;
  for (const auto& line : table) {
    for (std::size_t n = 0; n < line.size(); ++n) {
      const std::string space(widths[n] - line[n].size(), ' ');
      // Names to the left, numbers to the right.
      text += (n == 0 ? "" : "  ") + (n < 2 ? line[n] + space : space + line[n]);
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
  }
  return text;
}

std::string integralCsvHead(const IntegralQuestions& questions) {
  std::string text = "step,time,object,surface,normal";
  for (const Column& column : columnsOf(questions)) text += "," + csvField(column.name);
  return text + "\n";
}

std::string integralCsv(const IntegralQuestions& questions, std::int64_t step, double time,
                        const IntegralRow& row) {
  std::string text = std::to_string(step) + "," + formatNumber(time) + "," + csvField(row.object) + "," +
                     csvField(row.surface) + "," + row.normal;
  for (const Column& column : columnsOf(questions)) {
    const double value = column.value(row.of);
    text += "," + (std::isnan(value) ? std::string() : formatNumber(value));
  }
  return text + "\n";
}

Json integralJson(const IntegralQuestions& questions, const IntegralRow& row) {
  Json out;
  if (!row.object.empty()) out["object"] = row.object;
  out["surface"] = row.surface;
  if (!row.normal.empty()) out["normal"] = row.normal;
  out["faces"] = row.of.cells;
  out["facesLeftOut"] = row.of.cellsLeftOut;
  out["area"] = row.of.area;
  out["vectorArea"] = {row.of.vectorArea.x, row.of.vectorArea.y, row.of.vectorArea.z};
  if (questions.plain > 0) out["functions"] = Json::object();
  for (std::size_t n = 0; n < questions.plain; ++n)
    out["functions"][questions.functions[n].name] = jsonOf(questions.functions[n], row.of.functions[n]);
  const auto put = [&](const char* key, const std::optional<std::size_t>& number) {
    if (!number) return;
    const FunctionIntegral& of = row.of.functions[*number];
    if (of.area > 0)
      out[key] = of.through.size() == 1 ? Json(of.through[0]) : listOf(of.through);
    else
      out[key] = nullptr;
  };
  put("massFlow", questions.massFlow);
  put("force", questions.force);
  return out;
}

}  // namespace farfield::cli
