#pragma once
// The functions that a user can ask for by name or by NASA's PLOT3D number: the variables in the file, and
// what follows from them node by node; and expressions over them (expression.h). A FunctionPlan says which
// arrays a set of functions needs and computes them from gathered node values; nothing is ever computed for a
// whole grid.
//
// What each formula is, and where it comes from: function_formulas.h. Those with derivatives in space take
// them from nodes around (node_gradients.h); BoxFunctions does both for boxes of nodes.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/interval.h"
#include "core/fields/expression.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

struct Formula;
struct NodeState;
template <class Number, class Vector>
struct FlowState;

/// What the formulas need beside the data.
struct ReferenceState {
  double gamma = 1.4;  ///< ratio of specific heats
  double gasConstant = 1.0;
  double mach = 0;  ///< of the free stream; 0: not known
  /// From the attributes "gamma", "R" and "mach" (or that of the first step, "mach.0") of a data set, where
  /// there are any. Throws Invalid.
  static ReferenceState from(const std::map<std::string, std::string>& attributes);
};

struct FunctionInfo {
  std::string name;  ///< "pressure"
  int number = 0;    ///< NASA's; 0: a variable of the file without one
  int components = 1;
  std::string formula;      ///< for people; empty for variables of the file
  bool derivative = false;  ///< in space: needs nodes around
};

/// Functions of one data set, to be computed at nodes. Immutable; shared between tasks.
class FunctionPlan {
 public:
  /// Resolves `names` ("pressure", "110", "pressure/density^1.4") against the arrays of `description`. Throws
  /// NotFound listing what there is, Invalid when a number is not one of ours or an expression is wrong.
  FunctionPlan(const paging::DatasetDescription& description, const std::vector<std::string>& names);

  /// Arrays whose values computeNode needs, by name, in the order in which it takes them.
  const std::vector<std::string>& arrays() const { return m_arrays; }
  /// Components of all of them together: the length of computeNode's input.
  int inputCount() const { return m_inputCount; }
  /// Components of all functions together: the length of computeNode's output.
  int outputCount() const { return m_outputCount; }
  const std::vector<FunctionInfo>& functions() const { return m_functions; }
  /// Whether all functions are variables of the file, of which nothing has to be computed.
  bool isVariables() const { return m_isVariables; }
  /// Where function `n` starts in the output.
  int outputOf(std::size_t n) const { return m_outputs[n]; }

  /// Values of which the functions need gradients: at most density, pressure, and u, v, w of the velocity. 0
  /// where no function needs any.
  int gradientCount() const { return m_gradientCount; }
  /// Those values at one node. `values` has gradientCount() places. Pure.
  void computeBasics(std::span<const double> inputs, std::span<double> values) const;

  /// From all components of the arrays at one node, and the gradients of computeBasics's values there, to all
  /// functions. Pure. Where a formula has no value (a negative pressure's sound speed), NaN.
  void computeNode(std::span<const double> inputs, std::span<const Vec3> gradients,
                   std::span<double> outputs) const;
  /// Without gradients, where gradientCount() is 0.
  void computeNode(std::span<const double> inputs, std::span<double> outputs) const {
    computeNode(inputs, {}, outputs);
  }
  /// The same for `count` nodes, inputs and outputs of one after those of the other.
  void computeNodes(std::size_t count, const double* inputs, double* outputs) const;
  /// In what ranges the functions are at nodes whose components of the arrays are in `inputs`: what computeNode
  /// gives there, rounding included. Anything where a function has derivatives. Pure.
  void bound(std::span<const Interval> inputs, std::span<Interval> outputs) const;

 private:
  struct Step {
    const Formula* formula = nullptr;  ///< what is computed; or
    int variable = -1;                 ///< the first component in the input of a variable of the file; or
    int expression = -1;               ///< in m_expressions
    int output = 0;                    ///< of an operand: in the scratch values of a node
    int components = 1;
    bool isOperand = false;
  };
  struct PlacedExpression {
    Expression expression;
    int firstOperand = 0;  ///< in the scratch values
  };
  int inputOf(const paging::DatasetDescription& description, const std::string& variable);
  void add(const paging::DatasetDescription& description, const std::string& name);
  bool addPlain(const paging::DatasetDescription& description, const std::string& name, Step& step,
                FunctionInfo& info);
  void addExpression(const paging::DatasetDescription& description, const std::string& text, Step& step,
                     FunctionInfo& info);
  void addInputsOf(const paging::DatasetDescription& description, const Formula& formula);
  template <class Number, class Vector>
  void setState(std::span<const Number> inputs, FlowState<Number, Vector>& state) const;
  NodeState stateOf(std::span<const double> inputs) const;
  void computeSteps(const NodeState& node, std::span<const double> inputs, std::span<double> outputs) const;

  ReferenceState m_reference;
  std::vector<std::string> m_arrays;
  std::vector<int> m_arrayStarts;
  std::vector<FunctionInfo> m_functions;
  std::vector<int> m_outputs;
  std::vector<Step> m_steps;  ///< operands before their expression
  std::vector<PlacedExpression> m_expressions;
  static constexpr int kMostOperands = 64;
  int m_operandCount = 0;
  std::uint8_t m_needs = 0;  ///< of all formulas together
  /// Where in the input the flow variables are; -1 where there are none or none are needed.
  int m_density = -1, m_momentum[3] = {-1, -1, -1}, m_energy = -1, m_velocity[3] = {-1, -1, -1},
      m_pressure = -1, m_gamma = -1;
  int m_inputCount = 0, m_outputCount = 0, m_gradientCount = 0;
  bool m_isVelocity = false;  ///< it alone, from density and momentum: what lines need
  bool m_isVariables = false;
};

/// Every function that the data set can give: its variables first, then what follows from them.
std::vector<FunctionInfo> availableFunctions(const paging::DatasetDescription& description);

}  // namespace farfield::fields
