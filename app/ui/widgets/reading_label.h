#pragma once
// A line of readings, such as the values under the cursor: as many whole ones as there is room for, however the room changes, and then an
// ellipsis. A number that is cut off is another number. The tooltip has all of it.

#include <QLabel>

namespace farfield::ui {

class ReadingLabel : public QLabel {
  Q_OBJECT
 public:
  using QLabel::QLabel;
  /// Between readings.
  static constexpr const char* kBetween = "   ";
  void showReadings(const QString& text);
  /// It takes what others leave.
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  QString m_all;
};

}  // namespace farfield::ui
