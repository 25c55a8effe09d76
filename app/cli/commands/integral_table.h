#pragma once
// Integrals over surfaces as people and programs read them: an aligned table, rows of comma-separated values,
// JSON. What is asked for beside plain functions, the mass flow and the force, are functions of the plan too,
// shown under their own names.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/extract/surface_integral.h"

namespace farfield::cli {

/// Which functions of a plan are what.
struct IntegralQuestions {
  std::vector<fields::FunctionInfo> functions;  ///< the plan's; the first `plain` are listed as such
  std::size_t plain = 0;
  std::optional<std::size_t> massFlow, force;  ///< numbers in `functions`
  double referencePressure = 0;
};

/// One line of a table: a surface, or the total.
struct IntegralRow {
  std::string object;  ///< of a session; empty: none
  std::string surface, normal;
  extract::SurfaceIntegral of;
};

/// The rows of one step, with a head, in columns.
std::string integralText(const IntegralQuestions& questions, const std::vector<IntegralRow>& rows);

/// The first line of a file, and the line of one row.
std::string integralCsvHead(const IntegralQuestions& questions);
std::string integralCsv(const IntegralQuestions& questions, std::int64_t step, double time,
                        const IntegralRow& row);

nlohmann::ordered_json integralJson(const IntegralQuestions& questions, const IntegralRow& row);

}  // namespace farfield::cli
