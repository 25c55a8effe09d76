#include "core/session/json/json_view.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/near_names.h"
#include "core/base/units.h"

namespace farfield::session::detail {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string describe(const Limits& limits) {
  const bool hasMin = std::isfinite(limits.min), hasMax = std::isfinite(limits.max);
  if (hasMin && hasMax)
    return (limits.aboveMin ? " above " + formatNumber(limits.min) + " and up to "
                            : " from " + formatNumber(limits.min) + " to ") +
           formatNumber(limits.max);
  if (hasMin) return (limits.aboveMin ? " above " : " of at least ") + formatNumber(limits.min);
  return hasMax ? " of at most " + formatNumber(limits.max) : "";
}

/// An integer as JSON writes it: 3, or 3.0.
std::optional<std::int64_t> integerOf(const Json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (std::abs(number) > 9.0e15 || number != std::floor(number)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

void Problems::unknownKey(const std::string& path, const std::string& action) {
  if (!m_unknown) m_unknown = Problem{path, "unknown key", action};
}

void Problems::wrong(const std::string& path, const std::string& message, const std::string& action) {
  if (!m_wrong) m_wrong = Problem{path, message, action};
}

void Problems::throwFirst() const {
  const auto& first = m_unknown ? m_unknown : m_wrong;
  if (!first) return;
  Invalid error(first->message, first->action);
  if (!first->path.empty()) error.at(first->path);
  throw error;
}

void View::require(const std::string& action) const {
  if (!present()) wrong("missing", action);
}

void View::wrong(const std::string& message, const std::string& action) const {
  m_problems->wrong(m_path, message, action);
}

void View::mustBe(const std::string& what) const {
  wrong("must be " + what + ", not " + shown(*m_value));
}

bool View::read(bool& out) const {
  if (!present()) return false;
  if (!m_value->is_boolean()) return mustBe("true or false"), false;
  out = m_value->get<bool>();
  return true;
}

bool View::read(double& out, Limits limits) const {
  if (!present()) return false;
  const double number = m_value->is_number() ? m_value->get<double>() : std::nan("");
  if (!(number >= limits.min && number <= limits.max) || (limits.aboveMin && number == limits.min)) {
    return mustBe("a number" + describe(limits)), false;
  }
  out = number;
  return true;
}

bool View::read(std::int64_t& out, std::int64_t min, std::int64_t max) const {
  if (!present()) return false;
  const auto number = integerOf(*m_value);
  if (!number || *number < min || *number > max) {
    constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
    return mustBe("a whole number" +
                  describe({min <= -kAny ? -std::numeric_limits<double>::infinity() : double(min),
                            max == kAny ? std::numeric_limits<double>::infinity() : double(max)})),
           false;
  }
  out = *number;
  return true;
}

bool View::read(std::string& out) const {
  if (!present()) return false;
  if (!m_value->is_string()) return mustBe("a text"), false;
  const auto& text = m_value->get_ref<const std::string&>();
  if (text.empty()) return wrong("is empty", "write something, or leave it out"), false;
  if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    return wrong("holds a control character"), false;
  }
  out = text;
  return true;
}

bool View::read(Vec3& out) const {
  if (!present()) return false;
  const bool good =
      m_value->is_array() && m_value->size() == 3 &&
      std::all_of(m_value->begin(), m_value->end(), [](const Json& v) { return v.is_number(); });
  if (!good) return mustBe("three numbers [x, y, z]"), false;
  for (int axis = 0; axis < 3; ++axis) out[axis] = (*m_value)[static_cast<std::size_t>(axis)].get<double>();
  return true;
}

bool View::readIntegers(std::span<std::int64_t> out, std::int64_t min, std::int64_t max) const {
  if (!present()) return false;
  if (!m_value->is_array() || m_value->size() != out.size()) {
    return mustBe("a list of " + std::to_string(out.size()) + " whole numbers"), false;
  }
  std::vector<std::int64_t> numbers(out.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    if (!element(i).read(numbers[i], min, max)) return false;
  std::copy(numbers.begin(), numbers.end(), out.begin());
  return true;
}

bool View::readTexts(std::vector<std::string>& out) const {
  if (!present()) return false;
  std::vector<std::string> texts;
  if (isList()) {
    if (m_value->empty()) return wrong("is an empty list"), false;
    for (std::size_t i = 0; i < m_value->size(); ++i) {
      std::string text;
      if (!element(i).read(text)) return false;
      texts.push_back(std::move(text));
    }
  } else {
    if (!isText()) return mustBe("a text or a list of texts"), false;
    if (!read(texts.emplace_back())) return false;
  }
  out = std::move(texts);
  return true;
}

std::optional<int> View::choice(std::span<const char* const> names) const {
  if (!present()) return std::nullopt;
  const std::vector<std::string> all(names.begin(), names.end());
  if (!isText()) return mustBe("one of " + joined(all)), std::nullopt;
  const auto& text = m_value->get_ref<const std::string&>();
  const auto found = std::find(all.begin(), all.end(), text);
  if (found != all.end()) return static_cast<int>(found - all.begin());
  const std::string guess = nearestName(text, all);
  wrong("must be one of " + joined(all) + ", not " + shown(*m_value),
        guess.empty() ? "" : "did you mean '" + guess + "'?");
  return std::nullopt;
}

std::vector<View> View::elements() const {
  std::vector<View> views;
  if (!present()) return views;
  if (!isList()) return mustBe("a list"), views;
  views.reserve(m_value->size());
  for (std::size_t i = 0; i < m_value->size(); ++i) views.push_back(element(i));
  return views;
}

View View::element(std::size_t number) const {
  return {&(*m_value)[number], m_path + "." + std::to_string(number), *m_problems};
}

View View::operator[](const std::string& key) const {
  const Json* member = nullptr;
  if (isObject()) {
    if (const auto found = m_value->find(key); found != m_value->end()) member = &*found;
  }
  return {member, m_path.empty() ? key : m_path + "." + key, *m_problems};
}

bool View::object(const std::vector<std::string>& keys) const {
  if (!present()) return false;
  if (!isObject()) return mustBe("an object {…}"), false;
  for (const auto& [key, ignored] : m_value->items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string guess = nearestName(key, keys);
    const std::string name = shown(key);
    m_problems->unknownKey(
        (m_path.empty() ? "" : m_path + ".") + name.substr(1, name.size() - 2),
        guess.empty() ? "known keys are " + joined(keys) : "did you mean '" + guess + "'?");
  }
  return true;
}

}  // namespace farfield::session::detail
