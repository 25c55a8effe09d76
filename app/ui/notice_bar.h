#pragma once
// A line above the view that says something which can wait, with what can be done about it. It takes nothing
// away from what the user is doing, and goes when it is told to.

#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;

namespace farfield::ui {

class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent = nullptr);

  /// Takes the place of what is said now. `work` is done when the button is pressed; the bar goes first. `other` is the
  /// other thing that may be done; without a text there is none.
  struct Choice {
    QString text;
    std::function<void()> work;
  };
  void say(const QString& text, const QString& button, std::function<void()> work, Choice other = {});
  QString text() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QLabel *m_icon, *m_text;
  QPushButton *m_button, *m_other;
  std::function<void()> m_work, m_otherWork;
};

}  // namespace farfield::ui
