// Options of readers of arrays, and what they do.

#include <QTest>

#include <fstream>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/arrays/option_words.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::arrays;

class TestArrayOptions : public QObject {
  Q_OBJECT
 private slots:
  void wordsAreRead();
  void wrongWordsAreRefused();
  void variablesBecomeVectors_data();
  void variablesBecomeVectors();
  void obliqueNodesHaveCoordinates();
};

void TestArrayOptions::wordsAreRead() {
  QCOMPARE(numbersOf("dims", "1, 2,3", 3), (std::vector<double>{1, 2, 3}));
  QCOMPARE(numbersOf("dims", "[1,2.5]", 3), (std::vector<double>{1, 2.5}));
  QCOMPARE(wordsOf("[\"u\", \"v\"]"), (std::vector<std::string>{"u", "v"}));
  QCOMPARE(countOption({{"offset", "17"}}, "offset"), std::optional<std::int64_t>(17));
  QCOMPARE(endianOption({{"endian", "big"}}), std::optional<bool>(true));
  QVERIFY(!endianOption({}));
}

void TestArrayOptions::wrongWordsAreRefused() {
  QVERIFY_EXCEPTION_THROWN(numbersOf("dims", "1,x", 3), Invalid);
  QVERIFY_EXCEPTION_THROWN(numbersOf("dims", "1,2,3,4", 3), Invalid);
  QVERIFY_EXCEPTION_THROWN(numbersOf("dims", "", 3), Invalid);
  QVERIFY_EXCEPTION_THROWN(numbersOf("dims", "inf", 3), Invalid);
  QVERIFY_EXCEPTION_THROWN(countOption({{"offset", "-1"}}, "offset"), Invalid);
  QVERIFY_EXCEPTION_THROWN(countOption({{"offset", "1.5"}}, "offset"), Invalid);
  QVERIFY_EXCEPTION_THROWN(vectorOption({{"origin", "1,2"}}, "origin"), Invalid);
  QVERIFY_EXCEPTION_THROWN(endianOption({{"endian", "middle"}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(checkOptions({{"dimz", "1"}}, {"dims"}), Invalid);
}

void TestArrayOptions::variablesBecomeVectors_data() {
  QTest::addColumn<QString>("option");
  QTest::addColumn<bool>("good");
  QTest::newRow("words") << "wind=u,v,w" << true;
  QTest::newRow("JSON") << "{\"wind\":[\"u\",\"v\",\"w\"]}" << true;
  QTest::newRow("JSON with blanks") << "{ \"wind\": [ \"u\", \"v\", \"w\" ] }" << true;
  QTest::newRow("unknown") << "wind=u,v,z" << false;
  QTest::newRow("twice") << "wind=u,v,v" << false;
  QTest::newRow("one") << "wind=u" << false;
  QTest::newRow("nothing") << "wind" << false;
  QTest::newRow("another type") << "wind=u,v,t" << false;
}

void TestArrayOptions::variablesBecomeVectors() {
  QFETCH(QString, option);
  QFETCH(bool, good);
  test::TemporaryFolder folder;
  const auto path = folder / "f";
  std::ofstream(path) << "abcdefghijkl";
  const Index3 dims{2, 1, 1};
  auto description = describeBlock("test", dims);
  std::vector<ArrayPlace> places;
  const char* const names[] = {"u", "v", "w", "t"};
  for (std::uint64_t n = 0; n < 4; ++n) {
    PlacedArray array;
    array.type = n == 3 ? NumberType::I16 : NumberType::U8;
    array.steps.push_back({densePiece(dims, array.type, 1, false, fileBytes(path, makeFilePool()), 2 * n)});
    description.arrays.push_back(describeArray(names[n], dims, 1, keptAs(array.type), 1));
    places.emplace_back(array);
  }
  const Options options{{"vectors", option.toStdString()}};
  if (!good) {
    QVERIFY_EXCEPTION_THROWN(makeVectors(options, description, places), Invalid);
    return;
  }
  makeVectors(options, description, places);
  QCOMPARE(description.arrays.size(), std::size_t{2});
  QCOMPARE(description.arrays[0].name, std::string("wind"));
  QCOMPARE(description.arrays[0].componentNames, (std::vector<std::string>{"u", "v", "w"}));
  QCOMPARE(description.arrays[1].name, std::string("t"));
  const ArrayReader reader(std::move(description), std::move(places));
  std::string values(6, '?');
  reader.read(0, 0, {{0, 0, 0}, dims}, std::as_writable_bytes(std::span(values)));
  QCOMPARE(values, std::string("acebdf"));
  std::string one(2, '?');
  reader.readComponent(0, 0, 1, {{0, 0, 0}, dims}, std::as_writable_bytes(std::span(one)));
  QCOMPARE(one, std::string("cd"));
}

void TestArrayOptions::obliqueNodesHaveCoordinates() {
  const Index3 dims{3, 2, 2};
  auto description = describeBlock("test", dims);
  std::vector<ArrayPlace> places;
  placeNodes({1, 2, 3}, {Vec3{2, 0, 0}, Vec3{0, 3, 0}, Vec3{0, 0, 4}}, description, places);
  QVERIFY(description.arrays.empty());
  QVERIFY(description.blocks[0].kind == paging::GridKind::Regular);
  QCOMPARE(description.blocks[0].bounds.max.x, 5.0);
  placeNodes({1, 2, 3}, {Vec3{0, 2, 0}, Vec3{-3, 0, 0}, Vec3{0, 0, 4}}, description, places);
  QVERIFY(description.blocks[0].kind == paging::GridKind::Curvilinear);
  const ArrayReader reader(std::move(description), std::move(places));
  double xyz[3];
  reader.read(0, 0, {{2, 1, 1}, {1, 1, 1}}, std::as_writable_bytes(std::span(xyz)));
  QCOMPARE(xyz[0], 1.0 - 3.0);
  QCOMPARE(xyz[1], 2.0 + 4.0);
  QCOMPARE(xyz[2], 7.0);
  auto flat = describeBlock("test", dims);
  QVERIFY_EXCEPTION_THROWN(placeNodes({}, {Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, flat, places),
                           Corrupt);
}

QTEST_GUILESS_MAIN(TestArrayOptions)
#include "tst_array_options.moc"
