#pragma once
// What an action that must fail says.

#include <exception>
#include <string>

namespace farfield::test {

/// Words of the error that `action` throws, empty when none; `Kind` or a failure.
template <class Kind, class Action>
std::string errorOf(Action action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("other error: ") + error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace farfield::test
