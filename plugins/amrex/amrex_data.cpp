#include "plugins/amrex/amrex_data.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/amr/amr_ratio.h"
#include "plugins/amr/open_amr.h"
#include "plugins/amrex/amrex_header.h"
#include "plugins/arrays/option_words.h"

namespace farfield::amrex {
namespace {

constexpr std::size_t kHeadBytes = 256;
const char* const kHeader = "Header";

/// The Header that a source is, or has in it.
std::string headerOf(const std::string& source) {
  std::error_code unseen;
  if (isUrl(source) || !std::filesystem::is_directory(source, unseen)) return source;
  return (std::filesystem::path(source) / kHeader).string();
}

/// Opens the boxes of plotfiles, one after the other.
class Opener {
 public:
  Opener(const fields::OpenRequest& request, const paging::ByteStores& stores, MemoryAccount& account)
      : m_request(request), m_stores(stores), m_account(account), m_pool(arrays::makeFilePool()) {}

  std::unique_ptr<fields::OpenData> open() {
    std::vector<amr::AmrInput> steps = amr::readSteps(m_request, [&](const std::string& source) {
      m_headerPath = headerOf(source);
      return read();
    });
    m_files.objects = std::move(m_objects);
    return amr::openBoxes(std::move(steps), std::move(m_files), m_request, m_account, std::move(m_claims));
  }

 private:
  amr::AmrInput read() {
    m_input = {};
    m_header = readPlotHeader(*bytesOf(m_headerPath));
    m_input.format = "amrex";
    m_input.times = {m_header.time};
    m_input.flat = m_header.dimensions == 2;
    for (const std::string& name : m_header.variables) m_input.variables.push_back({name, 1, {}, {}});
    for (std::size_t level = 0; level < m_header.levels.size(); ++level)
      if (!addLevel(level)) break;
    if (m_input.levels.empty()) throw Corrupt("has no boxes", "check that the copy is complete");
    place();
    noteOthers();
    return std::move(m_input);
  }

  /// A file of the set, which is counted.
  std::shared_ptr<const arrays::ByteSource> bytesOf(const std::string& path) {
    auto bytes = arrays::namedBytes(path, m_stores, m_pool, m_objects);
    m_files.names.push_back(path);
    m_files.storedBytes += bytes->size();
    return bytes;
  }

  /// False if the level has no boxes: then there are no finer ones.
  bool addLevel(std::size_t number) {
    const PlotLevel& level = m_header.levels[number];
    if (level.boxes == 0) return false;
    const std::string listPath =
        fields::namedFile(m_request, m_headerPath, level.folder + "/" + level.name + "_H");
    std::vector<BoxPlace> places;
    try {
      places = readBoxList(*bytesOf(listPath), m_header, level, m_account, m_claims);
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(listPath));
      throw;
    }
    m_claims.push_back(amr::claimBoxes(places.size(), m_header.variables.size(), m_account));
    m_input.levels.emplace_back();
    std::map<std::string, std::shared_ptr<const arrays::ByteSource>> files;
    for (const BoxPlace& place : places) {
      if (m_request.stop.stop_requested()) throw Cancelled();
      const std::string path = fields::namedFile(m_request, m_headerPath, level.folder + "/" + place.file);
      try {
        auto& file = files[place.file];
        if (!file) file = bytesOf(path);
        m_input.levels.back().boxes.push_back(place.box);
        addBox(place, file);
      } catch (Error& error) {
        if (!arrays::namesFile(error)) error.at(saidOf(path));
        throw;
      }
    }
    return true;
  }

  void addBox(const BoxPlace& place, const std::shared_ptr<const arrays::ByteSource>& file) {
    const Fab fab = readFab(*file, place.offset, m_header.dimensions);
    if (fab.components != static_cast<std::int64_t>(m_header.variables.size()))
      throw Corrupt("has a box with " + std::to_string(fab.components) + " values where there are " +
                        std::to_string(m_header.variables.size()),
                    "check that the copy is complete");
    Index3 inside;
    for (std::size_t a = 0; a < 3; ++a) {
      inside[a] = place.box.first[a] - fab.box.first[a];
      if (inside[a] < 0 || place.box.size[a] > fab.box.size[a] - inside[a])
        throw Corrupt("has a box that is not the one in the list", "check that the copy is complete");
    }
    const auto each = static_cast<std::uint64_t>(arrays::bytesOf(fab.type));
    for (std::size_t v = 0; v < m_input.variables.size(); ++v) {
      amr::Variable& variable = m_input.variables[v];
      if (variable.boxes.empty()) variable.type = fab.type;
      if (variable.type != fab.type) throw Unsupported("has boxes of different types of numbers");
      const std::uint64_t before =
          static_cast<std::uint64_t>(v) * static_cast<std::uint64_t>(product(fab.box.size)) +
          static_cast<std::uint64_t>(linear(inside, fab.box.size));
      arrays::Piece piece =
          arrays::densePiece(fab.box.size, fab.type, 1, false, file, fab.begin + before * each);
      piece.nodes.size = place.box.size;
      arrays::PlacedArray placed;
      placed.type = fab.type;
      placed.bigEndian = fab.bigEndian;
      placed.steps.push_back({std::move(piece)});
      arrays::checkPlaces(placed, 1);
      variable.boxes.emplace_back(std::move(placed));
    }
  }

  void place() {
    const PlotLevel& first = m_header.levels.front();
    m_input.spacing = first.spacing;
    // cells are counted from the domain's corner, which need not be cell 0
    for (int a = 0; a < m_header.dimensions; ++a)
      m_input.origin[a] =
          m_header.low[a] -
          static_cast<double>(first.domainFirst[static_cast<std::size_t>(a)]) * first.spacing[a];
    if (m_input.flat) m_input.origin.z = -0.5;
    for (std::size_t n = 0; n + 1 < m_input.levels.size(); ++n)
      m_input.levels[n].ratio =
          amr::ratioBetween(m_header.levels[n].spacing, m_header.levels[n + 1].spacing, n + 1);
    if (m_header.coordinates == 1)
      m_input.notes.emplace_back("x and y are r and z of cylindrical coordinates");
    if (m_header.coordinates == 2) m_input.notes.emplace_back("x is r of spherical coordinates");
  }

  /// What else lies in the folder: particles, values on faces.
  void noteOthers() {
    constexpr std::size_t kMost = 10;
    if (isUrl(m_headerPath) || m_request.findNamed) return;
    std::vector<std::string> others;
    std::error_code unseen;
    for (std::filesystem::directory_iterator entry(std::filesystem::path(m_headerPath).parent_path(), unseen),
         end;
         !unseen && entry != end && others.size() < 1000; entry.increment(unseen)) {
      const std::string name = entry->path().filename().string();
      const bool isLevel = std::any_of(m_header.levels.begin(), m_header.levels.end(),
                                       [&](const PlotLevel& level) { return level.folder == name; });
      if (!isLevel && entry->is_directory(unseen)) others.push_back(name);
    }
    std::sort(others.begin(), others.end());
    for (std::size_t n = 0; n < std::min(others.size(), kMost); ++n)
      m_input.notes.push_back("left out: the folder " + printable(others[n]));
  }

  const fields::OpenRequest& m_request;
  const paging::ByteStores& m_stores;
  MemoryAccount& m_account;
  std::shared_ptr<arrays::FilePool> m_pool;
  std::string m_headerPath;
  PlotHeader m_header;
  amr::AmrInput m_input;
  amr::AmrFiles m_files;
  paging::ByteObjects m_objects;
  std::vector<MemoryClaim> m_claims;
};

}  // namespace

bool AmrexDataReader::recognizes(const std::string& source) const {
  // of other web addresses each look takes round trips
  if (isUrl(source) && lastPartOf(source) != kHeader) return false;
  const std::string header = headerOf(source);
  return m_stores->knows(header) && isPlotHeader(arrays::beginning(header, *m_stores, kHeadBytes));
}

std::unique_ptr<fields::OpenData> AmrexDataReader::open(const fields::OpenRequest& request,
                                                        MemoryAccount& account) const {
  const std::string& source = request.sources.front();
  try {
    if (!request.solutions.empty())
      throw Invalid("a plotfile of AMReX has no solution files", "name the folder");
    arrays::checkOptions(request.options, {});
    return Opener(request, *m_stores, account).open();
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(source));
    throw;
  }
}

}  // namespace farfield::amrex
