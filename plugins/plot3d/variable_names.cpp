#include "plugins/plot3d/variable_names.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "core/base/error.h"
#include "core/base/url.h"

namespace farfield::plot3d {
namespace {

/// More of a name file than names can be.
constexpr std::size_t kMostNameBytes = 64 * 1024;

/// Empty if there is no such file, or it cannot be read: then there are no names.
std::string contentsOf(const std::string& name, const paging::ByteStores& stores) {
  std::error_code failure;
  if (!isUrl(name) && !std::filesystem::is_regular_file(name, failure)) return {};
  try {
    std::string text(kMostNameBytes, '\0');
    text.resize(stores.open(name)->readSomeAt(0, std::as_writable_bytes(std::span(text))));
    return text;
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

/// "Turb. Kinetic  Energy" as "turb-kinetic-energy".
std::string asName(const std::string& line) {
  std::string name;
  for (const char c : line) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) || letter >= 0x80)
      name += static_cast<char>(std::tolower(letter));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

std::vector<std::string> numbered(const std::string& word, int count) {
  std::vector<std::string> names;
  for (int n = 1; n <= count; ++n) names.push_back(word + "-" + std::to_string(n));
  return names;
}

}  // namespace

std::vector<std::string> namesIn(const std::string& text) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at, end = std::min(text.find_first_of("\r\n", at), text.size());
    at = end + 1;
    const std::string plain = asName(text.substr(begin, end - begin));
    if (plain.empty()) continue;
    std::string name = plain;
    for (std::size_t number = names.size() + 1; !taken.insert(name).second; ++number)
      name = plain + "-" + std::to_string(number);
    names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> solutionNames(const Layout& solution) {
  std::vector<std::string> names = {"density", "momentum-x", "momentum-y", "momentum-z", "energy"};
  const int conserved = solution.format.dimensions + 2;
  const int more = variableCount(solution.content, solution.format) - conserved;
  if (more < 1) return names;
  names.push_back("gamma");
  const int species = std::min(solution.format.species, more - 1);
  for (const auto& [word, count] : {std::pair{"species", species}, {"turbulence", more - 1 - species}})
    for (std::string& name : numbered(word, count)) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> functionNames(const std::filesystem::path& file, const Layout& functions,
                                       const paging::ByteStores& stores) {
  const int count = variableCount(functions.content, functions.format);
  std::filesystem::path appended = file, replaced = file;
  appended += ".nam";
  replaced.replace_extension(".nam");
  for (const std::filesystem::path& path : {appended, replaced}) {
    std::vector<std::string> names = namesIn(contentsOf(path.string(), stores));
    if (static_cast<int>(names.size()) == count) return names;
  }
  return numbered("function", count);
}

}  // namespace farfield::plot3d
