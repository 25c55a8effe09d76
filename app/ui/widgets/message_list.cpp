#include "app/ui/widgets/message_list.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTime>

#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {
constexpr int kMostMessages = 500;
constexpr int kIsProblem = Qt::UserRole + 1;

/// Paths and commands are broken behind their signs as well; what is copied has no more in it.
class BrokenText final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    static const QRegularExpression kSigns("([/,:=\\]}])(?=\\S)");
    option->text.replace(kSigns, QStringLiteral("\\1\u200b"));
  }
};

}  // namespace

MessageList::MessageList(QWidget* parent) : QListWidget(parent) {
  setFrameShape(QFrame::NoFrame);
  setWordWrap(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setItemDelegate(new BrokenText(this));
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setAccessibleName(tr("Messages"));
  setUniformItemSizes(false);
}

void MessageList::add(MessageKind kind, const QString& text) {
  m_problems += kind == MessageKind::Problem;
  const QString shown = QTime::currentTime().toString("HH:mm:ss") + "   " + text;
  if (count() > 0 && item(count() - 1)->text() == shown) return;
  while (count() >= kMostMessages) delete takeItem(0);
  auto* const line = new QListWidgetItem(shown, this);
  if (kind != MessageKind::Note) {
    line->setIcon(icon("warning"));
    line->setData(kIsProblem, true);
    line->setForeground(warningColor());
  }
  scrollToBottom();
}

QString MessageList::allText() const {
  QStringList lines;
  for (int n = 0; n < count(); ++n) lines.append(item(n)->text());
  return lines.join('\n');
}

void MessageList::changeEvent(QEvent* event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) recolor();
}

// While it is hidden it is not told of other palettes.
void MessageList::showEvent(QShowEvent* event) {
  QListWidget::showEvent(event);
  recolor();
}

void MessageList::recolor() {
  for (int n = 0; n < count(); ++n)
    if (item(n)->data(kIsProblem).toBool()) item(n)->setForeground(warningColor());
}

void MessageList::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  QAction* const copy = menu.addAction(tr("Copy all"));
  QAction* const clearAll = menu.addAction(tr("Clear"));
  const QAction* const chosen = menu.exec(event->globalPos());
  if (chosen == copy) QApplication::clipboard()->setText(allText());
  if (chosen == clearAll) clear();
}

}  // namespace farfield::ui
