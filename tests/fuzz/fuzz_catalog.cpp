// A small store whose catalog, index and pages are changed by their structure, with all checksums made right,
// and which is then opened, read and looked at in every way that the core has. There must be an error or an
// answer; where nothing was changed that answers depend on, the right one.
//
// Input: changes of 8 bytes each: what, how, u16 where, u32 with what (little-endian).
// Run: fuzz_catalog CORPUS -max_len=64

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/extract/outline.h"
#include "core/extract/slice.h"
#include "core/fields/data/store_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/store/catalog.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/sealed_store.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using Json = nlohmann::json;
using Bytes = paging::test::StoreBytes;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{24} << 20;
constexpr std::size_t kChangeBytes = 8, kMostChanges = 8;
constexpr std::size_t kMostTasks = 64;

/// Block 0 moves and has blanking, block 1 is a flat one, block 2 is regular.
paging::DatasetDescription described() {
  paging::DatasetDescription data;
  data.format = "fuzz";
  data.times = {0, 1};
  const Index3 dims[] = {{18, 10, 9}, {9, 7, 1}, {6, 5, 5}};
  for (int b = 0; b < 3; ++b) {
    paging::BlockDescription block;
    block.dims = dims[b];
    block.kind = b < 2 ? paging::GridKind::Curvilinear : paging::GridKind::Regular;
    block.hasIblank = b == 0;
    block.origin = {20, 0, 0};
    data.blocks.push_back(block);
    const paging::PageLayout whole = paging::PageLayout::ofExtent(dims[b], dims[b]);
    if (b < 2)
      data.arrays.push_back({"xyz",
                             b,
                             whole,
                             b == 0 ? 2 : 1,
                             3,
                             ScalarType::F32,
                             {"x", "y", "z"},
                             paging::ArrayRole::Coordinates});
    if (b == 0)
      data.arrays.push_back({"iblank", b, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
    data.arrays.push_back({"q",
                           b,
                           whole,
                           2,
                           5,
                           ScalarType::F32,
                           {"density", "momentum-x", "momentum-y", "momentum-z", "energy"}});
    data.arrays.push_back({"mask", b, whole, 1, 1, ScalarType::U8, {}});
  }
  data.surfaces.push_back({"wall", 0, {{0, 0, 0}, {18, 1, 9}}, "wall", "fuzz"});
  return data;
}

/// The store as it is written, without its trailer; the catalog; and where its index lies.
struct Original {
  Bytes bytes;
  Json catalog;
  std::uint64_t index = 0, indexEnd = 0;
};

Original makeOriginal(const std::filesystem::path& path) {
  const auto reader =
      test::nodewiseReader(described(), [data = described()](std::uint32_t number, std::int64_t step,
                                                             const Index3& node, test::NodeValues& values) {
        const paging::ArrayDescription& array = data.arrays[number];
        const auto i = static_cast<float>(node[0]), j = static_cast<float>(node[1]),
                   k = static_cast<float>(node[2]), t = static_cast<float>(step);
        if (array.role == paging::ArrayRole::Blanking)
          values.put(static_cast<std::int16_t>(node[0] == 9 && node[1] == 4 ? 0 : 1));
        else if (array.role == paging::ArrayRole::Coordinates)
          for (const float value : {i + 0.1F * j + 0.2F * t, j + 0.05F * i, k + 0.02F * i * j})
            values.put(value);
        else if (array.components == 1)
          values.put(static_cast<std::uint8_t>(node[0]));
        else
          for (const float value : {1.0F, 1.0F + 0.1F * j, 0.5F + t, 0.25F * k, 4.0F}) values.put(value);
      });
  MemoryAccount account(kBudget);
  paging::convert(*reader, path, {.pageEdge = 5, .codec = paging::Codec::None, .levels = 2}, account);
  Original original;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto all = std::as_bytes(std::span(text));
  const auto trailer = load<paging::Trailer>(all.data() + all.size() - sizeof(paging::Trailer));
  original.bytes.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(trailer.catalog.offset));
  original.catalog = Json::parse(text.substr(trailer.catalog.offset, trailer.catalog.bytes));
  original.indexEnd = original.bytes.size();
  original.index =
      original.catalog.at("description").at("storedBytes").get<std::uint64_t>() + paging::kPayloadStart;
  return original;
}

// --- changes ----------------------------------------------------------------------------------------------

struct Change {
  std::uint8_t what, how;
  std::uint16_t where;
  std::uint32_t with;
};

/// All values of a catalog, each with the place that holds it.
struct Holder {
  Json* value;
  Json* parent;
  std::string key;
  std::size_t number;
};
void collect(Json& value, std::vector<Holder>& all) {
  std::size_t number = 0;
  if (value.is_object())
    for (auto& [key, child] : value.items()) {
      all.push_back({&child, &value, key, 0});
      collect(child, all);
    }
  else if (value.is_array())
    for (Json& child : value) {
      all.push_back({&child, &value, {}, number++});
      collect(child, all);
    }
}

constexpr std::int64_t kNumbers[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     5,
                                     6,
                                     7,
                                     8,
                                     9,
                                     -1,
                                     -2,
                                     15,
                                     16,
                                     64,
                                     255,
                                     256,
                                     4096,
                                     4097,
                                     65535,
                                     2147483647,
                                     4294967295,
                                     4294967296,
                                     (1LL << 52),
                                     (1LL << 52) + 1,
                                     (1LL << 62),
                                     9223372036854775807};
constexpr const char* kTexts[] = {"xyz",
                                  "iblank",
                                  "boxes0",
                                  "boxes1",
                                  "boxes2",
                                  "q",
                                  "mask",
                                  "level1.q",
                                  "level1.xyz",
                                  "level1.boxes0",
                                  "level9.q",
                                  "regular",
                                  "curvilinear",
                                  "f32",
                                  "f64",
                                  "u8",
                                  "i16",
                                  "i32",
                                  "nan",
                                  "inf",
                                  "-inf",
                                  "variable",
                                  "location bounds",
                                  "coordinates",
                                  "blanking",
                                  "density",
                                  "",
                                  "zstd",
                                  "none",
                                  "1"};
constexpr const char* kKeys[] = {"role", "detail", "boundsLevel", "bounds", "origin", "spacing", "levels"};

Json textOf(std::uint32_t with) {
  return kTexts[with % std::size(kTexts)];
}
Json numberOf(std::uint32_t with) {
  const std::int64_t number = kNumbers[with / 4 % std::size(kNumbers)];
  switch (with % 4) {
    case 0:
      return number;
    case 1:
      return static_cast<std::uint64_t>(number);
    case 2:
      return 1e300 * static_cast<double>(number);
    default:
      return 0.5 * static_cast<double>(number);
  }
}

void changeCatalog(const Change& change, Json& catalog) {
  std::vector<Holder> all;
  collect(catalog, all);
  const Holder at = all[change.where % all.size()];
  Json& value = *at.value;
  const Json other = *all[change.with % all.size()].value;
  switch (change.how % 11) {
    case 0:
      value = numberOf(change.with);
      break;
    case 1:  // near what it was
      if (value.is_number_integer())
        value = value.get<std::int64_t>() + static_cast<std::int64_t>(change.with % 5) - 2;
      else if (value.is_boolean())
        value = !value.get<bool>();
      else
        value = textOf(change.with);
      break;
    case 2:
      value = textOf(change.with);
      break;
    case 3:
      value = other;
      break;
    case 4:
      if (at.parent->is_array())
        at.parent->erase(at.number);
      else
        at.parent->erase(at.key);
      break;
    case 5:  // twice
      if (at.parent->is_array()) {
        const Json copy = value;
        at.parent->insert(at.parent->begin() + static_cast<std::ptrdiff_t>(at.number), copy);
      }
      break;
    case 6:  // two of a list change places
      if (at.parent->is_array()) std::swap(value, (*at.parent)[change.with % at.parent->size()]);
      break;
    case 7:
      if (value.is_object())
        value[kKeys[change.with % std::size(kKeys)]] =
            change.with % 2 ? numberOf(change.with / 8) : textOf(change.with / 8);
      break;
    case 8: {  // an array with its index, twice
      if (!catalog.contains(Json::json_pointer("/description/arrays")) || !catalog.contains("index")) break;
      Json& arrays = catalog["description"]["arrays"];
      Json& index = catalog["index"];
      if (!arrays.is_array() || !index.is_array() || arrays.empty() || arrays.size() != index.size()) break;
      const std::size_t n = change.where % arrays.size(), to = change.with % arrays.size();
      const Json array = arrays[n], its = index[n];
      arrays.insert(arrays.begin() + static_cast<std::ptrdiff_t>(to), array);
      index.insert(index.begin() + static_cast<std::ptrdiff_t>(to), its);
      break;
    }
    case 9: {  // more nodes or numbers in as many pages
      if (!catalog.contains(Json::json_pointer("/description/arrays"))) break;
      Json& arrays = catalog["description"]["arrays"];
      if (!arrays.is_array() || arrays.empty() || !arrays[change.where % arrays.size()].is_object()) break;
      Json& array = arrays[change.where % arrays.size()];
      for (const char* key : {"dims", "page"}) {
        Json& along = array[key];
        if (change.with % 8 < 3 && along.is_array() && along.size() == 3 &&
            along[change.with % 8].is_number_integer())
          along[change.with % 8] =
              along[change.with % 8].get<std::int64_t>() % 1000 * (2 + change.with / 8 % 5);
      }
      if (change.with % 8 >= 3) array["components"] = 1 + change.with / 8 % 40;
      break;
    }
    default: {  // all that has the same value
      const Json before = value, after = value.is_number() ? numberOf(change.with) : textOf(change.with);
      for (const Holder& each : all)
        if (each.value->is_primitive() && *each.value == before) *each.value = after;
    }
  }
}

/// A word of the index, or of a page.
void changeBytes(const Change& change, std::uint64_t from, std::uint64_t to, Bytes& bytes) {
  const std::uint64_t words = (to - from) / 4;
  if (words < 2) return;
  std::byte* const at =
      bytes.data() + from + 4 * ((change.where * std::uint64_t{7} + change.how / 8) % (words - 1));
  constexpr double kReals[] = {0, -1, 1e300, -1e300, 1e-300, INFINITY, -INFINITY, NAN};
  switch (change.how % 8) {
    case 0:
      store(at, numberOf(change.with & ~1U).get<std::int64_t>());
      break;
    case 1:
      store(at, static_cast<std::uint32_t>(kNumbers[change.with % std::size(kNumbers)]));
      break;
    case 2:
      store(at, kReals[change.with % std::size(kReals)]);
      break;
    case 3:
      store(at, static_cast<float>(kReals[change.with % std::size(kReals)]));
      break;
    case 4:
      store(at, load<std::uint64_t>(bytes.data() + from + 4 * (change.with % (words - 1))));
      break;
    case 5:
      store(at, std::uint64_t{bytes.size() - change.with % 300});
      break;
    default:
      store(at, load<std::uint32_t>(at) + (1U << change.with % 32));
  }
}

/// A careful forger's work: indices, ranges and names fit their arrays, and all pages that they need are somewhere
/// in the file. What is left to refuse is what arrays say of each other. Throws Json::exception.
void makeConsistent(Json& catalog, Bytes& bytes) {
  Json& arrays = catalog.at("description").at("arrays");
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    Json &array = arrays.at(n), &index = catalog.at("index").at(n);
    const auto components = array.at("components").get<std::int64_t>();
    const auto dims = array.at("dims").get<Index3>(), page = array.at("page").get<Index3>();
    const auto wrong = [](std::int64_t size) { return size < 1 || size > 100000; };
    if (wrong(components) || std::ranges::any_of(dims, wrong) || std::ranges::any_of(page, wrong)) return;
    if (array.at("componentNames").size() != static_cast<std::size_t>(components))
      array["componentNames"] = Json::array();
    while (index.at("ranges").size() > static_cast<std::size_t>(components)) index["ranges"].erase(0);
    while (index.at("ranges").size() < static_cast<std::size_t>(components))
      index["ranges"].push_back({"inf", "-inf"});
    paging::ArrayDescription described;
    described.layout = paging::PageLayout::ofExtent(dims, page);
    described.components = static_cast<int>(components);
    described.type = scalarTypeNamed(array.at("type").get<std::string>());
    described.steps = array.at("steps").get<std::int64_t>();
    const std::int64_t pages = described.pageCount(), most = static_cast<std::int64_t>(bytes.size()) / 2;
    if (pages > paging::kPagesPerLeaf || described.maxPageBytes() > most) continue;
    const paging::detail::IndexShape shape(pages, described.components);
    // The leaf, then the root.
    const auto place = [&](std::int64_t size) {
      const paging::NodePlace node{bytes.size(), static_cast<std::uint64_t>(size), 0};
      bytes.resize(bytes.size() + static_cast<std::size_t>(size));
      return node;
    };
    const paging::NodePlace places = place(shape.placesBytes(0)), summaries = place(shape.summariesBytes(0)),
                            root = place(shape.innerBytes(1, 0));
    for (std::int64_t p = 0; p < pages; ++p)
      store(bytes.data() + places.offset + static_cast<std::size_t>(p) * sizeof(paging::PagePlace),
            paging::PagePlace{paging::kPayloadStart + 4 * static_cast<std::uint64_t>(p),
                              static_cast<std::uint32_t>(described.maxPageBytes()), 0, 0});
    store(bytes.data() + root.offset, places);
    store(bytes.data() + root.offset + sizeof places, summaries);
    index["offset"] = root.offset;
    index["bytes"] = root.bytes;
  }
}

// --- looking at what comes of it ----------------------------------------------------------------------------

class Answers final : public extract::SurfaceSink {
 public:
  void put(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    m_sum = 31 * m_sum + bits;
  }
  void put(Vec3 v) {
    for (int a = 0; a < 3; ++a) put(v[a]);
  }
  void patch(std::size_t, const extract::SurfacePatch& patch) override {
    for (const auto& numbers : {patch.points, patch.normals, patch.values})
      for (const double number : numbers) put(number);
  }
  std::uint64_t sum() const { return m_sum; }

 private:
  std::uint64_t m_sum = 0;
};

/// Runs tasks one after the other; a task that fails is an answer, too.
template <class Task>
void forTasks(fields::PagedData& data, std::size_t count, Answers& answers, const Task& task) {
  for (std::size_t n = 0; n < std::min(count, kMostTasks); ++n) try {
      tasks::TaskGroup group;
      group.name = "fuzz";
      group.count = 1;
      group.admission = &data.admission();
      group.run = [&](std::size_t, tasks::TaskContext& context) { task(n, context); };
      data.makeScheduler()->run(group, {});
    } catch (const Error&) {
      answers.put(-1);
    }
}

void sample(fields::PagedData& data, const std::shared_ptr<const fields::FunctionPlan>& plan,
            tasks::TaskContext& context, Answers& answers) {
  const auto sampler = data.makeSampler(context, plan);
  std::vector<double> values(static_cast<std::size_t>(sampler->valueCount()));
  const Bounds& bounds = data.bounds();
  fields::Location last;
  for (int n = 0; n < 12; ++n)
    for (const double weight : {0.0, 0.5}) {
      const double along = n / 11.0;
      const Vec3 point = n % 3 == 0
                             ? bounds.min + along * (bounds.max - bounds.min)
                             : Vec3{18.0 * along + (n == 11 ? 4 : 0.5), 3 * along + 1, n % 2 ? 0.0 : 3.5};
      const fields::FieldTime time{0, data.description().steps() > 1 ? weight : 0};
      fields::Location location = n % 2 ? last : fields::Location{};
      if (!sampler->locate(point, time, location)) continue;
      last = location;
      sampler->evaluate(location, time, values);
      for (const double value : values) answers.put(value);
      answers.put(sampler->cellsPerTime(location, time, {1, 2, 3}));
      for (int face = 0; face < 6; ++face) {
        fields::Location beside = location;
        if (sampler->crossFace(beside, time, face)) answers.put(static_cast<double>(beside.cell));
      }
      sampler->goingOn(location, time, {1, 0, 0});
    }
}

void look(const std::filesystem::path& path, int level, Answers& answers) {
  MemoryAccount account(kBudget);
  const auto opened = fields::StoreDataReader().open(
      {.sources = {path.string()}, .options = {{"level", std::to_string(level)}}}, account);
  const paging::DatasetDescription& description = opened->description();
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"velocity", "pressure", "mask"}, std::vector<std::string>{"vorticity"}})
    try {
      const auto plan = std::make_shared<const fields::FunctionPlan>(description, names);
      fields::PagedDataOptions options;
      options.arrays = plan->arrays();
      options.scheduler = tasks::SchedulerKind::Serial;
      options.stepsAtATime = 2;
      options.readers = 1;
      options.resultBytesPerTask = std::max(extract::surfaceTaskBytes(*plan), extract::sliceTaskBytes(*plan));
      fields::PagedData data(*opened, account, options);
      const std::int64_t step = description.steps() - 1;
      forTasks(data, 1, answers,
               [&](std::size_t, tasks::TaskContext& context) { sample(data, plan, context, answers); });
      for (const paging::NamedSurface& named : description.surfaces) {
        const extract::GridSurface surface(description, named.block, named.nodes);
        forTasks(data, surface.patchCount(), answers, [&](std::size_t n, tasks::TaskContext& context) {
          surface.extract(n, data, context, *plan, step, answers);
        });
      }
      const extract::Slice slice(description, extract::Plane({4, 4, 4}, {1, 0.2, 0.1}));
      forTasks(data, slice.taskCount(), answers, [&](std::size_t n, tasks::TaskContext& context) {
        slice.extract(n, data, context, *plan, step, answers);
      });
      const std::size_t edges = description.blocks.size() * extract::kEdgesPerBlock;
      forTasks(data, edges, answers, [&](std::size_t n, tasks::TaskContext& context) {
        if (product(extract::edgeNodes(description.blocks[n / 12].dims, n % 12).size) > 100000) return;
        extract::extractEdge(n % 12, static_cast<int>(n / 12), data, context, step,
                             [&](Vec3 point) { answers.put(point); });
      });
      for (std::size_t n = 0; n < description.arrays.size(); ++n) {
        const paging::ArrayDescription& array = description.arrays[n];
        for (int component = 0; component < array.components; ++component)
          if (const auto range = opened->storedRange(static_cast<std::uint32_t>(n), component))
            answers.put((*range)[0]);
        const auto pages = static_cast<std::size_t>(array.pageCount());
        forTasks(data, std::min<std::size_t>(pages, 4), answers,
                 [&](std::size_t page, tasks::TaskContext& context) {
                   const std::uint64_t number = page % 2 ? page : pages - 1 - page;
                   const IndexBox box = array.boxOf(number);
                   if (array.maxPageBytes() > (1 << 20)) return;
                   std::vector<double> values(static_cast<std::size_t>(product(box.size) * array.components));
                   paging::Cursor cursor(data.cache(), context, data.plan().mode);
                   cursor.setStep(array.stepOf(number));
                   const paging::GatherTarget target{cursor.bind(data.handles()[n]), values.data()};
                   cursor.gatherTiled(box, {&target, 1});
                   for (const double value : values) answers.put(value);
                 });
      }
    } catch (const Error&) {
      answers.put(-2);
    }
}

std::uint64_t answersOf(const std::filesystem::path& path) {
  Answers answers;
  for (int level = 0; level < 2; ++level) try {
      look(path, level, answers);
    } catch (const Error&) {
      answers.put(-3);
    }
  return answers.sum();
}

/// What no answer depends on.
Json comparable(Json catalog) {
  for (const char* key : {"attributes", "format", "storedBytes", "pageEdge"})
    catalog["description"].erase(key);
  return catalog;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::TemporaryFolder folder;
  static const Original original = makeOriginal(folder / "original");
  static const std::uint64_t right = answersOf(folder / "original");
  Bytes bytes = original.bytes;
  Json catalog = original.catalog;
  bool careful = false;
  for (std::size_t n = 0; n < std::min(size / kChangeBytes, kMostChanges); ++n) {
    const std::uint8_t* const from = data + n * kChangeBytes;
    const Change change{from[0], from[1], load<std::uint16_t>(from + 2), load<std::uint32_t>(from + 4)};
    switch (change.what % 8) {
      case 7:
        careful = true;
        [[fallthrough]];
      default:
        changeCatalog(change, catalog);
        break;
      case 0:
        changeBytes(change, original.index, original.indexEnd, bytes);
        break;
      case 1:
        changeBytes(change, paging::kPayloadStart, original.index, bytes);
    }
  }
  const bool same = !careful && bytes == original.bytes && catalog.is_object() &&
                    catalog.contains("description") && catalog["description"].is_object() &&
                    comparable(catalog) == comparable(original.catalog);
  if (careful) try {
      makeConsistent(catalog, bytes);
    } catch (const std::exception&) {
      // Too far from what a catalog is.
    }
  std::string text = catalog.dump();
  try {
    paging::Catalog parsed = paging::catalogFromText(text);
    paging::test::sealIndices(parsed, bytes, {.nodes = 1000, .pages = 4000});
    for (std::size_t n = 0; n < parsed.indices.size(); ++n)
      catalog["index"][n]["checksum"] = parsed.indices[n].root.checksum;
    text = catalog.dump();
  } catch (const Error&) {
    // It is refused where it is opened, too.
  }
  paging::test::appendCatalog(text, bytes);
  const std::filesystem::path path = folder / "changed";
  std::filesystem::remove(path);  // some file systems wait for the disk where a file is cut and written anew
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const std::uint64_t found = answersOf(path);
  if (same && found != right) {
    try {
      MemoryAccount account(kBudget);
      fields::StoreDataReader().open({.sources = {path.string()}}, account);
    } catch (const Error&) {
      return 0;  // refused, which is right as well
    }
    std::abort();
  }
  return 0;
}
