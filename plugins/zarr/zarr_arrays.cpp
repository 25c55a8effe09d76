#include "plugins/zarr/zarr_node.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "plugins/arrays/base64.h"
#include "plugins/zarr/zarr_json.h"

namespace farfield::zarr {
namespace {

using arrays::NumberType;
using chunks::Filter;
using chunks::FilterKind;
using Json = nlohmann::json;

constexpr std::size_t kMostDims = 8;
constexpr std::size_t kMostText = 4096, kMostNumbers = 4096;

Json parse(const std::string& text, const char* what) {
  Json json = parsed(text);
  if (!json.is_object()) throw Corrupt("its " + std::string(what) + " is no JSON object", "check the file");
  return json;
}

std::vector<std::int64_t> sizesIn(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array() || found->empty() || found->size() > kMostDims)
    throw Corrupt(
        "its '" + std::string(key) + "' is no list of one to " + std::to_string(kMostDims) + " sizes",
        "check the file");
  std::vector<std::int64_t> sizes;
  for (const Json& size : *found) {
    if (!size.is_number_integer() || size.get<std::int64_t>() < 1 ||
        size.get<std::int64_t>() > (std::int64_t{1} << 60))
      throw Corrupt("its '" + std::string(key) + "' has a size that is none", "check the file");
    sizes.push_back(size.get<std::int64_t>());
  }
  return sizes;
}

/// Attributes that are text, numbers or lists of these.
std::vector<cf::Attribute> attributesIn(const Json& json) {
  std::vector<cf::Attribute> attributes;
  if (!json.is_object()) return attributes;
  for (const auto& [name, value] : json.items()) {
    cf::Attribute attribute;
    attribute.name = name;
    const auto add = [&](const Json& one) {
      if (one.is_number() && attribute.numbers.size() < kMostNumbers) {
        attribute.numbers.push_back(one.get<double>());
        attribute.isDouble = true;
        // real numbers are written with a point
        attribute.isReal = attribute.isReal || one.is_number_float();
      } else if (one.is_string() && attribute.text.size() < kMostText) {
        attribute.text += (attribute.text.empty() ? "" : " ") + one.get<std::string>();
      }
    };
    if (value.is_array())
      for (const Json& one : value) add(one);
    else
      add(value);
    if (attribute.text.size() > kMostText) attribute.text.resize(kMostText);
    attributes.push_back(std::move(attribute));
  }
  return attributes;
}

class TextBytes final : public arrays::ByteSource {
 public:
  explicit TextBytes(const std::string& text) : m_text(text) {}
  std::uint64_t size() const override { return m_text.size(); }
  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    std::memcpy(out.data(), m_text.data() + offset, out.size());
  }

 private:
  const std::string& m_text;
};

/// Xarray writes the attribute _FillValue of real numbers, which may be none that JSON has, as the eight bytes of an f64 in base64.
void takeFillAttribute(ArrayNode& node) {
  constexpr std::size_t kLetters = 12;
  if (node.type != NumberType::F32 && node.type != NumberType::F64) return;
  for (cf::Attribute& attribute : node.attributes) {
    if (attribute.name != "_FillValue" || attribute.text.size() != kLetters) continue;
    std::array<std::byte, sizeof(double)> bytes{};
    const TextBytes text(attribute.text);
    try {
      arrays::Base64Reader(text, 0).read(bytes);
    } catch (const Corrupt&) {
      continue;  // text that is no number
    }
    attribute.numbers = {load<double>(bytes.data())};
    attribute.isDouble = true;
    attribute.text.clear();
  }
}

std::vector<std::string> namesIn(const Json& json) {
  std::vector<std::string> names;
  if (json.is_array() && json.size() <= kMostDims)
    for (const Json& name : json) names.push_back(name.is_string() ? name.get<std::string>() : std::string());
  return names;
}

/// Sets the bytes of the fill value.
void takeFill(const Json& fill, ArrayNode& node) {
  double number = 0;
  if (fill.is_number()) {
    number = fill.get<double>();
  } else if (fill.is_boolean()) {
    number = fill.get<bool>() ? 1 : 0;
  } else if (fill == "NaN") {
    number = NAN;
  } else if (fill == "Infinity" || fill == "-Infinity") {
    number = fill == "Infinity" ? INFINITY : -INFINITY;
  } else if (fill.is_string() && fill.get<std::string>().starts_with("0x")) {
    const auto text = fill.get<std::string>();
    std::uint64_t bits = 0;
    std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    number = node.type == NumberType::F32   ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
             : node.type == NumberType::F64 ? std::bit_cast<double>(bits)
                                            : static_cast<double>(bits);
  } else {
    return;
  }
  node.fillNumber = number;
  const auto put = [&]<class T>(T value) {
    if (node.bigEndian) value = byteSwapped(value);
    node.fill.resize(sizeof value);
    store(node.fill.data(), value);
  };
  const double whole = std::isfinite(number) && std::abs(number) < 0x1p63 ? number : 0;
  const auto integer = fill.is_number_unsigned()
                           ? fill.get<std::uint64_t>()
                           : static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
  switch (node.type) {
    case NumberType::I8:
    case NumberType::U8:
      return put(static_cast<std::uint8_t>(integer));
    case NumberType::I16:
    case NumberType::U16:
      return put(static_cast<std::uint16_t>(integer));
    case NumberType::I32:
    case NumberType::U32:
      return put(static_cast<std::uint32_t>(integer));
    case NumberType::I64:
    case NumberType::U64:
      return put(integer);
    case NumberType::F32:
      return put(static_cast<float>(number));
    case NumberType::F64:
      return put(number);
  }
}

/// A filter by the name that numcodecs, and Zarr 3, give it. False for one that is not known.
bool addFilter(const std::string& name, const Json& configuration, int elementBytes,
               std::vector<Filter>& filters) {
  if (name == "zlib")
    filters.push_back({FilterKind::Zlib});
  else if (name == "gzip")
    filters.push_back({FilterKind::Gzip});
  else if (name == "zstd")
    filters.push_back({FilterKind::Zstd});
  else if (name == "lz4")
    filters.push_back({FilterKind::Lz4Size});
  else if (name == "blosc")
    filters.push_back({FilterKind::Blosc});
  else if (name == "fletcher32")
    filters.push_back({FilterKind::Fletcher32});
  else if (name == "crc32c")
    filters.push_back({FilterKind::Crc32c});
  else if (name == "shuffle") {
    const auto size = configuration.is_object() ? configuration.find("elementsize") : configuration.end();
    int bytes = elementBytes;
    if (size != configuration.end() && size->is_number_integer())
      bytes = static_cast<int>(std::clamp<std::int64_t>(size->get<std::int64_t>(), 1, 64));
    filters.push_back({FilterKind::Shuffle, bytes});
  } else
    return false;
  return true;
}

std::string notKnown(const std::string& name) {
  return "is stored with '" + printable(name) + "', which is not known here";
}

void setFilters(std::vector<Filter> filters, ArrayNode& node) {
  try {
    node.filters = chunks::FilterChain(std::move(filters));
  } catch (const Unsupported& error) {
    node.why = error.message();
  }
}

void checkRank(const ArrayNode& node) {
  if (node.chunks.size() != node.shape.size())
    throw Corrupt("its chunks have another rank than the array", "check the file");
}

}  // namespace

ArrayNode arrayOfVersion2(const std::string& path, const std::string& array, const std::string& attributes) {
  const Json json = parse(array, ".zarray");
  ArrayNode node;
  node.path = path;
  node.shape = sizesIn(json, "shape");
  node.chunks = sizesIn(json, "chunks");
  checkRank(node);
  node.order.resize(node.shape.size());
  std::iota(node.order.begin(), node.order.end(), 0);
  if (textIn(json, "order") == "F") std::reverse(node.order.begin(), node.order.end());
  if (textIn(json, "dimension_separator") == "/") node.separator = '/';
  // "<f4", "|u1", ">M8[s]"
  const std::string dtype = textIn(json, "dtype");
  std::optional<NumberType> type;
  if (dtype.size() >= 3) {
    std::string word = dtype.substr(1, 2);
    std::string letter(1, word[0]);
    if (letter == "b") letter = "u";
    if ((letter == "M" || letter == "m") && word[1] == '8') letter = "i";
    if (dtype.size() == 3 || letter == "i")
      type = arrays::numberTypeNamed(letter + std::to_string(8 * (word[1] - '0')));
  }
  if (!type) {
    node.why = "has numbers of the type '" + printable(dtype) + "', which is not read";
    return node;
  }
  node.type = *type;
  node.bigEndian = dtype[0] == '>';
  if (const auto fill = json.find("fill_value"); fill != json.end()) takeFill(*fill, node);
  std::vector<Filter> filters;
  const auto add = [&](const Json& filter) {
    const std::string id = filter.is_object() ? textIn(filter, "id") : "";
    if (!addFilter(id, filter, arrays::bytesOf(node.type), filters) && node.why.empty())
      node.why = notKnown(id);
  };
  if (const auto found = json.find("filters"); found != json.end() && found->is_array())
    for (const Json& filter : *found) add(filter);
  if (const auto found = json.find("compressor"); found != json.end() && !found->is_null()) add(*found);
  setFilters(std::move(filters), node);
  if (!attributes.empty()) {
    const Json its = parse(attributes, ".zattrs");
    node.attributes = attributesIn(its);
    takeFillAttribute(node);
    if (const auto names = its.find("_ARRAY_DIMENSIONS"); names != its.end()) node.names = namesIn(*names);
  }
  if (node.names.size() != node.shape.size()) node.names.clear();
  node.fillIsNone = !node.names.empty();
  return node;
}

ArrayNode arrayOfVersion3(const std::string& path, const std::string& text) {
  const Json json = parse(text, "zarr.json");
  ArrayNode node;
  node.path = path;
  node.shape = sizesIn(json, "shape");
  const Json grid = json.value("chunk_grid", Json());
  if (!grid.is_object() || textIn(grid, "name") != "regular") {
    node.why = "has chunks that are not all alike";
    return node;
  }
  node.chunks = sizesIn(grid.value("configuration", Json::object()), "chunk_shape");
  checkRank(node);
  node.order.resize(node.shape.size());
  std::iota(node.order.begin(), node.order.end(), 0);
  const Json keys = json.value("chunk_key_encoding", Json::object());
  const bool isDefault = !keys.is_object() || textIn(keys, "name") != "v2";
  node.prefix = isDefault ? "c" : "";
  node.separator = isDefault ? '/' : '.';
  if (keys.is_object()) {
    const Json how = keys.value("configuration", Json::object());
    if (how.is_object() && !textIn(how, "separator").empty()) node.separator = textIn(how, "separator")[0];
  }
  if (isDefault) node.prefix += node.separator;
  const Json dtype = json.value("data_type", Json());
  const auto type = dtype.is_string() ? arrays::numberTypeNamed(dtype == "bool" ? std::string("uint8")
                                                                                : dtype.get<std::string>())
                                      : std::nullopt;
  if (!type) {
    node.why = "has numbers of the type '" +
               printable(dtype.is_string() ? dtype.get<std::string>() : dtype.dump()).substr(0, 60) +
               "', which is not read";
    return node;
  }
  node.type = *type;

  std::vector<Filter> filters;
  const auto takeCodecs = [&](const Json& codecs, std::vector<Filter>& into, bool inner,
                              const auto& self) -> void {
    if (!codecs.is_array()) throw Corrupt("its codecs are no list", "check the file");
    for (const Json& codec : codecs) {
      if (!codec.is_object()) continue;
      std::string name = textIn(codec, "name");
      if (name.starts_with("numcodecs.")) name.erase(0, 10);
      const Json how = codec.value("configuration", Json::object());
      if (name == "bytes") {
        node.bigEndian = how.is_object() && textIn(how, "endian") == "big";
      } else if (name == "transpose" && node.order.size() == node.shape.size()) {
        const Json order = how.is_object() ? how.value("order", Json()) : Json();
        if (!order.is_array() || order.size() != node.shape.size()) {
          node.why = notKnown(name);
          continue;
        }
        std::vector<int> turned;
        for (const Json& dimension : order) {
          const std::int64_t d = dimension.is_number_integer() ? dimension.get<std::int64_t>() : -1;
          if (d < 0 || d >= static_cast<std::int64_t>(node.shape.size()) ||
              std::find(turned.begin(), turned.end(), static_cast<int>(d)) != turned.end())
            throw Corrupt("its transposition is none", "check the file");
          turned.push_back(static_cast<int>(d));
        }
        node.order = turned;
      } else if (name == "sharding_indexed" && !inner && into.empty()) {
        Sharding shards;
        shards.chunks = sizesIn(how, "chunk_shape");
        shards.indexAtEnd = textIn(how, "index_location") != "start";
        for (const Json& its : how.value("index_codecs", Json::array()))
          shards.indexChecked = shards.indexChecked || (its.is_object() && textIn(its, "name") == "crc32c");
        if (!std::is_sorted(node.order.begin(), node.order.end()))
          node.why = notKnown("transpose before sharding_indexed");
        if (shards.chunks.size() != node.shape.size())
          throw Corrupt("the chunks in its shards have another rank", "check the file");
        for (std::size_t d = 0; d < node.shape.size(); ++d)
          if (node.chunks[d] % shards.chunks[d] != 0)
            throw Corrupt("its shards are not whole chunks", "check the file");
        node.sharding = shards;
        self(how.value("codecs", Json::array()), into, true, self);
      } else if (!addFilter(name, how, arrays::bytesOf(node.type), into) && node.why.empty()) {
        node.why = notKnown(name);
      }
    }
  };
  takeCodecs(json.value("codecs", Json::array()), filters, false, takeCodecs);
  setFilters(std::move(filters), node);
  if (const auto fill = json.find("fill_value"); fill != json.end()) takeFill(*fill, node);
  node.names = namesIn(json.value("dimension_names", Json()));
  if (node.names.size() != node.shape.size()) node.names.clear();
  node.attributes = attributesIn(json.value("attributes", Json::object()));
  takeFillAttribute(node);
  return node;
}

ArrayNode arrayOfN5(const std::string& path, const std::string& text) {
  const Json json = parse(text, "attributes.json");
  ArrayNode node;
  node.path = path;
  node.isN5 = true;
  node.separator = '/';
  node.bigEndian = true;
  // N5 counts dimensions fastest first
  node.shape = sizesIn(json, "dimensions");
  node.chunks = sizesIn(json, "blockSize");
  checkRank(node);
  std::reverse(node.shape.begin(), node.shape.end());
  std::reverse(node.chunks.begin(), node.chunks.end());
  node.order.resize(node.shape.size());
  std::iota(node.order.begin(), node.order.end(), 0);
  const auto type = arrays::numberTypeNamed(textIn(json, "dataType"));
  if (!type) {
    node.why = "has numbers of the type '" + printable(textIn(json, "dataType")) + "', which is not read";
    return node;
  }
  node.type = *type;
  std::vector<Filter> filters;
  const Json how = json.value("compression", Json::object());
  const std::string name = how.is_object() ? textIn(how, "type") : "";
  if (name == "gzip")
    filters.push_back({FilterKind::Gzip});
  else if (name != "raw" && !(name != "lz4" && addFilter(name, how, arrays::bytesOf(node.type), filters)))
    node.why = notKnown(name);
  setFilters(std::move(filters), node);
  node.attributes = attributesIn(json);
  return node;
}

}  // namespace farfield::zarr
