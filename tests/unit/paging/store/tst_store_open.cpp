// Stores in other programs' eyes: HDF5 arrays, a VTKHDF image, an XDMF sidecar.

#include <QTest>
#include <QXmlStreamReader>

#include "core/paging/writing/xdmf_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/store/hdf5_samples.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::test;

namespace {

std::string textOf(const std::filesystem::path& path) {
  const Bytes bytes = contents(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

class TestStoreOpen : public QObject {
  Q_OBJECT

 private slots:
  void hdf5ReadsWhatItHasFiltersFor() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks();
    for (const Codec codec : {Codec::None, Codec::Gzip}) {
      makeStore(folder / nameOf(codec), description, codec);
      compareWithHdf5(folder / nameOf(codec), description);
      std::vector<hsize_t> dims;
      const Bytes times = readDataset(folder / nameOf(codec), "/farfield/time", ScalarType::F64, dims);
      QCOMPARE(times.size(), std::size_t{24});
      QCOMPARE(load<double>(times.data() + 16), 1.0);
    }
  }

  void aRegularBlockIsAVtkImage() {
    const TemporaryFolder folder;
    for (const std::int64_t steps : {1, 3}) {
      for (const Codec codec : {Codec::None, Codec::Gzip}) {
        DatasetDescription description = oneBlock({21, 10, 9}, {8, 8, 8}, ScalarType::F32, 1, steps);
        ArrayDescription fixed = description.arrays[0];
        fixed.name = "velocity";
        fixed.components = 3;
        fixed.steps = 1;
        description.arrays.push_back(fixed);
        const auto path = folder / (std::string(nameOf(codec)) + std::to_string(steps));
        makeStore(path, description, codec);
        compareWithHdf5(path, description);
        std::vector<hsize_t> dims;
        Bytes all;
        for (std::int64_t step = 0; step < steps; ++step) {
          const Bytes one = sampleNodes(description, 0, step, {{0, 0, 0}, {21, 10, 9}});
          all.insert(all.end(), one.begin(), one.end());
        }
        QVERIFY(readDataset(path, "/VTKHDF/PointData/density", ScalarType::F32, dims) == all);
        QVERIFY(dims == (steps > 1 ? std::vector<hsize_t>{3, 9, 10, 21} : std::vector<hsize_t>{9, 10, 21}));
        QVERIFY(readDataset(path, "/VTKHDF/PointData/velocity", ScalarType::F32, dims) ==
                sampleNodes(description, 1, 0, {{0, 0, 0}, {21, 10, 9}}));
        QVERIFY(dims ==
                (steps > 1 ? std::vector<hsize_t>{1, 9, 10, 21, 3} : std::vector<hsize_t>{9, 10, 21, 3}));
      }
    }
    makeStore(folder / "curvilinear", twoBlocks(), Codec::None);
    const hid_t file = H5Fopen((folder / "curvilinear").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    QCOMPARE(H5Lexists(file, "VTKHDF", H5P_DEFAULT), htri_t{0});
    H5Fclose(file);
  }

  void theSidecarNamesWhatIsThere() {
    const TemporaryFolder folder;
    DatasetDescription description = twoBlocks(2);
    for (ArrayDescription& array : description.arrays)
      if (array.name == "q") array.componentNames = {"a<b", "\"c\"", "d&e", "f", "g"};
    makeStore(folder / "s.h5", description, Codec::Gzip);
    MemoryAccount account(kPlenty);
    writeXdmf(folder / "s.h5", StoreFile::open(folder / "s.h5", account)->description());
    const std::string text = textOf(folder / "s.xmf");
    QXmlStreamReader xml(QByteArray::fromStdString(text));
    int grids = 0, attributes = 0, slabs = 0;
    QStringList names;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      const auto value = [&](const char* key) { return xml.attributes().value(key).toString(); };
      if (xml.name() == u"Grid" && value("GridType") == "Uniform") ++grids;
      if (xml.name() == u"Attribute") ++attributes, names << value("Name");
      if (xml.name() == u"DataItem" && value("ItemType") == "HyperSlab") ++slabs;
      if (xml.name() == u"DataItem" && value("Format") == "HDF") {
        // Each names a dataset of just these dimensions.
        std::string dimensions = value("Dimensions").toStdString(),
                    target = xml.readElementText().toStdString();
        QVERIFY(target.starts_with("s.h5:/farfield/blocks/"));
        std::vector<hsize_t> dims;
        readDataset(folder / "s.h5", target.substr(5), ScalarType::F64, dims);
        std::string expected;
        for (const hsize_t n : dims) expected += (expected.empty() ? "" : " ") + std::to_string(n);
        QCOMPARE(dimensions, expected);
      }
    }
    QVERIFY(!xml.hasError());
    QCOMPARE(grids, 4);
    QCOMPARE(attributes, 2 * (1 + 5 + 5));
    QCOMPARE(slabs, attributes + grids);
    QVERIFY(names.contains("a<b") && names.contains("\"c\"") && names.contains("d&e") &&
            names.contains("iblank"));
    QVERIFY(text.find("1 0 0 0 4 1 1 1 1 1 1 9 10 21 1<") != std::string::npos);
  }

  void noSidecarForCodecsThatOthersLack() {
    const TemporaryFolder folder;
    for (const Codec codec : {Codec::None, Codec::Zstd, Codec::Lz4}) {
      DatasetDescription description = twoBlocks();
      description.codec = nameOf(codec);
      QVERIFY_EXCEPTION_THROWN(writeXdmf(folder / "s.h5", description), Invalid);
    }
    QVERIFY(std::filesystem::is_empty(folder.path()));
  }
};

QTEST_APPLESS_MAIN(TestStoreOpen)
#include "tst_store_open.moc"
