// Colour maps from files that nobody has looked at.
#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <random>

#include "app/model/settings/color_map_files.h"
#include "app/model/settings/settings.h"
#include "core/base/error.h"
#include "render/color/color_map.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::app;
using farfield::test::TemporaryFolder;

namespace {

const QByteArray kXml = R"(<?xml version="1.0"?>
<ColorMaps>
  <ColorMap name="Fire &amp; Ice" space="RGB" indexedLookup="false">
    <Point x="-1" o="1" r="0" g="0" b="1"/>
    <Point x="0" o="1" r="1" g="1" b="1"/>
    <Point x="1" o="1" r="1" g="0" b="0"/>
    <NaN r="1" g="1" b="0"/>
  </ColorMap>
  <ColorMap space="Lab"><Point x="0" r="0" g="0" b="0"/><Point x="2" r="1" g="1" b="1"/></ColorMap>
</ColorMaps>)";

const QByteArray kJson = R"([
  { "ColorSpace": "Diverging", "Name": "Cool to Warm", "NanColor": [1, 1, 0],
    "RGBPoints": [0, 0.23137254902, 0.298039215686, 0.752941176471, 1, 0.705882352941, 0.0156862745098, 0.149019607843] },
  { "Name": "opacities alone", "Points": [0, 1, 0.5, 0] } ])";

QString problemOf(const QByteArray& bytes) {
  try {
    readColorMaps(bytes, "file");
  } catch (const Invalid& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

QByteArray withPoints(const char* points) {
  return QByteArray("<ColorMap name='m' space='RGB'>") + points + "</ColorMap>";
}

}  // namespace

class TestColorMapFiles : public QObject {
  Q_OBJECT
 private slots:
  void readsXml() {
    const auto maps = readColorMaps(kXml, "file");
    QCOMPARE(maps.size(), std::size_t(2));
    QCOMPARE(maps[0].choice.name, std::string("Fire & Ice"));
    QVERIFY(maps[0].nan && *maps[0].nan == (scene::Rgba{1, 1, 0, 1}));
    const auto table = color::ColorMap::of(maps[0].choice);
    QVERIFY((table.table()[0] == color::Rgb8{0, 0, 255}) && (table.table()[255] == color::Rgb8{255, 0, 0}));
    QVERIFY(table.table()[127][1] > 250);
    QCOMPARE(maps[1].choice.name, std::string("file"));
    QVERIFY(!maps[1].nan);
  }

  void readsJson() {
    for (const QByteArray& bytes : {kJson, "\xEF\xBB\xBF \n" + kJson}) {
      const auto maps = readColorMaps(bytes, "file");
      QCOMPARE(maps.size(), std::size_t(1));
      QCOMPARE(maps[0].choice.name, std::string("Cool to Warm"));
      const color::ColorMap own = color::ColorMap::of("cool-warm"),
                            read = color::ColorMap::of(maps[0].choice);
      for (std::size_t i = 0; i < 256; ++i)
        for (std::size_t c = 0; c < 3; ++c) QVERIFY(std::abs(own.table()[i][c] - read.table()[i][c]) <= 3);
    }
  }

  void saysWhatIsWrong_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& bytes, const char* says) {
      QTest::newRow(name) << bytes << QString(says);
    };
    row("empty", "", "no colour map");
    row("text", "viridis", "no colour map");
    row("no maps", "<a><b/></a>", "no colour map");
    row("cut", kXml.left(300), "line");
    row("cut list", kJson.left(200), "at byte");
    row("one point", withPoints("<Point x='0' r='0' g='0' b='0'/>"), "two points");
    row("word", withPoints("<Point x='0' r='red' g='0' b='0'/>"), "\"red\" is no number");
    row("missing", withPoints("<Point x='0' g='0' b='0'/>"), "is no number");
    row("infinite", withPoints("<Point x='inf' r='0' g='0' b='0'/>"), "is no number");
    row("bytes", withPoints("<Point x='0' r='255' g='0' b='0'/><Point x='1' r='0' g='0' b='0'/>"),
        "outside of 0 to 1");
    row("one place", withPoints("<Point x='3' r='0' g='0' b='0'/><Point x='3' r='1' g='0' b='0'/>"),
        "one place");
    row("space",
        "<ColorMap name='m' space='CMYK'><Point x='0' r='0' g='0' b='0'/><Point x='1' r='0' g='0' "
        "b='0'/></ColorMap>",
        "\"CMYK\" is not known");
    row("entities",
        "<!DOCTYPE a [<!ENTITY x 'aaaaaaaaaa'><!ENTITY y '&x;&x;&x;&x;&x;&x;'>]><ColorMap name='&y;'/>",
        "document type");
    row("three numbers", R"([{"Name":"m","ColorSpace":"RGB","RGBPoints":[0,0,0]}])", "four numbers");
    row("texts", R"([{"Name":"m","ColorSpace":"RGB","RGBPoints":["0",0,0,0,1,1,1,1]}])", "none");
    row("NaN colour", R"([{"Name":"m","ColorSpace":"RGB","RGBPoints":[0,0,0,0,1,1,1,1],"NanColor":[2,0,0]}])",
        "NaN");
    QByteArray many = "<ColorMap name='m' space='RGB'>";
    for (int i = 0; i < 5000; ++i) many += "<Point x='" + QByteArray::number(i) + "' r='0' g='0' b='0'/>";
    row("many points", many + "</ColorMap>", "more than 4096");
    row("many maps", "<a>" + QByteArray("<ColorMap/>").repeated(1001) + "</a>", "more than 1000");
    row("deep", QByteArray("<a>").repeated(100'000), "nested too deep");
    row("deep list", QByteArray("[").repeated(100'000), "nested too deep");
  }
  void saysWhatIsWrong() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const QString problem = problemOf(bytes);
    QVERIFY2(problem.contains(says), qPrintable(problem));
    QVERIFY(!problem.contains('\n'));
  }

  void changedBytesNeverHurt() {
    // Every file either gives maps that can be drawn and kept, or a sentence.
    std::mt19937 random(20011);
    int good = 0, bad = 0;
    for (int n = 0; n < 4000; ++n) {
      QByteArray bytes = n % 2 ? kXml : kJson;
      for (unsigned changes = 1 + random() % 6; changes > 0; --changes) {
        const auto at = qsizetype(random() % unsigned(bytes.size()));
        switch (random() % 4) {
          case 0:
            bytes[at] = char(random());
            break;
          case 1:
            bytes.remove(at, qsizetype(random() % 20));
            break;
          case 2:
            bytes.insert(at,
                         bytes.mid(qsizetype(random() % unsigned(bytes.size())), qsizetype(random() % 40)));
            break;
          default:
            bytes[at] = "0123456789-.eE<>\"[]{},"[random() % 22];
            break;
        }
        if (bytes.isEmpty()) bytes = " ";
      }
      try {
        for (const ImportedMap& map : readColorMaps(bytes, "file")) {
          color::ColorMap::of(map.choice);
          QVERIFY(mapFromText(textOfMap(map.choice)) == map.choice);
        }
        ++good;
      } catch (const Invalid&) {
        ++bad;
      }
    }
    QVERIFY2(good > 100 && bad > 100, qPrintable(QString("%1 %2").arg(good).arg(bad)));
  }

  void filesAreNamedInErrors() {
    TemporaryFolder folder;
    const QString path = QString::fromStdString((folder / "fire.xml").string());
    try {
      readColorMapFile(path);
      QFAIL("nothing was thrown");
    } catch (const NotFound& error) {
      QVERIFY(QString(error.what()).contains("fire.xml"));
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kXml);
    file.close();
    QCOMPARE(readColorMapFile(path).at(1).choice.name, std::string("fire"));
    QVERIFY_EXCEPTION_THROWN(readColorMapFile(QString::fromStdString(folder.path().string())), Error);
    QVERIFY(file.resize(static_cast<qint64>(kMostMapFileBytes) + 1));
    QVERIFY_EXCEPTION_THROWN(readColorMapFile(path), Invalid);
  }

  void readsOpacities() {
    const auto read = [](const char* points) {
      return readColorMaps(
                 R"([{"Name": "ct", "ColorSpace": "RGB", "RGBPoints": [10, 0, 0, 0, 30, 1, 1, 1], "Points": [)" +
                     QByteArray(points) + "]}]",
                 "file")
          .front();
    };
    // Linear as it is; a midpoint is a point; the greatest sharpness is a step.
    const auto plain = read("10, 0, 0.5, 0, 30, 1, 0.5, 0");
    QVERIFY(plain.range && *plain.range == (std::array<double, 2>{10, 30}));
    QCOMPARE(plain.opacity, (std::vector<scene::OpacityPoint>{{10, 0}, {30, 1}}));
    QCOMPARE(read("30, 1, 0.5, 0, 10, 0, 0.25, 0").opacity,
             (std::vector<scene::OpacityPoint>{{10, 0}, {15, 0.5}, {30, 1}}));
    QCOMPARE(read("10, 0.2, 0.75, 1, 30, 1, 0.5, 0").opacity,
             (std::vector<scene::OpacityPoint>{{10, 0.2}, {25, 0.2}, {25, 1}, {30, 1}}));
    // In between it rises all the way, slowly at first, and is half way at the midpoint.
    const auto curve = read("10, 0, 0.5, 0.5, 30, 1, 0.5, 0").opacity;
    QCOMPARE(curve.size(), std::size_t(17));
    for (std::size_t n = 1; n < curve.size(); ++n) QVERIFY(curve[n].opacity >= curve[n - 1].opacity);
    QVERIFY(curve[3].opacity < 0.1 && std::abs(curve[8].opacity - 0.5) < 1e-12 && curve[13].opacity > 0.9);
    // Of files without opacities there are none; wrong ones are said so.
    QVERIFY(readColorMaps(kXml, "file")[0].opacity.empty());
    for (const char* wrong : {"10, 0, 0.5", "10, 2, 0.5, 0", "10, true, 0.5, 0"})
      QVERIFY_EXCEPTION_THROWN(read(wrong), Invalid);
  }

  void settingsKeepMaps() {
    TemporaryFolder folder;
    const QString path = QString::fromStdString((folder / "settings.ini").string());
    const auto maps = readColorMaps(kXml, "second");
    {
      Settings settings(path);
      QSignalSpy changed(&settings, &Settings::colorMapsChanged);
      settings.addColorMap(maps[0].choice);
      settings.addColorMap(maps[1].choice);
      settings.addColorMap(maps[0].choice);
      QCOMPARE(changed.size(), 3);
      for (int n = 0; n < 120; ++n) {
        scene::MapChoice other = maps[0].choice;
        other.name = "map " + std::to_string(n);
        settings.addColorMap(other);
      }
      QCOMPARE(settings.colorMaps().size(), std::size_t(100));
      for (int n = 0; n < 120; ++n) settings.removeColorMap("map " + std::to_string(n));
      settings.addColorMap(maps[0].choice);
    }
    Settings again(path);
    QCOMPARE(again.colorMaps().size(), std::size_t(1));
    QVERIFY(again.colorMaps()[0] == maps[0].choice);
    QVERIFY(!mapFromText("{}") && !mapFromText("[") && !mapFromText(R"({"points":[[0,1,2,3],[0.5,1,2,3]]})"));
  }
};

QTEST_GUILESS_MAIN(TestColorMapFiles)
#include "tst_color_map_files.moc"
