#pragma once
// Arithmetic over functions of the data, as users write it: "0.5*density*velocity-magnitude^2". Parsed once,
// evaluated at every node.
//
//   sum      = product { ("+" | "-") product }
//   product  = sign { ("*" | "/") sign }
//   sign     = { "-" | "+" } power
//   power    = operand [ "^" sign ]                      (to the right: 2^3^2 is 2^9; -2^2 is -4)
//   operand  = number | name | word "(" sum { "," sum } ")" | "(" sum ")"
//   word     = sqrt abs exp log log10 sin cos tan asin acos atan min max atan2
//
// A name may contain hyphens. Where it could also be a difference, the longest name that there is counts:
// "velocity-x" is the component, "density-pressure" a difference.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/interval.h"

namespace farfield::fields {

class Expression {
 public:
  /// `isName` says what is a name. Throws Invalid: what is wrong, and at which character.
  static Expression parse(std::string_view text, const std::function<bool(std::string_view)>& isName);

  /// The names in it, each once, in the order in which they appear first.
  const std::vector<std::string>& names() const { return m_names; }
  /// `values` of names(). Pure; what has no value is not a number, or infinite.
  double evaluate(std::span<const double> values) const;
  /// In what range its values are where those of names() are in theirs.
  Interval bound(std::span<const Interval> values) const;

 private:
  friend class ExpressionParser;
  template <class Number>
  Number valueOf(std::span<const Number> values) const;
  enum class Action : unsigned char {
    Number,
    Name,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Negate,
    Sqrt,
    Abs,
    Exp,
    Log,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Min,
    Max,
    Atan2
  };
  struct Step {
    Action action;
    int name = 0;
    double number = 0;
  };
  static constexpr int kMostValues = 32;  ///< that wait for an operator
  static constexpr std::size_t kMostSteps = 512;

  std::vector<Step> m_steps;  ///< operands before their operator
  std::vector<std::string> m_names;
};

}  // namespace farfield::fields
