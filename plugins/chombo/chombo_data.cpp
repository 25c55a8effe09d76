#include "plugins/chombo/chombo_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "plugins/amr/open_amr.h"
#include "plugins/arrays/option_words.h"
#include "plugins/chombo/chombo_grid.h"
#include "plugins/hdf5/hdf5_data.h"

namespace farfield::chombo {

bool ChomboDataReader::recognizes(const std::string& source) const {
  // of web servers each look takes round trips that all other HDF5 files would pay for
  return !isUrl(source) && hdf5::isHdf5(*m_stores, source, isChombo);
}

std::unique_ptr<fields::OpenData> ChomboDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string& source = request.sources.front();
  try {
    if (!request.solutions.empty()) throw Invalid("a Chombo file has no solution files", "name one file");
    arrays::checkOptions(request.options, {});
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    std::vector<MemoryClaim> claims;
    amr::AmrFiles files;
    std::vector<amr::AmrInput> steps = amr::readSteps(request, [&](const std::string& step) {
      auto object = m_stores->open(step);
      const hdf5::OpenedHdf5 opened = hdf5::openFile(step, object, account);
      claims.push_back(account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
      files.names.push_back(step);
      files.storedBytes += object->size();
      files.objects.push_back(std::move(object));
      return inputOf(opened, caches, account);
    });
    caches->prepareAll();
    return amr::openBoxes(std::move(steps), std::move(files), request, account, std::move(claims));
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(source));
    throw;
  }
}

}  // namespace farfield::chombo
