#include "plugins/amr/open_amr.h"

#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "core/paging/pages/page_edge.h"
#include "plugins/amr/amr_series.h"

namespace farfield::amr {

std::unique_ptr<fields::OpenData> openBoxes(AmrInput input, AmrFiles files,
                                            const fields::OpenRequest& request, MemoryAccount& account,
                                            std::vector<MemoryClaim> claims) {
  std::vector<AmrInput> steps;
  steps.push_back(std::move(input));
  return openBoxes(std::move(steps), std::move(files), request, account, std::move(claims));
}

std::unique_ptr<fields::OpenData> openBoxes(std::vector<AmrInput> steps, AmrFiles files,
                                            const fields::OpenRequest& request, MemoryAccount& account,
                                            std::vector<MemoryClaim> claims) {
  AmrData data =
      steps.size() == 1 ? datasetOf(std::move(steps.front()), account) : seriesOf(std::move(steps), account);
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

std::vector<AmrInput> readSteps(const fields::OpenRequest& request,
                                const std::function<AmrInput(const std::string& source)>& read) {
  std::vector<AmrInput> steps;
  for (const std::string& source : request.sources) try {
      if (request.stop.stop_requested()) throw Cancelled();
      steps.push_back(read(source));
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(source));
      throw;
    }
  return steps;
}

}  // namespace farfield::amr
