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
// A name may contain hyphens. If it could also be a difference, the longest existing name counts:
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
  /// `isName` tells whether a word is a name. Throws Invalid: what is wrong, and at which character.
  static Expression parse(std::string_view text, const std::function<bool(std::string_view)>& isName);

  /// The names in it, each once, in the order of their first use.
  const std::vector<std::string>& names() const { return m_names; }
  /// `values` are those of names(). Pure; where the expression has no value, NaN or infinite.
  double evaluate(std::span<const double> values) const;
  /// The range of its values for names() in the given ranges.
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
  static constexpr int kMostValues = 32;  ///< most values waiting for an operator
  static constexpr std::size_t kMostSteps = 512;

  std::vector<Step> m_steps;  ///< operands before their operator
  std::vector<std::string> m_names;
};

}  // namespace farfield::fields
