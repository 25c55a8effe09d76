#include "core/fields/functions/open_data.h"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/foreign_file.h"
#include "core/base/stoppable_waits.h"
#include "core/base/url.h"
#include "core/fields/cells/regular_grid.h"
#include "core/fields/functions/defined_functions.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/words/number_pattern.h"

namespace farfield::fields {
namespace {

/// Whether a name that matches has numbers alone in the place of [0-9]*, if that is all that differs: files of means or of before, called
/// w_1_mean.nc and w_1.old.nc, are no steps of w_[0-9]*.nc. Dates and times are numbers.
bool isNumbered(const std::string& name, const std::string& pattern) {
  const std::size_t at = pattern.find(kNumbers);
  if (at == std::string::npos) return true;
  const std::string before = pattern.substr(0, at), after = pattern.substr(at + std::size(kNumbers) - 1);
  if ((before + after).find_first_of("*?[\\") != std::string::npos) return true;
  const std::string number = name.substr(at, name.size() - before.size() - after.size());
  return number.find_first_not_of("+-_.: 0123456789eETZh") == std::string::npos;
}

/// Digits compare as numbers, so that step 9 comes before step 10.
bool naturalLess(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [&](const std::string& text, std::size_t& at) {
      while (at < text.size() && text[at] == '0') ++at;
      const std::size_t start = at;
      while (at < text.size() && digit(text[at])) ++at;
      return text.substr(start, at - start);
    };
    const std::string x = number(a, i), y = number(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

/// Throws what a picture or a document is, whatever its name; nothing for any other file.
void refuseForeign(const std::string& file) {
  const std::string kind = isUrl(file) ? std::string() : foreignKindByMark(file);
  if (!kind.empty()) throw Unsupported(foreignMessage(kind), "name a file of data").at("file " + file);
}

/// Where a reader stumbled in a picture or a document tells nobody anything.
std::unique_ptr<OpenData> openBy(const DataReader& reader, const OpenRequest& request,
                                 MemoryAccount& account) {
  try {
    return reader.open(request, account);
  } catch (const Cancelled&) {
    throw;
  } catch (const OverBudget&) {
    throw;
  } catch (const Error& error) {
    const std::string& file = request.sources.front();
    std::error_code problem;
    // What is not there has no format that its options could be wrong for.
    if (dynamic_cast<const Invalid*>(&error) && !isUrl(file) &&
        std::filesystem::status(file, problem).type() == std::filesystem::file_type::not_found)
      throw NotFound("no such file", "check the name").at("file " + file);
    refuseForeign(file);
    throw;
  }
}

}  // namespace

std::uint64_t OpenData::storedBytesOf(std::uint32_t array, std::uint64_t page) const {
  const paging::ArrayDescription& its = description().arrays[array];
  return static_cast<std::uint64_t>(product(its.boxOf(page).size) * its.nodeBytes());
}

std::string namedFile(const OpenRequest& request, const std::string& file, const std::string& named) {
  if (request.findNamed) return request.findNamed(file, named);
  if (isUrl(file)) return besideUrl(file, named);
  return (std::filesystem::path(file).parent_path() / named).string();
}

std::unique_ptr<OpenData> ReaderRegistry::open(const OpenRequest& asked, MemoryAccount& account) const {
  if (asked.sources.empty()) throw Invalid("no data are named");
  OpenRequest request = asked;
  if (!request.forConversion && !account.onlyCounts()) request.keptRanges = m_keptRanges;
  const auto list = [&] {
    std::string text;
    for (const auto& reader : m_readers) text += (text.empty() ? "" : ", ") + reader->name();
    return text;
  };
  // for loops deep in readers, which nobody hands the request
  std::optional<StoppableWaits> waits;
  if (request.stop.stop_possible()) waits.emplace(request.stop);
  int resampleNodes = 0;
  if (const auto option = request.options.find("resample"); option != request.options.end()) {
    resampleNodes = nodesAlongLongest(option->second, "the option resample");
    request.options.erase(option);
  }
  const auto definitions = takeDefinitions(request.options);
  // Every reader would say it in its own way, and the one that takes what nobody else does in the oddest.
  std::error_code problem;
  const auto status = std::filesystem::status(request.sources.front(), problem);
  if (std::filesystem::is_other(status))
    throw Io("is not a regular file", "name a file on a disk").at("file " + request.sources.front());
  if (std::filesystem::is_regular_file(status) &&
      std::filesystem::file_size(request.sources.front(), problem) == 0)
    throw Corrupt("is empty", "check that the copy is complete").at("file " + request.sources.front());
  for (const auto& reader : m_readers) {
    if (request.reader.empty() ? reader->takes(request) : reader->name() == request.reader) {
      auto data = withDefinitions(openBy(*reader, request, account), definitions);
      data->setResampleNodes(resampleNodes);  // of what may be handed on without places as well
      if (!request.forConversion) data = withPlaces(std::move(data));
      auto kept = std::make_shared<OpenRequest>(asked);
      kept->findNamed = nullptr;
      data->m_request = std::move(kept);
      return data;
    }
  }
  if (!request.reader.empty())
    throw Invalid("there is no reader '" + request.reader + "'", "use one of: " + list());
  refuseForeign(request.sources.front());
  throw Unsupported("the format is not recognized", "name the reader, one of: " + list())
      .at("file " + request.sources.front());
}

std::vector<std::string> ReaderRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& reader : m_readers) names.push_back(reader->name());
  return names;
}

std::vector<std::string> expandPattern(const std::string& pattern) {
  if (pattern.find("://") != std::string::npos) return {pattern};
  const std::filesystem::path path(pattern);
  const std::string last = path.filename().string();
  std::error_code ignored;
  if (last.find_first_of("*?[") == std::string::npos || std::filesystem::exists(path, ignored))
    return {pattern};
  std::vector<std::string> found, others;
  const std::filesystem::path folder = path.parent_path().empty() ? "." : path.parent_path();
  for (std::filesystem::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (::fnmatch(last.c_str(), name.c_str(), FNM_PERIOD) == 0)
      (isNumbered(name, last) ? found : others).push_back((path.parent_path() / name).string());
  }
  if (found.empty()) found = std::move(others);
  if (found.empty()) throw NotFound("no file matches the pattern", "check the name").at(pattern);
  std::sort(found.begin(), found.end(), naturalLess);
  return found;
}

}  // namespace farfield::fields
