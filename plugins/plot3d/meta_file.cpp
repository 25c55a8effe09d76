#include "plugins/plot3d/meta_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/base/url.h"

namespace farfield::plot3d {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostBytes = 16 << 20;

std::string contentsOf(const paging::ByteObject& file) {
  if (file.size() > kMostBytes) throw Corrupt("is too large for a list of files");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.readAt(0, std::as_writable_bytes(std::span(text)));
  return text;
}

Json parse(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    throw Corrupt("is not a JSON object", "see VTK's PLOT3D meta reader for what it must hold");
  return json;
}

[[noreturn]] void refuse(const std::string& key, const std::string& wanted) {
  throw Invalid("the value of '" + key + "' is wrong", "give " + wanted);
}

/// The value of `key` as a value of the reader's options, if present.
template <class Convert>
void option(const Json& json, const char* key, Options& options, const char* name, Convert convert) {
  const auto found = json.find(key);
  if (found == json.end()) return;
  const std::string value = convert(*found);
  options[name] = value;
  if (options.contains(std::string("solution.") + name) || std::string(name) == "iblank") return;
  if (std::string(name) != "R" && std::string(name) != "gamma")
    options[std::string("solution.") + name] = value;
}

std::string truth(const Json& value) {
  if (!value.is_boolean()) refuse("multi-grid or blanking", "true or false");
  return value.get<bool>() ? "true" : "false";
}

void readFormat(const Json& json, Options& options) {
  option(json, "byte-order", options, "byteOrder", [](const Json& value) {
    if (value != "little" && value != "big") refuse("byte-order", "\"little\" or \"big\"");
    return value.get<std::string>();
  });
  option(json, "precision", options, "precision", [](const Json& value) {
    if (value != 32 && value != 64) refuse("precision", "32 or 64");
    return std::string(value == 32 ? "f32" : "f64");
  });
  option(json, "multi-grid", options, "multiGrid", truth);
  option(json, "blanking", options, "iblank", truth);
  option(json, "2D", options, "dimensions", [](const Json& value) {
    if (!value.is_boolean()) refuse("2D", "true or false");
    return std::string(value.get<bool>() ? "2" : "3");
  });
  // the file does not say whether Fortran's markers have 4 or 8 bytes
  if (const auto language = json.find("language"); language != json.end() && *language == "C")
    options["markers"] = options["solution.markers"] = "0";
}

std::filesystem::path pathIn(const Json& entry, const char* key, const FindNamed& find) {
  const auto found = entry.find(key);
  if (found == entry.end()) return {};
  if (!found->is_string()) refuse(key, "the name of a file");
  return find(found->get<std::string>());
}

void readFiles(const Json& json, const FindNamed& find, Plot3dFiles& files) {
  const auto entries = json.find("filenames");
  if (entries == json.end() || !entries->is_array() || entries->empty())
    refuse("filenames", "a list of objects with \"xyz\" and \"q\"");
  std::vector<std::filesystem::path> functions;
  for (const Json& entry : *entries) {
    if (!entry.is_object()) refuse("filenames", "a list of objects with \"xyz\" and \"q\"");
    const auto grid = pathIn(entry, "xyz", find);
    if (grid.empty()) refuse("xyz", "the name of the grid file in each entry of \"filenames\"");
    files.grids.push_back(grid);
    if (const auto q = pathIn(entry, "q", find); !q.empty()) files.solutions.push_back(q);
    if (const auto f = pathIn(entry, "function", find); !f.empty()) functions.push_back(f);
    if (const auto time = entry.find("time"); time != entry.end()) {
      if (!time->is_number()) refuse("time", "a number");
      files.times.push_back(time->get<double>());
    }
  }
  // steps on one grid name it repeatedly
  if (std::set<std::filesystem::path>(files.grids.begin(), files.grids.end()).size() == 1)
    files.grids.resize(1);
  files.solutions.insert(files.solutions.end(), functions.begin(), functions.end());
}

}  // namespace

bool isMetaFile(const std::filesystem::path& path) {
  return path.extension() == ".p3d" && !std::filesystem::is_directory(path);
}

MetaFile metaFromText(const std::string& text, const FindNamed& find) {
  const Json json = parse(text);
  MetaFile meta;
  const auto detect = json.find("auto-detect-format");
  if (detect == json.end() || *detect != true) readFormat(json, meta.options);
  for (const char* const key : {"R", "gamma"})
    option(json, key, meta.options, key, [&](const Json& value) {
      if (!value.is_number()) refuse(key, "a number");
      return formatNumber(value.get<double>());
    });
  readFiles(json, find, meta.files);
  return meta;
}

MetaFile readMetaFile(const std::string& name, const paging::ByteStores& stores, const FindNamed& find) {
  try {
    return metaFromText(contentsOf(*stores.open(name)), find);
  } catch (Error& error) {
    if (error.place().empty()) error.at(saidOf(name));
    throw;
  }
}

}  // namespace farfield::plot3d
