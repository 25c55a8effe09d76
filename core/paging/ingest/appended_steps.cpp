#include "core/paging/ingest/appended_steps.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/store/stored_records.h"
#include "core/paging/writing/store_growth.h"

namespace farfield::paging::detail {
namespace {

/// Memory for decoding a page, beside its nodes: padded, shuffled, stored.
constexpr std::uint64_t kPageCopies = 5;

/// The input as data of the longer store.
class LaterSteps : public BoxReader {
 public:
  LaterSteps(const BoxReader& input, DatasetDescription description, std::int64_t before,
             std::int64_t firstStep)
      : m_input(input), m_description(std::move(description)), m_before(before), m_firstStep(firstStep) {}

  const DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    m_input.read(array, inputStep(array, step), box, out);
  }
  bool isComputed() const override { return m_input.isComputed(); }
  void checkUnchanged() const override { m_input.checkUnchanged(); }

 protected:
  std::int64_t inputStep(std::uint32_t array, std::int64_t step) const {
    return m_input.description().arrays[array].steps > 1 ? step - m_before + m_firstStep : 0;
  }

  const BoxReader& m_input;

 private:
  DatasetDescription m_description;
  std::int64_t m_before, m_firstStep;
};

class LaterComponents final : public LaterSteps, public ComponentReader {
 public:
  LaterComponents(const BoxReader& input, const ComponentReader& components, DatasetDescription description,
                  std::int64_t before, std::int64_t firstStep)
      : LaterSteps(input, std::move(description), before, firstStep), m_components(components) {}
  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override {
    m_components.readComponent(array, inputStep(array, step), component, box, out);
  }

 private:
  const ComponentReader& m_components;
};

std::string nameOfArray(const ArrayDescription& array) {
  return "'" + array.name + "' of block " + std::to_string(array.block);
}

std::string dimsText(const Index3& dims) {
  return std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " + std::to_string(dims[2]);
}

/// What differs, for a person; empty if nothing does. Steps are not compared.
std::string differenceOf(const DatasetDescription& store, const DatasetDescription& input) {
  if (store.blocks.size() != input.blocks.size())
    return "it has " + std::to_string(store.blocks.size()) + " blocks and the input " +
           std::to_string(input.blocks.size());
  for (std::size_t b = 0; b < store.blocks.size(); ++b) {
    const BlockDescription &a = store.blocks[b], &its = input.blocks[b];
    if (a.dims != its.dims)
      return "block " + std::to_string(b) + " has " + dimsText(a.dims) + " nodes and that of the input " +
             dimsText(its.dims);
    const bool sameAxes = !a.axes == !its.axes && (!a.axes || *a.axes == *its.axes);
    if (a.kind != its.kind || a.cells != its.cells || !sameAxes ||
        (a.kind == GridKind::Regular && !(a.origin == its.origin && a.spacing == its.spacing)))
      return "block " + std::to_string(b) + " has another grid than that of the input";
  }
  for (std::size_t n = 0; n < std::min(store.arrays.size(), input.arrays.size()); ++n) {
    const ArrayDescription &a = store.arrays[n], &its = input.arrays[n];
    if (a.name != its.name || a.block != its.block || a.role != its.role || a.detail != its.detail)
      return "it has " + nameOfArray(a) + " where the input has " + nameOfArray(its);
    if (a.components != its.components || a.type != its.type || a.componentNames != its.componentNames ||
        a.onCells != its.onCells || a.layout.dims() != its.layout.dims() ||
        a.layout.extent() != its.layout.extent())
      return nameOfArray(a) + " has other numbers than in the input";
  }
  if (store.arrays.size() != input.arrays.size())
    return "it has " + std::to_string(store.arrays.size()) + " arrays and the input " +
           std::to_string(input.arrays.size());
  return {};
}

/// Whether the first step of a stored array has the values of the input, at `step`.
bool isEqual(const StoreToExtend& store, std::uint32_t array, const BoxReader& input,
             const ArrayOrigin& origin, std::int64_t step, StoredRecords& records,
             const std::stop_token& stop) {
  const ArrayDescription& its = store.catalog.description.arrays[array];
  const ArrayDescription& from = input.description().arrays[static_cast<std::size_t>(origin.input)];
  const auto recordBytes = sizeof(PagePlace) + static_cast<std::size_t>(summaryRecordBytes(its.components));
  std::vector<std::byte> record(recordBytes), stored, there, read;
  Scratch scratch, padded;
  for (std::int64_t page = 0; page < its.layout.pageCount(); ++page) {
    if (stop.stop_requested()) throw Cancelled();
    const auto number = static_cast<std::uint64_t>(page);
    records.read(array, number, 1, recordBytes, record);
    const auto place = load<PagePlace>(record.data());
    if (place.bytes == 0 || place.bytes > static_cast<std::uint64_t>(its.maxPageBytes()))
      throw Corrupt("the index has a page of " + std::to_string(place.bytes) + " bytes")
          .at(store.object->name());
    if (place.bytes > store.fileBytes || place.offset > store.fileBytes - place.bytes)
      throw Corrupt("the index has a page outside of the file").at(store.object->name());
    stored.resize(place.bytes);
    store.object->readAt(place.offset, stored);
    const IndexBox box = its.boxOf(number);
    const auto nodes = static_cast<std::size_t>(product(box.size));
    there.resize(nodes * static_cast<std::size_t>(its.nodeBytes()));
    decodeNodes(its, number,
                {.bytes = stored,
                 .codec = place.flags & kPageStoredRaw ? Codec::None : store.catalog.codec,
                 .hasChecksum = true,
                 .checksum = place.checksum,
                 .padded = true},
                there, scratch, padded);
    read.resize(nodes * static_cast<std::size_t>(from.nodeBytes()));
    input.read(static_cast<std::uint32_t>(origin.input), step, box, read);
    if (origin.component < 0) {
      if (std::memcmp(read.data(), there.data(), there.size()) != 0) return false;
      continue;
    }
    const auto each = static_cast<std::size_t>(sizeOf(its.type)),
               all = static_cast<std::size_t>(from.nodeBytes());
    for (std::size_t n = 0; n < nodes; ++n)
      if (std::memcmp(read.data() + n * all + static_cast<std::size_t>(origin.component) * each,
                      there.data() + n * each, each) != 0)
        return false;
  }
  return true;
}

/// The number that a key of one step ends with ("mach.12"); -1 for others.
std::int64_t stepOfKey(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string::npos || dot + 1 == key.size()) return -1;
  std::int64_t step = -1;
  const auto [stop, error] = std::from_chars(key.data() + dot + 1, key.data() + key.size(), step);
  return error == std::errc() && stop == key.data() + key.size() ? step : -1;
}

/// What is known of single steps, under their numbers in the longer store, where the store has such of its first step.
void addAttributes(const DatasetDescription& input, std::int64_t firstStep, std::int64_t before,
                   DatasetDescription& longer) {
  std::map<std::string, std::string> more;
  for (const auto& [key, value] : input.attributes) {
    const std::int64_t step = stepOfKey(key);
    if (step < firstStep || step >= input.steps()) continue;
    const std::string base = key.substr(0, key.rfind('.') + 1);
    if (longer.attributes.contains(base + "0"))
      more[base + std::to_string(step - firstStep + before)] = value;
  }
  longer.attributes.merge(more);
}

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace

StoreToExtend storeToExtend(const std::filesystem::path& path, MemoryAccount& account) {
  std::error_code unseen;
  if (!std::filesystem::exists(path, unseen))
    throw NotFound("there is no such store", "make it by converting without --append")
        .at("file " + path.string());
  StoreToExtend store;
  store.object = openStore(path);
  store.catalog = catalogOf(*store.object, account, store.claim, &store.fileBytes);
  if (!store.catalog.stripes.parts.empty())
    throw Unsupported("is a striped set, which does not grow", "append to the store that it was made of")
        .at("file " + path.string());
  return store;
}

std::int64_t firstNewStep(const DatasetDescription& store, const DatasetDescription& input) {
  const double last = store.times.back();
  for (std::int64_t step = 0; step < input.steps(); ++step) {
    const double time = input.times[static_cast<std::size_t>(step)];
    if (time > last) return step;
    if (input.steps() == 1 || std::find(store.times.begin(), store.times.end(), time) == store.times.end())
      throw Invalid("step " + std::to_string(step) + " is of time " + number(time) +
                        ", which is not after the last one of the store, " + number(last),
                    "name steps that follow, or give their times with --option times=… (PLOT3D)");
  }
  return input.steps();
}

Extension extend(const StoreToExtend& store, const BoxReader& input, std::int64_t firstStep,
                 const ConvertOptions& options, MemoryAccount& account) {
  const DatasetDescription& before = store.catalog.description;
  const DatasetDescription& from = input.description();
  Extension extension;
  ConvertOptions its = options;
  its.split = false;
  extension.plan = planOutput(from, its);
  std::string difference = differenceOf(before, extension.plan.description);
  if (!difference.empty()) {
    its.split = true;
    OutputPlan split = planOutput(from, its);
    if (differenceOf(before, split.description).empty()) {
      difference.clear();
      extension.plan = std::move(split);
    }
  }
  if (!difference.empty())
    throw Invalid("the input does not go on with the store: " + difference, "convert into another store");

  const std::int64_t all = before.steps() + from.steps() - firstStep;
  DatasetDescription seen = from;
  seen.times.assign(before.times.begin(), before.times.end());
  seen.times.insert(seen.times.end(), from.times.begin() + firstStep, from.times.end());
  for (ArrayDescription& array : seen.arrays) array.steps = 1;

  std::uint64_t largest = 0;
  for (const ArrayDescription& array : before.arrays)
    largest = std::max(largest, static_cast<std::uint64_t>(array.maxPageBytes()));
  for (const ArrayDescription& array : from.arrays)
    largest = std::max(largest, static_cast<std::uint64_t>(array.layout.maxNodes() * array.nodeBytes()));
  const MemoryClaim claim =
      account.claim(Purpose::Work, kPageCopies * largest, "comparing the grid with that of the store");
  StoredRecords records(*store.object, store.catalog, store.fileBytes, account);
  for (std::uint32_t n = 0; n < before.arrays.size(); ++n) {
    const ArrayDescription& array = before.arrays[n];
    const ArrayOrigin& origin = extension.plan.origins[n];
    ArrayDescription& source = seen.arrays[static_cast<std::size_t>(origin.input)];
    if (array.steps > 1 || (before.steps() == 1 && array.role == ArrayRole::Variable)) {
      source.steps = all;
      continue;
    }
    if (origin.isBoxes()) continue;  // follows from the coordinates
    const std::int64_t steps = from.arrays[static_cast<std::size_t>(origin.input)].steps;
    bool same = true;
    for (std::int64_t step = steps > 1 ? firstStep : 0; step < steps && same; ++step)
      same = isEqual(store, n, input, origin, step, records, options.stop);
    if (same) continue;
    if (before.steps() > 1)
      throw Invalid("the input does not go on with the store: " + nameOfArray(array) +
                        " has other values, and the store has one step of it",
                    "convert all steps into another store");
    source.steps = all;
  }

  // Bounds of location follow their coordinates, and so do all arrays of one variable each.
  extension.plan.description = before;
  extension.plan.description.times = seen.times;
  bool anyMoves = false;
  for (std::size_t n = 0; n < before.arrays.size(); ++n) {
    const std::int64_t steps = seen.arrays[static_cast<std::size_t>(extension.plan.origins[n].input)].steps;
    extension.plan.description.arrays[n].steps = steps;
    anyMoves = anyMoves || steps > 1;
  }
  if (!anyMoves) throw Invalid("nothing in the input changes from step to step", "name solutions, too");
  addAttributes(from, firstStep, before.steps(), extension.plan.description);
  if (const auto* const components = dynamic_cast<const ComponentReader*>(&input))
    extension.input =
        std::make_unique<LaterComponents>(input, *components, std::move(seen), before.steps(), firstStep);
  else
    extension.input = std::make_unique<LaterSteps>(input, std::move(seen), before.steps(), firstStep);
  return extension;
}

}  // namespace farfield::paging::detail
