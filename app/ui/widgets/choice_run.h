#pragma once
// Keys that go through a list of choices, by arrows or by letters: what is met on the way is no choice, and all of it is taken back in
// one step, as what a slider passed by is.

#include <QObject>
#include <QTimer>

class QComboBox;

namespace farfield::ui {

class ChoiceRun final : public QObject {
  Q_OBJECT
 public:
  /// Belongs to `list`.
  explicit ChoiceRun(QComboBox* list);
  /// Asked while the list tells of an activated choice: whether a key led there, after which others may follow. The run goes on from now.
  bool goesOn();
  /// The run goes on in the list of `next`, which has taken the place of this one.
  void handTo(ChoiceRun& next);

 signals:
  /// No key has followed.
  void ended();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QTimer m_pause;
  bool m_byKey = false;  ///< the list moves, if it does
};

}  // namespace farfield::ui
