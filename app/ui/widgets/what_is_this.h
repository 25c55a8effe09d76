#pragma once
// What a control is for, told to those who ask with the keyboard or by a click: everything that has a tool tip or an
// explanation of its own answers, in the window and in its dialogs.

#include <QObject>
#include <QString>

class QWidget;

namespace farfield::app {
struct Field;
}

namespace farfield::ui {

class WhatIsThis : public QObject {
  Q_OBJECT
 public:
  /// Answers for the whole application as long as it lives.
  explicit WhatIsThis(QObject* parent);

  /// Of the widget or of the nearest around it that says anything; a label speaks of what it names.
  static QString textFor(const QWidget* widget);
  /// All that is known of a field: what it is, its unit, what it may be and what it is by default.
  static QString textFor(const app::Field& field);
  /// Beside it, until a key is pressed or the mouse clicked. Where nothing is to be said of it, or nothing has the keyboard (null), a
  /// click asks.
  static void showFor(QWidget* widget);
  /// The next click explains what it hits; the status bar says so meanwhile.
  static void askByClick();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace farfield::ui
