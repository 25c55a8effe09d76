#pragma once
// The list of names that opens while an expression is typed. It offers how the name that is being typed may go on, wherever that stands
// in the line; Return and Tab take the name that is chosen in it, or the only one that is left. It closes when typing pauses behind a
// name that is whole, as it may lie over what is pressed next, and leaves what is said of the expression in sight.

#include <QCompleter>
#include <QPointer>
#include <QTimer>
#include <functional>

class QLineEdit;

namespace farfield::ui {

class NameCompleter final : public QCompleter {
  Q_OBJECT
 public:
  /// For `line`, which owns it and has it as its completer. The names of mathematics are offered, too. `isGood`: what stands in the line
  /// makes sense as it is.
  NameCompleter(const QStringList& names, QLineEdit* line, std::function<bool()> isGood);
  QStringList splitPath(const QString& path) const override;
  QString pathFromIndex(const QModelIndex& index) const override;
  bool isOpen() const;
  /// One of the names is being chosen: what stands in the line will be something else in a moment.
  bool isChosenFrom() const;
  void close();
  /// `said` is seen beside the line, or hidden: an open list keeps off it. May be null.
  void keepOff(const QWidget* said);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void placeSoon();
  void place();
  QString completed(const QString& name) const;
  /// False where there is no choice to take.
  bool takeChosen();

  QLineEdit* m_line;
  QStringList m_names;
  std::function<bool()> m_isGood;
  QPointer<const QWidget> m_said;
  QTimer m_pause;
  bool m_placing = false;  ///< soon
};

/// The beginning of the name that `text` ends with; its length.
int lengthOfLastName(const QString& text);

}  // namespace farfield::ui
