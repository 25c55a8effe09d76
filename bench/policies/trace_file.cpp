#include "bench/policies/trace_file.h"

#include <unordered_map>

#include "bench/policies/page_trace_reader.h"
#include "core/base/error.h"
#include "core/paging/cache/frame.h"

namespace farfield::bench {

ReplayTrace loadTrace(const std::filesystem::path& path) {
  ReplayTrace trace;
  trace.name = path.filename().string();
  paging::PageTraceReader reader(path);
  std::unordered_map<paging::PageKey, PageId> numbers;
  while (const auto request = reader.next()) {
    if (request->array >= 1u << 24 || trace.pageBytes.size() >= kNoPageId - 1)
      throw Invalid("has too many arrays or pages to be replayed").at("file " + path.string());
    const auto [at, isNew] = numbers.try_emplace(paging::makeKey(request->array, request->page),
                                                 static_cast<PageId>(trace.pageBytes.size()));
    if (isNew) trace.pageBytes.push_back(reader.arrays()[request->array].frameBytes);
    trace.requests.push_back(at->second);
  }
  return trace;
}

}  // namespace farfield::bench
