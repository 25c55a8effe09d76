// NetCDF files of the classic format: small ones with known values, and real ones against independent references.

#include <QTest>

#include <chrono>
#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "plugins/netcdf3/nc_data.h"
#include "plugins/netcdf3/nc_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

class TestNetcdf : public QObject {
  Q_OBJECT
 private slots:
  void packedNumbersAndAxes();
  void severalFilesAreTheirSteps();
  void oneRecordVariableIsNotFilledUp();
  void recordsThatAreCountedLaterAreGrowth();
  void coordinatesOfTwoDimensions();
  void otherOrdersAndTypes();
  void upIsUpIfAsked();
  void choicesAreSaid();
  void everyLengthIsRefused_data();
  void everyLengthIsRefused();
  void everyWordWrong();
  void veryManyAttributesAreRefused();
  void levitusIsTheReference();
  void seaSurfaceIsTheReference();
  void sigmaIsSaid();
  void exodusIsNamed();

 private:
  arrays::ArrayReader readerOf(const std::vector<std::string>& files, const arrays::Options& options = {}) {
    cf::CfData data = netcdf3::describeNetcdf(files, options, m_account);
    m_explain.clear();
    for (const std::string& line : data.explain) m_explain += line + "\n";
    return {std::move(data.description), std::move(data.places), std::move(data.claims)};
  }
  static std::string small(const std::string& name) {
    return std::string(FARFIELD_NETCDF_FILES) + "/" + name;
  }
  static std::string contentsOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  MemoryAccount m_account{std::uint64_t{64} << 20};
  std::string m_explain;
};

void TestNetcdf::packedNumbersAndAxes() {
  const auto reader = readerOf({small("packed")});
  const auto& data = reader.description();
  const auto& block = data.blocks[0];
  QCOMPARE(block.dims, (Index3{3, 2, 2}));
  // y descends in the file.
  QVERIFY(block.kind == paging::GridKind::Rectilinear);
  QCOMPARE(*block.axes, (paging::GridAxes{{{0, 1, 3}, {0, 2}, {0, 10}}}));
  QCOMPARE(data.times, (std::vector<double>{1, 2.5, 4}));
  QCOMPARE(data.attributes.at("units.temp"), std::string("K"));
  QCOMPARE(data.attributes.at("axis.z"), std::string("depth (m), positive down"));
  QVERIFY(m_explain.find("flag") != std::string::npos);
  for (std::int64_t step = 0; step < 3; ++step) {
    const auto temp = allValues(reader, "temp", step), salt = allValues(reader, "salt", 0),
               blank = allValues(reader, "iblank", step);
    for (std::int64_t n = 0; n < 12; ++n) {
      const Index3 at = unlinear(n, block.dims);
      const std::int64_t stored = linear({at[0], 1 - at[1], at[2]}, block.dims);
      const auto number = static_cast<std::size_t>(n);
      if (stored == 5)
        QVERIFY(std::isnan(temp[number]));
      else
        QCOMPARE(temp[number], 10 + 0.5 * static_cast<double>(12 * step + stored));
      if (stored == 5 || stored == 6)
        QVERIFY(std::isnan(salt[number]));
      else
        QCOMPARE(salt[number], 2.0 * static_cast<double>(stored));
      QCOMPARE(blank[number], stored == 5 ? 0.0 : 1.0);
    }
  }
}

void TestNetcdf::severalFilesAreTheirSteps() {
  // With time: the records of all; without: a step each. Times that do not ascend are numbers.
  const auto both = readerOf({small("packed"), small("packed")});
  QCOMPARE(both.description().steps(), std::int64_t{6});
  QCOMPARE(both.description().times[5], 5.0);
  QCOMPARE(allValues(both, "temp", 4)[3], allValues(both, "temp", 1)[3]);
  QVERIFY(!std::isnan(allValues(both, "temp", 4)[3]));
  const auto still = readerOf({small("curvilinear"), small("curvilinear"), small("curvilinear")});
  QCOMPARE(still.description().steps(), std::int64_t{3});
  QCOMPARE(allValues(still, "u", 2)[7], 7.0);
  QVERIFY(!errorOf<Invalid>([&] { readerOf({small("packed"), small("cdf5")}); }).empty());
}

void TestNetcdf::oneRecordVariableIsNotFilledUp() {
  const auto reader = readerOf({small("one-record-variable")});
  QCOMPARE(reader.description().steps(), std::int64_t{3});
  QVERIFY(reader.description().arrays[0].type == ScalarType::I8);
  QCOMPARE(allValues(reader, "byte", 2), (std::vector<double>{12, 13, 14, 15, 16, 17}));
}

/// A program makes the file longer, and then counts the record: between the two, and after, it is the same file.
void TestNetcdf::recordsThatAreCountedLaterAreGrowth() {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "growing.nc").string();
  const std::string whole = contentsOf(small("one-record-variable"));
  std::string early = whole, other = whole;
  early[7] = 2;  // of three records
  other[whole.size() / 2] = static_cast<char>(other[whole.size() / 2] ^ 1);
  int seconds = 0;
  const auto write = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++seconds));
  };
  write(early);
  const auto reader = readerOf({file});
  QCOMPARE(reader.description().steps(), std::int64_t{2});
  write(whole);
  reader.checkUnchanged();
  QCOMPARE(allValues(reader, "byte", 1), allValues(readerOf({file}), "byte", 1));
  write(other);
  QVERIFY(!errorOf<Corrupt>([&] { reader.checkUnchanged(); }).empty());
  // Where all records are counted, one of equal length is another.
  write(whole);
  const auto complete = readerOf({file});
  QCOMPARE(complete.description().steps(), std::int64_t{3});
  write(early);
  QVERIFY(!errorOf<Corrupt>([&] { complete.checkUnchanged(); }).empty());
}

void TestNetcdf::coordinatesOfTwoDimensions() {
  const auto reader = readerOf({small("curvilinear")});
  QVERIFY(reader.description().blocks[0].kind == paging::GridKind::Curvilinear);
  const auto xyz = allValues(reader, "xyz");
  QCOMPARE(xyz[3 * 11], 2.5);
  QCOMPARE(xyz[3 * 11 + 1], 1.25);
  QCOMPARE(xyz[3 * 11 + 2], -0.5);
  QVERIFY(m_explain.find("s_rho is a sigma coordinate") != std::string::npos);
}

void TestNetcdf::otherOrdersAndTypes() {
  const auto reader = readerOf({small("cdf5")});
  QCOMPARE(allValues(reader, "a")[11], 11.0);
  QCOMPARE(allValues(reader, "c")[11], 11.0);
  QVERIFY(m_explain.find("exact up to 2^53") != std::string::npos);
  const auto turned = readerOf({small("cdf5")}, {{"variable", "b"}});
  QCOMPARE(turned.description().blocks[0].dims, (Index3{2, 2, 3}));
  const auto values = allValues(turned, "b");
  QVERIFY(std::isnan(values[0]) && std::isnan(values[11]));
  QCOMPARE(values[5], 5.0);
}

/// Depths of the file as heights, with their values; asked for, and the choice of who opens it first.
void TestNetcdf::upIsUpIfAsked() {
  const auto stored = readerOf({small("packed")});
  const auto upright = readerOf({small("packed")}, {{"vertical", "upright"}});
  const auto& data = upright.description();
  QCOMPARE(*data.blocks[0].axes, (paging::GridAxes{{{0, 1, 3}, {0, 2}, {-10, 0}}}));
  QVERIFY(!std::signbit((*data.blocks[0].axes)[2][1]));
  QCOMPARE(data.attributes.at("axis.z"), std::string("depth (m), with the opposite sign: positive up"));
  QCOMPARE(data.attributes.at("axisUnits.z"), std::string("m"));
  for (std::int64_t step = 0; step < 3; ++step)
    for (const char* const name : {"temp", "iblank"}) {
      const auto before = allValues(stored, name, step), after = allValues(upright, name, step);
      for (std::size_t n = 0; n < 12; ++n) {
        const std::size_t opposite = n < 6 ? n + 6 : n - 6;
        QVERIFY(after[n] == before[opposite] || (std::isnan(after[n]) && std::isnan(before[opposite])));
      }
    }
  QVERIFY(readerOf({small("packed")}, {{"vertical", "stored"}}).description().blocks[0].axes->at(2) ==
          stored.description().blocks[0].axes->at(2));
}

void TestNetcdf::choicesAreSaid() {
  readerOf({small("packed")}, {{"variable", "flag"}});
  QVERIFY(m_explain.find("temp, salt") != std::string::npos);
  const std::string error = errorOf<Invalid>([&] { readerOf({small("packed")}, {{"variable", "wind"}}); });
  QVERIFY2(error.find("temp, salt, lon_bnds, flag") != std::string::npos, error.c_str());
  QVERIFY(!errorOf<Invalid>([&] { readerOf({small("packed")}, {{"dims", "1"}}); }).empty());
}

void TestNetcdf::everyLengthIsRefused_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"packed", "one-record-variable", "curvilinear", "cdf5"})
    QTest::newRow(name) << name;
}

void TestNetcdf::everyLengthIsRefused() {
  QFETCH(QString, name);
  test::TemporaryFolder folder;
  const std::string all = contentsOf(small(name.toStdString())), cut = folder / "cut";
  // Some files end with values that are not looked at.
  const std::size_t looked = name == "packed" ? all.size() - 3 : all.size();
  for (std::size_t length = 0; length < looked; ++length) {
    std::ofstream(cut, std::ios::binary) << all.substr(0, length);
    try {
      const auto reader = readerOf({cut});
      // Filling up at the end may be missing, a value may not.
      for (const auto& array : reader.description().arrays) allValues(reader, array.name, array.steps - 1);
      QVERIFY2(length + 4 > looked, qPrintable(QString::number(length)));
    } catch (const Error& error) {
      QVERIFY2(std::string(error.what()).find("file ") != std::string::npos, error.what());
    }
  }
}

void TestNetcdf::everyWordWrong() {
  test::TemporaryFolder folder;
  const std::string all = contentsOf(small("packed")), changed = folder / "changed";
  for (std::size_t at = 0; at + 4 <= 900; at += 4)
    for (const char* const word :
         {"\xff\xff\xff\xff", "\x7f\xff\xff\xff", "\x80\0\0\0", "\0\0\0\0", "\0\1\0\0"}) {
      std::string bytes = all;
      bytes.replace(at, 4, std::string(word, 4));
      std::ofstream(changed, std::ios::binary) << bytes;
      try {
        const auto reader = readerOf({changed});
        for (const auto& array : reader.description().arrays) allValues(reader, array.name, array.steps - 1);
      } catch (const Error& error) {
        QVERIFY(!error.message().empty());
      }
    }
}

/// They are kept beside the budget, and take several times the memory of their bytes.
void TestNetcdf::veryManyAttributesAreRefused() {
  const auto word = [](std::uint32_t number) {
    std::string bytes(4, '\0');
    for (std::size_t n = 0; n < 4; ++n) bytes[n] = static_cast<char>(number >> (24 - 8 * n) & 0xff);
    return bytes;
  };
  constexpr std::uint32_t kDimensions = 10, kVariables = 11, kAttributes = 12, kByte = 1;
  const auto name = [&](char letter) { return word(1) + letter + std::string(3, '\0'); };
  const auto fileWith = [&](std::uint32_t variables, std::uint32_t attributes) {
    std::string file = std::string("CDF\x01") + word(0) + word(kDimensions) + word(1) + name('x') + word(2) +
                       word(0) + word(0) + word(kVariables) + word(variables);
    for (std::uint32_t v = 0; v < variables; ++v) {
      file += name(static_cast<char>('a' + v)) + word(1) + word(0) + word(attributes ? kAttributes : 0) +
              word(attributes);
      for (std::uint32_t n = 0; n < attributes; ++n) file += name('n') + word(kByte) + word(0);
      file += word(kByte) + word(2) + word(0);
    }
    const test::TemporaryFolder folder;
    const std::string path = (folder / "a.nc").string();
    std::ofstream(path, std::ios::binary) << file;
    return errorOf<Error>([&] { readerOf({path}); });
  };
  QCOMPARE(fileWith(3, 1000), std::string());
  const std::string error = fileWith(3, 90000);
  QVERIFY2(error.find("attributes of more than 16 MiB") != std::string::npos, error.c_str());
}

void TestNetcdf::levitusIsTheReference() {
  NEEDS_DATA("data/scalar/levitus_climatology.cdf");
  const std::string file = test::dataPath("data/scalar/levitus_climatology.cdf").string();
  QVERIFY(netcdf3::NetcdfDataReader().recognizes(file));
  const auto reader = readerOf({file});
  const auto& block = reader.description().blocks[0];
  QVERIFY(block.kind == paging::GridKind::Rectilinear && block.hasIblank);
  QCOMPARE(block.bounds.min, (Vec3{20.5, -89.5, 0}));
  QCOMPARE(block.bounds.max, (Vec3{379.5, 89.5, 5000}));
  QCOMPARE(test::differenceToVolume(reader, "TEMP", "levitus_temp"), std::string());
  const auto salt = allValues(reader, "SALT"), blank = allValues(reader, "iblank");
  double low = INFINITY, high = -INFINITY;
  std::int64_t valid = 0;
  for (std::size_t n = 0; n < salt.size(); ++n) {
    QCOMPARE(std::isnan(salt[n]), blank[n] == 0);
    if (std::isnan(salt[n])) continue;
    low = std::min(low, salt[n]);
    high = std::max(high, salt[n]);
    ++valid;
  }
  QCOMPARE(valid, std::int64_t{718725});
  QCOMPARE(static_cast<float>(low), 4.640999794006348f);
  QCOMPARE(static_cast<float>(high), 40.823001861572266f);
}

void TestNetcdf::seaSurfaceIsTheReference() {
  NEEDS_DATA("data/hdf/tos_O1_2001-2002.nc");
  const auto reader = readerOf({test::dataPath("data/hdf/tos_O1_2001-2002.nc").string()});
  QCOMPARE(reader.description().blocks[0].dims, (Index3{180, 170, 1}));
  QCOMPARE(reader.description().steps(), std::int64_t{24});
  QCOMPARE(reader.description().attributes.at("time.calendar"), std::string("360_day"));
  QFile json(QString::fromStdString(test::dataPath("refs/netcdf_stats.json").string()));
  QVERIFY(json.open(QIODevice::ReadOnly));
  const QJsonObject wanted = QJsonDocument::fromJson(json.readAll().replace("NaN", "null"))
                                 .array()[1]
                                 .toObject()["vars"]
                                 .toObject()["tos"]
                                 .toObject();
  double low = INFINITY, high = -INFINITY;
  std::int64_t valid = 0;
  for (std::int64_t step = 0; step < 24; ++step)
    for (const double value : allValues(reader, "tos", step)) {
      if (std::isnan(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
      ++valid;
    }
  QCOMPARE(valid, wanted["valid"].toInteger());
  QCOMPARE(low, wanted["min"].toDouble());
  QCOMPARE(high, wanted["max"].toDouble());
}

void TestNetcdf::sigmaIsSaid() {
  NEEDS_DATA("data/series/ocean/croco_his.nc");
  const auto reader = readerOf({test::dataPath("data/series/ocean/croco_his.nc").string()});
  // at the centres, where the file has nothing but means of u and v
  QCOMPARE(reader.description().blocks[0].dims, (Index3{43, 44, 3}));
  QVERIFY(reader.description().find(0, "u") >= 0 && reader.description().find(0, "v") >= 0);
  QVERIFY(reader.description().blocks[0].kind == paging::GridKind::Curvilinear);
  QVERIFY(m_explain.find("sigma") != std::string::npos);
  QVERIFY(m_explain.find("zeta") != std::string::npos);
}

void TestNetcdf::exodusIsNamed() {
  NEEDS_DATA("data/unstructured/mug.e");
  const std::string error =
      errorOf<Unsupported>([&] { readerOf({test::dataPath("data/unstructured/mug.e").string()}); });
  QVERIFY2(error.find("Exodus") != std::string::npos, error.c_str());
}

QTEST_GUILESS_MAIN(TestNetcdf)
#include "tst_netcdf.moc"
