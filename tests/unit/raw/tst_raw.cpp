// Plain numbers: what the options say is there, and nothing else.

#include <QTest>

#include <cstring>
#include <fstream>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/raw/raw_data.h"
#include "plugins/raw/raw_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using arrays::Options;
using test::allValues;
using test::errorOf;

namespace {

/// `count` numbers of `T` from `first` on.
template <class T>
void write(const std::filesystem::path& path, int count, int first = 0, bool bigEndian = false,
           int before = 0) {
  std::ofstream out(path, std::ios::binary);
  out << std::string(static_cast<std::size_t>(before), '#');
  for (int n = 0; n < count; ++n) {
    T number = static_cast<T>(first + n);
    if (bigEndian) number = byteSwapped(number);
    out.write(reinterpret_cast<const char*>(&number), sizeof number);
  }
}

arrays::ArrayReader readerOf(const std::vector<std::string>& files, const Options& options) {
  raw::RawData data = raw::describeRaw(files, options);
  return {std::move(data.description), std::move(data.places)};
}

}  // namespace

class TestRaw : public QObject {
  Q_OBJECT
 private slots:
  void numbersAreRead();
  void placeAndNamesAreGiven();
  void componentsInBothOrders();
  void stepsOfOneFileAndOfSeveral();
  void planesInFiles();
  void everyLengthButEnoughIsRefused();
  void whatIsMissingIsSaid();
  void onlyWhatIsToldIsTaken();
  void headOfRealSlices();
};

void TestRaw::numbersAreRead() {
  test::TemporaryFolder folder;
  const std::string file = folder / "v";
  for (const bool big : {false, true}) {
    write<std::int16_t>(file, 24, -5, big, 7);
    const auto reader = readerOf(
        {file}, {{"dims", "2,3,4"}, {"type", "i16"}, {"endian", big ? "big" : "little"}, {"offset", "7"}});
    const std::vector<double> values = allValues(reader, "value");
    QCOMPARE(values.size(), std::size_t{24});
    for (int n = 0; n < 24; ++n) QCOMPARE(values[static_cast<std::size_t>(n)], n - 5.0);
    QVERIFY(reader.description().arrays[0].type == ScalarType::I16);
  }
  write<std::uint32_t>(file, 6, 1);
  QVERIFY(readerOf({file}, {{"dims", "6"}, {"type", "u32"}}).description().arrays[0].type == ScalarType::F64);
  write<std::int8_t>(file, 6, -3);
  QCOMPARE(allValues(readerOf({file}, {{"dims", "6"}, {"type", "i8"}}), "value")[0], -3.0);
}

void TestRaw::placeAndNamesAreGiven() {
  test::TemporaryFolder folder;
  const std::string file = folder / "v";
  write<float>(file, 8);
  const auto reader = readerOf({file}, {{"dims", "2,2,2"},
                                        {"type", "f32"},
                                        {"name", "density"},
                                        {"spacing", "1,2,3"},
                                        {"origin", "[-1,0,1]"}});
  const auto& block = reader.description().blocks[0];
  QVERIFY(block.kind == paging::GridKind::Regular);
  QCOMPARE(block.spacing.z, 3.0);
  QCOMPARE(block.bounds.min.x, -1.0);
  QCOMPARE(block.bounds.max.z, 4.0);
  QCOMPARE(reader.description().arrays[0].name, std::string("density"));
}

void TestRaw::componentsInBothOrders() {
  test::TemporaryFolder folder;
  const std::string file = folder / "v";
  write<double>(file, 12);
  const Options options{{"dims", "2,2"}, {"type", "f64"}, {"components", "3"}};
  QCOMPARE(allValues(readerOf({file}, options), "value")[4], 4.0);
  Options planar = options;
  planar["order"] = "planar";
  QCOMPARE(allValues(readerOf({file}, planar), "value")[4], 5.0);  // node 1, component 1
  Options named = planar;
  named["name"] = "u,v,w";
  named["vectors"] = "velocity=w,v,u";
  const auto reader = readerOf({file}, named);
  QCOMPARE(reader.description().arrays[0].name, std::string("velocity"));
  QCOMPARE(allValues(reader, "velocity")[0], 8.0);
}

void TestRaw::stepsOfOneFileAndOfSeveral() {
  test::TemporaryFolder folder;
  const std::string one = folder / "one", two = folder / "two";
  write<float>(one, 16);
  write<float>(two, 8, 100);
  const auto inOne = readerOf({one}, {{"dims", "2,2,2"}, {"type", "f32"}, {"steps", "2"}});
  QCOMPARE(inOne.description().steps(), std::int64_t{2});
  QCOMPARE(allValues(inOne, "value", 1)[0], 8.0);
  const auto inTwo = readerOf({one, two}, {{"dims", "2,2,2"}, {"type", "f32"}});
  QCOMPARE(inTwo.description().steps(), std::int64_t{2});
  QCOMPARE(allValues(inTwo, "value", 0)[7], 7.0);
  QCOMPARE(allValues(inTwo, "value", 1)[7], 107.0);
}

void TestRaw::planesInFiles() {
  test::TemporaryFolder folder;
  std::vector<std::string> files;
  for (int n = 0; n < 6; ++n) {
    files.push_back(folder / std::to_string(n));
    write<std::uint16_t>(files.back(), 6, 100 * n, true, 3);
  }
  const Options common{{"type", "u16"}, {"endian", "big"}, {"offset", "3"}};
  Options options = common;
  options["dims"] = "3,2";
  const auto planes = readerOf(files, options);
  QCOMPARE(planes.description().blocks[0].dims, (Index3{3, 2, 6}));
  QCOMPARE(allValues(planes, "value")[6 * 4 + 5], 405.0);
  // Two planes in each.
  options["dims"] = "3,1,12";
  QCOMPARE(allValues(readerOf(files, options), "value")[3 * 9 + 1], 404.0);
}

void TestRaw::everyLengthButEnoughIsRefused() {
  test::TemporaryFolder folder;
  const std::string file = folder / "v";
  for (int length = 0; length <= 48; ++length) {
    std::ofstream(file, std::ios::binary) << std::string(static_cast<std::size_t>(length), 'x');
    const std::string error = errorOf<Corrupt>([&] {
      readerOf({file}, {{"dims", "3,2,2"}, {"type", "f32"}});
    });
    QCOMPARE(error.empty(), length == 48);
  }
  // No matter how large: nothing is allocated, and the product fits.
  for (const char* dims : {"1000000000000,1000000000000,1000000000000", "1099511627776,1099511627776,2",
                           "4000000000,4000000000,1"}) {
    const std::string error = errorOf<Corrupt>([&] { readerOf({file}, {{"dims", dims}, {"type", "f64"}}); });
    QVERIFY2(!error.empty() && error.find("other error") == std::string::npos, error.c_str());
  }
}

void TestRaw::whatIsMissingIsSaid() {
  test::TemporaryFolder folder;
  const std::string file = folder / "v";
  write<std::uint16_t>(file, 8);
  const auto said = [&](const Options& options) {
    return errorOf<Invalid>([&] { raw::describeRaw({file}, options); });
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  QVERIFY(has(said({}), "dims="));
  QVERIFY(has(said({{"dims", "2,2,2"}}), "u16 or i16"));
  QVERIFY(has(said({{"dims", "2,2,3"}}), "are not 12 numbers"));
  QVERIFY(has(said({{"dims", "2,2,2"}, {"type", "f16"}}), "option type"));
  QVERIFY(has(said({{"dims", "0,2,2"}, {"type", "u8"}}), "option dims"));
  QVERIFY(has(said({{"dims", "2.5,2,2"}, {"type", "u8"}}), "option dims"));
  QVERIFY(has(said({{"dims", "2,2,2"}, {"type", "u16"}, {"components", "0"}}), "components"));
  QVERIFY(has(said({{"dims", "2,2,2"}, {"type", "u16"}, {"size", "9"}}), "no option 'size'"));
  QVERIFY(has(said({{"dims", "2,2,2"}, {"type", "u16"}, {"order", "mixed"}}), "option order"));
  QVERIFY(has(said({{"dims", "2,2,2"}, {"type", "u16"}, {"name", "a,b"}}), "option name"));
}

void TestRaw::onlyWhatIsToldIsTaken() {
  const raw::RawDataReader reader;
  QVERIFY(!reader.recognizes("thing.bin"));
  QVERIFY(!reader.recognizes("sample://abc.raw"));
  QVERIFY(reader.recognizes("thing.raw"));
  fields::OpenRequest url;
  url.sources = {"sample://abc"};
  url.options["dims"] = "1";
  QVERIFY(!reader.takes(url));
  // What says its dims is taken whatever it is called.
  test::TemporaryFolder folder;
  write<std::uint8_t>(folder / "thing.bin", 8);
  fields::ReaderRegistry readers;
  readers.add(std::make_unique<raw::RawDataReader>());
  fields::OpenRequest request;
  request.sources = {folder / "thing.bin"};
  request.options = {{"dims", "2,2,2"}, {"type", "u8"}};
  MemoryAccount account(8 << 20);
  QCOMPARE(readers.open(request, account)->description().format, std::string("raw"));
}

void TestRaw::headOfRealSlices() {
  NEEDS_DATA("data/scalar/headsq/quarter.1");
  const auto files = fields::expandPattern(test::dataPath("data/scalar/headsq/quarter.[0-9]*").string());
  QCOMPARE(files.size(), std::size_t{93});
  const auto reader = readerOf(files, {{"dims", "64,64,93"}, {"type", "u16"}, {"spacing", "3.2,3.2,1.5"}});
  QCOMPARE(test::differenceToVolume(reader, "value", "headsq"), std::string());
}

QTEST_GUILESS_MAIN(TestRaw)
#include "tst_raw.moc"
