#include "plugins/plot3d/plot3d_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "plugins/plot3d/meta_file.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "plugins/plot3d/wall_points.h"

namespace farfield::plot3d {

bool Plot3dDataReader::recognizes(const std::string& source) const {
  if (!m_stores->knows(source)) return false;
  // PLOT3D has no signature: a file without the signature of another format is tried, and the error of the
  // attempt says more than "unknown format".
  std::string head(8, '\0');
  try {
    head.resize(m_stores->open(source)->readSomeAt(0, std::as_writable_bytes(std::span(head))));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    head.clear();
  }
  for (const char* const mark : {"\x89HDF", "# vtk", "<?xml", "<VTKFile", "NRRD", "CDF\x01", "CDF\x02",
                                 "CDF\x05", "\x89PNG", "PK\x03\x04", "\x1f\x8b"})
    if (head.starts_with(mark)) return false;
  return true;
}

std::unique_ptr<fields::OpenData> Plot3dDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  MetaFile asked;
  if (request.sources.size() == 1 && isMetaFile(request.sources.front()))
    asked = readMetaFile(request.sources.front(), *m_stores, [&](const std::string& named) {
      return fields::namedFile(request, request.sources.front(), named);
    });
  else
    asked.files.grids.assign(request.sources.begin(), request.sources.end());
  asked.files.solutions.insert(asked.files.solutions.end(), request.solutions.begin(),
                               request.solutions.end());
  for (const auto& [key, value] : request.options) asked.options[key] = value;
  auto reader = std::make_shared<Plot3dReader>(asked.files, asked.options, m_stores);
  fields::BoxDataOptions options;
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.files = asked.files.grids;
  options.files.insert(options.files.end(), asked.files.solutions.begin(), asked.files.solutions.end());
  const std::string& first = request.sources.front();
  options.name = saidOf(first);
  if (isUrl(first)) {
    paging::ByteObjects objects;
    for (const auto* names : {&asked.files.grids, &asked.files.solutions})
      for (const std::filesystem::path& name : *names) objects.push_back(m_stores->open(name.string()));
    options.origin = fields::originOf(objects);
  }
  if (account.onlyCounts()) {
    account.claim(Purpose::Work, leastWallBytes(reader->description()), "wall points").release();
  } else {
    options.kept = m_kept;
    if (m_kept) options.identity = m_kept->identityOf(asked.files.grids, reader->description());
    if (!options.identity.empty())
      if (auto found = m_kept->find(options.identity, reader->description().blocks))
        options.found = std::make_shared<const paging::KeptScans::Kept>(std::move(*found));
    if (options.found)
      reader->takeWalls(options.found->description().surfaces);
    else
      reader->findWalls(account);
  }
  std::vector<std::string> explanation = reader->explain();
  if (options.found)
    explanation.push_back("bounds, walls and location bounds were kept from an earlier opening");
  return fields::openBoxes(std::move(reader), options, std::move(explanation), account);
}

}  // namespace farfield::plot3d
