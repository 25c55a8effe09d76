#include "core/paging/bytes/range_reader.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::paging {
namespace {

/// A read includes the rest of its first and last alignment units.
std::uint64_t stagingFor(const RangeReaderOptions& options, std::uint64_t alignment) {
  const std::uint64_t units = alignment > 1 ? 2 * alignment : 0;
  return std::max(options.stagingBytes, options.largestRange + units);
}

QueueLimits limitsFor(const RangeReaderOptions& options, const ReadEngine& engine) {
  QueueLimits limits;
  limits.depth = std::max(1, engine.depth());
  limits.alignment = engine.alignment();
  // A run much larger than the others would find room only after all of them have ended.
  limits.maxMergedBytes = std::min(options.maxMergedBytes, stagingFor(options, limits.alignment) / 4);
  limits.mergeGapBytes = std::max(options.mergeGapBytes, engine.gapWorthReading());
  return limits;
}

bool isBefore(const RangeRequest& a, const RangeRequest& b) {
  return a.object != b.object ? a.object < b.object : a.offset < b.offset;
}

}  // namespace

RangeReader::RangeReader(ByteObjects objects, RangeSink& sink, MemoryAccount& account,
                         const RangeReaderOptions& options, const std::string& what)
    : m_objects(std::move(objects)),
      m_sink(sink),
      m_engine(m_objects.front()->makeEngine(m_objects, options.engine)),
      m_queue(account, stagingFor(options, m_engine->alignment()), limitsFor(options, *m_engine), what) {
  m_engine->serve(*this);
}

void RangeReader::read(RangeList ranges) noexcept {
  if (ranges.empty()) return;
  ranges.sort(isBefore);
  if (m_queue.push(ranges)) return m_engine->start();
  endCancelled(ranges);
}

void RangeReader::hurry(const WhichRanges& which, ReadPriority priority) noexcept {
  m_queue.hurry(which, priority);
  m_engine->start();  // prefetches may have used up the room that a demand needs
}

void RangeReader::cancel(const WhichRanges& which) noexcept {
  endCancelled(m_queue.remove(which));
}

void RangeReader::close() noexcept {
  // All members stay until the end: sinks may ask for more inside arrived(), which is refused by then.
  endCancelled(m_queue.close());
  m_engine->stop();
}

void RangeReader::endCancelled(const RangeList& ranges) noexcept {
  for (const RangeRequest& range : ranges) m_sink.cancelled(range);
}

bool RangeReader::nextRead(RangeRead& read, bool& more) noexcept {
  RangeRun* const run = m_queue.tryTake(&more);
  if (!run) return false;
  const std::uint64_t first = beginOf(*run);
  read = {run->ranges.front().object, first, run->staging, run->end - first, run};
  return true;
}

void RangeReader::readLanded(const RangeRead& read) noexcept {
  m_queue.landed(static_cast<RangeRun*>(read.token));
}

void RangeReader::readEnded(const RangeRead& read, std::uint64_t got, std::exception_ptr error) noexcept {
  RangeRun* const run = static_cast<RangeRun*>(read.token);
  m_reads.fetch_add(1, std::memory_order_relaxed);
  m_bytesRead.fetch_add(got, std::memory_order_relaxed);
  const bool together = run->ranges.size() > 1;
  for (auto at = run->ranges.begin(); at != run->ranges.end();) {
    const auto range = at++;
    if (!error && range->end() <= read.offset + got) {
      m_sink.arrived(*range, run->staging.subspan(range->offset - read.offset, range->bytes));
      continue;
    }
    range->alone = true;
    if (error && together && m_queue.putBack(run->ranges, range)) continue;
    m_sink.failed(*range, error ? error : beyondEnd(*range));
  }
  m_queue.finish(run);
}

std::exception_ptr RangeReader::beyondEnd(const RangeRequest& range) noexcept {
  try {
    throw Corrupt("its " + std::to_string(range.bytes) + " bytes at byte " + std::to_string(range.offset) +
                      " are past the end of the file",
                  "the file is cut short; copy or convert it again");
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace farfield::paging
