#pragma once
// The dialogs that commands of the window open, for tests that look at each of them.

#include <QAbstractButton>
#include <QDialog>
#include <QTabWidget>
#include <functional>

#include "tests/gui/window/support/studio.h"

namespace farfield::test {

/// A row for each, with how many controls it has at least.
inline void addDialogs() {
  QTest::addColumn<QString>("action");
  QTest::addColumn<int>("least");
  for (const auto& [name, least] : std::initializer_list<std::pair<const char*, int>>{{"settings", 4},
                                                                                      {"camera", 11},
                                                                                      {"stretch", 6},
                                                                                      {"exportImage", 4},
                                                                                      {"exportAnimation", 6},
                                                                                      {"calculator", 5},
                                                                                      {"connect", 5},
                                                                                      {"renderer", 5},
                                                                                      {"about", 2},
                                                                                      {"keys", 1},
                                                                                      {"guide", 3},
                                                                                      {"palette", 1}})
    QTest::newRow(name) << QString(name) << least;
}

/// The one that stands over a window with data of several steps; null: there is none.
inline QDialog* openedDialog(Studio& studio, const QString& action) {
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  if (!QTest::qWaitFor([&] { return studio.rests() && !studio.session().objects.empty(); }, kPatienceMs))
    return nullptr;
  studio.trigger(action.toUtf8().constData());
  QDialog* opened = nullptr;
  const bool came = QTest::qWaitFor(
      [&] {
        for (QDialog* const dialog : studio.window.findChildren<QDialog*>())
          if (dialog->isVisible()) opened = dialog;
        return opened != nullptr;
      },
      kPatienceMs);
  return came && QTest::qWaitForWindowExposed(opened) ? opened : nullptr;
}

/// Each look of it: a dialog shows other fields for another way, and has pages behind others.
inline void forEachLook(QDialog& dialog, const std::function<void(const QString&)>& look) {
  look({});
  for (QAbstractButton* const way : dialog.findChildren<QAbstractButton*>())
    if (way->isCheckable() && way->autoExclusive() && way->isEnabled() && !way->isChecked()) {
      way->click();
      look(way->text());
    }
  for (QTabWidget* const pages : dialog.findChildren<QTabWidget*>())
    for (int page = 1; page < pages->count(); ++page) {
      pages->setCurrentIndex(page);
      look(pages->tabText(page));
    }
}

}  // namespace farfield::test
