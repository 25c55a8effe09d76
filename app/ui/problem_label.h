#pragma once
// What is wrong with what is typed into a field: below the field, over what stands there, so that nothing moves.

#include <QPointer>
#include <QString>

class QLabel;
class QWidget;

namespace farfield::ui {

/// Lives on the UI thread. Its label belongs to the field's parent, and goes with either.
class ProblemLabel {
 public:
  ~ProblemLabel();
  /// Below `field`, for as long as `text` says something.
  void show(QWidget* field, const QString& text, const QString& objectName);

 private:
  QPointer<QLabel> m_label;  ///< a sibling of the field
};

}  // namespace farfield::ui
