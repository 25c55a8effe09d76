// NRRD files of all kinds, small ones that the test writes and real ones.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/base/error.h"
#include "plugins/nrrd/nrrd_data.h"
#include "plugins/nrrd/nrrd_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

namespace {

arrays::ArrayReader readerOf(const std::vector<std::string>& files, const arrays::Options& options = {}) {
  nrrd::NrrdData data = nrrd::describeNrrd({.sources = files, .options = options}, true);
  return {std::move(data.description), std::move(data.places)};
}

const std::string kHead =
    "NRRD0004\n# made by hand\ntype: short\ndimension: 3\nsizes: 3 2 2\nencoding: raw\nendian: little\n"
    "spacings: 1 2 nan\nkey:=value\n\n";

/// Twelve numbers from -3 on.
std::string shorts(int count = 12) {
  std::string bytes;
  for (int n = 0; n < count; ++n) {
    const auto number = static_cast<std::int16_t>(n - 3);
    bytes.append(reinterpret_cast<const char*>(&number), 2);
  }
  return bytes;
}

}  // namespace

class TestNrrd : public QObject {
  Q_OBJECT
 private slots:
  void attached();
  void detachedOfOneFileAndOfMany();
  void axesThatAreNoSpace();
  void directionsAndOrigins();
  void cellsAndEnds();
  void hexadecimal();
  void severalFilesAreSteps();
  void filesThatMoveAreRefused();
  void everyFieldWrong_data();
  void everyFieldWrong();
  void everyLengthIsRefused();
  void longNamesAreRefused();
  void realFilesOfOneBall();
  void realFilesOfOtherKinds();
  void headOfRealSlices();

 private:
  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(m_folder / name, std::ios::binary) << bytes;
    return m_folder / name;
  }
  test::TemporaryFolder m_folder;
};

void TestNrrd::attached() {
  const auto reader = readerOf({write("a.nrrd", kHead + shorts())});
  const auto& block = reader.description().blocks[0];
  QCOMPARE(block.dims, (Index3{3, 2, 2}));
  QVERIFY(block.kind == paging::GridKind::Regular);
  QCOMPARE(block.spacing.y, 2.0);
  QCOMPARE(block.spacing.z, 1.0);
  const auto values = allValues(reader, "value");
  for (int n = 0; n < 12; ++n) QCOMPARE(values[static_cast<std::size_t>(n)], n - 3.0);
  QVERIFY(nrrd::NrrdDataReader().recognizes(m_folder / "a.nrrd"));
  // Line ends of another system.
  std::string dos = kHead;
  for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2) dos.insert(at, "\r");
  QCOMPARE(allValues(readerOf({write("dos.nrrd", dos + shorts())}), "value")[11], 8.0);
}

void TestNrrd::detachedOfOneFileAndOfMany() {
  const std::string head =
      "NRRD0004\ntype: int16\ndimension: 3\nsizes: 3 2 2\nencoding: raw\nendian: little\n";
  write("one.raw", "##" + shorts());
  write("p.01", "x" + shorts(6));
  write("p.02", "y" + shorts(6));
  QCOMPARE(allValues(readerOf({write("a.nhdr", head + "byte skip: 2\ndata file: one.raw\n")}), "value")[11],
           8.0);
  QCOMPARE(allValues(readerOf({write("b.nhdr", head + "byte skip: -1\ndatafile: one.raw")}), "value")[11],
           8.0);
  const auto planes =
      allValues(readerOf({write("c.nhdr", head + "byteskip: 1\ndata file: p.%02d 1 2 1\n")}), "value");
  QCOMPARE(planes[5], 2.0);
  QCOMPARE(planes[6], -3.0);
  const auto back =
      allValues(readerOf({write("d.nhdr", head + "byteskip: 1\ndata file: p.%02d 2 1 -1 2\n")}), "value");
  QCOMPARE(back.size(), std::size_t{12});
  const auto list = readerOf({write("e.nhdr", head + "byteskip: 1\ndata file: LIST\np.02\np.01\n")});
  QCOMPARE(allValues(list, "value")[6], -3.0);
}

void TestNrrd::axesThatAreNoSpace() {
  const std::string head = "NRRD0004\ntype: short\nencoding: raw\nendian: little\ndimension: 4\n";
  const auto check = [&](const std::string& fields, const char* axes, int components, std::int64_t steps,
                         Index3 dims) {
    arrays::Options options;
    if (*axes) options["axes"] = axes;
    const auto reader = readerOf({write("f.nrrd", head + fields + "\n\n" + shorts())}, options);
    const auto& array = reader.description().arrays[0];
    QCOMPARE(array.components, components);
    QCOMPARE(reader.description().steps(), steps);
    QCOMPARE(reader.description().blocks[0].dims, dims);
  };
  check("sizes: 3 2 2 1\nkinds: vector domain domain domain", "", 3, 1, {2, 2, 1});
  check("sizes: 2 2 1 3\nkinds: domain domain domain vector", "", 3, 1, {2, 2, 1});
  check("sizes: 2 2 1 3", "", 1, 3, {2, 2, 1});
  check("sizes: 2 2 1 3\nkinds: space space space time", "", 1, 3, {2, 2, 1});
  check("sizes: 3 2 2 1\nspace dimension: 3\nspace directions: none (1,0,0) (0,1,0) (0,0,1)", "", 3, 1,
        {2, 2, 1});
  check("sizes: 2 2 1 3\nspace: left-posterior-superior\nspace directions: (1,0,0) (0,1,0) (0,0,1) none", "",
        1, 3, {2, 2, 1});
  check("sizes: 2 1 3 2", "tkci", 3, 2, {2, 1, 1});
  QVERIFY(!errorOf<Invalid>([&] { check("sizes: 2 2 1 3", "ijk", 1, 1, {}); }).empty());
  QVERIFY(!errorOf<Unsupported>([&] { check("sizes: 2 2 1 3", "ijkk", 1, 1, {}); }).empty());
  // Where the values of components apart from each other go.
  const auto reader =
      readerOf({write("g.nrrd", head + "sizes: 2 2 1 3\nkinds: domain domain domain vector\n\n" + shorts())});
  QCOMPARE(allValues(reader, "value")[1], 1.0);  // node 0, component 1: the fifth number
}

void TestNrrd::directionsAndOrigins() {
  const std::string head =
      "NRRD0004\ntype: short\nencoding: raw\nendian: little\ndimension: 3\nsizes: 3 2 2\nspace: RAS\n";
  const auto straight = readerOf({write(
      "a.nrrd", head + "space directions: (1.5,0,0) (0,2,0) (0,0,3)\nspace origin: (1,2,3)\n\n" + shorts())});
  QVERIFY(straight.description().blocks[0].kind == paging::GridKind::Regular);
  QCOMPARE(straight.description().blocks[0].bounds.max.x, 4.0);
  QCOMPARE(straight.description().attributes.at("space"), std::string("RAS"));
  const auto turned =
      readerOf({write("b.nrrd", head + "space directions: (0, 1, 0) (-2,0,0) (0,0,1)\n\n" + shorts())});
  QVERIFY(turned.description().blocks[0].kind == paging::GridKind::Curvilinear);
  const auto xyz = allValues(turned, "xyz");
  QCOMPARE(xyz[3 * 11], -2.0);
  QCOMPARE(xyz[3 * 11 + 1], 2.0);
}

void TestNrrd::cellsAndEnds() {
  const std::string head =
      "NRRD0004\ntype: short\nencoding: raw\nendian: little\ndimension: 3\nsizes: 3 2 2\n";
  const auto reader = readerOf({write(
      "a.nrrd", head + "centers: cell node ???\naxis mins: 0 1 nan\naxis maxs: 6 4 nan\n\n" + shorts())});
  const auto& block = reader.description().blocks[0];
  QCOMPARE(block.origin.x, 1.0);
  QCOMPARE(block.spacing.x, 2.0);
  QCOMPARE(block.origin.y, 1.0);
  QCOMPARE(block.spacing.y, 3.0);
  QCOMPARE(block.origin.z, 0.0);
}

void TestNrrd::hexadecimal() {
  const auto reader = readerOf(
      {write("a.nrrd", "NRRD0001\ntype: uchar\ndimension: 1\nsizes: 3\nencoding: hex\n\n00fF\n1 0")});
  QCOMPARE(allValues(reader, "value"), (std::vector<double>{0, 255, 16}));
}

void TestNrrd::severalFilesAreSteps() {
  const std::string first = write("a.nrrd", kHead + shorts()),
                    second = write("b.nrrd", kHead + shorts(13).substr(2));
  const auto reader = readerOf({first, second});
  QCOMPARE(reader.description().steps(), std::int64_t{2});
  QCOMPARE(allValues(reader, "value", 1)[0], -2.0);
  std::string other = kHead;
  other.replace(other.find("3 2 2"), 5, "2 3 2");
  QVERIFY(!errorOf<Invalid>([&] { readerOf({first, write("c.nrrd", other + shorts())}); }).empty());
}

/// There is one grid for all steps: it was that of the first, wherever the others lay.
void TestNrrd::filesThatMoveAreRefused() {
  const auto placed = [&](const std::string& name, const std::string& directions, const std::string& origin) {
    std::string head = kHead;
    head.replace(head.find("spacings: 1 2 nan"), 17,
                 "space dimension: 3\nspace directions: " + directions + "\nspace origin: " + origin);
    return write(name, head + shorts());
  };
  const std::string unit = "(1,0,0) (0,1,0) (0,0,1)", first = placed("a.nrrd", unit, "(0,0,0)"),
                    moved = placed("moved.nrrd", unit, "(5,0,0)"),
                    wider = placed("wider.nrrd", "(2,0,0) (0,1,0) (0,0,1)", "(0,0,0)");
  const auto said = [&](const std::string& second) {
    return errorOf<Unsupported>([&] { readerOf({first, second}); });
  };
  QVERIFY2(said(moved).find("moved.nrrd") != std::string::npos &&
               said(moved).find("has the origin (5, 0, 0) where the first of the files has (0, 0, 0)") !=
                   std::string::npos,
           said(moved).c_str());
  QVERIFY2(said(wider).find("wider.nrrd") != std::string::npos &&
               said(wider).find("along i the distance (2, 0, 0)") != std::string::npos,
           said(wider).c_str());
  // who places all alike has said where they are
  QCOMPARE(readerOf({first, moved}, {{"origin", "0,0,0"}}).description().steps(), std::int64_t{2});
  QCOMPARE(readerOf({first, wider}, {{"spacing", "1,1,1"}}).description().steps(), std::int64_t{2});
  QCOMPARE(readerOf({first, placed("rounded.nrrd", unit, "(1e-7,0,0)")}).description().steps(),
           std::int64_t{2});
}

void TestNrrd::everyFieldWrong_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  const char* const changes[][2] = {
      {"NRRD", "NRRB"},
      {"type: short", "type: quad"},
      {"type: short", "type: block"},
      {"type: short\n", ""},
      {"dimension: 3", "dimension: 0"},
      {"dimension: 3", "dimension: 99999999999999999999"},
      {"dimension: 3", "dimension: 2"},
      {"dimension: 3\n", ""},
      {"sizes: 3 2 2", "sizes: 3 2"},
      {"sizes: 3 2 2", "sizes: 3 -2 2"},
      {"sizes: 3 2 2", "sizes: 3 0 2"},
      {"sizes: 3 2 2", "sizes: 3 x 2"},
      {"sizes: 3 2 2", "sizes: 9223372036854775807 9223372036854775807 2"},
      {"sizes: 3 2 2", "sizes: 3 2 3"},
      {"sizes: 3 2 2\n", ""},
      {"encoding: raw", "encoding: jpeg"},
      {"encoding: raw", "encoding: bzip2"},
      {"encoding: raw", "encoding: gzip"},
      {"encoding: raw\n", ""},
      {"endian: little", "endian: middle"},
      {"endian: little\n", ""},
      {"endian: little", "endian: little\nbyte skip: -5"},
      {"endian: little", "endian: little\nbyte skip: 1"},
      {"endian: little", "endian: little\nline skip: -1"},
      {"endian: little", "endian: little\nline skip: 9999"},
      {"spacings: 1 2 nan", "spacings: 1 2"},
      {"spacings: 1 2 nan", "spacings: 1 0 nan"},
      {"spacings: 1 2 nan", "spacings: 1 two 3"},
      {"spacings: 1 2 nan", "space directions: (1,0,0) (0,1,0)"},
      {"spacings: 1 2 nan", "space directions: (1,0,0) (0,1,0) 0,0,1"},
      {"spacings: 1 2 nan", "space directions: (1,0,0) (0,1,0) (0,0,nan)"},
      {"spacings: 1 2 nan", "space directions: (1,0,0,0) (0,1,0,0) (0,0,1,0)"},
      {"spacings: 1 2 nan", "space origin: (1,2"},
      {"key:=value", "not a field"},
      {"key:=value", "data file: nowhere.raw"},
      {"key:=value", "data file: a.%s 1 2 1"},
      {"key:=value", "data file: a.%d%d 1 2 1"},
      {"key:=value", "data file: a.%d 1 2 0"},
      {"key:=value", "data file: a.%d 2 1 1"},
      {"key:=value", "data file: a.%d -9223372036854775808 9223372036854775807 1"},
      {"key:=value", "data file: LIST"},
      {"key:=value", "data file:"}};
  int number = 0;
  for (const auto& change : changes)
    QTest::newRow(qPrintable(QString("%1: %2").arg(number++).arg(change[1]))) << change[0] << change[1];
}

void TestNrrd::everyFieldWrong() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  std::string head = kHead;
  const std::size_t at = head.find(from.toStdString());
  QVERIFY(at != std::string::npos);
  head.replace(at, from.size(), to.toStdString());
  const std::string file = write("wrong.nrrd", head + shorts());
  std::string said;
  try {
    readerOf({file});
  } catch (const Error& error) {
    said = error.what();
  }
  QVERIFY2(said.find("file ") != std::string::npos, said.c_str());
}

void TestNrrd::everyLengthIsRefused() {
  const std::string all = kHead + shorts();
  for (std::size_t length = 0; length < all.size(); ++length) {
    const std::string file = write("cut.nrrd", all.substr(0, length));
    QVERIFY2(!errorOf<Corrupt>([&] { readerOf({file}); }).empty(), qPrintable(QString::number(length)));
  }
}

/// A pattern is written once and stands for many names, which are as long as it is: a small file would take all memory.
void TestNrrd::longNamesAreRefused() {
  const auto said = [&](std::size_t length, const std::string& numbers) {
    std::string head = kHead;
    head.replace(head.find("key:=value"), 10, "data file: " + std::string(length, 'a') + "%d " + numbers);
    const std::string file = write("long.nhdr", head);
    return errorOf<Error>([&] { readerOf({file}); });
  };
  for (const std::size_t length : {std::size_t{5000}, std::size_t{4} << 19}) {
    const std::string error = said(length, "0 100 1");
    QVERIFY2(error.find("too long") != std::string::npos && error.size() < 1000, error.c_str());
  }
  const std::string error = said(4000, "0 131071 1");
  QVERIFY2(error.find("longer than 32 MiB together") != std::string::npos, error.c_str());
  // as many of a usual length are none
  const std::string usual = said(100, "0 131071 1");
  QVERIFY2(usual.find("MiB together") == std::string::npos, usual.c_str());
}

void TestNrrd::realFilesOfOneBall() {
  NEEDS_DATA("data/scalar/nrrd/BallBinary30x30x30.nrrd");
  const auto path = [](const std::string& name) {
    return test::dataPath("data/scalar/nrrd/" + name).string();
  };
  const auto wanted = allValues(readerOf({path("BallBinary30x30x30.nrrd")}), "value");
  QCOMPARE(wanted.size(), std::size_t{27000});
  const auto outside = std::count(wanted.begin(), wanted.end(), 0.0);
  QCOMPARE(outside, 12672);
  QCOMPARE(std::count(wanted.begin(), wanted.end(), 257.0), 27000 - outside);
  for (const char* name :
       {"BallBinary30x30x30.nhdr", "BallBinary30x30x30_byteskip_minus_one.nhdr",
        "BallBinary30x30x30_byteskip_minus_one_nifti.nhdr", "BallBinary30x30x30_gz.nrrd",
        "BallBinary30x30x30_gz_byteskip_minus_one.nrrd", "BallBinary30x30x30_gz_lineskip.nrrd"})
    QVERIFY2(allValues(readerOf({path(name)}), "value") == wanted, name);
  QVERIFY(errorOf<Unsupported>([&] { readerOf({path("BallBinary30x30x30_bz2.nrrd")}); }).find("bzip2") !=
          std::string::npos);
  QVERIFY(errorOf<Corrupt>([&] {
            readerOf({path("BallBinary30x30x30_byteskip_minus_five.nhdr")});
          }).find("-5") != std::string::npos);
}

void TestNrrd::realFilesOfOtherKinds() {
  NEEDS_DATA("data/scalar/nrrd/test1d_ascii.nrrd");
  const auto path = [](const std::string& name) {
    return test::dataPath("data/scalar/nrrd/" + name).string();
  };
  for (const char* name : {"test1d_ascii.nrrd", "test_customFields.nrrd", "test2d_ascii.nrrd"}) {
    const auto values = allValues(readerOf({path(name)}), "value");
    QCOMPARE(values.size(), std::size_t{27});
    for (int n = 0; n < 27; ++n) QCOMPARE(values[static_cast<std::size_t>(n)], n + 1.0);
  }
  const auto flat = readerOf({path("test2d_ascii.nrrd")});
  QCOMPARE(flat.description().blocks[0].dims, (Index3{3, 9, 1}));
  const auto one = readerOf({path("test_simple4d_raw.nrrd")});
  QCOMPARE(one.description().blocks[0].dims, (Index3{1, 1, 1}));
  QCOMPARE(one.description().steps(), std::int64_t{1});
  QVERIFY(std::isfinite(allValues(one, "value")[0]));
}

void TestNrrd::headOfRealSlices() {
  NEEDS_DATA("data/scalar/headsq/quarter.nhdr");
  const auto reader = readerOf({test::dataPath("data/scalar/headsq/quarter.nhdr").string()});
  QCOMPARE(test::differenceToVolume(reader, "value", "headsq"), std::string());
  QCOMPARE(reader.description().blocks[0].spacing.x, 3.2);
  QCOMPARE(reader.description().blocks[0].spacing.z, 1.5);
}

QTEST_GUILESS_MAIN(TestNrrd)
#include "tst_nrrd.moc"
