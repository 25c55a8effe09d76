#include "plugins/vtkamr/vtkamr_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "plugins/amr/open_amr.h"
#include "plugins/vtkamr/amr_files.h"
#include "plugins/vtkfile/vtk_xml.h"

namespace farfield::vtkamr {

bool VtkAmrDataReader::recognizes(const std::string& source) const {
  const std::string head = arrays::beginning(source, *m_stores, 14);
  if (!head.starts_with("<VTKFile") && !head.starts_with("<?xml") && !head.starts_with("<!--")) return false;
  try {
    paging::ByteObjects objects;
    return isAmrType(
        vtkfile::xmlTypeOf(*arrays::namedBytes(source, *m_stores, arrays::makeFilePool(), objects)));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> VtkAmrDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string& source = request.sources.front();
  try {
    if (!request.solutions.empty()) throw Invalid("a file of VTK has no solution files", "name one file");
    arrays::checkOptions(request.options, {"on"});
    const auto pool = arrays::makeFilePool();
    amr::AmrFiles files;
    std::vector<amr::AmrInput> steps = amr::readSteps(request, [&](const std::string& step) {
      const auto bytes = arrays::namedBytes(step, *m_stores, pool, files.objects);
      FoundBoxes found = boxesOf(readIndex(*bytes), step, request, *m_stores, files.objects, account);
      files.names.insert(files.names.end(), found.files.begin(), found.files.end());
      files.names.push_back(step);
      files.storedBytes += found.storedBytes + bytes->size();
      return std::move(found.input);
    });
    return amr::openBoxes(std::move(steps), std::move(files), request, account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(source));
    throw;
  }
}

}  // namespace farfield::vtkamr
