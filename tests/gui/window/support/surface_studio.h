#pragma once
// The window with data and nothing shown of them, for what is put on surfaces.

#include <QLineEdit>

#include "tests/gui/window/support/studio.h"

namespace farfield::test {

struct Surface : Studio {
  explicit Surface(const char* data = "sample://taylor-green?size=17,17,5") {
    model.open({data});
    if (!QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs)) return;
    model.document().edit("Remove", [&](app::Draft& draft) {
      for (const app::ObjectId id : model.document().objectIds()) draft.remove(id);
    });
  }
  bool isDone() {
    return session().objects.size() > 0 && stateOf(newest()) == app::ObjectState::Done && viewRests();
  }
  std::size_t objects() { return session().objects.size(); }
  std::uint64_t points() { return model.stage().status(newest()).stats.points; }
  void type(const char* field, const QString& text) {
    auto* const edit = child<QLineEdit>(field);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  QImage middle() {
    const QSize view = window.viewport().size();
    return picture().copy(QRect(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2));
  }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(
          window.grab().toImage().convertToFormat(QImage::Format_RGB32).save(where + "/" + name + ".png"));
  }
};

}  // namespace farfield::test
