// Every rule that a catalog is held to (store/description_check.h): a store whose catalog breaks it, with all
// checksums right, is refused by an error that names the file, the part and what is wrong; and so is a
// description that a store is to be made of. Roles pass through a catalog, whether names say them or not.

#include <QTest>

#include <cmath>
#include <functional>

#include "core/base/error.h"
#include "core/paging/pages/location_levels.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/description_check.h"
#include "tests/support/memory_object.h"
#include "tests/support/sealed_store.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/store/store_samples.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;
using namespace farfield::test;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

void addBounds(DatasetDescription& description, int block) {
  const Index3 cells = cellDims(description.blocks[static_cast<std::size_t>(block)].dims);
  for (int level = 0; level < levelCount(cells); ++level) {
    ArrayDescription bounds;
    bounds.name = boundsName(level);
    bounds.block = block;
    bounds.layout = PageLayout::even(levelDims(cells, level), 8);
    bounds.components = 6;
    bounds.role = ArrayRole::LocationBounds;
    bounds.boundsLevel = level;
    description.arrays.push_back(bounds);
  }
}

/// Blocks 0 and 1 of twoBlocks() with their location pyramids, and a regular block.
DatasetDescription threeBlocks() {
  DatasetDescription two = twoBlocks(), description = two;
  description.arrays.clear();
  for (int b = 0; b < 2; ++b) {
    for (const ArrayDescription& array : two.arrays)
      if (array.block == b) description.arrays.push_back(array);
    addBounds(description, b);
  }
  BlockDescription regular;
  regular.dims = {4, 5, 6};
  regular.kind = GridKind::Regular;
  description.blocks.push_back(regular);
  ArrayDescription q = two.arrays.back();
  q.block = 2;
  q.layout = PageLayout::even(regular.dims, 8);
  description.arrays.push_back(q);
  description.surfaces.push_back({"wall", 0, {{0, 0, 0}, {21, 1, 9}}, "wall", "iblank"});
  return description;
}

ArrayDescription& arrayOf(DatasetDescription& description, int block, ArrayRole role, int boundsLevel = 0) {
  for (ArrayDescription& array : description.arrays)
    if (array.block == block && array.role == role && array.boundsLevel == boundsLevel) return array;
  throw std::logic_error("no such array");
}
void resize(ArrayDescription& array, const Index3& dims) {
  array.layout = PageLayout::even(dims, 8);
}
void erase(DatasetDescription& description, int block, ArrayRole role, int boundsLevel = 0) {
  std::erase_if(description.arrays, [&](const ArrayDescription& array) {
    return array.block == block && array.role == role && array.boundsLevel == boundsLevel;
  });
}

struct Rule {
  const char* name;
  std::function<void(DatasetDescription&)> broken;
  const char* words;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr ArrayRole kVariable = ArrayRole::Variable, kCoordinates = ArrayRole::Coordinates,
                    kBlanking = ArrayRole::Blanking, kBounds = ArrayRole::LocationBounds;
using D = DatasetDescription;

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"times not finite", [](D& d) { d.times[1] = kNan; }, "the time of step 1"},
      {"times going back", [](D& d) { d.times[2] = d.times[1]; }, "the time of step 2"},
      {"bounds not finite",
       [](D& d) {
         d.blocks[1].bounds = {{0, 0, 0}, {1, INFINITY, 1}};
       },
       "block 1: has bounds"},
      {"spacing 0", [](D& d) { d.blocks[2].spacing.y = 0; }, "block 2: has a spacing of 0"},
      {"origin not finite", [](D& d) { d.blocks[2].origin.z = INFINITY; }, "block 2: has an origin"},
      {"block enlarged", [](D& d) { d.blocks[1].dims[0] = 500; },
       "array xyz of block 1: has 5 x 7 x 3 nodes where its block has 500 x 7 x 3"},
      {"block larger than files",
       [](D& d) {
         d.blocks[2].dims = {std::int64_t{1} << 50, 1 << 20, 1 << 20};
       },
       "block 2: is larger"},
      {"block twice", [](D& d) { d.blocks.push_back(d.blocks[0]); }, "block 3: has no blanking"},
      {"block without arrays", [](D& d) { d.blocks.push_back(d.blocks[1]); }, "block 3: has no coordinates"},
      {"coordinates missing", [](D& d) { erase(d, 1, kCoordinates); }, "block 1: has no coordinates"},
      {"coordinates called otherwise", [](D& d) { arrayOf(d, 1, kCoordinates).role = kVariable; },
       "array xyz of block 1: has another role in another block"},
      {"coordinates enlarged",
       [](D& d) {
         resize(arrayOf(d, 0, kCoordinates), {21, 10, 900});
       },
       "array xyz of block 0: has 21 x 10 x 900 nodes"},
      {"coordinates of two numbers",
       [](D& d) {
         arrayOf(d, 0, kCoordinates).components = 2;
         arrayOf(d, 0, kCoordinates).componentNames.clear();
       },
       "array xyz of block 0: is not of three"},
      {"coordinates of integers", [](D& d) { arrayOf(d, 0, kCoordinates).type = ScalarType::I32; },
       "array xyz of block 0: is not of three"},
      {"coordinates twice",
       [](D& d) {
         auto more = arrayOf(d, 1, kCoordinates);
         more.name = "other";
         d.arrays.insert(d.arrays.end() - 1, more);
       },
       "array other of block 1: has the role of another array"},
      {"coordinates of a regular block", [](D& d) { d.arrays.back().role = kCoordinates; },
       "array q of block 2: holds coordinates"},
      {"blanking missing", [](D& d) { erase(d, 0, kBlanking); }, "block 0: has no blanking"},
      {"blanking unsaid", [](D& d) { d.blocks[0].hasIblank = false; },
       "array iblank of block 0: holds blanking"},
      {"blanking of many numbers", [](D& d) { arrayOf(d, 0, kBlanking).components = 9; },
       "array iblank of block 0: is not of one i16"},
      {"blanking of reals", [](D& d) { arrayOf(d, 0, kBlanking).type = ScalarType::F64; },
       "array iblank of block 0: is not of one i16"},
      {"location bounds enlarged",
       [](D& d) {
         resize(arrayOf(d, 0, kBounds), {30, 2, 1});
       },
       "array boxes0 of block 0: has 30 x 2 x 1 nodes where its block has 3 x 2 x 1"},
      {"location bounds of five numbers", [](D& d) { arrayOf(d, 0, kBounds).components = 5; },
       "array boxes0 of block 0: is not of six f32"},
      {"location bounds without top", [](D& d) { erase(d, 0, kBounds, 1); }, "block 0: lacks a level"},
      {"location bounds without bottom", [](D& d) { erase(d, 0, kBounds, 0); }, "block 0: lacks a level"},
      {"location bounds of too many levels", [](D& d) { arrayOf(d, 0, kBounds, 1).boundsLevel = 2; },
       "array boxes1 of block 0: is of a level"},
      {"location bounds that move", [](D& d) { arrayOf(d, 0, kBounds).steps = 3; },
       "block 0: has location bounds of other steps"},
      {"variable of other nodes",
       [](D& d) {
         resize(d.arrays.back(), {4, 5, 7});
       },
       "array q of block 2: has 4 x 5 x 7"},
      {"variable of fewer numbers",
       [](D& d) {
         d.arrays.back().components = 4;
         d.arrays.back().componentNames.pop_back();
       },
       "array q of block 2: has other components"},
      {"variable of other names",
       [](D& d) { std::swap(d.arrays.back().componentNames[0], d.arrays.back().componentNames[4]); },
       "array q of block 2: has other components"},
      {"array twice", [](D& d) { d.arrays.push_back(d.arrays.back()); },
       "array q of block 2: is there twice"},
      {"array of a later block", [](D& d) { std::swap(d.arrays.front(), d.arrays.back()); },
       "is not sorted by block"},
      {"steps", [](D& d) { d.arrays.back().steps = 2; },
       "array q of block 2: has 2 time steps, but there are 3"},
      {"level of detail", [](D& d) { arrayOf(d, 1, kCoordinates).detail = 3; },
       "array xyz of block 1: has 5 x 7 x 3 nodes where its block has 2 x 2 x 2"},
      {"surface outside", [](D& d) { d.surfaces[0].nodes.first[2] = 1; },
       "surface wall: has nodes that its block does not have"},
      {"surface of a block that is not there", [](D& d) { d.surfaces[0].block = 3; },
       "surface wall: belongs to a block"},
      {"surface without a name", [](D& d) { d.surfaces[0].name.clear(); }, "has no name"},
  };
  return all;
}

}  // namespace

class TestCatalogRules : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void breakingARuleIsRefused_data();
  void breakingARuleIsRefused();
  void rangesThatAreNone();
  void rolesPassThroughACatalog();
  void rolesOfTomorrowAreRefused();

 private:
  Bytes withCatalog(const std::string& text) const;
  std::string wordsOf(const std::string& catalogText) const;
  Bytes m_store;  ///< of threeBlocks(), without its catalog and what follows
  Catalog m_catalog;
};

void TestCatalogRules::initTestCase() {
  const TemporaryFolder folder;
  makeStore(folder / "x", threeBlocks(), Codec::None);
  m_store = contents(folder / "x");
  const auto trailer = load<Trailer>(m_store.data() + m_store.size() - sizeof(Trailer));
  QCOMPARE(trailer.version, 1U);
  m_catalog = catalogFromText({reinterpret_cast<const char*>(m_store.data()) + trailer.catalog.offset,
                               static_cast<std::size_t>(trailer.catalog.bytes)});
  m_store.resize(static_cast<std::size_t>(trailer.catalog.offset));
  QCOMPARE(wordsOf(catalogText(m_catalog)), std::string());
}

/// The store with another catalog, and checksums that fit.
Bytes TestCatalogRules::withCatalog(const std::string& text) const {
  Bytes store = m_store;
  appendCatalog(text, store);
  return store;
}

/// Of the error with which it is refused; empty where it is not. Throws what is no Corrupt.
std::string TestCatalogRules::wordsOf(const std::string& text) const {
  MemoryAccount account(kBudget);
  try {
    StoreFile::open(std::make_shared<farfield::test::MemoryObject>(withCatalog(text), true), account);
    return {};
  } catch (const Corrupt& error) {
    return error.what();
  }
}

void TestCatalogRules::breakingARuleIsRefused_data() {
  QTest::addColumn<int>("number");
  for (std::size_t n = 0; n < rules().size(); ++n) QTest::newRow(rules()[n].name) << static_cast<int>(n);
}

void TestCatalogRules::breakingARuleIsRefused() {
  QFETCH(int, number);
  const Rule& rule = rules()[static_cast<std::size_t>(number)];
  DatasetDescription description = threeBlocks();
  rule.broken(description);
  try {
    checkDescription(description);
    QFAIL("it is taken");
  } catch (const Invalid& error) {
    QVERIFY2(std::string(error.what()).find(rule.words) != std::string::npos, error.what());
  }
  Catalog forged = m_catalog;
  rule.broken(forged.description);
  // Every array has an index, so that nothing else is wrong.
  while (forged.indices.size() > forged.description.arrays.size()) forged.indices.pop_back();
  while (forged.indices.size() < forged.description.arrays.size())
    forged.indices.push_back(forged.indices.back());
  for (std::size_t n = 0; n < forged.indices.size(); ++n)
    forged.indices[n].summary = PageSummary(forged.description.arrays[n].components);
  const std::string words = wordsOf(catalogText(forged));
  QVERIFY2(words.starts_with("memory: catalog: "), words.c_str());
}

void TestCatalogRules::rangesThatAreNone() {
  for (const ValueRange& range : {ValueRange{2, 1}, ValueRange{kNan, 1}, ValueRange{0, INFINITY}}) {
    Catalog forged = m_catalog;
    forged.indices[0].summary.components[1] = range;
    QVERIFY(wordsOf(catalogText(forged)).find("\"ranges\" is not a list of ranges") != std::string::npos);
  }
  // A page's ranges outside of the array's, with right checksums.
  Catalog forged = m_catalog;
  forged.indices[0].summary.components[1] = {1e6, 1e6};
  MemoryAccount account(kBudget);
  const auto store = StoreFile::open(
      std::make_shared<farfield::test::MemoryObject>(withCatalog(catalogText(forged)), true), account);
  QVERIFY_EXCEPTION_THROWN(store->summary(0, 0), Corrupt);
  // More bytes of pages than there are in the file.
  forged = m_catalog;
  forged.description.storedBytes = std::uint64_t{1} << 40;
  QVERIFY(wordsOf(catalogText(forged)).find("pages are said to take") != std::string::npos);
  std::string text = catalogText(m_catalog);
  const std::size_t bounds = text.find("\"bounds\":") + 9;
  text.replace(bounds, text.find("]]", bounds) + 2 - bounds, "[[1,1,1],[0,0,0]]");
  QVERIFY(wordsOf(text).find("block 0: has bounds") != std::string::npos);
  forged = m_catalog;
  forged.codec = Codec::Zstd;
  QVERIFY(wordsOf(catalogText(forged)).find("\"codec\"") != std::string::npos);
}

void TestCatalogRules::rolesPassThroughACatalog() {
  DatasetDescription description = threeBlocks();
  QVERIFY(descriptionText(description).find("role") == std::string::npos);
  QCOMPARE(storeVersionOf(description), 1U);
  description.arrays.back().name = "iblank";                     // a variable
  arrayOf(description, 1, kCoordinates).name = "nodes";          // what they are called elsewhere
  arrayOf(description, 0, kBounds, 0).name = "level1.anything";  // of level of detail 0
  QCOMPARE(storeVersionOf(description), 2U);
  erase(description, 0, kBlanking);  // "iblank" would be two things
  description.blocks[0].hasIblank = false;
  const DatasetDescription read = descriptionFromText(descriptionText(description));
  QCOMPARE(read.arrays.size(), description.arrays.size());
  for (std::size_t n = 0; n < read.arrays.size(); ++n) {
    const ArrayDescription &in = description.arrays[n], &out = read.arrays[n];
    QVERIFY(in.name == out.name && in.role == out.role && in.boundsLevel == out.boundsLevel &&
            in.detail == out.detail);
  }
  QVERIFY(read.find(1, kCoordinates) >= 0 && read.find(2, kBlanking) < 0);
}

void TestCatalogRules::rolesOfTomorrowAreRefused() {
  DatasetDescription description = threeBlocks();
  arrayOf(description, 1, kCoordinates).name = "nodes";
  std::string text = descriptionText(description);
  text.replace(text.find("\"role\":\"coordinates\""), 20, "\"role\":\"connectivity\"");
  QVERIFY_EXCEPTION_THROWN(descriptionFromText(text), Unsupported);
}

QTEST_APPLESS_MAIN(TestCatalogRules)
#include "tst_catalog_rules.moc"
