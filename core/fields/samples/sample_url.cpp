#include "core/fields/samples/sample_url.h"

#include <charconv>
#include <string_view>

#include "core/base/error.h"

namespace farfield::samples {
namespace {

constexpr std::string_view kScheme = "sample://";
/// Of this one, of many waves, a node takes long, so pages are small: whoever is short of time waits until the page that is being
/// computed is done.
constexpr std::string_view kCostly = "turbulence";
constexpr int kCostlyEdge = 8;

template <class T>
T wholeNumber(std::string_view text) {
  T value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || value < 1) {
    throw Invalid("'" + std::string(text) + "' is not a whole number above 0");
  }
  return value;
}

/// The text before `separator`, which is removed from `text`.
std::string_view next(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return part;
}

void setOption(SampleOptions& options, std::string_view key, std::string_view value) {
  if (key == "size") {
    options.size = parseSize(std::string(value));
  } else if (key == "blocks") {
    options.blocks = wholeNumber<int>(value);
  } else if (key == "steps") {
    options.steps = wholeNumber<int>(value);
  } else if (key == "edge") {
    options.pageEdge = wholeNumber<int>(value);
  } else if (key == "type") {
    options.type = scalarTypeNamed(std::string(value));
  } else if (key == "curvilinear") {
    if (value != "true" && value != "false")
      throw Invalid("'" + std::string(value) + "' is neither true nor false");
    options.curvilinear = value == "true";
  } else {
    throw Invalid("there is no such option", "use size, blocks, steps, type, curvilinear or edge");
  }
}

}  // namespace

bool isSampleUrl(const std::string& text) {
  return text.starts_with(kScheme);
}

SampleUrl parseSampleUrl(const std::string& url) {
  if (!isSampleUrl(url)) throw Invalid("'" + url + "' is not a sample", "write sample://NAME");
  std::string_view rest = std::string_view(url).substr(kScheme.size());
  SampleUrl result;
  result.name = sampleNamed(std::string(next(rest, '?'))).name;
  if (result.name == kCostly) result.options.pageEdge = kCostlyEdge;
  while (!rest.empty()) {
    std::string_view value = next(rest, '&');
    const std::string_view key = next(value, '=');
    try {
      setOption(result.options, key, value);
    } catch (Error& error) {
      error.at(std::string(key)).at("sample://" + result.name);
      throw;
    }
  }
  return result;
}

Index3 parseSize(const std::string& text) {
  std::string_view rest = text;
  Index3 size;
  size[0] = wholeNumber<std::int64_t>(next(rest, ','));
  if (text.find(',') == std::string::npos) return {size[0], size[0], size[0]};
  size[1] = wholeNumber<std::int64_t>(next(rest, ','));
  size[2] = wholeNumber<std::int64_t>(rest);
  return size;
}

}  // namespace farfield::samples
