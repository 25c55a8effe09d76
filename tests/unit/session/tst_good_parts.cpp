// Sessions that are not all good, as programs leave them that were ended: what is wrong is left out, and the rest is there. And names that
// fit.

#include <QTest>

#include "core/base/error.h"
#include "core/session/json/names.h"
#include "core/session/json/session_json.h"

using namespace farfield;
using namespace farfield::session;

namespace {

/// A document with one object.
std::string withObject(const std::string& object) {
  return R"({"farfield": 1, "data": {"flow": {"source": "a.bin"}}, "objects": [)" + object + "]}";
}

const std::string kLines =
    R"({"name": "lines", "type": "streamlines", "seeds": {"type": "points", "points": [[0,0,0]]})";

}  // namespace

class TestGoodParts : public QObject {
  Q_OBJECT
 private slots:
  void whatIsGoodCanBeHad_data();
  void whatIsGoodCanBeHad();
  void whatALaterVersionWroteIsNotHalved();
  void namesAreCutAtLetters();
};

void TestGoodParts::whatIsGoodCanBeHad_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("leftOut");  // how its line begins
  const auto row = [](const char* name, const std::string& text, const char* leftOut) {
    QTest::newRow(name) << QString::fromStdString(text) << QString(leftOut);
  };
  row("nothing is wrong", withObject(kLines + "}"), "");
  row("range", withObject(kLines + R"(, "color": {"by": "p", "log": true, "range": [-5, -1]}})"),
      "objects.lines.color.range: must reach above 0");
  row("range of texts", withObject(kLines + R"(, "color": {"by": "p", "range": [0, "a"]}})"),
      "objects.lines.color.range.1: must be a number");
  row("another object", withObject(kLines + R"(}, {"name": "many", "type": "streamlines", "seeds":
      {"type": "plane", "origin": [0,0,0], "axis1": [1,0,0], "axis2": [0,1,0], "counts": [100000, 100000]}})"),
      "objects.many.seeds.counts: more than");
  row("an object without a type", withObject(kLines + R"(}, {"name": "what"})"),
      "objects.what.type: missing");
  row("title", withObject(kLines + R"(}], "image": {"title": "a\tb"}, "views": [{"name": "v"})"),
      "image.title: a control character");
  row("legend of a function with a dot",
      withObject(
          kLines +
          R"(}], "image": {"legends": {"a.b": {"digits": 99, "title": "A"}}}, "views": [{"name": "v"})"),
      "image.legends.a.b.digits: must be");
  row("view without a name", withObject(kLines + R"(}], "views": [{"aspect": 1}, {"name": "v"})"),
      "views.0.name: missing");
  row("long name of an object",
      withObject(kLines + R"(}, {"type": "outline", "name": ")" + std::string(120, 'a') + "\"}"),
      ("objects." + std::string(100, 'a') + ": its name").c_str());
  row("long name of data",
      R"({"farfield": 1, "data": {")" + std::string(120, 'a') + R"(": {"source": "f"}}, "objects": [)" +
          kLines + R"(, "data": ")" + std::string(120, 'a') + "\"}]}",
      ("data." + std::string(100, 'a') + ": its name").c_str());
}

void TestGoodParts::whatIsGoodCanBeHad() {
  QFETCH(QString, text);
  QFETCH(QString, leftOut);
  std::vector<std::string> lines;
  const Session session = parseGoodParts(text.toStdString(), lines);
  QVERIFY(!session.objects.empty());
  QCOMPARE(session.objects[0].name, std::string("lines"));
  QCOMPARE(session.objects[0].data, session.data.at(0).name);
  QCOMPARE(lines.empty(), leftOut.isEmpty());
  if (!lines.empty()) QVERIFY2(QString::fromStdString(lines[0]).startsWith(leftOut), lines[0].c_str());
  QCOMPARE(parseSession(toJson(session)), session);
}

void TestGoodParts::whatALaterVersionWroteIsNotHalved() {
  std::vector<std::string> lines;
  for (const std::string& text :
       {std::string(R"({"farfield": 2, "data": {}, "objects": []})"), withObject(kLines + R"(, "glow": 1})"),
        std::string("[]"), std::string("{")})
    QVERIFY_THROWS_EXCEPTION(Invalid, parseGoodParts(text, lines));
}

void TestGoodParts::namesAreCutAtLetters() {
  std::string katakana;
  for (int n = 0; n < 36; ++n) katakana += "\u30ab";
  QVERIFY(!nameFault(katakana).empty());
  const std::string name = fittedName(katakana);
  QCOMPARE(name.size(), 99u);  // of three bytes each
  QCOMPARE(nameFault(name), std::string());
  QCOMPARE(fittedName(" a/b\nc\u202e "), std::string("a_b c_u202e"));
  QCOMPARE(cutAtLetter("\u00e4\u00e4", 3), std::string("\u00e4"));
  QCOMPARE(fittedName("  "), std::string());
}

QTEST_APPLESS_MAIN(TestGoodParts)
#include "tst_good_parts.moc"
