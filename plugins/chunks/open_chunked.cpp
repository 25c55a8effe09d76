#include "plugins/chunks/open_chunked.h"

#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "core/fields/functions/origin.h"
#include "plugins/chunks/chunk_sources.h"

namespace farfield::chunks {

std::unique_ptr<fields::OpenData> openChunked(std::shared_ptr<const arrays::ArrayReader> reader,
                                              const paging::ByteObjects& objects, bool inChunks,
                                              const fields::OpenRequest& request,
                                              std::vector<std::string> explanation, MemoryAccount& account,
                                              std::vector<fields::ReadingChoice> choices) {
  fields::BoxDataOptions options;
  options.name = saidOf(request.sources.front());
  options.pagesAsDescribed = inChunks;
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.choices = std::move(choices);
  if (isUrl(request.sources.front()))
    options.origin = fields::originOf(objects);
  else
    options.files.assign(request.sources.begin(), request.sources.end());
  if (inChunks) options.sources = chunkSources(reader, options.name);
  return fields::openBoxes(std::move(reader), options, std::move(explanation), account);
}

}  // namespace farfield::chunks
