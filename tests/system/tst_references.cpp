// What `info --ranges` says of real data, against the statistics that VTK made of them (refs/*.stats.json):
// dims, bounds, and the range of every function of which VTK's formula is NASA's.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/system/session_text.h"

using namespace farfield::test;

namespace {

/// Of what the name of a reference means, below data/plot3d.
struct Files {
  const char *grid, *solution;
};
const QMap<QString, Files> kFiles{
    {"bluntfin", {"bluntfinxyz.bin", "bluntfinq.bin"}},
    {"bluntfin_8blk", {"bluntfin_8blk_le_f8_mk_ib.xyz", "bluntfin_8blk_le_f8_mk_ib.q"}},
    {"bluntfin_8blk_overlap", {"bluntfin_8blk_overlap_be_f4_mk.xyz", "bluntfin_8blk_overlap_be_f4_mk.q"}},
    {"comb", {"combxyz.bin", "combq.bin"}},
    {"cylinder_000", {"cylinder_series/grid3d_le_f4_ib.xyz", "cylinder_series/q3d_000.q"}},
    {"cylinder_010", {"cylinder_series/grid3d_le_f4_ib.xyz", "cylinder_series/q3d_010.q"}},
    {"cylinder2d_003", {"cylinder_series/grid2d.xyz", "cylinder_series/q2d_003.q"}},
    {"multi-bin", {"multi-bin.xyz", "multi-bin.q"}}};

/// VTK's names by NASA's numbers, where the formulas are the same.
const QMap<int, QString> kSameFormula{
    {100, "Density"},         {163, "StagnationEnergy"},    {202, "Momentum"},
    {110, "Pressure"},        {114, "PressureCoefficient"}, {120, "Temperature"},
    {130, "Enthalpy"},        {144, "KineticEnergy"},       {153, "VelocityMagnitude"},
    {154, "MachNumber"},      {155, "SoundSpeed"},          {170, "Entropy"},
    {200, "Velocity"},        {183, "VorticityMagnitude"},  {201, "Vorticity"},
    {210, "PressureGradient"}};
/// Differences between nodes of values that VTK has in the precision of the file; it says 0 where a cell has
/// no volume and a gradient does not exist.
const QList<int> kGradients{183, 201, 210};
/// One component of a vector of VTK's.
const QMap<int, std::pair<QString, int>> kComponents{{160, {"Momentum", 0}}, {161, {"Momentum", 1}},
                                                     {162, {"Momentum", 2}}, {150, {"Velocity", 0}},
                                                     {151, {"Velocity", 1}}, {152, {"Velocity", 2}}};
/// Those that are not compared, and why.
const QMap<QString, QString> kNotCompared{
    {"IBlank", "a flag of the grid, not a function"},
    {"StrainRate", "three numbers of six, and not one of NASA's functions"},
    {"Swirl", "VTK divides by the square of the speed, NASA by density and that"}};
/// Functions that every version has.
const int kAlways[] = {100, 110, 120, 130, 144, 150, 151, 152, 153, 154, 155,
                       160, 161, 162, 163, 170, 183, 200, 201, 202, 210};

/// comb has no energy: its pressures are negative and have neither root nor logarithm, and its Mach number at
/// infinity is 0, by which a pressure coefficient is divided.
bool hasMeaning(const QString& set, int number) {
  return set != "comb" || (number != 114 && number != 154 && number != 155 && number != 170);
}

/// The references hold literal NaN and Infinity, which are not JSON.
QJsonObject parsed(const std::string& text) {
  QByteArray bytes = QByteArray::fromStdString(text);
  for (const char* const word : {"-Infinity", "Infinity", "NaN"}) bytes.replace(word, "null");
  return QJsonDocument::fromJson(bytes).object();
}

/// Range of one of VTK's arrays over all blocks; of a component where that is not -1.
std::pair<double, double> rangeOf(const QJsonArray& blocks, const QString& array, int component) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const QJsonValue& block : blocks) {
    const QJsonObject stats = block.toObject()["arrays"].toObject()[array].toObject();
    const auto value = [&](const char* whole, const char* part) {
      return component < 0 ? stats[whole].toDouble() : stats[part].toArray()[component].toDouble();
    };
    least = std::min(least, value("min", "comp_min"));
    most = std::max(most, value("max", "comp_max"));
  }
  return {least, most};
}

}  // namespace

class TestReferences : public QObject {
  Q_OBJECT
 private slots:
  void everyReferenceIsKnown();
  void everyFileOpens();
  void planesAnswerAsTheirExtrusion();
  void agrees_data();
  void agrees();

 private:
  static void compareGrid(const QJsonArray& ours, const QJsonArray& theirs);
};

void TestReferences::everyReferenceIsKnown() {
  NEEDS_DATA("refs/bluntfin.stats.json");
  int found = 0;
  for (const std::string& name : namesIn(dataPath("refs"))) {
    const QString file = QString::fromStdString(name);
    if (!file.endsWith(".stats.json")) continue;
    ++found;
    QVERIFY2(kFiles.contains(file.chopped(11)), name.c_str());
  }
  QCOMPARE(found, kFiles.size());
}

void TestReferences::everyFileOpens() {
  NEEDS_DATA("data/plot3d/bluntfinxyz.bin");
  const auto folder = dataPath("data/plot3d");
  // Which grid a solution belongs to, by how its name begins. Nothing says how any of them is written.
  const std::pair<const char*, const char*> kGridOf[] = {
      {"bluntfin_8blk_le_f8_mk_ib", "bluntfin_8blk_le_f8_mk_ib.xyz"},
      {"bluntfin_8blk_overlap_be_f4_mk", "bluntfin_8blk_overlap_be_f4_mk.xyz"},
      {"bluntfin", "bluntfinxyz.bin"},
      {"comb", "combxyz.bin"},
      {"mbwavelet_ascii", "mbwavelet_ascii.xyz"},
      {"multi-ascii", "multi-ascii.xyz"},
      {"multi-bin-2D", "multi-bin-2D.xyz"},
      {"multi-bin-C", "multi-bin-C.xyz"},
      {"multi-bin", "multi-bin.xyz"},
      {"cylinder_series/q2d", "cylinder_series/grid2d.xyz"},
      {"cylinder_series/q3d", "cylinder_series/grid3d_le_f4_ib.xyz"}};
  const QMap<QString, QString> kReferenceOf{{"bluntfinxyz.bin", "bluntfin"},
                                            {"bluntfin_8blk_le_f8_mk_ib.xyz", "bluntfin_8blk"},
                                            {"bluntfin_8blk_overlap_be_f4_mk.xyz", "bluntfin_8blk_overlap"},
                                            {"combxyz.bin", "comb"},
                                            {"multi-bin.xyz", "multi-bin"},
                                            {"multi-bin-C.xyz", "multi-bin"},
                                            {"cylinder_series/grid2d.xyz", "cylinder2d_003"},
                                            {"cylinder_series/grid3d_le_f4_ib.xyz", "cylinder_000"}};
  int opened = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    if (entry.is_directory() || name.ends_with(".json")) continue;
    std::vector<std::string> words{"info", "--json"};
    const auto belongs = std::find_if(std::begin(kGridOf), std::end(kGridOf),
                                      [&](const auto& pair) { return name.starts_with(pair.first); });
    const bool isGrid = std::any_of(std::begin(kGridOf), std::end(kGridOf),
                                    [&](const auto& pair) { return name == pair.second; });
    if (isGrid || name.ends_with(".p3d")) {
      words.push_back(entry.path().string());
    } else {
      QVERIFY2(belongs != std::end(kGridOf), name.c_str());
      words.insert(words.end(), {(folder / belongs->second).string(), "--solution", entry.path().string()});
    }
    const RunResult result = runProgram(words);
    QVERIFY2(result.status == 0, result.errors.c_str());
    const QJsonObject info = parsed(result.out);
    QVERIFY2(isGrid == info["variables"].toArray().isEmpty(), name.c_str());
    if (const QString set = kReferenceOf.value(QString::fromStdString(name)); !set.isEmpty())
      compareGrid(
          info["blocks"].toArray(),
          parsed(fileContents(dataPath("refs/" + set.toStdString() + ".stats.json")))["blocks"].toArray());
    ++opened;
  }
  QVERIFY(opened >= 18 + 42);
}

void TestReferences::planesAnswerAsTheirExtrusion() {
  NEEDS_DATA("data/plot3d/cylinder_series/grid2d.xyz");
  const auto folder = dataPath("data/plot3d/cylinder_series");
  TemporaryFolder made;
  const auto probe = [&](const std::string& source, const std::vector<std::string>& solution) {
    std::vector<std::string> words{"probe", source, "--function", "pressure", "--function", "velocity"};
    words.insert(words.end(), solution.begin(), solution.end());
    for (const char* point : {"1.3,0.2,0", "-3,1,0", "0,-0.7,0", "15,-4,0", "0.1,0.1,0"})
      words.insert(words.end(), {"--at", point});
    const RunResult result = runProgram(words);
    return result.status == 0 ? result.out : result.errors;
  };
  const std::string flat =
      probe((folder / "grid2d.xyz").string(), {"--solution", (folder / "q2d_003.q").string()});
  const std::string solid =
      probe((folder / "grid3d_le_f4_ib.xyz").string(), {"--solution", (folder / "q3d_003.q").string()});
  const auto numbers = [](const std::string& text) {
    QList<double> all;
    for (const QString& word : QString::fromStdString(text).split(QRegularExpression("[\\s,]+")))
      if (bool isNumber = false; word.toDouble(&isNumber), isNumber) all.append(word.toDouble());
    return all;
  };
  const QList<double> a = numbers(flat), b = numbers(solid);
  QVERIFY2(a.size() > 4 * 4 && a.size() == b.size(), (flat + solid).c_str());
  for (qsizetype n = 0; n < a.size(); ++n) QVERIFY2(std::abs(a[n] - b[n]) < 1e-9, (flat + solid).c_str());
  // Converted, with the location pyramid of a plane, the same.
  const std::string store = (made / "flat.h5").string();
  QCOMPARE(runProgram({"convert", (folder / "grid2d.xyz").string(), "--solution",
                       (folder / "q2d_003.q").string(), "-o", store})
               .status,
           0);
  QCOMPARE(probe(store, {}), flat);
}

void TestReferences::agrees_data() {
  QTest::addColumn<QString>("set");
  for (const QString& set : kFiles.keys()) QTest::newRow(qPrintable(set)) << set;
}

void TestReferences::compareGrid(const QJsonArray& ours, const QJsonArray& theirs) {
  QCOMPARE(ours.size(), theirs.size());
  for (qsizetype n = 0; n < ours.size(); ++n) {
    const QJsonObject block = ours[n].toObject(), reference = theirs[n].toObject();
    QCOMPARE(block["dims"].toArray(), reference["dims"].toArray());
    QCOMPARE(block["iblank"].toBool(), reference["arrays"].toObject().contains("IBlank"));
    for (int axis = 0; axis < 3; ++axis)
      for (int end = 0; end < 2; ++end) {
        const double bound = block["bounds"].toArray()[end].toArray()[axis].toDouble();
        const double expected = reference["bounds"].toArray()[2 * axis + end].toDouble();
        // VTK keeps points in the file's precision; so do we.
        QVERIFY2(std::abs(bound - expected) <= 1e-9 * std::abs(expected),
                 qPrintable(QString("block %1 axis %2: %3, %4").arg(n).arg(axis).arg(bound).arg(expected)));
      }
  }
}

void TestReferences::agrees() {
  QFETCH(QString, set);
  NEEDS_DATA(("refs/" + set.toStdString() + ".stats.json").c_str());
  const auto folder = dataPath("data/plot3d");
  std::vector<std::string> words{"info",       (folder / kFiles[set].grid).string(),
                                 "--solution", (folder / kFiles[set].solution).string(),
                                 "--ranges",   "--json",
                                 "--memory",   "4M"};
  // Ranges of derived functions are asked for one by one; the first answer says which there are.
  const RunResult listed = runProgram(words);
  for (const QJsonValue& value : parsed(listed.out)["variables"].toArray())
    if (const int number = value["number"].toInt();
        kComponents.contains(number) || kSameFormula.contains(number))
      for (const std::string& word : {std::string("--function"), std::to_string(number)})
        words.push_back(word);
  const RunResult result = runProgram(words);
  QVERIFY2(result.status == 0, result.errors.c_str());
  const QJsonObject info = parsed(result.out);
  const QJsonArray theirs =
      parsed(fileContents(dataPath("refs/" + set.toStdString() + ".stats.json")))["blocks"].toArray();
  compareGrid(info["blocks"].toArray(), theirs);

  const QJsonObject arrays = theirs[0].toObject()["arrays"].toObject();
  for (const QString& name : arrays.keys())
    QVERIFY2(kNotCompared.contains(name) || kSameFormula.values().contains(name), qPrintable(name));

  QList<int> compared;
  for (const QJsonValue& value : info["variables"].toArray()) {
    const QJsonObject variable = value.toObject();
    const int number = variable["number"].toInt();
    const bool component = kComponents.contains(number);
    if (!component && !kSameFormula.contains(number)) continue;
    compared.append(number);
    if (!hasMeaning(set, number)) continue;
    const QString name = component ? kComponents[number].first : kSameFormula[number];
    const bool inDouble = arrays[name].toObject()["type"].toString() == "double";
    const auto check = [&](const QJsonValue& least, const QJsonValue& most, int which) {
      const auto [min, max] = rangeOf(theirs, name, which);
      // VTK computes its functions in the precision of the file.
      const double precision = kGradients.contains(number) ? 2e-4 : inDouble ? 1e-12 : 5e-6;
      const double tolerance = precision * std::max(std::abs(min), std::abs(max));
      const QString text = QString("%1 (%2) of component %3: %4 … %5, theirs %6 … %7")
                               .arg(variable["name"].toString(), name)
                               .arg(which)
                               .arg(least.toDouble(), 0, 'g', 10)
                               .arg(most.toDouble(), 0, 'g', 10)
                               .arg(min, 0, 'g', 10)
                               .arg(max, 0, 'g', 10);
      QVERIFY2(least.isDouble() && most.isDouble(), qPrintable(text));
      QVERIFY2(std::abs(least.toDouble() - min) <= tolerance, qPrintable(text));
      QVERIFY2(std::abs(most.toDouble() - max) <= tolerance, qPrintable(text));
    };
    check(variable["min"], variable["max"], component ? kComponents[number].second : -1);
    for (int c = 0; c < variable["components"].toInt() && !component; ++c)
      if (variable["components"].toInt() > 1)
        check(variable["componentMin"].toArray()[c], variable["componentMax"].toArray()[c], c);
  }
  for (const int number : kAlways)
    QVERIFY2(compared.contains(number), qPrintable("there is no function " + QString::number(number)));
}

QTEST_GUILESS_MAIN(TestReferences)
#include "tst_references.moc"
