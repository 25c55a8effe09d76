#pragma once
// A strip under the slider of time: which steps are in memory, and to what part; of data that are elsewhere also which
// are kept on this machine's disk.

#include <QWidget>
#include <vector>

namespace farfield::ui {

class StepStrip : public QWidget {
  Q_OBJECT
 public:
  explicit StepStrip(QWidget* parent = nullptr);
  /// `resident`: by step, 0 … 1; `kept`: the same on this machine's disk, empty where the data are not elsewhere; `elsewhere`: where
  /// the rest is ("on disk").
  void showSteps(std::vector<float> resident, std::vector<float> kept, const QString& elsewhere);
  /// How far from its ends the slider's first and last places are.
  void setInset(int points) { m_inset = points; }
  QSize sizeHint() const override { return {100, 6}; }
  QSize minimumSizeHint() const override { return {20, 6}; }
  const std::vector<float>& resident() const { return m_resident; }
  const std::vector<float>& kept() const { return m_kept; }
  /// In words, as its tip says it.
  QString textOf(std::size_t step) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  std::vector<float> m_resident, m_kept;
  QString m_elsewhere;
  int m_inset = 0;
};

}  // namespace farfield::ui
