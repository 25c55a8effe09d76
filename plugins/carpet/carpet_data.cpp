#include "plugins/carpet/carpet_data.h"

#include <algorithm>
#include <set>

#include "core/base/bytes.h"
#include "core/base/count_text.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/amr/open_amr.h"
#include "plugins/carpet/carpet_files.h"
#include "plugins/carpet/carpet_grid.h"
#include "plugins/hdf5/hdf5_bytes.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/hdf5/hdf5_reader.h"

namespace farfield::carpet {
namespace {

/// Names of a file's root that are looked at before it is taken for another format.
constexpr std::size_t kFewNames = 64;
const std::string kParameters = "/Parameters and Global Attributes";

std::vector<double> numbersOf(const hdf5::Dataset& data, const char* attribute) {
  const cf::Attribute* const found = data.find(attribute);
  return found ? found->numbers : std::vector<double>();
}

/// Reads the components of files one after the other; of a file nothing stays open whose values lie in rows.
class Reader {
 public:
  Reader(const fields::OpenRequest& request, const paging::ByteStores& stores, MemoryAccount& account)
      : m_request(request),
        m_stores(stores),
        m_account(account),
        m_pool(arrays::makeFilePool()),
        m_caches(std::make_shared<chunks::ChunkCaches>(account)) {}

  std::unique_ptr<fields::OpenData> open() {
    arrays::checkOptions(m_request.options, {"iteration"});
    for (const std::string& source : m_request.sources)
      for (std::string& file : filesOf(source, processesOf(source), m_request))
        if (m_seen.insert(file).second) read(file);
    std::vector<amr::AmrInput> steps = inputsOf(std::move(m_components), m_request.options, m_account);
    std::vector<std::string>& notes = steps.front().notes;
    notes.insert(notes.end(), m_notes.begin(), m_notes.end());
    notes.push_back(countText(static_cast<std::int64_t>(m_files.names.size()), "file", "files"));
    m_caches->prepareAll();
    return amr::openBoxes(std::move(steps), std::move(m_files), m_request, m_account, std::move(m_claims));
  }

 private:
  /// How many processes have written the set, as one of its files says.
  std::int64_t processesOf(const std::string& source) const {
    if (!isUrl(source) && !m_request.findNamed) return 1;
    const hdf5::OpenedHdf5 opened = hdf5::openFile(source, m_stores.open(source), m_account);
    const hdf5::Group* const group = opened.contents.group(kParameters);
    const cf::Attribute* const processes = group ? cf::findAttribute(group->attributes, "nioprocs") : nullptr;
    if (!processes || processes->numbers.empty() ||
        !(processes->numbers[0] >= 1 && processes->numbers[0] < 1e6))
      return 1;
    return static_cast<std::int64_t>(processes->numbers[0]);
  }

  void read(const std::string& path) {
    if (m_request.stop.stop_requested()) throw Cancelled();
    try {
      auto object = m_stores.open(path);
      const hdf5::OpenedHdf5 opened = hdf5::openFile(path, object, m_account);
      bool any = false, isHeld = false;
      for (const hdf5::Dataset& data : opened.contents.datasets) {
        const auto name = datasetName(data.path.substr(1));
        if (name) any = add(*name, data, opened, isHeld) || any;
      }
      if (!opened.contents.all)
        note("left out: " + printable(path) + " has more datasets than are looked at");
      if (!any) return;
      m_files.names.push_back(path);
      m_files.storedBytes += object->size();
      if (isHeld)
        m_claims.push_back(
            m_account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
      if (isUrl(path)) m_files.objects.push_back(std::move(object));
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(path));
      throw;
    }
  }

  void note(const std::string& text) {
    constexpr std::size_t kMost = 10;
    if (m_notes.size() < kMost && std::find(m_notes.begin(), m_notes.end(), text) == m_notes.end())
      m_notes.push_back(text);
  }

  bool add(const DatasetName& name, const hdf5::Dataset& data, const hdf5::OpenedHdf5& opened, bool& isHeld) {
    Component part;
    part.name = name;
    part.rank = static_cast<int>(data.dims.size());
    const std::vector<double> origin = numbersOf(data, "origin"), delta = numbersOf(data, "delta");
    const auto rank = static_cast<std::size_t>(part.rank);
    if (part.rank < 2 || part.rank > 3 || origin.size() != rank || delta.size() != rank) {
      note("left out: " + printable(name.variable) +
           ", which is no grid function of two or three dimensions");
      return false;
    }
    if (!data.why.empty()) {
      note("left out: " + printable(name.variable) + ", which " + data.why);
      return false;
    }
    for (std::size_t a = 0; a < rank; ++a) {
      part.dims[a] = data.dims[rank - 1 - a];
      part.origin[static_cast<int>(a)] = origin[a];
      part.delta[static_cast<int>(a)] = delta[a];
      if (part.dims[a] < 1 || !std::isfinite(origin[a]) || !(delta[a] > 0) || !std::isfinite(delta[a]))
        throw Corrupt("its dataset " + printable(data.path) + " has no place",
                      "check that the copy is complete");
    }
    const std::vector<double> ghosts = numbersOf(data, "cctk_nghostzones"),
                              ends = numbersOf(data, "cctk_bbox");
    if (ghosts.size() == rank && ends.size() == 2 * rank)
      for (std::size_t n = 0; n < 2 * rank; ++n)
        // 1: the end of the domain, where there are boundary points and no ghosts
        if (ends[n] == 0 && ghosts[n / 2] >= 0 && ghosts[n / 2] < 1e6)
          part.trim[n] = static_cast<std::int64_t>(ghosts[n / 2]);
    if (const std::vector<double> time = numbersOf(data, "time"); !time.empty() && std::isfinite(time[0]))
      part.time = time[0];
    part.type = data.type;
    part.bigEndian = data.bigEndian;
    if (data.storage == hdf5::Storage::Row && !isUrl(opened.path)) {
      const auto file = arrays::fileBytes(opened.path, m_pool, arrays::Growth::Within);
      const auto bytes = arrays::bytesOfAll(part.dims, 1, part.type);
      if (data.offset > file->size() || bytes > file->size() - data.offset)
        throw Corrupt("its dataset " + printable(data.path) + " lies behind its end",
                      "check that the copy is complete");
      part.bytes = arrays::partOf(file, data.offset, bytes);
    } else {
      isHeld = true;
      part.bytes = hdf5::bytesOf(opened.file, data, m_caches);
    }
    if (m_components.size() % kTogether == 0)
      m_claims.push_back(
          m_account.claimInEarnest(Purpose::Index, kTogether * kComponentBytes, "lists of datasets"));
    m_components.push_back(std::move(part));
    return true;
  }

  /// A dataset takes about so much in all lists; claimed for some at a time.
  static constexpr std::uint64_t kComponentBytes = 768;
  static constexpr std::size_t kTogether = 256;

  const fields::OpenRequest& m_request;
  const paging::ByteStores& m_stores;
  MemoryAccount& m_account;
  std::shared_ptr<arrays::FilePool> m_pool;
  std::shared_ptr<chunks::ChunkCaches> m_caches;
  std::set<std::string> m_seen;
  std::vector<Component> m_components;
  std::vector<std::string> m_notes;
  std::vector<MemoryClaim> m_claims;
  amr::AmrFiles m_files;
};

}  // namespace

bool CarpetDataReader::recognizes(const std::string& source) const {
  // of web servers each look takes round trips that all other HDF5 files would pay for
  if (isUrl(source)) return false;
  const std::string folderFile = firstIn(source);
  const std::string& file = folderFile.empty() ? source : folderFile;
  if (!hdf5::isHdf5(*m_stores, file)) return false;
  try {
    const hdf5::File opened(m_stores->open(file));
    const std::vector<std::string> names = opened.someNames(kFewNames);
    return std::any_of(names.begin(), names.end(),
                       [](const std::string& name) { return datasetName(name).has_value(); });
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> CarpetDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  try {
    if (!request.solutions.empty())
      throw Invalid("a set of Carpet has no solution files", "name all files as data");
    return Reader(request, *m_stores, account).open();
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(request.sources.front()));
    throw;
  }
}

}  // namespace farfield::carpet
