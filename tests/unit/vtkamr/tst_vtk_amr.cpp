// VTK's overlapping AMR: indices of all versions are read, files are found below the index and nowhere else, what does not fit is
// refused by name; real data have the blocks, places and values that VTK finds in them.

#include <QTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <fstream>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amr/amr_dataset.h"
#include "plugins/vtkamr/amr_files.h"
#include "plugins/vtkamr/vtkamr_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtk_amr_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::string contentsOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  return at == std::string::npos ? std::string() : text.replace(at, what.size(), by);
}

}  // namespace

class TestVtkAmr : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_index = writeVtkAmr(AmrSample(), m_folder.path(), "amr"); }
  void boxesAreBlocks();
  void oldIndices();
  void otherKindsAreNotTaken();
  void wrongIndices_data();
  void wrongIndices();
  void filesStayBelowTheIndex_data();
  void filesStayBelowTheIndex();
  void namedFilesAreAskedFor();
  void boxesMustFit();
  void realDataAreAsVtkSays();
  void realDataOfAnOldIndex();
  void everyStepHoldsItsMemory();

 private:
  std::unique_ptr<fields::OpenData> open(const std::string& path, fields::OpenRequest request = {}) {
    const vtkamr::VtkAmrDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(path)) throw Invalid("not recognized");
    if (request.sources.empty()) request.sources = {path};
    return reader.open(request, m_account);
  }
  /// What opening an index of this text says.
  std::string refusal(const std::string& text) {
    const std::string path = (m_folder.path() / "changed.vth").string();
    std::ofstream(path, std::ios::binary) << text;
    return errorOf<Error>([&] { open(path); });
  }

  TemporaryFolder m_folder;
  std::string m_index;
  MemoryAccount m_account{std::uint64_t{256} << 20};
};

void TestVtkAmr::boxesAreBlocks() {
  const AmrSample sample;
  const auto data = open(m_index);
  const paging::DatasetDescription& description = data->description();
  QCOMPARE(description.blocks.size(), std::size_t{7});
  const auto levels = paging::amrOf(description);
  QVERIFY(levels.has_value());
  QCOMPARE(levels->boxes, (std::vector<std::int64_t>{2, 4, 1}));
  QCOMPARE(levels->ratios, (std::vector<std::int64_t>{2, 2}));
  QVERIFY(length(description.blocks[0].bounds.min - sample.origin) < 1e-12);
  QVERIFY(description.blocks[0].hasIblank && !description.blocks[6].hasIblank);
  QCOMPARE(description.arrays[static_cast<std::size_t>(description.find(3, "flow"))].components, 3);
  QCOMPARE(description.arrays[static_cast<std::size_t>(description.find(3, "flow"))].type, ScalarType::F32);
  QCOMPARE(paging::amrCells(description.blocks[6]), std::int64_t{6 * 8 * 8});
}

void TestVtkAmr::oldIndices() {
  // the first version: groups, ratios, no places
  std::string old =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkHierarchicalBoxDataSet\" "
      "version=\"0.1\">\n<vtkHierarchicalBoxDataSet>\n"
      "<RefinementRatio level=\"0\" refinement=\"2\"/><RefinementRatio level=\"1\" refinement=\"2\"/>\n";
  int file = 0;
  const AmrSample sample;
  for (std::size_t level = 0; level < sample.levels.size(); ++level)
    for (std::size_t box = 0; box < sample.levels[level].size(); ++box) {
      old += "<DataSet group=\"" + std::to_string(level) + "\" dataset=\"" + std::to_string(box) +
             "\" amr_box=\"";
      const IndexBox& cells = sample.levels[level][box];
      for (std::size_t a = 0; a < 3; ++a)
        old +=
            std::to_string(cells.first[a]) + " " + std::to_string(cells.first[a] + cells.size[a] - 1) + " ";
      old += "\" file=\"amr/" + std::to_string(file++) + ".vti\"/>\n";
    }
  old += "</vtkHierarchicalBoxDataSet></VTKFile>";
  QCOMPARE(refusal(old), std::string());
  const auto data = open((m_folder.path() / "changed.vth").string());
  QCOMPARE(data->description().blocks.size(), std::size_t{7});
  QVERIFY(contains(refusal(replaced(old, "refinement=\"2\"", "refinement=\"4\"")), "ratio"));
}

void TestVtkAmr::otherKindsAreNotTaken() {
  const vtkamr::VtkAmrDataReader reader(std::make_shared<paging::ByteStores>());
  QVERIFY(!reader.recognizes((m_folder.path() / "amr/0.vti").string()));
  QVERIFY(!reader.recognizes((m_folder.path() / "missing.vth").string()));
  QVERIFY(contains(refusal("<VTKFile type=\"vtkNonOverlappingAMR\" version=\"1.1\"></VTKFile>"),
                   "vtkNonOverlappingAMR"));
  QVERIFY(contains(errorOf<Error>([&] {
                     open(m_index, {.sources = {}, .options = {{"on", "nodes"}}});
                   }),
                   "nodes"));
  QVERIFY(contains(errorOf<Error>([&] {
                     open(m_index, {.sources = {}, .options = {{"at", "nodes"}}});
                   }),
                   "at"));
}

void TestVtkAmr::wrongIndices_data() {
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("by");
  QTest::addColumn<QString>("says");
  QTest::newRow("no box") << "amr_box=\"0 7 0 7 0 7\""
                          << ""
                          << "amr_box";
  QTest::newRow("short box") << "amr_box=\"0 7 0 7 0 7\""
                             << "amr_box=\"0 7 0 7\""
                             << "amr_box";
  QTest::newRow("long box") << "amr_box=\"0 7 0 7 0 7\""
                            << "amr_box=\"0 7 0 7 0 7 1\""
                            << "amr_box";
  QTest::newRow("letters") << "amr_box=\"0 7 0 7 0 7\""
                           << "amr_box=\"0 7 0 x 0 7\""
                           << "amr_box";
  QTest::newRow("upside down") << "amr_box=\"0 7 0 7 0 7\""
                               << "amr_box=\"7 0 0 7 0 7\""
                               << "amr_box";
  QTest::newRow("huge") << "amr_box=\"0 7 0 7 0 7\""
                        << "amr_box=\"0 7 0 7 0 99999999999999999\""
                        << "amr_box";
  QTest::newRow("larger than its file") << "amr_box=\"0 7 0 7 0 7\""
                                        << "amr_box=\"0 8 0 7 0 7\""
                                        << "other cells";
  QTest::newRow("in a plane, one of many") << "amr_box=\"0 7 0 7 0 7\""
                                           << "amr_box=\"0 7 0 7 0 -1\""
                                           << "plane";
  QTest::newRow("level of another planet") << "level=\"1\""
                                           << "level=\"123456789\""
                                           << "level";
  QTest::newRow("negative level") << "level=\"1\""
                                  << "level=\"-1\""
                                  << "level";
  QTest::newRow("twice the same") << "index=\"1\""
                                  << "index=\"0\""
                                  << "two boxes";
  QTest::newRow("no vector") << "origin="
                             << "origin=\"1 2\" o="
                             << "origin";
  QTest::newRow("elsewhere") << "amr_box=\"20 23 12 15 12 15\""
                             << "amr_box=\"0 3 12 15 12 15\""
                             << "elsewhere";
  QTest::newRow("file not there") << "amr/3.vti"
                                  << "amr/333.vti"
                                  << "333.vti";
  QTest::newRow("not ended") << "</vtkOverlappingAMR>"
                             << ""
                             << "end";
}

void TestVtkAmr::wrongIndices() {
  QFETCH(QString, what);
  QFETCH(QString, by);
  QFETCH(QString, says);
  const std::string words = refusal(replaced(contentsOf(m_index), what.toStdString(), by.toStdString()));
  QVERIFY2(contains(words, says.toStdString().c_str()), words.c_str());
  QVERIFY2(words.find("file ") != std::string::npos && words.find('\n') == std::string::npos, words.c_str());
}

void TestVtkAmr::filesStayBelowTheIndex_data() {
  QTest::addColumn<QString>("name");
  for (const char* const name :
       {"/etc/hostname", "../amr/0.vti", "amr/../../x.vti", "http://localhost/0.vti", "..", "far://h/0.vti"})
    QTest::newRow(name) << name;
}

void TestVtkAmr::filesStayBelowTheIndex() {
  QFETCH(QString, name);
  const std::string words = refusal(replaced(contentsOf(m_index), "amr/0.vti", name.toStdString()));
  QVERIFY2(contains(words, "below its own folder"), words.c_str());
}

void TestVtkAmr::namedFilesAreAskedFor() {
  std::vector<std::string> asked;
  fields::OpenRequest request;
  request.findNamed = [&](const std::string& file, const std::string& named) {
    asked.push_back(named);
    return (std::filesystem::path(file).parent_path() / named).string();
  };
  open(m_index, request);
  QCOMPARE(asked.size(), std::size_t{7});
  QCOMPARE(asked.front(), std::string("amr/0.vti"));
  request.findNamed = [](const std::string&, const std::string&) -> std::string {
    throw Invalid("not shared");
  };
  QVERIFY(contains(errorOf<Error>([&] { open(m_index, request); }), "not shared"));
}

void TestVtkAmr::boxesMustFit() {
  const std::string path = (m_folder.path() / "amr/3.vti").string(), file = contentsOf(path);
  const auto changed = [&](const std::string& what, const std::string& by) {
    std::ofstream(path, std::ios::binary) << replaced(file, what, by);
    const std::string words = errorOf<Error>([&] { open(m_index); });
    std::ofstream(path, std::ios::binary) << file;
    return words;
  };
  QVERIFY(contains(changed("ImageData", "RectilinearGrid"), "3.vti"));
  QVERIFY(contains(changed("Spacing=\"0.25 ", "Spacing=\"0.2 "), "elsewhere"));
  QVERIFY(contains(changed("Origin=\"", "Origin=\"1"), "elsewhere"));
  // a variable that a box lacks is left out, and said
  std::ofstream(path, std::ios::binary) << replaced(file, "Name=\"level\"", "Name=\"other\"");
  const auto data = open(m_index);
  QVERIFY(data->description().find(0, "level") < 0 && data->description().find(0, "linear") >= 0);
  const auto said = data->explanation();
  QVERIFY(std::any_of(said.begin(), said.end(),
                      [](const std::string& line) { return contains(line, "left out: level"); }));
  std::ofstream(path, std::ios::binary) << file;
  // values that end early
  std::ofstream(path, std::ios::binary) << file.substr(0, file.size() - 800);
  QVERIFY(contains(errorOf<Error>([&] { open(m_index); }), "3.vti"));
  std::ofstream(path, std::ios::binary) << file;
}

void TestVtkAmr::realDataAreAsVtkSays() {
  NEEDS_DATA("data/amr/HierarchicalBoxDataset.v1.1.vthb");
  QFile file(QString::fromStdString(dataPath("refs/hbox.amr.json").string()));
  if (!file.open(QIODevice::ReadOnly)) QSKIP("no reference");
  const QJsonArray blocks = QJsonDocument::fromJson(file.readAll()).object()["blocks"].toArray();
  const auto data = open(dataPath("data/amr/HierarchicalBoxDataset.v1.1.vthb").string());
  const auto& description = data->description();
  QCOMPARE(static_cast<qsizetype>(description.blocks.size()), blocks.size());
  const auto levels = paging::amrOf(description);
  QVERIFY(levels.has_value());
  for (int b = 0; b < blocks.size(); ++b) {
    const QJsonObject wanted = blocks[b].toObject();
    const auto& block = description.blocks[static_cast<std::size_t>(b)];
    QCOMPARE(levels->levelOf(b), wanted["level"].toInt());
    QCOMPARE(paging::amrCells(block), wanted["cells"].toInteger());
    for (int a = 0; a < 3; ++a) {
      const QJsonArray bounds = wanted["bounds"].toArray();
      QVERIFY(std::abs(block.bounds.min[a] - bounds[2 * a].toDouble()) < 1e-6);
      QVERIFY(std::abs(block.bounds.max[a] - bounds[2 * a + 1].toDouble()) < 1e-6);
    }
    // at the centres are the values of the cells, and between them none that is beyond
    const auto number = static_cast<std::uint32_t>(description.find(b, "Fractal Volume Fraction"));
    const auto& array = description.arrays[number];
    std::vector<double> values(static_cast<std::size_t>(product(array.layout.dims())));
    data->boxReader()->read(number, 0, {{0, 0, 0}, array.layout.dims()},
                            std::as_writable_bytes(std::span(values)));
    const QJsonObject range = wanted["arrays"].toObject()["Fractal Volume Fraction"].toObject();
    QVERIFY(std::find(values.begin(), values.end(), range["min"].toDouble()) != values.end());
    QVERIFY(std::find(values.begin(), values.end(), range["max"].toDouble()) != values.end());
  }
}

void TestVtkAmr::realDataOfAnOldIndex() {
  NEEDS_DATA("data/amr/chombo3d/chombo3d.vtm");
  const auto data = open(dataPath("data/amr/chombo3d/chombo3d.vtm").string());
  const auto levels = paging::amrOf(data->description());
  QVERIFY(levels.has_value());
  QCOMPARE(levels->boxes, (std::vector<std::int64_t>{1, 1, 14}));
  QCOMPARE(data->description().blocks.back().bounds.max.x, 8.0);
  QVERIFY(data->description().find(5, "phi") >= 0);
}

/// The places of the values of a step stay until the data are closed, also where its boxes are those of the step before.
void TestVtkAmr::everyStepHoldsItsMemory() {
  std::uint64_t used[2];
  std::size_t variables = 0;
  for (const std::size_t steps : {std::size_t{1}, std::size_t{4}}) {
    const std::uint64_t before = m_account.usedBytes();
    const auto data = open(m_index, {.sources = std::vector<std::string>(steps, m_index)});
    used[steps > 1] = m_account.usedBytes() - before;
    variables = data->description().find(0, "linear") >= 0 ? 1 : 0;
  }
  QCOMPARE(variables, std::size_t{1});
  QVERIFY(used[1] >= used[0] + 3 * amr::claimBoxes(7, variables, m_account).bytes());
}

QTEST_GUILESS_MAIN(TestVtkAmr)
#include "tst_vtk_amr.moc"
