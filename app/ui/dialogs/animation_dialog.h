#pragma once
// What an animation is to be of: the steps of the data, the view going round what is shown, or particles that go along lines.

#include <QDialog>
#include <QString>
#include <array>
#include <cstdint>
#include <functional>

class QCheckBox;
class QComboBox;
class QLabel;
class QRadioButton;

namespace farfield::ui {

class WholeNumberBox;

struct AnimationChoice {
  enum class Kind { Steps, Turn, Flow } kind = Kind::Turn;
  std::int64_t first = 0, last = 0, every = 1;  ///< of the steps
  int pictures = 72, degrees = 360;             ///< of the turn; pictures also of the flow
  enum class Axis { View, X, Y, Z } axis = Axis::View;
  std::array<int, 2> sizePixels{1280, 800};
  QString video;  ///< ".mp4", ".webm": the pictures as a video, too; empty: not
  int picturesPerSecond = 25;
  bool nothingBehind = false;  ///< the pictures have a transparent background; a video has its colour
  bool stepTitle = true;  ///< step and time are written on pictures of steps, where the picture has no title
};

class AnimationDialog : public QDialog {
  Q_OBJECT
 public:
  struct Offer {
    std::int64_t steps = 1;  ///< of the data; with one alone there is nothing to step through
    bool turns = true;       ///< whether this build can draw a turn
    bool flows = false;      ///< whether anything is shown that moves by itself
    bool seesAll =
        true;  ///< whether all that is shown is in the picture, and stays in it while the view goes round
    std::array<int, 2> sizePixels{1280, 800};
    bool videos = false;         ///< whether they can be made here
    bool severalViews = false;   ///< there are, of which a film has the first
    bool nothingBehind = false;  ///< as the session has it
    bool titled =
        true;  ///< whether the picture has a title; those of steps may say step and time where it has none
    QString last;  ///< how the last film was made: howFilmed()
    /// The date of a step; empty where times are no dates.
    std::function<QString(std::int64_t)> dateOf = {};
  };
  AnimationDialog(const Offer& offer, QWidget* parent);
  AnimationChoice choice() const;
  /// The kind of video, its speed, and whether step and time are written, to be offered the next time.
  QString howFilmed() const;

 private:
  void showCount();
  void showDates();
  int pictureCount() const;
  bool isBackwards() const;
  /// To go on: with numbers that are taken.
  void allow();
  /// A speed at which few pictures, too, make a film that can be watched, unless one was chosen.
  void proposeRate();

  QRadioButton *m_steps, *m_turn, *m_flow;
  WholeNumberBox *m_first, *m_last, *m_every, *m_pictures, *m_degrees, *m_width, *m_height;
  WholeNumberBox* m_rate;
  bool m_rateChosen = false;
  std::function<QString(std::int64_t)> m_dateOf;
  QLabel *m_firstDate, *m_lastDate;
  QCheckBox *m_stepTitle, *m_nothing;
  QComboBox *m_axis, *m_video;
  QLabel* m_count;
};

}  // namespace farfield::ui
