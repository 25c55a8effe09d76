#pragma once
// What is wrong with what is typed into a field: below the field, or above it where there is no room, over what stands there, so that
// nothing moves; never over another field that the keyboard has gone to.

#include <QPointer>
#include <QString>

class QLabel;
class QWidget;

namespace farfield::ui {

/// As long as it takes to read what is said of something that has been taken back.
constexpr int kProblemReadMs = 5000;

/// Lives on the UI thread. Its label belongs to the page that the field is on, and goes with that or with this.
class ProblemLabel {
 public:
  ~ProblemLabel();
  /// Beside `field`, for as long as `text` says something.
  void show(QWidget* field, const QString& text, const QString& objectName);
  /// Null until something has been said.
  const QWidget* label() const;

 private:
  void place();

  QPointer<QLabel> m_label;
  QPointer<QWidget> m_field;
};

}  // namespace farfield::ui
