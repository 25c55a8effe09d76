#include "plugins/amr/open_amr.h"

#include "core/base/url.h"
#include "core/fields/box_data.h"
#include "core/paging/pages/page_edge.h"

namespace farfield::amr {

std::unique_ptr<fields::OpenData> openBoxes(AmrInput input, AmrFiles files,
                                            const fields::OpenRequest& request, MemoryAccount& account,
                                            std::vector<MemoryClaim> claims) {
  AmrData data = datasetOf(std::move(input), account);
  for (MemoryClaim& claim : claims) data.claims.push_back(std::move(claim));
  data.description.storedBytes = files.storedBytes;
  data.description.attributes["source"] = lastPartOf(request.sources.front());
  fields::BoxDataOptions options;
  options.name = saidOf(request.sources.front());
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.files.assign(files.names.begin(), files.names.end());
  // a value needs its neighbours on all sides
  options.pageEdge = paging::pageEdgeFor(data.description);
  if (!files.objects.empty() && isUrl(request.sources.front()))
    options.origin = fields::originOf(files.objects);
  auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                      std::move(data.claims), std::move(files.objects));
  return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
}

}  // namespace farfield::amr
