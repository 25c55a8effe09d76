#include "core/paging/store/catalog.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_depth.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/store/description_check.h"

namespace farfield::paging {
namespace {

using Json = nlohmann::json;

/// Far more than any data set has, and few enough that no product of sizes overflows.
constexpr std::int64_t kMaxComponents = 65536;
constexpr std::int64_t kMaxCount = std::int64_t{1} << 52;
constexpr std::uint64_t kMostPartBytes = std::uint64_t{1} << 52;

// --- writing ---------------------------------------------------------------------------------------------

/// JSON has no infinities.
Json toJson(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}
Json toJson(const Vec3& v) {
  return {toJson(v.x), toJson(v.y), toJson(v.z)};
}
Json toJson(const Index3& n) {
  return {n[0], n[1], n[2]};
}

Json toJson(const BlockDescription& block) {
  Json json{{"dims", toJson(block.dims)}, {"kind", nameOf(block.kind)}, {"iblank", block.hasIblank}};
  if (block.kind == GridKind::Regular) {
    json["origin"] = toJson(block.origin);
    json["spacing"] = toJson(block.spacing);
  }
  if (block.axes) {
    json["spacing"] = toJson(block.spacing);
    json["axes"] = *block.axes;
  }
  if (block.isUnstructured()) json["cells"] = block.cells;
  if (!block.bounds.empty()) json["bounds"] = {toJson(block.bounds.min), toJson(block.bounds.max)};
  return json;
}

Json toJson(const ArrayDescription& array, GridKind grid) {
  Json json{{"name", array.name},
            {"block", array.block},
            {"dims", toJson(array.layout.dims())},
            {"page", toJson(array.layout.extent())},
            {"steps", array.steps},
            {"components", array.components},
            {"type", nameOf(array.type)},
            {"componentNames", array.componentNames}};
  if (array.onCells) json["on"] = "cells";
  if (!nameSaysRole(array, grid)) {
    json["role"] = nameOf(array.role);
    json["detail"] = array.detail;
    if (array.role == ArrayRole::LocationBounds) json["boundsLevel"] = array.boundsLevel;
  }
  return json;
}

Json toJson(const NamedSurface& surface) {
  return {{"name", surface.name},
          {"block", surface.block},
          {"first", toJson(surface.nodes.first)},
          {"size", toJson(surface.nodes.size)},
          {"kind", surface.kind},
          {"from", surface.from}};
}

Json toJson(const DatasetDescription& description) {
  Json json{{"format", description.format},
            {"attributes", description.attributes},
            {"storedBytes", description.storedBytes},
            {"pageEdge", description.pageEdge},
            {"codec", description.codec},
            {"times", Json::array()},
            {"blocks", Json::array()},
            {"arrays", Json::array()}};
  for (const double time : description.times) json["times"].push_back(toJson(time));
  for (const BlockDescription& block : description.blocks) json["blocks"].push_back(toJson(block));
  for (const ArrayDescription& array : description.arrays)
    json["arrays"].push_back(
        toJson(array, description.blocks.at(static_cast<std::size_t>(array.block)).kind));
  for (const NamedSurface& surface : description.surfaces) json["surfaces"].push_back(toJson(surface));
  return json;
}

std::string dump(const Json& json) {
  // Names and paths may be any bytes; what is not UTF-8 is replaced, not refused.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// --- reading: every value is checked, because every byte may be hostile ---------------------------------

[[noreturn]] void wrong(const std::string& key, const char* expected) {
  throw Corrupt("\"" + key + "\" is not " + expected).at("catalog");
}

const Json& member(const Json& json, const std::string& key) {
  if (!json.is_object()) wrong(key, "in an object");
  const auto found = json.find(key);
  if (found == json.end()) throw Corrupt("\"" + key + "\" is missing").at("catalog");
  return *found;
}

const Json& arrayMember(const Json& json, const std::string& key) {
  const Json& value = member(json, key);
  if (!value.is_array()) wrong(key, "a list");
  return value;
}

std::int64_t asInteger(const Json& value, const std::string& key, std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) wrong(key, "an integer");
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
    wrong(key, "in range");
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) wrong(key, "in range");
  return number;
}
std::int64_t integer(const Json& json, const std::string& key, std::int64_t low, std::int64_t high) {
  return asInteger(member(json, key), key, low, high);
}

std::uint64_t unsignedInteger(const Json& json, const std::string& key) {
  const Json& value = member(json, key);
  if (!value.is_number_unsigned()) wrong(key, "an unsigned integer");
  return value.get<std::uint64_t>();
}

double asDouble(const Json& value, const std::string& key) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  wrong(key, "a number");
}

std::string text(const Json& json, const std::string& key) {
  const Json& value = member(json, key);
  if (!value.is_string()) wrong(key, "text");
  return value.get<std::string>();
}

bool flag(const Json& json, const std::string& key) {
  const Json& value = member(json, key);
  if (!value.is_boolean()) wrong(key, "true or false");
  return value.get<bool>();
}

Vec3 asVec3(const Json& value, const std::string& key) {
  if (!value.is_array() || value.size() != 3) wrong(key, "three numbers");
  return {asDouble(value[0], key), asDouble(value[1], key), asDouble(value[2], key)};
}

Index3 index3(const Json& json, const std::string& key, std::int64_t least) {
  const Json& value = arrayMember(json, key);
  if (value.size() != 3) wrong(key, "three integers");
  Index3 result;
  for (std::size_t a = 0; a < 3; ++a) result[a] = asInteger(value[a], key, least, kMaxCount);
  return result;
}
Index3 positiveIndex3(const Json& json, const std::string& key) {
  return index3(json, key, 1);
}

/// Axes of a rectilinear block: one coordinate per node, ascending.
GridAxes axesFrom(const Json& json, const Index3& dims) {
  const Json& value = arrayMember(json, "axes");
  if (value.size() != 3) wrong("axes", "three lists");
  GridAxes axes;
  for (std::size_t a = 0; a < 3; ++a) {
    if (!value[a].is_array() || static_cast<std::int64_t>(value[a].size()) != dims[a])
      wrong("axes", "a coordinate for each node");
    axes[a].reserve(value[a].size());
    for (const Json& each : value[a]) {
      const double at = asDouble(each, "axes");
      if (!std::isfinite(at) || (!axes[a].empty() && at <= axes[a].back())) wrong("axes", "ascending");
      axes[a].push_back(at);
    }
  }
  return axes;
}

BlockDescription blockFrom(const Json& json) {
  BlockDescription block;
  block.dims = positiveIndex3(json, "dims");
  const std::string kind = text(json, "kind");
  const auto kinds = {GridKind::Regular, GridKind::Curvilinear, GridKind::Rectilinear,
                      GridKind::Unstructured};
  const auto* const known =
      std::find_if(kinds.begin(), kinds.end(), [&](GridKind its) { return kind == nameOf(its); });
  if (known == kinds.end()) wrong("kind", "a kind of grid");
  block.kind = *known;
  block.hasIblank = flag(json, "iblank");
  if (block.kind == GridKind::Regular) {
    block.origin = asVec3(member(json, "origin"), "origin");
    block.spacing = asVec3(member(json, "spacing"), "spacing");
  }
  if (block.kind == GridKind::Rectilinear) {
    block.spacing = asVec3(member(json, "spacing"), "spacing");
    block.axes = std::make_shared<const GridAxes>(axesFrom(json, block.dims));
  }
  if (block.isUnstructured()) block.cells = integer(json, "cells", 1, kMaxCount);
  if (json.contains("bounds")) {
    const Json& bounds = arrayMember(json, "bounds");
    if (bounds.size() != 2) wrong("bounds", "two points");
    block.bounds.min = asVec3(bounds[0], "bounds");
    block.bounds.max = asVec3(bounds[1], "bounds");
  }
  return block;
}

ArrayDescription arrayFrom(const Json& json, const std::vector<BlockDescription>& blocks) {
  ArrayDescription array;
  array.name = text(json, "name");
  array.block = static_cast<int>(integer(json, "block", 0, static_cast<std::int64_t>(blocks.size()) - 1));
  const Index3 dims = positiveIndex3(json, "dims"), extent = positiveIndex3(json, "page");
  for (std::size_t a = 0; a < 3; ++a)
    if (extent[a] > dims[a]) wrong("page", "within the array");
  array.layout = PageLayout::ofExtent(dims, extent);
  array.steps = integer(json, "steps", 1, kMaxCount);
  array.components = static_cast<int>(integer(json, "components", 1, kMaxComponents));
  try {
    array.type = scalarTypeNamed(text(json, "type"));
  } catch (const Invalid&) {
    wrong("type", "a number type");
  }
  for (const Json& name : arrayMember(json, "componentNames")) {
    if (!name.is_string()) wrong("componentNames", "a list of names");
    array.componentNames.push_back(name.get<std::string>());
  }
  if (json.contains("on")) {
    if (text(json, "on") != "cells") wrong("on", "cells");
    array.onCells = true;
  }
  if (!json.contains("role")) {
    setRoleByName(array, blocks[static_cast<std::size_t>(array.block)].kind);
    return array;
  }
  array.role = roleNamed(text(json, "role"));
  array.detail = static_cast<int>(integer(json, "detail", 0, kMostLevels - 1));
  if (array.role == ArrayRole::LocationBounds)
    array.boundsLevel = static_cast<int>(integer(json, "boundsLevel", 0, 64));
  return array;
}

NamedSurface surfaceFrom(const Json& json) {
  NamedSurface surface;
  surface.name = text(json, "name");
  surface.block = static_cast<int>(integer(json, "block", 0, std::numeric_limits<int>::max()));
  surface.nodes = {index3(json, "first", 0), positiveIndex3(json, "size")};
  surface.kind = text(json, "kind");
  surface.from = text(json, "from");
  return surface;
}

Stripes stripesFrom(const Json& json) {
  Stripes stripes;
  stripes.set = unsignedInteger(json, "set");
  const Json& parts = arrayMember(json, "parts");
  if (parts.empty() || parts.size() > kMostParts) wrong("parts", "a list of parts");
  for (const Json& each : parts) {
    StripePart part{text(each, "name"), unsignedInteger(each, "bytes")};
    // It is looked for beside the set and nowhere else.
    if (part.name.empty() || part.name.front() == '.' || part.name.find('/') != std::string::npos ||
        part.name.find('\0') != std::string::npos)
      wrong("name", "a name of a file beside the set");
    if (part.bytes < static_cast<std::uint64_t>(kPayloadStart) || part.bytes > kMostPartBytes)
      wrong("bytes", "a size of a part");
    stripes.parts.push_back(std::move(part));
  }
  return stripes;
}

std::vector<NodePlace> leftFrom(const Json& json) {
  std::vector<NodePlace> left;
  std::uint64_t end = kPayloadStart;
  for (const Json& each : arrayMember(json, "left")) {
    const NodePlace place{unsignedInteger(each, "offset"), unsignedInteger(each, "bytes"),
                          unsignedInteger(each, "checksum")};
    if (place.offset < end || place.offset > kMostPartBytes || place.bytes == 0 ||
        place.bytes > kMostPartBytes - place.offset)
      wrong("left", "a list of places one after the other");
    end = place.offset + place.bytes;
    left.push_back(place);
  }
  return left;
}

DatasetDescription descriptionFrom(const Json& json) {
  DatasetDescription description;
  description.format = text(json, "format");
  const Json& attributes = member(json, "attributes");
  if (!attributes.is_object()) wrong("attributes", "an object");
  for (const auto& [key, value] : attributes.items()) {
    if (!value.is_string()) wrong(key, "text");
    description.attributes[key] = value.get<std::string>();
  }
  description.storedBytes = unsignedInteger(json, "storedBytes");
  description.pageEdge = static_cast<int>(integer(json, "pageEdge", 0, 1 << 20));
  description.codec = text(json, "codec");
  for (const Json& time : arrayMember(json, "times")) description.times.push_back(asDouble(time, "times"));
  for (const Json& block : arrayMember(json, "blocks")) description.blocks.push_back(blockFrom(block));
  for (const Json& array : arrayMember(json, "arrays"))
    description.arrays.push_back(arrayFrom(array, description.blocks));
  // Older stores have no surfaces.
  if (json.contains("surfaces"))
    for (const Json& surface : arrayMember(json, "surfaces"))
      description.surfaces.push_back(surfaceFrom(surface));
  try {
    checkDescription(description);
  } catch (Invalid& error) {
    throw Corrupt(error.what()).at("catalog");
  }
  return description;
}

/// No catalog needs more.
constexpr int kMaxDepth = 16;

Json parse(const std::string& text) {
  if (isNestedDeeper(text, kMaxDepth)) throw Corrupt("is nested too deep").at("catalog");
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Corrupt("is not JSON").at("catalog");
  return json;
}

}  // namespace

std::string descriptionText(const DatasetDescription& description) {
  return dump(toJson(description));
}
DatasetDescription descriptionFromText(const std::string& text) {
  return descriptionFrom(parse(text));
}

std::string catalogText(const Catalog& catalog) {
  Json json{{"description", toJson(catalog.description)},
            {"codec", nameOf(catalog.codec)},
            {"index", Json::array()}};
  for (const Catalog::Index& index : catalog.indices) {
    Json ranges = Json::array();
    for (const ValueRange& range : index.summary.components)
      ranges.push_back({toJson(range.min), toJson(range.max)});
    json["index"].push_back({{"offset", index.root.offset},
                             {"bytes", index.root.bytes},
                             {"checksum", index.root.checksum},
                             {"ranges", ranges},
                             {"nonFinite", index.summary.hasNonFinite}});
  }
  if (!catalog.stripes.parts.empty()) {
    json["stripes"] = {{"set", catalog.stripes.set}, {"parts", Json::array()}};
    for (const StripePart& part : catalog.stripes.parts)
      json["stripes"]["parts"].push_back({{"name", part.name}, {"bytes", part.bytes}});
  }
  for (const NodePlace& place : catalog.left)
    json["left"].push_back({{"offset", place.offset}, {"bytes", place.bytes}, {"checksum", place.checksum}});
  return dump(json);
}

std::uint64_t Catalog::leftBytes() const {
  std::uint64_t bytes = 0;
  for (const NodePlace& place : left) bytes += place.bytes;
  return bytes;
}

std::uint32_t storeVersionOf(const DatasetDescription& description) {
  return std::all_of(description.arrays.begin(), description.arrays.end(),
                     [&](const ArrayDescription& array) {
                       return nameSaysRole(array,
                                           description.blocks[static_cast<std::size_t>(array.block)].kind);
                     })
             ? 1
             : 2;
}

Catalog catalogFromText(const std::string& catalogJson) {
  const Json json = parse(catalogJson);
  Catalog catalog;
  catalog.description = descriptionFrom(member(json, "description"));
  try {
    catalog.codec = codecNamed(text(json, "codec"));
  } catch (const Invalid&) {
    wrong("codec", "a known codec");
  }
  if (catalog.description.codec != nameOf(catalog.codec)) wrong("codec", "the same in both places");
  const Json& indices = arrayMember(json, "index");
  if (indices.size() != catalog.description.arrays.size()) wrong("index", "one for each array");
  for (std::size_t n = 0; n < indices.size(); ++n) {
    Catalog::Index index;
    index.root.offset = unsignedInteger(indices[n], "offset");
    index.root.bytes = unsignedInteger(indices[n], "bytes");
    index.root.checksum = unsignedInteger(indices[n], "checksum");
    index.summary.hasNonFinite = flag(indices[n], "nonFinite");
    const Json& ranges = arrayMember(indices[n], "ranges");
    if (ranges.size() != static_cast<std::size_t>(catalog.description.arrays[n].components))
      wrong("ranges", "one for each component");
    for (const Json& range : ranges) {
      if (!range.is_array() || range.size() != 2) wrong("ranges", "a list of pairs");
      index.summary.components.push_back({asDouble(range[0], "ranges"), asDouble(range[1], "ranges")});
      if (!index.summary.components.back().isValid()) wrong("ranges", "a list of ranges");
    }
    catalog.indices.push_back(std::move(index));
  }
  if (json.contains("stripes")) catalog.stripes = stripesFrom(json["stripes"]);
  if (json.contains("left")) catalog.left = leftFrom(json);
  return catalog;
}

}  // namespace farfield::paging
