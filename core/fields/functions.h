#pragma once
// The functions that a user can ask for by name or by NASA's PLOT3D number: the variables in the file, and
// what follows from them node by node. A FunctionPlan says which arrays a set of functions needs and
// computes them from gathered node values; nothing is ever computed for a whole grid.
//
// The perfect-gas formulas are those of the PLOT3D User's Manual (Walatka, Buning et al., NASA TM-101067),
// in its non-dimensional form: density 1 and sound speed 1 in the free stream.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/paging/description.h"

namespace farfield::fields {

/// What the formulas need beside the data.
struct ReferenceState {
  double gamma = 1.4;  ///< ratio of specific heats
  double gasConstant = 1.0;
  /// From the attributes "gamma" and "R" of a data set, where there are any. Throws Invalid.
  static ReferenceState from(const std::map<std::string, std::string>& attributes);
};

struct FunctionInfo {
  std::string name;  ///< "pressure"
  int number = 0;    ///< NASA's; 0: a variable of the file without one
  int components = 1;
  std::string formula;  ///< for people; empty for variables of the file
};

/// Functions of one data set, to be computed at nodes. Immutable; shared between tasks.
class FunctionPlan {
 public:
  /// Resolves `names` ("pressure", "110") against the arrays of `description`. Throws NotFound listing what
  /// there is, Invalid when a number is not one of ours.
  FunctionPlan(const paging::DatasetDescription& description, const std::vector<std::string>& names);

  /// Arrays whose values computeNode needs, by name, in the order in which it takes them.
  const std::vector<std::string>& arrays() const { return m_arrays; }
  /// Components of all of them together: the length of computeNode's input.
  int inputCount() const { return m_inputCount; }
  /// Components of all functions together: the length of computeNode's output.
  int outputCount() const { return m_outputCount; }
  const std::vector<FunctionInfo>& functions() const { return m_functions; }
  /// Where function `n` starts in the output.
  int outputOf(std::size_t n) const { return m_outputs[n]; }

  /// From all components of the arrays at one node to all functions there. Pure. Where a formula has no value
  /// (a negative pressure's sound speed), NaN.
  void computeNode(std::span<const double> inputs, std::span<double> outputs) const;

 private:
  enum class Kind : std::uint8_t;
  struct Step {
    Kind kind;
    int output = 0;
    int components = 1;
    /// Where in the input the needed variables are: density, momentum x y z, energy; or the first component
    /// of a variable of the file.
    int density = -1, momentum[3] = {-1, -1, -1}, energy = -1, variable = -1;
  };
  int inputOf(const paging::DatasetDescription& description, const std::string& variable);
  void add(const paging::DatasetDescription& description, const std::string& name);

  ReferenceState m_reference;
  std::vector<std::string> m_arrays;
  std::vector<int> m_arrayStarts;
  std::vector<FunctionInfo> m_functions;
  std::vector<int> m_outputs;
  std::vector<Step> m_steps;
  int m_inputCount = 0, m_outputCount = 0;
};

/// Every function that the data set can give: its variables first, then what follows from them.
std::vector<FunctionInfo> availableFunctions(const paging::DatasetDescription& description);

}  // namespace farfield::fields
