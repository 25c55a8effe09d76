// Objects whose tasks several programs share: what each hands over, put together by a run that has none of the data, is what one
// program computes of the data alone, to the byte in files and to the count in pictures.

#include <QTest>
#include <fstream>
#include <iterator>

#include "core/fields/samples/sample_data.h"
#include "core/session/json/session_json.h"
#include "core/session/run/object_run.h"
#include "core/session/run/remote_run.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace session;

/// Data, and runs of objects of them.
struct Place {
  explicit Place(const std::string& source) {
    fields::OpenRequest request;
    request.sources = {source};
    data = samples::SampleDataReader().open(request, account);
  }
  std::unique_ptr<fields::PagedData> pagesFor(const ObjectRun& run) {
    fields::PagedDataOptions options;
    options.arrays = run.arrays();
    options.resultBytesPerTask = run.taskBytes();
    options.keptBytes = std::uint64_t{16} << 20;
    return std::make_unique<fields::PagedData>(*data, account, options);
  }
  TemporaryFolder folder;
  MemoryAccount account{std::uint64_t{64} << 20};
  std::unique_ptr<fields::OpenData> data;
};

QByteArray fileOf(const ObjectRun& run, const TemporaryFolder& folder) {
  const std::filesystem::path path = folder / "it.vtp";
  run.writeGeometry(path);
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return QByteArray::fromStdString(bytes);
}

std::size_t pointsOf(const ObjectRun& run) {
  ObjectStats stats;
  run.count(stats);
  return static_cast<std::size_t>(stats.points);
}

}  // namespace

class TestSharedObjects : public QObject {
  Q_OBJECT
 private slots:
  void areThoseOfOneProgram_data();
  void areThoseOfOneProgram();
};

void TestSharedObjects::areThoseOfOneProgram_data() {
  QTest::addColumn<QByteArray>("object");
  const QByteArray plane = "{ \"type\": \"slice\", \"normal\": [1, 0.3, 0.2] }",
                   bent = "{ \"type\": \"isosurface\", \"by\": \"velocity-magnitude\", \"value\": 0.7 }",
                   sheet = "{ \"type\": \"grid-surface\" }";
  QTest::addRow("isosurface") << QByteArray(
      "\"type\": \"isosurface\", \"by\": \"velocity-magnitude\", \"value\": [0.4, 0.8], \"color\": { \"by\": \"pressure\" }");
  QTest::addRow("isolines of values")
      << "\"type\": \"isolines\", \"by\": \"velocity-magnitude\", \"on\": " + plane +
             ", \"value\": [0.2, 0.5, 0.8], \"color\": { \"by\": \"pressure\" }";
  QTest::addRow("isolines of a range")
      << "\"type\": \"isolines\", \"by\": \"velocity-magnitude\", \"on\": " + sheet +
             ", \"count\": 5, \"range\": [0.1, 0.9]";
  QTest::addRow("isolines on an isosurface")
      << "\"type\": \"isolines\", \"by\": \"pressure\", \"on\": " + bent + ", \"count\": 4";
  QTest::addRow("isolines of the range there")
      << "\"type\": \"isolines\", \"by\": \"velocity-magnitude\", \"on\": " + plane +
             ", \"count\": 6, \"color\": { \"by\": \"pressure\" }";
  QTest::addRow("ribbons") << QByteArray(
      "\"type\": \"streamlines\", \"as\": \"ribbons\", \"color\": { \"by\": \"pressure\" }, \"seeds\": "
      "{ \"type\": \"line\", \"from\": [1, 1, 1], \"to\": [5, 2, 3], \"count\": 9 }");
  QTest::addRow("arrows") << "\"type\": \"arrows\", \"on\": " + plane +
                                 ", \"color\": { \"by\": \"pressure\" }";
  QTest::addRow("arrows on an isosurface")
      << "\"type\": \"arrows\", \"on\": " + bent + ", \"spacing\": 0.3, \"tangential\": true";
  QTest::addRow("arrows on a grid surface")
      << "\"type\": \"arrows\", \"on\": " + sheet + ", \"length\": \"equal\"";
}

void TestSharedObjects::areThoseOfOneProgram() {
  QFETCH(QByteArray, object);
  const QByteArray text =
      "{ \"farfield\": 1, \"data\": { \"flow\": { \"source\": \"data\" } }, \"objects\": [ { \"name\": \"it\", " +
      object + " } ] }";
  // as it is asked for elsewhere
  const Object its =
      parseSession(documentOf(parseSession(text.toStdString()).objects.front())).objects.front();
  Place there("sample://taylor-green?size=21");
  const auto& description = there.data->description();
  const auto whole = makeObjectRun(its, description);
  const auto pages = there.pagesFor(*whole);
  computeAlone(*whole, {*pages, there.account, there.folder.path(), {}, {}}, 0);
  const QByteArray wanted = fileOf(*whole, there.folder);
  QVERIFY(pointsOf(*whole) > 10);
  QVERIFY(whole->isHandedOver() && isComputedByRenderers(its.type()));

  // who takes over has other data
  Place here("sample://taylor-green?size=3");
  const auto none = makeObjectRun(its, here.data->description());
  const auto otherPages = here.pagesFor(*none);
  for (const std::size_t of : {1u, 2u, 3u, 7u}) {
    const auto taking = makeObjectRun(its, description);
    const ObjectSurroundings surroundings{*otherPages, here.account, here.folder.path(), {}, {}};
    std::shared_ptr<ResultSink> sink;
    for (std::size_t part = of; part-- > 0;) {
      const auto run = makeObjectRun(its, description);
      ObjectSurroundings shared{*pages, there.account, there.folder.path(), {}, {}};
      shared.share = {part, of};
      computeAlone(*run, shared, 0);
      if (!sink) sink = taking->takeOver(surroundings, description, 0, run->facts(shared.share));
      run->handOver(shared.share, *sink);
    }
    sink.reset();
    taking->tookOver(surroundings);
    QCOMPARE(pointsOf(*taking), pointsOf(*whole));
    QVERIFY2(fileOf(*taking, here.folder) == wanted, qPrintable(QString("%1 shares").arg(of)));
    QCOMPARE(taking->bounds().min.x, whole->bounds().min.x);
    QCOMPARE(taking->bounds().max.z, whole->bounds().max.z);
  }
}

}  // namespace farfield::test

QTEST_APPLESS_MAIN(farfield::test::TestSharedObjects)
#include "tst_shared_objects.moc"
