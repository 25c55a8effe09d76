#include "core/fields/words/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/base/error.h"
#include "core/fields/words/unknown_name.h"

namespace farfield::fields {

/// Recursive descent over one text.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const std::function<bool(std::string_view)>& isName)
      : m_text(text), m_isName(isName) {}

  Expression run() {
    sum();
    if (m_at < m_text.size()) refuse("there is text after the end of the expression");
    return std::move(m_made);
  }

 private:
  using Action = Expression::Action;

  struct Word {
    std::string_view name;
    Action action;
    int operands;
  };
  static constexpr Word kWords[] = {
      {"sqrt", Action::Sqrt, 1}, {"abs", Action::Abs, 1},     {"exp", Action::Exp, 1},
      {"log", Action::Log, 1},   {"log10", Action::Log10, 1}, {"sin", Action::Sin, 1},
      {"cos", Action::Cos, 1},   {"tan", Action::Tan, 1},     {"asin", Action::Asin, 1},
      {"acos", Action::Acos, 1}, {"atan", Action::Atan, 1},   {"min", Action::Min, 2},
      {"max", Action::Max, 2},   {"atan2", Action::Atan2, 2}};
  static constexpr int kMostNested = 64;

  std::string place() const {
    return "the expression '" + std::string(m_text) + "' is wrong at character " + std::to_string(m_at + 1) +
           ": ";
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Invalid(place() + what, "write it of numbers, names of functions, + - * / ^ and parentheses");
  }
  /// `word` stands where the parser is.
  [[noreturn]] void refuseName(std::string_view word) const {
    std::size_t begin = m_at;
    while (begin > 0 && m_text[m_at] != '{' && isInName(m_text[begin - 1])) --begin;
    throw UnknownName(place() + "there is no function '" + std::string(word) + "'", std::string(word),
                      std::string(m_text.substr(begin, m_at + word.size() - begin)));
  }

  char next() {
    while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t')) ++m_at;
    return m_at < m_text.size() ? m_text[m_at] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++m_at;
    return true;
  }

  /// Adds an operator that takes `operands` values and leaves one.
  void add(Expression::Step step, int operands) {
    m_waiting += 1 - operands;
    if (m_waiting > Expression::kMostValues || m_made.m_steps.size() == Expression::kMostSteps)
      refuse("it is too long");
    m_made.m_steps.push_back(step);
  }
  void add(Action action, int operands) { add(Expression::Step{action}, operands); }

  void sum() {
    product();
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return;
      product();
      add(plus ? Action::Add : Action::Subtract, 2);
    }
  }

  void product() {
    sign();
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return;
      sign();
      add(times ? Action::Multiply : Action::Divide, 2);
    }
  }

  void sign() {
    bool minus = false;
    for (;;) {
      if (take('-'))
        minus = !minus;
      else if (!take('+'))
        break;
    }
    power();
    if (minus) add(Action::Negate, 1);
  }

  void power() {
    if (++m_nested > kMostNested) refuse("it is nested too deeply");
    operand();
    if (take('^')) {
      sign();
      add(Action::Power, 2);
    }
    --m_nested;
  }

  void operand() {
    const char c = next();
    if (take('(')) {
      sum();
      if (!take(')')) refuse("')' is missing");
    } else if ((c >= '0' && c <= '9') || c == '.') {
      number();
    } else if (isLetter(c)) {
      word();
    } else if (c == '{') {
      quoted();
    } else {
      refuse(c == '\0' ? "it ends where a value is expected" : "a value is expected");
    }
  }

  void number() {
    Expression::Step step{Action::Number};
    const auto [end, status] =
        std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), step.number);
    if (status != std::errc()) refuse("this is not a number");
    m_at = static_cast<std::size_t>(end - m_text.data());
    add(step, 0);
  }

  static bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  }
  static bool isInName(char c) { return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

  void word() {
    std::size_t end = m_at;
    while (end < m_text.size() && isInName(m_text[end])) ++end;
    const std::string_view whole = m_text.substr(m_at, end - m_at);
    // the longest name first, then shorter ones before a hyphen
    for (std::string_view name = whole; !name.empty();
         name = name.substr(0, name.rfind('-') == std::string_view::npos ? 0 : name.rfind('-'))) {
      if (m_isName(name)) return useName(name);
      if (const Word* const known = findWord(name)) return call(*known);
    }
    refuseName(whole);
  }

  /// "{any name}", such as one with blanks.
  void quoted() {
    const std::size_t end = m_text.find('}', m_at);
    if (end == std::string_view::npos) refuse("'}' is missing");
    const std::string_view name = m_text.substr(m_at + 1, end - m_at - 1);
    if (!m_isName(name)) refuseName(name);
    useName(name);
    m_at = end + 1;
  }

  static const Word* findWord(std::string_view name) {
    const auto found = std::find_if(std::begin(kWords), std::end(kWords),
                                    [&](const Word& word) { return word.name == name; });
    return found == std::end(kWords) ? nullptr : found;
  }

  void useName(std::string_view name) {
    std::vector<std::string>& names = m_made.m_names;
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) found = names.insert(names.end(), std::string(name));
    m_at += name.size();
    add(Expression::Step{Action::Name, static_cast<int>(found - names.begin())}, 0);
  }

  void call(const Word& word) {
    m_at += word.name.size();
    if (!take('(')) refuse("'(' is missing after '" + std::string(word.name) + "'");
    sum();
    const auto refuseCount = [&] {
      refuse("'" + std::string(word.name) +
             (word.operands == 1 ? "' takes one value" : "' takes two values"));
    };
    for (int n = 1; n < word.operands; ++n) {
      if (!take(',')) refuseCount();
      sum();
    }
    if (next() == ',') refuseCount();
    if (!take(')')) refuse("')' is missing");
    add(word.action, word.operands);
  }

  std::string_view m_text;
  const std::function<bool(std::string_view)>& m_isName;
  Expression m_made;
  std::size_t m_at = 0;
  int m_waiting = 0, m_nested = 0;
};

Expression Expression::parse(std::string_view text, const std::function<bool(std::string_view)>& isName) {
  return ExpressionParser(text, isName).run();
}

namespace {

// for numbers; Interval has functions of the same names
using std::abs, std::sqrt, std::exp, std::log, std::log10, std::sin, std::cos, std::tan, std::asin, std::acos,
    std::atan, std::atan2, std::min, std::max, std::pow;

double power(double a, double b) {
  return b == 2 ? a * a : pow(a, b);
}
Interval power(const Interval& a, const Interval& b) {
  return b == Interval(2) ? squared(a) : pow(a, b);
}

}  // namespace

template <class Number>
Number Expression::valueOf(std::span<const Number> values) const {
  std::array<Number, kMostValues> stack;
  std::size_t count = 0;
  for (const Step& step : m_steps) {
    // operators of two values remove the upper one
    const auto withTwo = [&](auto compute) {
      --count;
      stack[count - 1] = compute(stack[count - 1], stack[count]);
    };
    const auto withOne = [&](auto compute) { stack[count - 1] = compute(stack[count - 1]); };
    switch (step.action) {
      case Action::Number:
        stack[count++] = step.number;
        break;
      case Action::Name:
        stack[count++] = values[static_cast<std::size_t>(step.name)];
        break;
      case Action::Add:
        withTwo([](Number a, Number b) { return a + b; });
        break;
      case Action::Subtract:
        withTwo([](Number a, Number b) { return a - b; });
        break;
      case Action::Multiply:
        withTwo([](Number a, Number b) { return a * b; });
        break;
      case Action::Divide:
        withTwo([](Number a, Number b) { return a / b; });
        break;
      case Action::Power:
        withTwo([](Number a, Number b) { return power(a, b); });
        break;
      case Action::Min:
        withTwo([](Number a, Number b) { return min(a, b); });
        break;
      case Action::Max:
        withTwo([](Number a, Number b) { return max(a, b); });
        break;
      case Action::Atan2:
        withTwo([](Number a, Number b) { return atan2(a, b); });
        break;
      case Action::Negate:
        withOne([](Number a) { return -a; });
        break;
      case Action::Sqrt:
        withOne([](Number a) { return sqrt(a); });
        break;
      case Action::Abs:
        withOne([](Number a) { return abs(a); });
        break;
      case Action::Exp:
        withOne([](Number a) { return exp(a); });
        break;
      case Action::Log:
        withOne([](Number a) { return log(a); });
        break;
      case Action::Log10:
        withOne([](Number a) { return log10(a); });
        break;
      case Action::Sin:
        withOne([](Number a) { return sin(a); });
        break;
      case Action::Cos:
        withOne([](Number a) { return cos(a); });
        break;
      case Action::Tan:
        withOne([](Number a) { return tan(a); });
        break;
      case Action::Asin:
        withOne([](Number a) { return asin(a); });
        break;
      case Action::Acos:
        withOne([](Number a) { return acos(a); });
        break;
      case Action::Atan:
        withOne([](Number a) { return atan(a); });
        break;
    }
  }
  return stack[0];
}

double Expression::evaluate(std::span<const double> values) const {
  return valueOf(values);
}

Interval Expression::bound(std::span<const Interval> values) const {
  return valueOf(values);
}

}  // namespace farfield::fields
