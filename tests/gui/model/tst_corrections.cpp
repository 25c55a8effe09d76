// What is so from now on and is no step of the user's: it is in all that can be taken back and done again.

#include <QTest>

#include "app/model/document/corrections.h"

using namespace farfield;
using namespace farfield::app;

namespace {

constexpr const char *kBefore = "slab://a:1", *kNow = "slab://b:2";

session::DataSource dataAt(const char* address, const std::string& name) {
  session::DataSource source;
  source.name = name;
  source.source = {address};
  return source;
}

/// All data at kBefore are at kNow.
void move(Document& document) {
  correct(
      document,
      [](const session::Session& frame) -> std::optional<session::Session> {
        session::Session other = frame;
        bool isOther = false;
        for (session::DataSource& source : other.data)
          if (source.source.front() == kBefore) {
            source.source = {kNow};
            isOther = true;
          }
        return isOther ? std::optional(other) : std::nullopt;
      },
      [](const session::Object& object) -> std::optional<session::Object> {
        const auto* const slabs = std::get_if<session::Slabs>(&object.shape);
        if (!slabs || slabs->source != kBefore) return std::nullopt;
        session::Object other = object;
        std::get<session::Slabs>(other.shape).source = kNow;
        return other;
      });
}

session::Object slabs(const std::string& name) {
  session::Object object;
  object.name = name;
  object.data = "flow";
  session::Slabs shape;
  shape.source = kBefore;
  object.shape = shape;
  return object;
}

}  // namespace

class TestCorrections : public QObject {
  Q_OBJECT
 private slots:
  void theyAreInAllStates();
  void whatIsTheSameIsLeftAlone();
};

void TestCorrections::theyAreInAllStates() {
  Document document;
  document.edit(
      "Open", [](Draft& draft) { draft.frame().data.push_back(dataAt(kBefore, "flow")); }, "open/1");
  QVERIFY(!document.isModified());
  document.addObject(slabs("one"));
  document.edit("Title", [](Draft& draft) { draft.frame().image.title = "wing"; });
  // Under another name: what is meant is the address.
  QVERIFY(document.renameData("flow", "air").isEmpty());
  document.addObject(slabs("two"));
  document.undoStack().undo();
  document.undoStack().undo();
  const int count = document.undoStack().count(), index = document.undoStack().index();
  const DocumentState before = document.state();
  document.markSaved("/nowhere/work.json", before);

  std::size_t changed = 0;
  connect(&document, &Document::dataChanged, &document, [&] { ++changed; });
  move(document);
  QCOMPARE(changed, 1u);
  QCOMPARE(document.undoStack().count(), count);
  QCOMPARE(document.undoStack().index(), index);
  QVERIFY(document.isModified());  // the file has it as it was
  const auto isMoved = [&] {
    for (const session::DataSource& source : document.session().data)
      if (source.source.front() != kNow) return false;
    for (const session::Object& object : document.session().objects)
      if (std::get<session::Slabs>(object.shape).source != kNow) return false;
    return true;
  };
  QVERIFY(isMoved());
  QVERIFY(document.idNamed("one"));
  for (; document.undoStack().canRedo(); document.undoStack().redo()) QVERIFY(isMoved());
  QVERIFY(isMoved());
  QVERIFY(document.idNamed("two") && document.session().find("air"));
  QCOMPARE(document.session().image.title, std::string("wing"));
  for (; document.undoStack().canUndo(); document.undoStack().undo()) QVERIFY(isMoved());
  QVERIFY(document.isEmpty());
}

/// Also steps that come back because the one that took their place was dragged to nothing.
void TestCorrections::whatIsTheSameIsLeftAlone() {
  Document document;
  document.edit("Open", [](Draft& draft) { draft.frame().data.push_back(dataAt(kNow, "flow")); });
  document.markSaved("/nowhere/work.json", document.state());
  move(document);
  QVERIFY(!document.isModified());
  document.edit("More", [](Draft& draft) { draft.frame().data.push_back(dataAt(kBefore, "air")); });
  document.undoStack().undo();
  const auto title = [&](const char* text) {
    document.edit(
        "Title", [&](Draft& draft) { draft.frame().image.title = text; }, "title");
  };
  title("w");
  move(document);
  title("");
  QVERIFY(document.undoStack().canRedo());
  document.undoStack().redo();
  QCOMPARE(document.session().data.size(), 2u);
  QCOMPARE(document.session().data.back().source.front(), std::string(kNow));
}

QTEST_GUILESS_MAIN(TestCorrections)
#include "tst_corrections.moc"
