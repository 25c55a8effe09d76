#pragma once
// A line above the view that says something which can wait, with what can be done about it. It takes nothing
// away from what the user is doing, and goes when it is told to. What is said while something else stands there waits behind it:
// what is under the cursor stays what it is.

#include <QFrame>
#include <functional>
#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace farfield::ui {

class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);

  /// `work` is done when the button is pressed; the notice goes first. `other` is the other thing that may be done; without
  /// texts there are none. What was said of the same thing `about` gives way; of nothing in particular, notices wait for one another.
  struct Choice {
    QString text;
    std::function<void()> work;
  };
  void say(const QString& text, const QString& button, std::function<void()> work, Choice other = {},
           const QString& about = {});
  /// Takes back what is said of that, also where it waits.
  void unsay(const QString& about);
  bool says(const QString& about) const;
  /// What stands there now.
  QString text() const;
  QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Notice {
    QString about, text;
    Choice first, other;
  };
  void showNow();
  /// Takes away what stands there, and gives it.
  Notice take();
  void countThem();
  void arrange();

  QGridLayout* m_grid;
  QWidget* m_choices;  ///< beside the text, or below it
  QLabel *m_icon, *m_text;
  QPushButton *m_button, *m_other;
  QToolButton* m_count;
  std::vector<Notice> m_all;  ///< the earliest first
  bool m_below = false;
  std::size_t m_now = 0;  ///< which one stands there
};

}  // namespace farfield::ui
