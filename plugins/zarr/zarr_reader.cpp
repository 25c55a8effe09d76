#include "plugins/zarr/zarr_reader.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/paging/pages/coarse_levels.h"
#include "plugins/chunks/chunk_pages.h"

namespace farfield::zarr {
namespace {

constexpr std::int64_t kMostChannels = 64;

std::string numberText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

class Maker {
 public:
  Maker(const std::shared_ptr<const paging::ByteStores>& stores, const std::string& root,
        const std::shared_ptr<chunks::ChunkCaches>& caches, MemoryAccount& account)
      : m_stores(stores),
        m_root(root),
        m_caches(caches),
        m_indices(std::make_shared<ShardIndices>(account)) {}

  cf::File arraysOf(const Tree& tree) {
    m_file.attributes = tree.attributes;
    m_file.hasDefaultFills = false;
    std::vector<std::string> paths;
    for (const ArrayNode& node : tree.arrays) paths.push_back(node.path);
    m_folder = cf::commonFolder(paths);
    for (const ArrayNode& node : tree.arrays) add(node);
    return std::move(m_file);
  }

  /// One level of an image, a variable per channel.
  cf::File levelOf(const Image& image, const ArrayNode& node) {
    m_file.hasDefaultFills = false;
    cf::Variable whole = variableOf(node);
    const std::size_t rank = node.shape.size();
    std::size_t channels = rank;
    for (std::size_t d = 0; d < rank; ++d) {
      const bool named = d < image.axes.size();
      m_file.dimensions.push_back(
          {named ? image.axes[d] : "", node.shape[d], named && image.types[d] == "time"});
      whole.dims.push_back(static_cast<int>(d));
      if (named && image.types[d] == "channel") channels = d;
    }
    place(node, whole);
    if (channels == rank) {
      whole.name = "image";
      m_file.variables.push_back(std::move(whole));
      return std::move(m_file);
    }
    const std::int64_t count = std::min(node.shape[channels], kMostChannels);
    for (std::int64_t c = 0; c < count; ++c) {
      cf::Variable one = whole;
      const auto number = static_cast<std::size_t>(c);
      one.name = number < image.channels.size() && !image.channels[number].empty() ? image.channels[number]
                 : count == 1                                                      ? "image"
                              : "channel-" + std::to_string(c + 1);
      one.dims.erase(one.dims.begin() + static_cast<std::ptrdiff_t>(channels));
      if (one.bytes) {
        one.begin += static_cast<std::uint64_t>(c * whole.strides[channels]);
        one.strides.erase(one.strides.begin() + static_cast<std::ptrdiff_t>(channels));
      }
      m_file.variables.push_back(std::move(one));
    }
    return std::move(m_file);
  }

 private:
  cf::Variable variableOf(const ArrayNode& node) const {
    cf::Variable variable;
    variable.attributes = node.attributes;
    variable.type = node.type;
    variable.bigEndian = node.bigEndian && arrays::bytesOf(node.type) > 1;
    variable.why = node.why;
    if (node.fillIsNone && node.fillNumber && !variable.find("_FillValue"))
      variable.attributes.push_back({"_FillValue", "", {*node.fillNumber}, true});
    return variable;
  }

  void place(const ArrayNode& node, cf::Variable& variable) {
    if (!node.why.empty()) return;
    try {
      variable.bytes = bytesOf(m_stores, m_root, node, m_caches, m_indices);
      variable.strides = stridesOf(node);
    } catch (const OverBudget&) {
      throw;  // which more memory helps with
    } catch (const Error& error) {
      variable.why = error.message();
    }
  }

  void add(const ArrayNode& node) {
    cf::Variable variable = variableOf(node);
    variable.name = node.path.substr(m_folder.size());
    if (variable.name.empty()) variable.name = "value";
    for (std::size_t d = 0; d < node.shape.size(); ++d)
      variable.dims.push_back(
          dimension(node.names.empty() ? "" : node.names[d], node.shape.size() - 1 - d, node.shape[d]));
    place(node, variable);
    m_file.variables.push_back(std::move(variable));
  }

  /// Dimensions are the same by name and size, or, without names, by their position from the end and size.
  int dimension(const std::string& name, std::size_t fromEnd, std::int64_t size) {
    const auto [found, isNew] = m_dimensions.try_emplace({name, name.empty() ? fromEnd : 0, size},
                                                         static_cast<int>(m_file.dimensions.size()));
    if (isNew) m_file.dimensions.push_back({name, size, false});
    return found->second;
  }

  std::shared_ptr<const paging::ByteStores> m_stores;
  const std::string& m_root;
  std::shared_ptr<chunks::ChunkCaches> m_caches;
  std::shared_ptr<ShardIndices> m_indices;
  cf::File m_file;
  std::string m_folder;
  std::map<std::tuple<std::string, std::size_t, std::int64_t>, int> m_dimensions;
};

/// Whether an axis of an image is one of space.
bool isOfSpace(const Image& image, std::size_t d) {
  return image.types[d] == "space" ||
         (image.types[d].empty() && image.axes[d].size() == 1 && image.axes[d] >= "x");
}

/// The options `origin` and `spacing` by an image's transformations, unless they are given.
void placeImage(const Image& image, const ImageLevel& level, arrays::Options& options) {
  std::vector<double> scale, translation;  // x, y, z
  for (std::size_t d = image.axes.size(); d-- > 0;) {
    if (!isOfSpace(image, d)) continue;
    scale.push_back(d < level.scale.size() && level.scale[d] > 0 ? level.scale[d] : 1);
    translation.push_back(d < level.translation.size() ? level.translation[d] : 0);
  }
  scale.resize(3, 1);
  translation.resize(3, 0);
  options.try_emplace("spacing",
                      numberText(scale[0]) + "," + numberText(scale[1]) + "," + numberText(scale[2]));
  options.try_emplace("origin", numberText(translation[0]) + "," + numberText(translation[1]) + "," +
                                    numberText(translation[2]));
}

/// What an image measures along x, y and z.
void nameAxes(const Image& image, paging::DatasetDescription& description) {
  std::size_t axis = 0;
  for (std::size_t d = image.axes.size(); d-- > 0 && axis < 3;) {
    if (!isOfSpace(image, d)) continue;
    const std::string name(1, "xyz"[axis++]);
    if (!image.units[d].empty())
      description.attributes["axis." + name] =
          printable(image.axes[d]) + " (" + printable(image.units[d]) + ")";
  }
}

}  // namespace

namespace {

[[noreturn]] void throwNoArray(const Tree& tree) {
  if (!tree.unlisted) throw Unsupported("has no array", "check the name");
  if (!tree.isThere && tree.refused) tree.refused->raise();
  throw Unsupported(
      "has no metadata of all its arrays (.zmetadata, or in zarr.json), and " + *tree.unlisted,
      "have them written (zarr.consolidate_metadata), or name one of its arrays, as GROUP/ARRAY");
}

}  // namespace

ZarrData describeZarr(const std::shared_ptr<const paging::ByteStores>& stores, const std::string& root,
                      const arrays::Options& options, const std::shared_ptr<chunks::ChunkCaches>& caches,
                      MemoryAccount& account) {
  arrays::checkOptions(options, {"variable", "vectors", "origin", "spacing", "vertical", "land", "level"});
  const Tree tree = readTree(*stores, root);
  if (tree.arrays.empty()) throwNoArray(tree);
  arrays::Options rest = options;
  const std::int64_t level = arrays::countOption(options, "level").value_or(0);
  rest.erase("level");
  cf::OpenedFile opened{root, {}, 0};
  ZarrData made;
  Maker maker(stores, root, caches, account);
  if (tree.image) {
    made.levels = static_cast<int>(tree.image->levels.size());
    if (level >= made.levels)
      throw Invalid("there is no level " + std::to_string(level),
                    "it has levels 0 to " + std::to_string(made.levels - 1))
          .at("option level");
    const ImageLevel& its = tree.image->levels[static_cast<std::size_t>(level)];
    const auto node = std::find_if(tree.arrays.begin(), tree.arrays.end(),
                                   [&](const ArrayNode& array) { return array.path == its.path; });
    if (node == tree.arrays.end())
      throw Corrupt("has no array " + printable(its.path) + ", which is its level " + std::to_string(level),
                    "check the data");
    if (!node->why.empty())
      throw Unsupported("its array " + printable(its.path) + " " + node->why,
                        "rewrite it, then open or convert that");
    opened.file = maker.levelOf(*tree.image, *node);
    placeImage(*tree.image, its, rest);
  } else {
    if (level > 0) throw Invalid("it has no levels", "leave out the option level");
    opened.file = maker.arraysOf(tree);
  }
  const std::vector<cf::Variable>& all = opened.file.variables;
  if ((tree.image || all.size() == 1) && !all.front().why.empty())
    throw Unsupported(all.front().why, "rewrite it, then open or convert that");
  std::vector<std::string> leftOut;
  for (const cf::Variable& variable : opened.file.variables)
    if (!variable.why.empty() && leftOut.size() < 5)
      leftOut.push_back("left out: " + printable(variable.name) + ", which " + variable.why);
  std::vector<cf::OpenedFile> files;
  files.push_back(std::move(opened));
  made.data = cf::describe(std::move(files), "zarr", rest, account);
  if (tree.image) nameAxes(*tree.image, made.data.description);
  made.data.explain.insert(made.data.explain.end(), leftOut.begin(), leftOut.end());
  if (tree.refused)
    made.data.explain.push_back("taken for metadata that are not there: " + tree.refused->place() + ", " +
                                tree.refused->message());
  if (const auto& without = tree.withoutAttributes; !without.empty())
    made.data.explain.push_back(
        "taken as stored, without scales, units and values that stand for none: /" +
        printable(without.front()) +
        (without.size() > 1 ? " and " + std::to_string(without.size() - 1) + " more" : "") +
        (without.size() > 1 ? ", whose attributes are refused" : ", as its attributes are refused"));
  if (!tree.all) made.data.explain.emplace_back("left out: it has more arrays than are looked at");
  made.inChunks = chunks::cutByChunks(made.data.description, made.data.places);
  if (level == 0) paging::sayLevels(made.data.description, made.levels);
  return made;
}

}  // namespace farfield::zarr
