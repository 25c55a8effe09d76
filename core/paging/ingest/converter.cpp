#include "core/paging/ingest/converter.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/paging/ingest/appended_steps.h"
#include "core/paging/ingest/box_pages.h"
#include "core/paging/ingest/node_pages.h"
#include "core/paging/ingest/output_plan.h"
#include "core/paging/ingest/window_stream.h"
#include "core/paging/location/cell_boxes.h"
#include "core/paging/pages/coarse_reader.h"
#include "core/paging/writing/index_writer.h"
#include "core/paging/writing/page_encoder.h"
#include "core/paging/writing/store_writer.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

using namespace detail;

/// Larger windows are not read faster, and the first one delays the start.
constexpr std::int64_t kMaxWindowBytes = std::int64_t{16} << 20;
/// Memory for making level 0 of location pyramids in the smallest budget.
constexpr std::int64_t kMinBoxBytes = std::int64_t{256} << 10;

struct MemoryPlan {
  WindowBudget windows;
  std::int64_t bufferBytes = 0;
  int buffers = 0;
  std::int64_t boxBytes = 0;       ///< for coordinates that are read again
  std::int64_t smallestBytes = 0;  ///< least that would be enough
};

int processorsOf(const ConvertOptions& options) {
  return std::max(1, options.processors);
}

/// Most memory for a page in the store's writer.
std::int64_t encodeBytes(const DatasetDescription& store, Codec codec) {
  std::uint64_t largest = 0;
  for (const ArrayDescription& array : store.arrays)
    largest =
        std::max(largest, static_cast<std::uint64_t>(array.maxPageBytes()) + encoderBytes(codec, array));
  return static_cast<std::int64_t>(largest);
}

/// The least that the store's writer needs: for the index, or to check what is there.
std::int64_t writerBytes(const DatasetDescription& store, bool resume) {
  constexpr std::uint64_t kVerifyBytes = std::uint64_t{4} << 20;
  std::uint64_t most = resume ? kVerifyBytes : 0;
  for (const ArrayDescription& array : store.arrays) {
    most = std::max(most, indexWriterBytes(IndexShape(array.pageCount(), array.components)));
    if (resume) most = std::max(most, static_cast<std::uint64_t>(array.maxPageBytes()));
  }
  return static_cast<std::int64_t>(most);
}

/// The levels above 0 of the largest location pyramid, which are held while it is made.
std::int64_t upperBoxBytes(const OutputPlan& plan, const DatasetDescription& input) {
  std::int64_t most = 0;
  for (const ArrayOrigin& origin : plan.origins) {
    if (!origin.isBoxes()) continue;
    const Index3 cells = cellDims(input.arrays[static_cast<std::size_t>(origin.input)].layout.dims());
    most = std::max(most, pyramidEntries(cells) - product(levelDims(cells, 0)));
  }
  return most * static_cast<std::int64_t>(sizeof(CellBox));
}

/// Divides `freeBytes`: encoding, windows, boxes. `buffers` is 0 if it is not enough.
MemoryPlan planMemory(const OutputPlan& plan, const DatasetDescription& input, bool singleComponents,
                      const ConvertOptions& options, std::int64_t freeBytes) {
  const auto windowFor = [&](std::int64_t windowBytes) {
    std::int64_t most = 1;
    for (std::size_t a = 0; a < plan.origins.size(); ++a) {
      if (plan.origins[a].isBoxes()) continue;
      const std::int64_t nodeBytes = windowNodeBytes(input, plan.origins[a], singleComponents);
      most = std::max(most, nodeBytes * largestWindow(plan.description.arrays[a], nodeBytes, windowBytes));
    }
    return most;
  };
  MemoryPlan memory;
  const bool boxes =
      std::any_of(plan.origins.begin(), plan.origins.end(), [](const auto& o) { return o.isBoxes(); });
  const std::int64_t onePage = encodeBytes(plan.description, options.codec);
  const std::int64_t smallestWindow = windowFor(0);
  const std::int64_t upper = upperBoxBytes(plan, input);
  memory.smallestBytes = std::max(onePage + smallestWindow + (boxes ? kMinBoxBytes + upper : 0),
                                  writerBytes(plan.description, options.resume));
  if (freeBytes < memory.smallestBytes) return memory;

  const std::int64_t forLevel0 = boxes ? std::max(kMinBoxBytes, (freeBytes - upper) / 8) : 0;
  const std::int64_t boxShare = forLevel0 + upper;
  const std::int64_t encoding = std::clamp<std::int64_t>(2 * processorsOf(options) * onePage, onePage,
                                                         std::max(onePage, freeBytes / 2 - boxShare));
  const std::int64_t room = std::max(freeBytes - encoding - boxShare, smallestWindow);
  memory.buffers = room >= 2 * smallestWindow ? 2 : 1;
  memory.windows.windowBytes = std::min(kMaxWindowBytes, room / memory.buffers);
  memory.bufferBytes = windowFor(memory.windows.windowBytes);
  memory.windows.collectorBytes = static_cast<std::uint64_t>(forLevel0 / 8);
  memory.boxBytes = forLevel0 / 4;
  return memory;
}

[[noreturn]] void refuse(const BoxReader& input, const ConvertOptions& options, int pageEdge,
                         bool singleComponents, std::int64_t needed, const MemoryAccount& account) {
  std::string advice = adviceToGive(account.usedBytes() + static_cast<std::uint64_t>(needed));
  for (int edge = pageEdge / 2; edge >= 8; edge /= 2) {
    ConvertOptions smaller = options;
    smaller.pageEdge = edge;
    const OutputPlan plan = planOutput(input.description(), smaller);
    const auto freeBytes = static_cast<std::int64_t>(account.freeBytes());
    if (planMemory(plan, input.description(), singleComponents, smaller, freeBytes).buffers == 0) continue;
    advice += ", or use --page-edge " + std::to_string(edge);
    break;
  }
  throw OverBudget("converting in pages of edge " + std::to_string(pageEdge) + " needs " +
                       formatBytes(static_cast<std::uint64_t>(needed)) + ", and " +
                       formatBytes(account.freeBytes()) + " of the budget of " +
                       formatBytes(account.budgetBytes()) + " are left",
                   advice);
}

/// What brings its levels along has them made already; null.
std::unique_ptr<BoxReader> withLevels(const BoxReader& data, int levels) {
  if (levels == 1 || levelsIn(data.description()) > 1) return nullptr;
  const std::shared_ptr<const BoxReader> borrowed(std::shared_ptr<const void>(), &data);
  return makeCoarseReader(borrowed, {.levels = levelsOf(data.description(), levels)});
}

ConvertResult write(const BoxReader& input, const OutputPlan& plan, const std::filesystem::path& path,
                    const ConvertOptions& options, MemoryAccount& account) {
  const auto* components = dynamic_cast<const ComponentReader*>(&input);
  // before the writer changes anything on disk
  const auto planned = [&] {
    return planMemory(plan, input.description(), components != nullptr, options,
                      static_cast<std::int64_t>(account.freeBytes()));
  };
  if (const MemoryPlan first = planned(); first.buffers == 0)
    refuse(input, options, plan.description.pageEdge, components != nullptr, first.smallestBytes, account);

  StoreWriter writer(path, plan.description,
                     {.codec = options.codec,
                      .overwrite = options.overwrite,
                      .resume = options.resume,
                      .append = options.append,
                      .keepPartial = options.keepPartial,
                      .forVtk = options.forVtk},
                     account);
  ConvertResult result;
  result.pages = writer.pageCount();
  result.pagesBefore = writer.written();
  if (writer.alreadyFinished()) return result;

  const MemoryPlan memory = planned();
  if (memory.buffers == 0)
    refuse(input, options, plan.description.pageEdge, components != nullptr, memory.smallestBytes, account);
  {
    const MemoryClaim claim =
        account.claim(Purpose::Staging, static_cast<std::uint64_t>(memory.bufferBytes * memory.buffers),
                      "conversion windows");
    WindowJobs jobs(plan, input.description(), components != nullptr, memory.windows, writer.written(),
                    account);
    tasks::LoopThreads threads(processorsOf(options));
    BoxPages boxes(input, plan, writer, memory.boxBytes, account, threads, options.stop);
    WindowStream stream(input, components, plan, jobs, static_cast<std::size_t>(memory.bufferBytes),
                        memory.buffers);
    while (const Window* window = stream.next(options.stop)) {
      if (options.stop.stop_requested()) throw Cancelled();
      const trace::Scope scope("convert", "encode window", window->job.pages);
      const ArrayDescription& array = plan.description.arrays[window->job.array];
      const ArrayOrigin& origin = plan.origins[window->job.array];
      if (origin.isBoxes()) {
        boxes.write(window->job);
      } else {
        if (window->job.collector)
          window->job.collector->builder.add(window->job.window, window->nodes, array.type, window->iblank,
                                             threads);
        const int component = components ? 0 : std::max(0, origin.component);
        writer.writePages(threads, window->job.pages, [&](const PageId& id, std::span<std::byte> page) {
          if (options.stop.stop_requested()) throw Cancelled();
          return cutPage(array, array.boxOf(id.page), *window, component, page);
        });
      }
      if (options.progress) options.progress(writer.written(), result.pages);
    }
    result.bytesRead = stream.bytesRead() + boxes.bytesRead();
  }
  try {
    input.checkUnchanged();
  } catch (const Error&) {
    writer.discard();  // its pages are from two versions, and a resume could not tell
    throw;
  }
  writer.finish();
  result.storedBytes = writer.storedBytes();
  return result;
}

ConvertResult append(const BoxReader& data, const std::filesystem::path& path, ConvertOptions options,
                     MemoryAccount& account) {
  StoreToExtend store = storeToExtend(path, account);
  const DatasetDescription& before = store.catalog.description;
  const std::int64_t firstStep = firstNewStep(before, data.description());
  if (firstStep == data.description().steps()) {
    ConvertResult result;
    for (const ArrayDescription& array : before.arrays)
      result.pages += static_cast<std::uint64_t>(array.pageCount());
    result.pagesBefore = result.pages;
    result.storedBytes = before.storedBytes;
    return result;
  }
  options.pageEdge = before.pageEdge;
  options.codec = store.catalog.codec;
  options.levels = levelsIn(before);
  options.attributes.clear();
  const std::unique_ptr<BoxReader> levels = withLevels(data, options.levels);
  const Extension extension = extend(store, levels ? *levels : data, firstStep, options, account);
  store = {};
  return write(*extension.input, extension.plan, path, options, account);
}

}  // namespace

ConvertResult convert(const BoxReader& data, const std::filesystem::path& path, const ConvertOptions& options,
                      MemoryAccount& account) {
  if (options.append) return append(data, path, options, account);
  const std::unique_ptr<BoxReader> levels = withLevels(data, options.levels);
  const BoxReader& input = levels ? *levels : data;
  return write(input, planOutput(input.description(), options), path, options, account);
}

}  // namespace farfield::paging
