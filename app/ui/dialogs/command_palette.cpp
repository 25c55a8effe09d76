#include "app/ui/dialogs/command_palette.h"

#include <QAction>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {

constexpr int kKeysRole = Qt::UserRole + 1;

/// The name at the left, the keys at the right.
class KeysDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    painter->save();
    painter->setPen(option.state & QStyle::State_Selected ? option.palette.color(QPalette::HighlightedText)
                                                          : mutedColor());
    painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                      index.data(kKeysRole).toString());
    painter->restore();
  }
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), size.height() + 4};
  }
};

}  // namespace

int fitOf(const QString& typed, const QString& name) {
  int fit = 0;
  qsizetype at = -1;
  for (const QChar letter : typed.toLower()) {
    if (letter.isSpace()) continue;
    const qsizetype next = name.indexOf(letter, at + 1, Qt::CaseInsensitive);
    if (next < 0) return -1;
    // Beginnings of words first: "as" means "Add streamlines" before "Orthographic … as".
    qsizetype best = next;
    for (qsizetype other = next; other >= 0; other = name.indexOf(letter, other + 1, Qt::CaseInsensitive))
      if (other == 0 || !name[other - 1].isLetterOrNumber()) {
        best = other;
        break;
      }
    if (next == at + 1) best = next;
    const bool begins = best == 0 || !name[best - 1].isLetterOrNumber();
    fit += best == at + 1 ? 4 : begins ? 3 : 1;
    at = best;
  }
  return 100 * fit - static_cast<int>(name.size());
}

namespace {
/// By what a command does, which may be called otherwise than it is. What a word there begins with is meant rather than letters
/// that are scattered over a name, and less than what a word of a name begins with.
int fitOfTip(const QString& typed, const QString& tip) {
  const QString sought = typed.trimmed();
  const qsizetype at = tip.indexOf(sought, 0, Qt::CaseInsensitive);
  if (at < 0 || sought.isEmpty()) return -1;
  const bool begins = at == 0 || !tip[at - 1].isLetterOrNumber();
  return begins ? fitOf(sought, sought) - 200 : 0;
}
}  // namespace

QString plainText(const QString& text) {
  // Of two ampersands one stands for itself.
  static const QRegularExpression kMnemonic("&(.?)");
  return QString(text).replace(kMnemonic, "\\1").remove(QStringLiteral("…")).trimmed();
}

QString plainText(const QAction& action) {
  return plainText(action.text());
}

QList<QAction*> actionsBelow(const QWidget& menus) {
  QList<QAction*> all;
  for (QAction* const action : menus.actions()) {
    if (action->menu())
      all += actionsBelow(*action->menu());
    else
      all.append(action);
  }
  return all;
}

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup),
      m_line(new QLineEdit(this)),
      m_list(new QListWidget(this)),
      m_note(new QLabel(this)) {
  setAttribute(Qt::WA_DeleteOnClose);
  setAccessibleName(tr("Commands"));
  for (QAction* const action : actions)
    if (action->isVisible() && !action->isSeparator() && !action->menu() && !plainText(*action).isEmpty() &&
        // What is not possible now is found as well, but not lines of menus that only say something.
        (action->isEnabled() || !action->objectName().isEmpty()))
      m_actions.append(action);
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(m_line);
  column->addWidget(m_list);
  column->addWidget(m_note);
  m_note->setObjectName("palette.note");
  m_note->setWordWrap(true);
  m_note->setTextFormat(Qt::PlainText);
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_line->setPlaceholderText(tr("What do you want to do?"));
  m_line->setAccessibleName(tr("Search for a command"));
  m_line->setWhatsThis(tr("Some letters of what a command is called; arrows choose one, Return does it."));
  m_line->installEventFilter(this);
  m_list->setAccessibleName(tr("Commands"));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setIconSize({18, 18});
  m_list->setItemDelegate(new KeysDelegate(m_list));
  QPixmap nothing(18, 18);
  nothing.fill(Qt::transparent);
  m_noIcon = nothing;
  connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::filter);
  connect(m_line, &QLineEdit::returnPressed, this, &CommandPalette::run);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
  connect(m_list, &QListWidget::currentItemChanged, this, &CommandPalette::showNote);
  filter({});
  m_line->setFocus();
}

QSize CommandPalette::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 20};
}

void CommandPalette::filter(const QString& typed) {
  std::vector<std::pair<int, QAction*>> found;
  for (const QPointer<QAction>& action : m_actions) {
    if (!action) continue;
    const int fit = std::max(fitOf(typed, plainText(*action)), fitOfTip(typed, action->toolTip()));
    if (fit >= 0 || typed.trimmed().isEmpty())
      found.emplace_back(typed.trimmed().isEmpty() ? 0 : fit, action);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second->isEnabled()) > std::pair(b.first, b.second->isEnabled());
  });
  const QSignalBlocker quiet(m_list);
  m_list->clear();
  for (const auto& [fit, action] : found) {
    auto* const item =
        new QListWidgetItem(action->icon().isNull() ? m_noIcon : action->icon(), plainText(*action), m_list);
    item->setData(kKeysRole, action->shortcut().toString(QKeySequence::NativeText));
    item->setToolTip(action->toolTip());
    item->setData(Qt::UserRole, m_actions.indexOf(action));
    if (!action->isEnabled()) item->setForeground(mutedColor());
  }
  m_list->setCurrentRow(0);
  showNote();
}

QAction* CommandPalette::chosen() const {
  const QListWidgetItem* const item = m_list->currentItem();
  return item ? m_actions.value(item->data(Qt::UserRole).toInt()).data() : nullptr;
}

void CommandPalette::showNote() {
  const QAction* const action = chosen();
  const bool nothing = m_list->count() == 0, possible = action && action->isEnabled();
  m_note->setVisible(nothing || (action && !possible));
  if (nothing) m_note->setText(tr("No command is called so."));
  if (action && !possible) m_note->setText(tr("Not possible now.\n%1").arg(action->toolTip()));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int step = key == Qt::Key_Down       ? 1
                     : key == Qt::Key_Up       ? -1
                     : key == Qt::Key_PageDown ? 10
                     : key == Qt::Key_PageUp   ? -10
                                               : 0;
    if (step != 0 && m_list->count() > 0) {
      m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, m_list->count() - 1));
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void CommandPalette::run() {
  QAction* const action = chosen();
  if (!action || !action->isEnabled()) return;  // the note says why
  close();
  QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
  emit ran(action);
}

}  // namespace farfield::ui
