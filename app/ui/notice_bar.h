#pragma once
// A line above the view that says something which can wait, with what can be done about it. It takes nothing
// away from what the user is doing, and goes when it is told to. What is said while something else stands there waits behind it:
// what is under the cursor stays what it is.

#include <QFrame>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace farfield::ui {

class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);

  /// `work` is done when the button is pressed; the notice goes first. `other` is the other thing that may be done; without a
  /// text there is none. What was said of the same thing `about` gives way; of nothing in particular, notices wait for one another.
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

 protected:
  void changeEvent(QEvent* event) override;
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

  QLabel *m_icon, *m_text;
  QPushButton *m_button, *m_other;
  QToolButton* m_count;
  std::vector<Notice> m_all;  ///< the earliest first
  std::size_t m_now = 0;      ///< which one stands there
};

}  // namespace farfield::ui
