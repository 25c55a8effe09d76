#include "app/ui/view/view_head.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "app/model/document/view_layout.h"
#include "app/ui/widgets/names.h"
#include "core/session/view_layout.h"

namespace farfield::ui {

ViewHead::ViewHead(app::AppModel& model, std::size_t number, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_number(number),
      m_shown(new QToolButton(this)),
      m_link(new QToolButton(this)),
      m_menu(new QMenu(m_shown)) {
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(4, 1, 4, 1);
  row->addWidget(m_shown);
  row->addStretch(1);
  row->addWidget(m_link);
  m_shown->setPopupMode(QToolButton::InstantPopup);
  m_shown->setMenu(m_menu);
  m_shown->setAutoRaise(true);
  m_shown->setFocusPolicy(Qt::StrongFocus);
  m_shown->setObjectName(QStringLiteral("view%1.shown").arg(number + 1));
  m_shown->setAccessibleName(tr("What view %1 shows").arg(number + 1));
  m_shown->setToolTip(tr("Choose what view %1 shows").arg(number + 1));
  m_shown->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_shown->setMinimumWidth(1);
  m_link->setCheckable(true);
  m_link->setAutoRaise(true);
  m_link->setFocusPolicy(Qt::StrongFocus);
  m_link->setObjectName(QStringLiteral("view%1.link").arg(number + 1));
  m_link->setAccessibleName(tr("View %1 moves with the first").arg(number + 1));
  m_link->setToolTip(
      tr("Pressed: turning any linked view turns all of them. Otherwise this view moves on its own."));
  // As high as it will be, before it is known what is shown.
  m_shown->setText(QString::number(number + 1));
  m_link->setText(tr("Linked"));
  connect(m_menu, &QMenu::aboutToShow, this, &ViewHead::fillMenu);
  connect(m_link, &QToolButton::clicked, this, &ViewHead::linkWanted);
}

QString ViewHead::summary() const {
  const session::Session& session = m_model.document().session();
  const session::SideView& side = session.layout.views[m_number];
  std::size_t shown = 0, all = 0;
  for (const session::Object& object : session.objects) {
    if (!side.data.empty() && object.data != side.data) continue;
    ++all;
    shown += session::isShownIn(session.layout, m_number, object);
  }
  const QString what = side.data.empty() ? QString() : QString::fromStdString(side.data);
  if (shown < all)
    return what.isEmpty() ? tr("%1 of %2 objects").arg(shown).arg(all)
                          : tr("%1: %2 of %3 objects").arg(what).arg(shown).arg(all);
  return what.isEmpty() ? tr("all objects") : what;
}

void ViewHead::refresh() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  if (m_number >= layout.views.size()) return;
  m_summary = tr("%1 · %2").arg(m_number + 1).arg(summary());
  const bool linked = !layout.views[m_number].camera;
  m_link->setVisible(m_number > 0 && !layout.over);
  m_link->setText(linked ? tr("Linked") : tr("Not linked"));
  m_link->setChecked(linked);
  showSummary();
}

void ViewHead::setActive(bool active) {
  QFont font = m_shown->font();
  font.setBold(active);
  m_shown->setFont(font);
  showSummary();
}

void ViewHead::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showSummary();
}

void ViewHead::showSummary() {
  m_shown->setText(m_summary);
  const QMargins around = layout()->contentsMargins();
  int room = width() - around.left() - around.right();
  if (!m_link->isHidden()) room -= m_link->sizeHint().width() + layout()->spacing();
  const QFontMetrics letters = m_shown->fontMetrics();
  const int beside = m_shown->sizeHint().width() - letters.horizontalAdvance(m_summary);
  m_shown->setText(letters.elidedText(m_summary, Qt::ElideRight, std::max(0, room - beside)));
}

void ViewHead::fillMenu() {
  m_menu->clear();
  const session::Session& session = m_model.document().session();
  if (m_number >= session.layout.views.size()) return;
  const session::SideView& side = session.layout.views[m_number];
  app::Document& document = m_model.document();
  const auto put = [&](const QString& text, bool checked, std::function<void()> work) {
    QAction* const action = m_menu->addAction(withoutMnemonics(text));
    action->setCheckable(true);
    action->setChecked(checked);
    connect(action, &QAction::triggered, this, std::move(work));
  };
  if (!session.layout.over)
    put(tr("All objects"), side.data.empty() && side.hidden.empty(),
        [this, &document] { app::showDataIn(document, m_number, {}); });
  if (session.data.size() > 1)
    for (const session::DataSource& source : session.data)
      put(tr("Only %1").arg(QString::fromStdString(source.name)),
          side.data == source.name && side.hidden.empty(),
          [this, &document, name = source.name] { app::showDataIn(document, m_number, name); });
  m_menu->addSeparator();
  for (const session::Object& object : session.objects) {
    if (!side.data.empty() && object.data != side.data) continue;
    const bool shown = session::isShownIn(session.layout, m_number, object);
    put(QString::fromStdString(object.name), shown,
        [this, &document, name = object.name, shown] { app::showIn(document, m_number, name, !shown); });
  }
}

}  // namespace farfield::ui
