#include "plugins/zarr/zarr_node.h"

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/refused.h"
#include "core/base/url.h"
#include "plugins/zarr/zarr_json.h"

namespace farfield::zarr {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostMetadata = 16 << 20;
constexpr std::size_t kMostNodes = 4096, kMostLevels = 32, kMostChannels = 64;
constexpr int kMostDepth = 8;

std::string joined(const std::string& root, const std::string& key) {
  return key.empty() ? root : root + (root.ends_with('/') ? "" : "/") + key;
}
std::string below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "/" + name;
}

/// Metadata name what is in the folder, and nothing outside of it.
void requireBelow(const std::string& path) {
  if (("/" + path + "/").find("/../") != std::string::npos)
    throw Corrupt("names an array outside of it", "check where it comes from").at(printable(path));
}

std::vector<double> numbersIn(const Json& list) {
  std::vector<double> numbers;
  if (list.is_array() && list.size() <= 8)
    for (const Json& number : list) numbers.push_back(number.is_number() ? number.get<double>() : 0);
  return numbers;
}

/// An image of OME-Zarr (ngff.openmicroscopy.org, versions 0.4 and 0.5) in the attributes of a group.
std::optional<Image> imageIn(const Json& attributes) {
  if (!attributes.is_object()) return std::nullopt;
  const Json& place =
      attributes.contains("ome") && attributes["ome"].is_object() ? attributes["ome"] : attributes;
  const auto scales = place.find("multiscales");
  if (scales == place.end() || !scales->is_array() || scales->empty() || !scales->front().is_object())
    return std::nullopt;
  const Json& first = scales->front();
  Image image;
  for (const Json& axis : first.value("axes", Json::array())) {
    const bool isObject = axis.is_object();
    image.axes.push_back(isObject ? textIn(axis, "name") : axis.is_string() ? axis.get<std::string>() : "");
    image.types.push_back(isObject ? textIn(axis, "type") : "");
    image.units.push_back(isObject ? textIn(axis, "unit") : "");
  }
  for (const Json& level : first.value("datasets", Json::array())) {
    if (!level.is_object() || image.levels.size() >= kMostLevels) break;
    ImageLevel made;
    made.path = textIn(level, "path");
    requireBelow(made.path);
    for (const Json& transformation : level.value("coordinateTransformations", Json::array())) {
      if (!transformation.is_object()) continue;
      if (textIn(transformation, "type") == "scale")
        made.scale = numbersIn(transformation.value("scale", Json()));
      if (textIn(transformation, "type") == "translation")
        made.translation = numbersIn(transformation.value("translation", Json()));
    }
    image.levels.push_back(std::move(made));
  }
  if (const auto omero = place.find("omero"); omero != place.end() && omero->is_object())
    for (const Json& channel : omero->value("channels", Json::array()))
      if (channel.is_object() && image.channels.size() < kMostChannels)
        image.channels.push_back(textIn(channel, "label"));
  if (image.levels.empty()) return std::nullopt;
  return image;
}

class Reader {
 public:
  Reader(const paging::ByteStores& stores, const std::string& root) : m_stores(stores), m_root(root) {}

  Tree read() {
    readAttributes();
    if (m_tree.image) {
      for (const ImageLevel& level : m_tree.image->levels) readNode(level.path);
    } else if (!readConsolidated()) {
      visit("", 0);
      if (!m_tree.isThere) (void)text(".zgroup");  // which says nothing but that it is a group
    }
    std::sort(m_tree.arrays.begin(), m_tree.arrays.end(),
              [](const ArrayNode& a, const ArrayNode& b) { return a.path < b.path; });
    return std::move(m_tree);
  }

 private:
  /// Servers that let nobody list what they have refuse what they do not have.
  std::optional<std::string> text(const std::string& key) {
    try {
      std::optional<std::string> found = textAt(m_stores, m_root, key);
      m_tree.isThere |= found.has_value();
      return found;
    } catch (const Refused& refused) {
      ++m_refusals;
      if (!m_tree.refused) m_tree.refused = refused.share();
      return std::nullopt;
    }
  }

  /// Of an array of version 2, which may have none.
  std::string attributesOf(const std::string& path) {
    const std::size_t before = m_refusals;
    const std::optional<std::string> found = text(below(path, ".zattrs"));
    if (m_refusals > before) m_tree.withoutAttributes.push_back(path);
    return found.value_or("");
  }

  void readAttributes() {
    Json attributes = Json::object();
    if (const auto found = text("zarr.json")) {
      const Json json = parsed(*found);
      if (json.is_object()) attributes = json.value("attributes", Json::object());
    } else if (const auto two = text(".zattrs")) {
      attributes = parsed(*two);
    }
    m_tree.image = imageIn(attributes);
    if (attributes.is_object())
      for (const auto& [name, value] : attributes.items())
        if (value.is_string()) m_tree.attributes.push_back({name, value.get<std::string>(), {}, false});
  }

  /// All metadata in one object, as servers need it, where they cannot list.
  bool readConsolidated() {
    if (const auto two = text(".zmetadata")) {
      const Json json = parsed(*two);
      if (!json.is_object() || !json.contains("metadata") || !json["metadata"].is_object()) return false;
      for (const auto& [key, value] : json["metadata"].items()) {
        if (key != ".zarray" && !key.ends_with("/.zarray")) continue;
        if (isFull()) return true;
        const std::string path = key.substr(0, key.size() - std::min(key.size(), std::size_t{8}));
        requireBelow(path);
        const auto attributes = json["metadata"].find(below(path, ".zattrs"));
        m_tree.arrays.push_back(arrayOfVersion2(
            path, value.dump(), attributes == json["metadata"].end() ? std::string() : attributes->dump()));
      }
      return true;
    }
    const auto three = text("zarr.json");
    if (!three) return false;
    const Json json = parsed(*three);
    if (!json.is_object() || textIn(json, "node_type") == "array") return false;
    const Json all = json.value("consolidated_metadata", Json());
    if (!all.is_object() || !all.contains("metadata") || !all["metadata"].is_object()) return false;
    for (const auto& [path, value] : all["metadata"].items()) {
      if (!value.is_object() || textIn(value, "node_type") != "array") continue;
      if (isFull()) return true;
      requireBelow(path);
      m_tree.arrays.push_back(arrayOfVersion3(path, value.dump()));
    }
    return true;
  }

  bool isFull() {
    if (m_tree.arrays.size() < kMostNodes) return false;
    m_tree.all = false;
    return true;
  }

  /// True if there is an array at `path`.
  bool readNode(const std::string& path) {
    const auto named = [&](const char* name) { return text(below(path, name)); };
    try {
      if (const auto three = named("zarr.json")) {
        const Json json = parsed(*three);
        if (!json.is_object() || textIn(json, "node_type") != "array") return false;
        m_tree.arrays.push_back(arrayOfVersion3(path, *three));
        return true;
      }
      if (const auto two = named(".zarray")) {
        m_tree.arrays.push_back(arrayOfVersion2(path, *two, attributesOf(path)));
        return true;
      }
      if (const auto n5 = named("attributes.json")) {
        const Json json = parsed(*n5);
        if (!json.is_object() || !json.contains("dimensions")) return false;
        m_tree.arrays.push_back(arrayOfN5(path, *n5));
        return true;
      }
    } catch (Error& error) {
      error.at("array /" + path);
      throw;
    }
    return false;
  }

  void visit(const std::string& path, int depth) {
    if (m_tree.arrays.size() >= kMostNodes || ++m_visited > kMostNodes) {
      m_tree.all = false;
      return;
    }
    // folders in an array are its chunks
    if (readNode(path) || depth >= kMostDepth) return;
    if (isUrl(m_root)) {
      m_tree.unlisted = "a server does not list a folder";
      return;
    }
    std::error_code problem;
    std::vector<std::string> names;
    for (std::filesystem::directory_iterator entry(joined(m_root, path), problem), end;
         !problem && entry != end; entry.increment(problem)) {
      std::error_code unknown;
      if (entry->is_directory(unknown) && names.size() < kMostNodes)
        names.push_back(entry->path().filename().string());
    }
    if (problem && !m_tree.unlisted)
      m_tree.unlisted = "its folder /" + printable(path) + " cannot be listed (" + problem.message() + ")";
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) visit(below(path, name), depth + 1);
  }

  const paging::ByteStores& m_stores;
  const std::string& m_root;
  Tree m_tree;
  std::size_t m_visited = 0, m_refusals = 0;
};

}  // namespace

std::optional<std::string> textAt(const paging::ByteStores& stores, const std::string& root,
                                  const std::string& key) {
  std::shared_ptr<const paging::ByteObject> object;
  try {
    object = stores.open(joined(root, key));
  } catch (const NotFound&) {
    return std::nullopt;
  } catch (const Invalid&) {
    return std::nullopt;
  }
  if (object->size() > kMostMetadata)
    throw Unsupported("has metadata of " + std::to_string(object->size()) + " bytes").at(object->name());
  std::string text(static_cast<std::size_t>(object->size()), ' ');
  object->readAt(0, std::as_writable_bytes(std::span(text)));
  return text;
}

std::string folderOf(const std::string& source) {
  for (const char* const name :
       {"zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata", "attributes.json"})
    if (lastPartOf(source) == name) {
      std::string folder = source.substr(0, source.size() - std::string_view(name).size());
      if (folder.size() > 1 && folder.back() == '/') folder.pop_back();
      return folder.empty() ? "." : folder;
    }
  return source;
}

bool isZarr(const paging::ByteStores& stores, const std::string& root, bool isNamed) {
  if (!stores.knows(root)) return false;
  std::error_code ignored;
  if (!isUrl(root) && !std::filesystem::is_directory(root, ignored)) return false;
  if (isUrl(root) && !isNamed && root.find(".zarr") == std::string::npos &&
      root.find(".n5") == std::string::npos)
    return false;
  bool isRefused = false;
  for (const char* const name : {"zarr.json", ".zgroup", ".zarray", ".zmetadata", "attributes.json"}) try {
      if (const auto text = textAt(stores, root, name)) return text->find('{') != std::string::npos;
    } catch (const Cancelled&) {
      throw;
    } catch (const Refused&) {
      isRefused = true;
    } catch (const Error&) {
      return false;
    }
  // Whoever opens it says so; but a file of another format may have such a name, too.
  const auto isIn = [&](const std::string& ending) {
    return root.ends_with(ending) || root.find(ending + "/") != std::string::npos;
  };
  return isRefused && (isNamed || isIn(".zarr") || isIn(".n5"));
}

Tree readTree(const paging::ByteStores& stores, const std::string& root) {
  return Reader(stores, root).read();
}

}  // namespace farfield::zarr
