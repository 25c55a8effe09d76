#pragma once
// A number that changes, as text and as a line of its last values.

#include <QWidget>
#include <deque>

namespace farfield::ui {

class Sparkline : public QWidget {
  Q_OBJECT
 public:
  /// `greatest` > 0: the top of the line; else the greatest of the values shown. There is room for a text as
  /// long as `longest`.
  Sparkline(const QString& label, double greatest, const QString& longest, QWidget* parent = nullptr);
  void add(double value, const QString& text);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_label, m_longest, m_text;
  double m_greatest;
  std::deque<double> m_values;
};

}  // namespace farfield::ui
