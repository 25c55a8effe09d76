#pragma once
// What a probe found, row by row as it comes: lines for people, comma-separated values, JSON.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>

#include "app/cli/commands/probe_points.h"
#include "app/cli/files/json_list.h"
#include "app/cli/files/result_output.h"
#include "core/fields/functions/functions.h"
#include "core/fields/paged/sampler.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::cli {

struct ProbeRow {
  std::int64_t step = 0;
  double time = 0;
  ProbePoint point;
  fields::Location where;          ///< not valid: no cell holds the point
  std::span<const double> values;  ///< of the plan; mean nothing where no cell holds the point
};

struct ProbeOutputs {
  std::string csv;     ///< a file, or "-" for standard output; empty: none
  bool json = false;   ///< to standard output
  bool named = false;  ///< data are those of a session, and each row says of which it is
};

/// Where rows go, of one data set after the other.
class ProbeFiles {
 public:
  /// Throws Io.
  explicit ProbeFiles(const ProbeOutputs& outputs);
  /// Nothing is printed until release(), and without it nothing at all. Throw Io.
  void hold();
  void release();
  void finish();

 private:
  friend class ProbeOutput;
  ProbeOutputs m_outputs;
  ResultOutput m_csv, m_print;
  std::string m_head;  ///< of the table
  std::unique_ptr<JsonList> m_data;
};

/// Of which data the rows are.
struct ProbedData {
  const paging::DatasetDescription& description;
  const fields::FunctionPlan& plan;
  std::string name = {};   ///< in the session
  bool manySteps = false;  ///< so the printed say which
};

/// Rows come step by step.
class ProbeOutput {
 public:
  /// What `data` refers to and `files` outlive it. Throws Io, Invalid.
  ProbeOutput(const ProbedData& data, ProbeFiles& files);
  void add(const ProbeRow& row);
  void finish();

 private:
  void beginStep(const ProbeRow& row);
  std::string textOf(const ProbeRow& row) const;
  std::string csvOf(const ProbeRow& row) const;
  nlohmann::ordered_json jsonOf(const ProbeRow& row) const;
  /// The cell that holds the row's point, and where in it.
  struct Cell {
    Index3 at;
    Vec3 xi;
  };
  Cell cellOf(const ProbeRow& row) const;

  void beginJson();
  void beginText();

  const paging::DatasetDescription& m_data;
  const fields::FunctionPlan& m_plan;
  const std::string m_name;
  const bool m_manySteps;
  ProbeFiles& m_files;
  std::optional<paging::AmrLevels> m_amr;  ///< of an adaptive grid
  std::optional<std::int64_t> m_step;
  std::unique_ptr<JsonList> m_jsonSteps, m_jsonPoints;
};

}  // namespace farfield::cli
