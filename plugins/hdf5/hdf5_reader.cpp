#include "plugins/hdf5/hdf5_reader.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/chunks/chunk_pages.h"

namespace farfield::hdf5 {
namespace {

/// Numbers of a vector or a tensor.
constexpr std::int64_t kComponents[] = {2, 3, 4, 6, 9};
constexpr std::size_t kMostSaid = 5;

std::string commonFolder(const Contents& contents) {
  std::vector<std::string> paths;
  for (const Dataset& data : contents.datasets) paths.push_back(data.path);
  return cf::commonFolder(paths);
}

/// Whether the last dimension of a dataset without scales counts components.
bool hasComponents(const Dataset& data) {
  if (data.dims.size() < 4 || data.dims.size() > 5 || !data.scales.empty()) return false;
  const std::int64_t last = data.dims.back();
  if (std::find(std::begin(kComponents), std::end(kComponents), last) == std::end(kComponents)) return false;
  return std::all_of(data.dims.end() - 4, data.dims.end() - 1,
                     [&](std::int64_t count) { return count > last; });
}

class Maker {
 public:
  Maker(const OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches)
      : m_opened(opened), m_caches(caches), m_folder(commonFolder(opened.contents)) {}

  cf::File make() {
    const Contents& contents = m_opened.contents;
    m_isNetcdf = std::any_of(contents.datasets.begin(), contents.datasets.end(),
                             [](const Dataset& its) { return its.isScale; });
    if (const Group* const root = contents.group(""); root) {
      m_file.attributes = root->attributes;
      m_isNetcdf = m_isNetcdf || cf::findAttribute(root->attributes, "_NCProperties");
    }
    m_file.hasDefaultFills = m_isNetcdf;
    for (const Dataset& data : contents.datasets)
      for (std::size_t d = 0; d < data.scales.size(); ++d)
        if (data.why.empty() && data.scales[d] >= 0) {
          std::int64_t& most = m_records[static_cast<std::size_t>(data.scales[d])];
          most = std::max(most, data.dims[d]);
        }
    for (std::size_t n = 0; n < contents.datasets.size(); ++n)
      if (contents.datasets[n].isScale) scaleOf(n);
    for (std::size_t n = 0; n < contents.datasets.size(); ++n) addVariable(n);
    return std::move(m_file);
  }

 private:
  std::string nameOf(const Dataset& data) const { return data.path.substr(m_folder.size()); }

  /// The dimension that a scale stands for.
  int scaleOf(std::size_t number) {
    if (const auto found = m_ofScale.find(number); found != m_ofScale.end()) return found->second;
    const Dataset& scale = m_opened.contents.datasets[number];
    cf::Dimension dimension{nameOf(scale), scale.dims.empty() ? 0 : scale.dims.front(), scale.grows};
    // while a run writes, its variables may have a record more than their times, or their times one more than any of them; one that only names a dimension may be as it was
    // before there were records
    if (const auto records = m_records.find(number);
        scale.grows && scale.dims.size() == 1 && records != m_records.end())
      dimension.size = dimension.size == 0 || scale.onlyNames ? records->second
                                                              : std::min(dimension.size, records->second);
    m_file.dimensions.push_back(std::move(dimension));
    const int made = static_cast<int>(m_file.dimensions.size()) - 1;
    m_ofScale.emplace(number, made);
    if (const cf::Attribute* const id = scale.find("_Netcdf4Dimid"); id && !id->numbers.empty())
      m_ofId.emplace(id->numbers.front(), made);
    return made;
  }

  /// Dimension `fromEnd` of datasets without scales.
  int plainDimension(std::size_t fromEnd, std::int64_t size) {
    const auto [found, isNew] =
        m_plain.try_emplace({fromEnd, size}, static_cast<int>(m_file.dimensions.size()));
    if (isNew) m_file.dimensions.push_back({"", size, false});
    return found->second;
  }

  /// More than there are of all, so that the last are left out, or fewer, so that the last are missing.
  bool hasOtherRecords(const Dataset& data, int dimension) const {
    const cf::Dimension& its = m_file.dimensions[static_cast<std::size_t>(dimension)];
    return its.isRecord && its.size > 0 && data.dims.front() > 0 &&
           (data.dims.front() > its.size || data.grows);
  }

  std::vector<int> dimensionsOf(const Dataset& data, std::size_t number) {
    std::vector<int> dims;
    const bool components = hasComponents(data);
    const cf::Attribute* const ids = data.find("_Netcdf4Coordinates");
    for (std::size_t d = 0; d < data.dims.size(); ++d) {
      int dimension = -1;
      if (d < data.scales.size() && data.scales[d] >= 0)
        dimension = scaleOf(static_cast<std::size_t>(data.scales[d]));
      else if (ids && ids->numbers.size() == data.dims.size() && m_ofId.contains(ids->numbers[d]))
        dimension = m_ofId.at(ids->numbers[d]);
      else if (data.isScale && data.dims.size() == 1)
        dimension = scaleOf(number);
      // a scale may be shorter than what it is the scale of
      const bool isOther = dimension >= 0 && m_file.sizeOf(dimension) != data.dims[d];
      if (dimension < 0 || (isOther && !(d == 0 && hasOtherRecords(data, dimension)))) {
        const std::size_t fromEnd = data.dims.size() - 1 - d;
        dimension = components && fromEnd == 0 ? plainDimension(1000, data.dims[d])
                                               : plainDimension(fromEnd - (components ? 1 : 0), data.dims[d]);
      }
      dims.push_back(dimension);
    }
    return dims;
  }

  void addVariable(std::size_t number) {
    const Dataset& data = m_opened.contents.datasets[number];
    if (data.onlyNames) return;
    cf::Variable variable;
    variable.name = nameOf(data);
    variable.attributes = data.attributes;
    variable.type = data.type;
    variable.bigEndian = data.bigEndian;
    variable.isText = data.isText;
    variable.why = data.why;
    variable.dims = dimensionsOf(data, number);
    if (!data.dims.empty() && data.dims.front() < m_file.sizeOf(variable.dims.front()))
      variable.records = data.dims.front();
    if (hasComponents(data)) variable.componentDim = static_cast<int>(data.dims.size()) - 1;
    if (data.why.empty() || data.isLetters) try {
        cf::setDenseStrides(m_file, variable);
        variable.bytes = bytesOf(m_opened.file, data, m_caches);
      } catch (const Error& error) {
        variable.why = error.message();
      }
    m_file.variables.push_back(std::move(variable));
  }

  const OpenedHdf5& m_opened;
  std::shared_ptr<chunks::ChunkCaches> m_caches;
  std::string m_folder;
  cf::File m_file;
  bool m_isNetcdf = false;
  std::map<std::size_t, int> m_ofScale;           ///< dimensions by datasets
  std::map<std::size_t, std::int64_t> m_records;  ///< the most that a variable has along a scale
  std::map<double, int> m_ofId;                   ///< by NetCDF's numbers
  std::map<std::pair<std::size_t, std::int64_t>, int> m_plain;
};

/// Lines about what cannot be read.
void sayLeftOut(const cf::File& file, const Contents& contents, std::vector<std::string>& explain) {
  for (std::size_t n = 0; n < std::min(contents.unopened.size(), kMostSaid); ++n)
    explain.push_back("left out: " + printable(contents.unopened[n].path) + ", which " +
                      contents.unopened[n].why);
  if (contents.unopened.size() > kMostSaid)
    explain.push_back("left out: " + std::to_string(contents.unopened.size() - kMostSaid) +
                      " more datasets that the library cannot open");
  for (const Dataset& data : contents.datasets) {
    if (data.scales.empty() || data.scales.front() < 0) continue;
    const Dataset& scale = contents.datasets[static_cast<std::size_t>(data.scales.front())];
    if (!scale.grows || scale.onlyNames || scale.dims.size() != 1 || scale.dims.front() == 0 ||
        data.dims.front() <= scale.dims.front())
      continue;
    explain.push_back("left out: records beyond the " + std::to_string(scale.dims.front()) + " of " +
                      printable(scale.path) + "; " + printable(data.path) + " has " +
                      std::to_string(data.dims.front()));
    break;
  }
  std::size_t said = 0;
  for (const cf::Variable& variable : file.variables) {
    if (variable.why.empty() || variable.isText || variable.dims.size() < 2) continue;
    if (++said > kMostSaid) {
      explain.emplace_back("left out: more datasets that cannot be read");
      return;
    }
    explain.push_back("left out: " + printable(variable.name) + ", which " + variable.why);
  }
}

/// Formats on HDF5 whose arrays mean nothing without their rules.
void refuseOthers(const Contents& contents, bool oneIsNamed) {
  if (contents.dataset("/farfield/index"))
    throw Corrupt("is a paged store whose end is missing", "copy or convert it again");
  if (oneIsNamed) return;
  const auto refuse = [](const char* what) {
    throw Unsupported("is " + std::string(what),
                      "--option variable=NAME opens one of its datasets with those like it");
  };
  if (contents.group("/CGNSLibraryVersion")) refuse("a CGNS file, which the reader cgns opens");
  if (contents.group("/Chombo_global")) refuse("a Chombo file, whose grid is adaptive");
  const auto isCarpet = [](const Dataset& its) {
    return its.path.find("::") != std::string::npos && its.path.find(" it=") != std::string::npos;
  };
  if (std::any_of(contents.datasets.begin(), contents.datasets.end(), isCarpet))
    refuse("a file of Cactus (Carpet), whose grid is adaptive");
}

}  // namespace

OpenedHdf5 openFile(const std::string& path, std::shared_ptr<const paging::ByteObject> object,
                    MemoryAccount& account) {
  OpenedHdf5 opened{path, std::make_shared<File>(std::move(object)), {}};
  opened.contents = contentsOf(*opened.file, account, opened.claim);
  opened.file->dropBlocks();
  return opened;
}

cf::File fileOf(const OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches) {
  return Maker(opened, caches).make();
}

cf::CfData describeHdf5(const std::vector<OpenedHdf5>& files, const arrays::Options& options,
                        const std::shared_ptr<chunks::ChunkCaches>& caches, MemoryAccount& account,
                        bool* inChunks) {
  arrays::checkOptions(options, {"variable", "vectors", "origin", "spacing", "vertical", "land"});
  for (const OpenedHdf5& file : files) try {
      refuseOthers(file.contents, options.contains("variable"));
    } catch (Error& error) {
      error.at(saidOf(file.path));
      throw;
    }
  arrays::Options names = options;
  if (const auto variable = names.find("variable"); variable != names.end())
    if (const std::string folder = commonFolder(files.front().contents); variable->second.starts_with(folder))
      variable->second.erase(0, folder.size());
  std::vector<cf::OpenedFile> opened;
  std::vector<std::string> leftOut;
  for (const OpenedHdf5& file : files) {
    opened.push_back({file.path, fileOf(file, caches), file.file->object()->size()});
    if (opened.size() == 1) sayLeftOut(opened.front().file, file.contents, leftOut);
  }
  if (!files.front().contents.all) leftOut.emplace_back("left out: it has more objects than are looked at");
  const auto numbered =
      std::any_of(opened.front().file.variables.begin(), opened.front().file.variables.end(),
                  [](const cf::Variable& its) { return its.hasNumbers(); });
  if (!numbered && !leftOut.empty())
    throw Unsupported(leftOut.front(),
                      "rewrite it with filters that are read (h5repack -f GZIP=4), then open or convert that")
        .at(saidOf(files.front().path));
  cf::CfData data = cf::describe(std::move(opened), "hdf5", names, account);
  data.explain.insert(data.explain.end(), leftOut.begin(), leftOut.end());
  data.claims.push_back(
      account.claimInEarnest(Purpose::Index, files.size() * File::kOpenBytes, "open HDF5 files"));
  const bool cut = chunks::cutByChunks(data.description, data.places);
  if (inChunks) *inChunks = cut;
  return data;
}

}  // namespace farfield::hdf5
