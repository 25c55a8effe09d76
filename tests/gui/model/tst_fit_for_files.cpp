// Whatever is done to a document, it can be saved and opened again.

#include <QDebug>
#include <QTest>
#include <cmath>
#include <random>
#include <utility>

#include "app/model/document/document.h"
#include "app/model/document/fit_for_files.h"
#include "app/model/document/kept_views.h"
#include "app/model/files/data_files.h"
#include "core/base/error.h"
#include "core/session/json/session_json.h"
#include "tests/gui/model/tried_fields.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

/// The ends of what a field may take, which valuesFor() keeps away from where they cannot be read back.
std::vector<QVariant> extremesOf(const Field& field) {
  switch (field.kind) {
    case FieldKind::Integer:
      return {QVariant::fromValue<qlonglong>(static_cast<qlonglong>(field.least)),
              QVariant::fromValue<qlonglong>(static_cast<qlonglong>(field.greatest))};
    case FieldKind::Number:
      return {field.greatest,
              field.leastExcluded ? std::nextafter(field.least, field.greatest) : field.least};
    case FieldKind::Interval:
      return {QVariantList{-5.0, -1.0}, QVariantList{-1.0, 0.0}, QVariantList{1e-300, 1e300}, QVariant()};
    case FieldKind::Vector:
      return {QVariant::fromValue(Vec3{1e300, -1e300, 0})};
    default:
      return field.automatic.isEmpty() ? std::vector<QVariant>{} : std::vector<QVariant>{QVariant()};
  }
}

/// What somebody types who has not read what is wanted: turned round, too large, left out, of another kind.
const std::vector<QString>& wildTexts() {
  static const std::vector<QString> kTexts = [] {
    std::vector<QString> texts{"",
                               " ",
                               ",",
                               ";",
                               "0",
                               "-1",
                               "20 to 5",
                               "5-2",
                               "7..3",
                               "9:1",
                               "last to 0",
                               "last to last-3",
                               "-1 to -4",
                               "0 to 0",
                               "last-2 to last",
                               "3 to last-30",
                               "all",
                               "1e3",
                               "1e308, -1e308",
                               "1e999",
                               "nan",
                               "inf",
                               "0, 0, 0",
                               "1, 1",
                               "2 to 0",
                               "0 to 2, 1",
                               "99999999999",
                               "9223372036854775807",
                               "-9223372036854775808",
                               "0 to 99999999999999999999",
                               "last-9223372036854775807",
                               "0.5 1 -2",
                               "1 2 3; 1 2 3",
                               "1 2 3;",
                               "velocity",
                               "density",
                               "density, density",
                               "density,, pressure",
                               ",,",
                               "density, pressure, pressure",
                               "density *",
                               "{",
                               "'",
                               "\u0416",
                               "density # 2"};
    texts.push_back(QString(5000, 'a'));
    QString numbers, points;
    for (int n = 0; n < 1500; ++n) {
      numbers += QString::number(n) + ", ";
      points += "1 2 " + QString::number(n) + "; ";
    }
    texts.push_back(numbers);
    texts.push_back(points);
    return texts;
  }();
  return kTexts;
}

/// Of what is typed, what a field's editor gives to it.
std::vector<QVariant> wildValuesFor(const Field& field) {
  std::vector<QVariant> values;
  if (field.kind != FieldKind::Text && field.kind != FieldKind::Blocks &&
      !(field.kind == FieldKind::Choice && field.check))
    return values;
  for (const QString& typed : wildTexts()) {
    const QString text = plainText(typed).trimmed();
    if (field.check && !field.check(text).isEmpty()) continue;
    values.push_back(text.isEmpty() && !field.automatic.isEmpty() ? QVariant() : QVariant(text));
  }
  return values;
}

void openSample(Document& document) {
  document.edit("Open", [](Draft& draft) {
    draft.frame().data.push_back({"flow", {"sample://abc?size=17"}, {}, {}, {}});
    session::Object lines;
    lines.name = "lines";
    lines.data = "flow";
    session::Streamlines shape;
    shape.seeds = session::LineSeeds{{0, 0, 0}, {1, 1, 1}, 8};
    lines.shape = shape;
    draft.add(lines);
  });
}

}  // namespace

class TestFitForFiles : public QObject {
  Q_OBJECT
 private slots:
  void longNamesCanBeSaved();
  void whatIsPastedCanBeSaved();
  void whatIsLogarithmicCanBeSaved();
  void rangesRunForwards();
  void whateverIsTypedCanBeSaved();
  void whateverIsSetCanBeSaved();
};

// Names are counted in bytes, in which those of many scripts are three times as long as they look.
void TestFitForFiles::longNamesCanBeSaved() {
  for (const char32_t letter : {U'a', U'\u0416', U'\u30ab'}) {
    const QString source = "/data/" + QString(120, QChar(static_cast<char16_t>(letter))) + ".vtk";
    Document document;
    document.edit("Open", [&](Draft& draft) {
      for (int n = 0; n < 3; ++n) {
        session::Session& frame = draft.frame();
        const std::string name = uniqueName(nameForData(source).toStdString(), [&](const std::string& wish) {
          return frame.find(wish) != nullptr;
        });
        frame.data.push_back({name, {source.toStdString()}, {}, {}, {}});
        session::Object outline;
        outline.name = source.toStdString();
        outline.data = name;
        outline.shape = session::Outline{};
        draft.add(outline);
      }
    });
    QCOMPARE(document.session().data.size(), 3u);
    const session::Session again = session::parseSession(session::toJson(document.session()));
    QCOMPARE(again.objects, document.session().objects);
    QCOMPARE(again.data, document.session().data);
  }
}

// A line of text keeps the tabs and line breaks that are pasted into it, and shows them as blanks.
void TestFitForFiles::whatIsPastedCanBeSaved() {
  Document document;
  openSample(document);
  document.edit("Title", [](Draft& draft) {
    session::Session& frame = draft.frame();
    frame.image.title = "a\tb\nc";
    frame.image.notes.texts.push_back({.text = "one\r\ntwo"});
    frame.image.legends["density"].title = "\x07 rho";
    frame.views.push_back({"kept", {}});
  });
  QCOMPARE(renameView(document, "kept", "from\tabove\n"), QString());
  session::Object lines = *document.object(document.idNamed("lines"));
  lines.color.by = "density\t* 2";
  document.setObject(document.idNamed("lines"), lines, "Colour by");
  QCOMPARE(document.session().image.title, std::string("a b c"));
  QCOMPARE(document.session().views.front().name, std::string("from above"));
  QCOMPARE(session::parseSession(session::toJson(document.session())), document.session());
}

void TestFitForFiles::whatIsLogarithmicCanBeSaved() {
  Document document;
  openSample(document);
  const ObjectId id = document.idNamed("lines");
  session::Object lines = *document.object(id);
  lines.color.by = "density";
  lines.color.range = {{-5, -1}};
  document.setObject(id, lines, "Range");
  lines.color.logarithmic = true;
  document.setObject(id, lines, "Logarithmic");
  QVERIFY(document.object(id)->color.logarithmic);
  QVERIFY(!document.object(id)->color.range);
  QCOMPARE(session::parseSession(session::toJson(document.session())), document.session());
}

// What a session refuses is refused where it is typed, with what to write instead.
void TestFitForFiles::rangesRunForwards() {
  for (const auto& [typed, instead] :
       {std::pair("20 to 5", "5 to 20"), std::pair("last to last-3", "last-3 to last"),
        std::pair("9-1", "1 to 9"), std::pair("-1 to -4", "last-3 to last")}) {
    QVERIFY2(!rangeFromText(typed), typed);
    QVERIFY2(rangeFromText(instead), instead);
    for (const session::Object& object : objects())
      for (const Field& field : fieldsOf(object, surroundings())) {
        if (field.kind != FieldKind::Text) continue;
        if (!field.key.contains("range.") && field.key != "release.steps") continue;
        QVERIFY2(field.check(typed).contains(instead), qPrintable(field.key + ": " + field.check(typed)));
        QCOMPARE(field.check(instead), QString());
        session::Object changed = object;
        field.set(changed, QString(typed));
        QCOMPARE(changed, object);
      }
  }
  // Which of two that are counted from different ends comes first, the data alone can tell.
  QVERIFY(rangeFromText("3 to last-30"));
  QVERIFY(!rangeFromText("0 to 99999999999999999999"));
}

// Whatever can be typed into any field, of any kind of object, and is taken; also while the data are not open, and nothing is known of
// them.
void TestFitForFiles::whateverIsTypedCanBeSaved() {
  std::vector<session::Object> all = objects();
  all.push_back(newObject(session::kTypeOf<session::Volume>, *surroundings().data, "flow"));
  session::Object slabs = all.back();
  slabs.shape = session::Slabs{};
  std::get<session::Slabs>(slabs.shape).source = "slab://there:1";
  all.push_back(slabs);
  FieldSurroundings unknown = surroundings();
  unknown.data.reset();
  std::size_t taken = 0;
  for (const session::Object& object : all)
    for (const FieldSurroundings& known : {surroundings(), unknown})
      for (const Field& field : fieldsOf(object, known))
        for (const QVariant& value : wildValuesFor(field)) {
          Document document;
          document.edit("Open", [&](Draft& draft) {
            draft.frame().data = {{"flow", {"sample://abc"}, {}, {}, {}},
                                  {"other", {"sample://abc"}, {}, {}, {}}};
            draft.add(object);
          });
          const ObjectId id = document.objectIds().front();
          session::Object changed = *document.object(id);
          field.set(changed, value);
          document.setObject(id, changed, field.label, field.key);
          ++taken;
          try {
            const session::Session again = session::parseSession(session::toJson(document.session()));
            QCOMPARE(again.objects.size(), 1u);
          } catch (const Error& error) {
            QFAIL(qPrintable(QString::fromStdString(object.name) + ", " + field.key + " = " +
                             QDebug::toString(value).left(200) + ": " + error.what()));
          }
        }
  QVERIFY(taken > 500);
}

// One property after the other, in any order, as somebody sets them who tries what there is.
void TestFitForFiles::whateverIsSetCanBeSaved() {
  std::mt19937 random(17);
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(
        std::uniform_int_distribution<int>(0, static_cast<int>(count) - 1)(random));
  };
  for (const session::Object& first : objects()) {
    Document document;
    ObjectId id = 0;
    document.edit("Open", [&](Draft& draft) {
      draft.frame().data = {{"flow", {"sample://abc"}, {}, {}, {}}, {"other", {"sample://abc"}, {}, {}, {}}};
      id = draft.add(first);
    });
    for (int n = 0; n < 150; ++n) {
      const std::vector<Field> fields = fieldsOf(*document.object(id), surroundings());
      const Field& field = fields[below(fields.size())];
      std::vector<QVariant> values = valuesFor(field);
      for (QVariant& value : extremesOf(field)) values.push_back(std::move(value));
      for (QVariant& value : wildValuesFor(field)) values.push_back(std::move(value));
      if (values.empty()) continue;
      const QVariant value = values[below(values.size())];
      if (field.check && value.isValid() && !field.check(value.toString()).isEmpty()) continue;
      session::Object changed = *document.object(id);
      field.set(changed, value);
      document.setObject(id, changed, field.label, field.key);
      const std::string text = session::toJson(document.session());
      try {
        QCOMPARE(session::parseSession(text).objects.size(), 1u);
      } catch (const Error& error) {
        QFAIL(qPrintable(field.key + " = " + QDebug::toString(value) + ": " + error.what()));
      }
    }
  }
}

QTEST_APPLESS_MAIN(TestFitForFiles)
#include "tst_fit_for_files.moc"
