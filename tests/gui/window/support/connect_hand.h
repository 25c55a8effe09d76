#pragma once
// File ▸ Connect… as a hand uses it: types a place, presses buttons, chooses what is listed.

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QTreeWidget>

#include "app/ui/dialogs/connect_dialog.h"
#include "tests/gui/window/support/studio.h"

namespace farfield::test {

struct ConnectHand {
  explicit ConnectHand(Studio& studio) {
    studio.trigger("connect");
    self = studio.window.findChild<ui::ConnectDialog*>();
  }
  template <class Widget>
  Widget* child(const char* name) const {
    return self->findChild<Widget*>(name);
  }
  QString text() const { return child<QLabel>("connect.text")->text(); }
  bool isWaiting() const { return child<QPushButton>("connect.cancel")->isEnabled(); }
  void type(const QString& place) const {
    auto* const line = child<QLineEdit>("connect.place");
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, place);
  }
  void press(const char* name) const { QTest::mouseClick(child<QPushButton>(name), Qt::LeftButton); }
  QTreeWidget* folder() const { return child<QTreeWidget>("connect.folder"); }
  QStringList names() const {
    QStringList names;
    for (int n = 0; n < folder()->topLevelItemCount(); ++n) names.append(folder()->topLevelItem(n)->text(0));
    return names;
  }
  /// Chooses a line by mouse, and with `go` opens it by the keyboard.
  bool choose(const QString& name, bool go) const {
    const auto found = folder()->findItems(name, Qt::MatchExactly);
    if (found.isEmpty()) return false;
    folder()->scrollToItem(found.front());
    QTest::mouseClick(folder()->viewport(), Qt::LeftButton, {},
                      folder()->visualItemRect(found.front()).center());
    if (go) QTest::keyClick(folder(), Qt::Key_Return);
    return true;
  }

  QPointer<ui::ConnectDialog> self;
};

}  // namespace farfield::test
