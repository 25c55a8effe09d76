#pragma once
// What the application has to say, one line each with its time, the latest last. Errors say what to do.

#include <QListWidget>

namespace farfield::ui {

enum class MessageKind { Note, Warning, Problem };

class MessageList : public QListWidget {
  Q_OBJECT
 public:
  explicit MessageList(QWidget* parent = nullptr);
  /// The same as the last one is not repeated within a second.
  void add(MessageKind kind, const QString& text);
  QString allText() const;
  /// How many problems were told so far.
  int problems() const { return m_problems; }
  QSize sizeHint() const override { return {400, 90}; }

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void recolor();

  int m_problems = 0;
};

}  // namespace farfield::ui
