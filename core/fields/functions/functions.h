#pragma once
// The functions that a user can ask for by name or by NASA's PLOT3D number: the variables in the file, and
// functions derived from them node by node; and expressions over these (expression.h). A FunctionPlan says
// which arrays a set of functions needs and computes them from gathered node values; nothing is ever computed
// for a whole grid.
//
// The formulas and their sources: function_formulas.h. Derivatives in space use surrounding nodes
// (node_gradients.h); BoxFunctions does both for boxes of nodes.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/interval.h"
#include "core/fields/words/expression.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

struct Formula;
struct NodeState;
struct WallState;
template <class Number, class Vector>
struct FlowState;

/// What the formulas need besides the data.
struct ReferenceState {
  double gamma = 1.4;  ///< ratio of specific heats
  double gasConstant = 1.0;
  double mach = 0;       ///< of the free stream; 0: unknown
  double viscosity = 0;  ///< dynamic, the same everywhere; 0: unknown
  /// From the attributes "gamma", "R", "viscosity" and "mach" (or that of the first step, "mach.0") of a data set, if
  /// present. Without a viscosity it is that of the free stream, M / Re in PLOT3D's units, if the header of the
  /// first step ("reynolds.0") has a Reynolds number. Throws Invalid.
  static ReferenceState from(const std::map<std::string, std::string>& attributes);
};

struct FunctionInfo {
  std::string name;  ///< "pressure"
  int number = 0;    ///< NASA's; 0: a variable of the file without one
  int components = 1;
  std::string formula;      ///< for people; empty for variables of the file
  bool derivative = false;  ///< uses derivatives in space: needs surrounding nodes
  bool onWalls = false;     ///< has values only at nodes of a wall, a face of a structured block
};

/// Functions of one data set, to be computed at nodes. Immutable; shared between tasks.
class FunctionPlan {
 public:
  /// Resolves `names` ("pressure", "110", "pressure/density^1.4") against the arrays of `description`. Throws
  /// NotFound with a list of all functions, Invalid for an unknown number or a wrong expression.
  FunctionPlan(const paging::DatasetDescription& description, const std::vector<std::string>& names);

  /// Names of the arrays that computeNode needs, in the order of its input.
  const std::vector<std::string>& arrays() const { return m_arrays; }
  /// Components of all of them together: the length of computeNode's input.
  int inputCount() const { return m_inputCount; }
  /// Components of all functions together: the length of computeNode's output.
  int outputCount() const { return m_outputCount; }
  const std::vector<FunctionInfo>& functions() const { return m_functions; }
  /// Whether all functions are variables of the file, so that nothing has to be computed.
  bool isVariables() const { return m_isVariables; }
  /// Whether the blocks of the data are unstructured: a sampler then takes more memory.
  bool isOfUnstructured() const { return m_isOfUnstructured; }
  /// Index of the first value of function `n` in the output.
  int outputOf(std::size_t n) const { return m_outputs[n]; }

  /// Number of values whose gradients the functions need: at most density, pressure, and u, v, w of the
  /// velocity. 0 if no function needs gradients.
  int gradientCount() const { return m_gradientCount; }
  /// Whether a function has values on walls only.
  bool isOnWalls() const { return m_isOnWalls; }
  /// Index of u, followed by v and w, among the values whose gradients are needed, if that of the velocity is.
  int velocityBasic() const { return m_gradientCount - 3; }
  /// Those values at one node. `values` has room for gradientCount(). Pure.
  void computeBasics(std::span<const double> inputs, std::span<double> values) const;

  /// All functions at one node, from all components of the arrays and the gradients of computeBasics's values
  /// there. Pure. NaN where a formula has no value (the sound speed of a negative pressure). `wall`: of a node of a
  /// wall.
  void computeNode(std::span<const double> inputs, std::span<const Vec3> gradients, std::span<double> outputs,
                   const WallState* wall = nullptr) const;
  /// Without gradients, if gradientCount() is 0.
  void computeNode(std::span<const double> inputs, std::span<double> outputs) const {
    computeNode(inputs, {}, outputs);
  }
  /// The same for `count` nodes, inputs and outputs node by node.
  void computeNodes(std::size_t count, const double* inputs, double* outputs) const;
  /// Ranges that hold the functions at nodes whose array components are in `inputs`: all that computeNode can
  /// give there, rounding included. Unbounded for functions with derivatives. Pure.
  void bound(std::span<const Interval> inputs, std::span<Interval> outputs) const;

 private:
  struct Step {
    const Formula* formula = nullptr;  ///< the formula; or
    int variable = -1;                 ///< first component in the input of a variable of the file; or
    int expression = -1;               ///< index in m_expressions
    int output = 0;                    ///< of an operand: index in the scratch values of a node
    int components = 1;
    bool isOperand = false;
  };
  struct PlacedExpression {
    Expression expression;
    int firstOperand = 0;  ///< index in the scratch values
  };
  int inputOf(const paging::DatasetDescription& description, const std::string& variable);
  void add(const paging::DatasetDescription& description, const std::string& name);
  bool addPlain(const paging::DatasetDescription& description, const std::string& name, Step& step,
                FunctionInfo& info);
  void addExpression(const paging::DatasetDescription& description, const std::string& text, Step& step,
                     FunctionInfo& info);
  void addVector(const paging::DatasetDescription& description, const std::vector<std::string>& parts,
                 Step& step, FunctionInfo& info);
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
  std::uint16_t m_needs = 0;  ///< of all formulas together
  /// Indices of the flow variables in the input; -1 if there are none or none are needed.
  int m_density = -1, m_momentum[3] = {-1, -1, -1}, m_energy = -1, m_velocity[3] = {-1, -1, -1},
      m_pressure = -1, m_gamma = -1;
  int m_inputCount = 0, m_outputCount = 0, m_gradientCount = 0;
  bool m_isVelocity = false;  ///< velocity alone, from density and momentum: what lines need
  bool m_isVariables = false;
  bool m_isOfUnstructured = false;
  bool m_isOnWalls = false;
};

/// Every function of the data set: its variables first, then the derived ones.
std::vector<FunctionInfo> availableFunctions(const paging::DatasetDescription& description);

}  // namespace farfield::fields
