#pragma once
// A place to type a number of any size into, as people write them (0.001, 1e-6), in C notation whatever the
// locale. It takes effect when typing pauses, with Enter, and when it is left; arrow keys step it, and Esc puts
// back what was there before typing began. What may stand there is said where something else was typed. Where it is too narrow for all digits it shows fewer of them, and all where the keyboard
// is in it; none is ever cut off.

#include <QLineEdit>
#include <QTimer>
#include <array>
#include <optional>

#include "app/ui/widgets/problem_label.h"

namespace farfield::ui {

struct NumberBounds {
  double least = -1e300, greatest = 1e300;
  bool leastExcluded = false;
  bool whole = false;  ///< integers only
  bool mayBeEmpty = false;
  double arrowStep = 0;  ///< of arrow keys; 0: a tenth of the number's own size
};

class NumberEdit : public QLineEdit {
  Q_OBJECT
 public:
  explicit NumberEdit(const NumberBounds& bounds, QWidget* parent = nullptr);

  /// What may stand here from now on; an end counts as it is written here, with the digits that are shown.
  void setRange(double least, double greatest);
  /// Here something was typed that is a number, and not one that is taken: why is said elsewhere. It is red for as long as it stands here.
  void refuse();
  /// None where it is empty.
  std::optional<double> value() const;
  /// As if Return had been pressed, where something is being typed.
  void finish();
  /// As FieldEditor has them.
  void holdTyping();
  void handTypingTo(NumberEdit& next);
  void dropTyping();
  /// While edited() tells that Esc has put back what was there before typing: what followed from the number is as it was, too.
  bool isTakenBack() const { return m_takenBack; }
  /// Shows it, unless somebody is typing here what has not taken effect.
  void setValue(std::optional<double> value);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// Typed and valid. `final`: typing has ended.
  void edited(bool final);
  /// What was typed, and had taken effect, is no more: undone, or changed elsewhere.
  void interrupted();

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  std::optional<double> parsed(bool* good) const;
  /// What may stand here.
  QString demand() const;
  /// Empty: nothing more.
  void say(const QString& problem);
  void take(bool final);
  void tell(bool final);
  void beginTyping();
  void step(int steps);
  void showValidity();
  /// As far as nobody is typing.
  void showValue(bool whole);
  bool hasRoomFor(const QString& text) const;

  NumberBounds m_bounds;
  std::optional<double> m_value, m_before;  ///< now, and when typing began
  bool m_typing = false, m_shownGood = true;
  bool m_taken = false;  ///< what is being typed took effect already
  bool m_takenBack = false;
  bool m_untaken = false;  ///< something has been typed since
  bool m_refused = false;  ///< what stands here, as it is now
  bool m_telling = false;
  bool m_held = false;            ///< until it is known where typing goes on
  bool m_heldBehind = false;      ///< the caret stood behind what was taken
  std::optional<double> m_given;  ///< that setValue() was called with last
  QString m_shown;                ///< a value's text, perhaps with fewer digits than it has
  std::optional<double> m_shownOf;
  QTimer m_pause;
  ProblemLabel m_problem;
  QTimer m_saidLongEnough;  ///< once the number that it is about has been taken back
};

/// The ends of a range that was found, as they are read: one that a number of few digits misses by no more than a difference of
/// single precision may, such as 429.6 − 423.2 = 6.399994, is that number. `outward`: only where the range grows by that.
std::array<double, 2> meantRange(std::array<double, 2> found, bool logarithmic = false, bool outward = false);
/// "0 … 1". What is next to nothing beside the other end is 0, unless the range is of a logarithmic scale.
QString textOfRange(double least, double greatest, bool logarithmic = false);
/// With as many digits as it takes, at most 8.
QString textOfNumber(double value);

}  // namespace farfield::ui
