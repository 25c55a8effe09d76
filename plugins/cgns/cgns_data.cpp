#include "plugins/cgns/cgns_data.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "core/fields/data/mesh_data.h"
#include "plugins/cgns/adf_file.h"
#include "plugins/cgns/cgns_mesh.h"
#include "plugins/cgns/cgns_structured.h"
#include "plugins/chunks/chunk_pages.h"
#include "plugins/chunks/open_chunked.h"
#include "plugins/hdf5/hdf5_data.h"

namespace farfield::cgns {
namespace {

constexpr std::size_t kMostNames = 10;
std::string optionOf(const fields::OpenRequest& request, const char* key) {
  const auto found = request.options.find(key);
  return found == request.options.end() ? std::string() : found->second;
}

std::string listOf(const std::vector<Zone>& zones) {
  std::string list;
  for (std::size_t z = 0; z < std::min(zones.size(), kMostNames); ++z)
    list += (list.empty() ? "" : ", ") + std::to_string(z) + " (" + printable(zones[z].name) + ")";
  return list + (zones.size() > kMostNames ? ", …" : "");
}

void chooseZone(Base& base, const std::string& wanted) {
  if (wanted.empty()) return;
  std::size_t number = 0;
  const auto [end, status] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  auto found = std::find_if(base.zones.begin(), base.zones.end(),
                            [&](const Zone& zone) { return zone.name == wanted; });
  if (found == base.zones.end() && status == std::errc() && end == wanted.data() + wanted.size() &&
      number < base.zones.size())
    found = base.zones.begin() + static_cast<std::ptrdiff_t>(number);
  if (found == base.zones.end())
    throw Invalid("there is no zone '" + printable(wanted) + "'", "choose from " + listOf(base.zones))
        .at("option zone");
  Zone zone = std::move(*found);
  base.zones.clear();
  base.zones.push_back(std::move(zone));
}

void say(const Base& base, std::vector<std::string>& explain,
         std::map<std::string, std::string>& attributes) {
  explain.insert(explain.begin(), base.notes.begin(), base.notes.end());
  if (!base.units.empty()) attributes["units"] = base.units;
}

std::unique_ptr<fields::OpenData> openMesh(std::shared_ptr<const Tree> tree, const Base& base,
                                           const fields::OpenRequest& request,
                                           const paging::ByteObjects& objects, chunks::ChunkCaches& caches,
                                           MemoryAccount& account) {
  if (request.options.contains("vectors"))
    throw Invalid("unstructured zones take no option 'vectors'", "leave it out");
  CgnsMesh mesh = meshOf(std::move(tree), base);
  caches.prepareAll();
  fields::MeshDataOptions options = fields::meshOptionsOf(request, "cgns", objects, objects.front()->size());
  options.times = base.times;
  options.explanation = std::move(mesh.explain);
  say(base, options.explanation, options.attributes);
  for (std::size_t z = 0; z < base.zones.size() && base.zones.size() > 1; ++z)
    options.attributes["zone." + std::to_string(z)] = base.zones[z].name;
  return fields::openMesh(std::move(mesh.input), std::move(options), account);
}

std::shared_ptr<const Tree> treeOf(const std::string& source, const paging::ByteStores& stores,
                                   const std::shared_ptr<const paging::ByteObject>& object,
                                   const std::shared_ptr<chunks::ChunkCaches>& caches,
                                   MemoryAccount& account) {
  if (isAdf(source, stores)) return std::make_shared<const Tree>(readAdf(object), account);
  return std::make_shared<const Tree>(hdf5::openFile(source, object, account), caches, account);
}

}  // namespace

bool CgnsDataReader::recognizes(const std::string& source) const {
  if (isAdf(source, *m_stores)) return true;
  return hdf5::isHdf5(*m_stores, source, isCgns);
}

std::unique_ptr<fields::OpenData> CgnsDataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  try {
    if (request.sources.size() != 1)
      throw Unsupported("has all steps, and " + std::to_string(request.sources.size()) + " files are named",
                        "name one file");
    if (!request.solutions.empty()) throw Invalid("a file of CGNS has no solution files", "name one file");
    arrays::checkOptions(request.options, {"base", "on", "vectors", "zone"});
    paging::ByteObjects objects{m_stores->open(request.sources.front())};
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    auto tree = treeOf(request.sources.front(), *m_stores, objects.front(), caches, account);
    Base base = readBase(*tree, optionOf(request, "base"));
    chooseZone(base, optionOf(request, "zone"));
    const auto structured = std::count_if(base.zones.begin(), base.zones.end(),
                                          [](const Zone& zone) { return zone.isStructured; });
    if (structured == 0) return openMesh(std::move(tree), base, request, objects, *caches, account);
    if (structured < static_cast<std::ptrdiff_t>(base.zones.size()))
      throw Unsupported("has structured and unstructured zones, which are not shown together",
                        "--option zone=NAME shows one: " + listOf(base.zones));
    CgnsBlocks blocks = blocksOf(*tree, base, request.options);
    say(base, blocks.explain, blocks.description.attributes);
    blocks.description.storedBytes = objects.front()->size();
    blocks.description.attributes["source"] = lastPartOf(request.sources.front());
    const bool inChunks = chunks::cutByChunks(blocks.description, blocks.places);
    std::vector<MemoryClaim> claims;
    claims.push_back(account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "an open HDF5 file"));
    tree.reset();
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(blocks.description),
                                                        std::move(blocks.places), std::move(claims), objects);
    std::vector<fields::ReadingChoice> choices;
    if (blocks.choice) choices.push_back(std::move(*blocks.choice));
    return chunks::openChunked(std::move(reader), objects, inChunks, request, std::move(blocks.explain),
                               account, std::move(choices));
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::cgns
