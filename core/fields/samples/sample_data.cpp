#include "core/fields/samples/sample_data.h"

#include "core/base/error.h"
#include "core/fields/data/box_data.h"
#include "core/fields/samples/sample_url.h"

namespace farfield::samples {

bool SampleDataReader::recognizes(const std::string& source) const {
  return isSampleUrl(source);
}

std::unique_ptr<fields::OpenData> SampleDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  if (request.sources.size() != 1 || !request.solutions.empty())
    throw Invalid("a sample is one URL without a solution", "write sample://NAME?size=…");
  std::string url = request.sources.front();
  for (const auto& [key, value] : request.options)
    url += (url.find('?') == std::string::npos ? "?" : "&") + key + "=" + value;
  const SampleUrl sample = parseSampleUrl(url);
  fields::BoxDataOptions options;
  options.pageEdge = sample.options.pageEdge;
  options.threads = false;
  options.locate = !request.forConversion;
  options.name = url;
  return fields::openBoxes(makeSample(sample.name, sample.options), options, {"computed from formulas"},
                           account);
}

}  // namespace farfield::samples
