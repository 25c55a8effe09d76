#pragma once
// What is wrong with what is typed into a field: below the field, or above it where there is no room, over what stands there, so that
// nothing moves; beyond the panel where that has room for neither; never over another field that the keyboard has gone to.

#include <QPointer>
#include <QString>

class QLabel;
class QObject;
class QWidget;

namespace farfield::ui {

/// As long as it takes to read what is said of something that has been taken back.
constexpr int kProblemReadMs = 5000;

/// Lives on the UI thread. Its label belongs to the page that the field is on, or to its window, and goes with that or with this.
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
  QPointer<QObject> m_follower;  ///< sees where the field goes while the label is the window's
};

}  // namespace farfield::ui
