#pragma once
// Reads a JSON tree key by key and collects problems, so that the most useful one can be reported: an unknown
// key before all others, then the first in the document. After a problem reading goes on with the default.
// Internal to core/session.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/session/json/json_document.h"

namespace farfield::session::detail {

class Problems {
 public:
  void unknownKey(const std::string& path, const std::string& action);
  void wrong(const std::string& path, const std::string& message, const std::string& action = {});
  /// Throws Invalid with the most useful problem, if there is one.
  void throwFirst() const;

  struct Problem {
    std::string path, message, action;
  };
  bool hasUnknownKey() const { return m_unknown.has_value(); }
  /// The first but for unknown keys.
  const std::optional<Problem>& firstWrong() const { return m_wrong; }

 private:
  std::optional<Problem> m_unknown, m_wrong;
};

/// Bounds of a number, both included unless `aboveMin`.
struct Limits {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool aboveMin = false;
};
constexpr Limits kPositive{0, std::numeric_limits<double>::infinity(), true};

/// A value at a path, or its absence. Refers to the tree and to the problems. All readers return false and
/// leave `out` unchanged if the value is absent or wrong.
class View {
 public:
  View(const Json* value, std::string path, Problems& problems)
      : m_value(value), m_path(std::move(path)), m_problems(&problems) {}

  /// The same place, with another collection of problems.
  View(const View& other, Problems& problems)
      : m_value(other.m_value), m_path(other.m_path), m_problems(&problems) {}
  /// The same place, with another value.
  View withValue(const Json* value) const { return {value, m_path, *m_problems}; }

  bool present() const { return m_value != nullptr; }
  const Json& json() const { return *m_value; }
  const std::string& path() const { return m_path; }
  bool isText() const { return present() && m_value->is_string(); }
  bool isText(const char* text) const { return isText() && *m_value == text; }
  bool isList() const { return present() && m_value->is_array(); }
  bool isObject() const { return present() && m_value->is_object(); }
  bool isNumber() const { return present() && m_value->is_number(); }

  /// Reports that the value is missing.
  void require(const std::string& action = {}) const;
  void wrong(const std::string& message, const std::string& action = {}) const;
  /// Reports "must be …, not …".
  void mustBe(const std::string& what) const;

  bool read(bool& out) const;
  bool read(double& out, Limits limits = {}) const;
  bool read(std::int64_t& out, std::int64_t min, std::int64_t max) const;
  /// A text without control characters, not empty.
  bool read(std::string& out) const;
  bool read(Vec3& out) const;
  template <class T>
  bool read(std::optional<T>& out, Limits limits = {}) const {
    T value{};
    if (!read(value, limits)) return false;
    out = value;
    return true;
  }
  bool readIntegers(std::span<std::int64_t> out, std::int64_t min, std::int64_t max) const;
  /// One text, or a list of them that is not empty.
  bool readTexts(std::vector<std::string>& out) const;
  /// The index in `names` of the text.
  std::optional<int> choice(std::span<const char* const> names) const;
  std::optional<int> choice(std::initializer_list<const char*> names) const {
    return choice(std::span(names.begin(), names.size()));
  }

  /// The elements of a list; none (and a problem) if it is something else.
  std::vector<View> elements() const;
  View element(std::size_t number) const;
  /// The member `key` of an object, absent if there is none.
  View operator[](const std::string& key) const;
  /// Checks that this is an object that has no other keys.
  bool object(const std::vector<std::string>& keys) const;

 private:
  const Json* m_value;
  std::string m_path;
  Problems* m_problems;
};

}  // namespace farfield::session::detail
