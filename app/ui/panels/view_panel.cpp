#include "app/ui/panels/view_panel.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPointer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/model/document/fit_for_files.h"
#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/tab_order.h"

namespace farfield::ui {
namespace {

constexpr QSize kPicture{128, 80};
/// After things have come to rest.
constexpr int kSoonMs = 300;

}  // namespace

ViewPanel::ViewPanel(app::AppModel& model, Draw draw, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_draw(std::move(draw)),
      m_hint(new QLabel(tr("Views that are kept come here: a click flies back to one."), this)),
      m_list(new QListWidget(this)),
      m_keep(new QToolButton(this)),
      m_replace(new QToolButton(this)),
      m_rename(new QToolButton(this)),
      m_remove(new QToolButton(this)) {
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 0);
  auto* const buttons = new FlowLayout(nullptr, 2);
  buttons->setContentsMargins(4, 0, 4, 0);
  const auto set = [&](QToolButton* button, const char* name, const QString& text, const QString& tip) {
    button->setObjectName(QString("views.") + name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    buttons->addWidget(button);
  };
  set(m_keep, "keep", tr("Keep"), tr("Keep the place to look from, to come back to it (Ctrl+Shift+K)"));
  set(m_replace, "replace", tr("Replace"), tr("The chosen view is where you look from now"));
  set(m_rename, "rename", tr("Rename"), tr("Change the name of the chosen view"));
  set(m_remove, "remove", tr("Forget"), tr("Take the chosen view away"));
  column->addLayout(buttons);
  m_hint->setWordWrap(true);
  m_hint->setContentsMargins(kPanelMargin, 0, kPanelMargin, 0);
  m_hint->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(m_hint);
  m_list->setWordWrap(true);  // in a narrow panel names go on below
  m_list->setObjectName("views.list");
  m_list->setAccessibleName(tr("Kept views"));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setIconSize(kPicture);
  m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->installEventFilter(this);
  column->addWidget(m_list, 1);
  column->addStretch(0);  // without the list there is nothing that would fill the panel

  tabAsLaidOut(*column);

  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoonMs);
  connect(&m_soon, &QTimer::timeout, this, &ViewPanel::drawNext);
  connect(m_keep, &QToolButton::clicked, this, &ViewPanel::keepWanted);
  connect(m_replace, &QToolButton::clicked, this, [this] { emit replaceWanted(chosen()); });
  connect(m_rename, &QToolButton::clicked, this, [this] {
    if (QListWidgetItem* const item = m_list->currentItem()) m_list->editItem(item);
  });
  connect(m_remove, &QToolButton::clicked, this, [this] { app::forgetView(m_model.document(), chosen()); });
  connect(m_list, &QListWidget::itemClicked, this, [this] { emit flyWanted(chosen()); });
  connect(m_list, &QListWidget::itemActivated, this, [this] { emit flyWanted(chosen()); });
  connect(m_list, &QListWidget::itemChanged, this, &ViewPanel::renamed);
  connect(m_list, &QListWidget::currentRowChanged, this, &ViewPanel::showButtons);
  connect(m_list, &QWidget::customContextMenuRequested, this, &ViewPanel::showMenu);
  connect(&model.document(), &app::Document::changed, this, &ViewPanel::refresh);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_pictures.clear();
    refresh();
  });
  connect(&model.stage(), &app::Stage::busyChanged, this, [this](bool busy) {
    if (!busy) m_soon.start();
  });
  refresh();
}

QSize ViewPanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, 300};
}

std::string ViewPanel::chosen() const {
  const QListWidgetItem* const item = m_list->currentItem();
  return item ? item->data(Qt::UserRole).toString().toStdString() : std::string();
}

void ViewPanel::showButtons() {
  const bool any = m_list->currentItem() != nullptr;
  for (QToolButton* const button : {m_replace, m_rename, m_remove}) button->setEnabled(any);
  m_keep->setEnabled(!m_model.document().session().data.empty());
}

QIcon ViewPanel::iconOf(const std::string& name) const {
  const double ratio = devicePixelRatioF();
  QPixmap shown((QSizeF(kPicture) * ratio).toSize());
  shown.setDevicePixelRatio(ratio);
  shown.fill(palette().color(QPalette::Window));
  QPainter painter(&shown);
  if (const auto found = m_pictures.find(name); found != m_pictures.end() && !found->second.image.isNull())
    painter.drawImage(QRectF(QPointF(), QSizeF(kPicture)), found->second.image);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(QRectF(0.5, 0.5, kPicture.width() - 1, kPicture.height() - 1));
  return QIcon(shown);
}

void ViewPanel::refresh() {
  const std::vector<session::NamedView>& views = m_model.document().session().views;
  m_filling = true;
  const std::string before = chosen();
  const bool fewer = m_list->count() > static_cast<int>(views.size());
  while (m_list->count() > static_cast<int>(views.size())) delete m_list->takeItem(m_list->count() - 1);
  for (std::size_t n = 0; n < views.size(); ++n) {
    QListWidgetItem* item = m_list->item(static_cast<int>(n));
    if (!item) {
      item = new QListWidgetItem(m_list);
      item->setFlags(item->flags() | Qt::ItemIsEditable);
    }
    const QString name = QString::fromStdString(views[n].name);
    // Not of where it looked from before it was replaced.
    const auto drawn = m_pictures.find(views[n].name);
    if (drawn != m_pictures.end() && drawn->second.camera != views[n].camera) m_pictures.erase(drawn);
    if (item->text() == name && item->data(Qt::UserRole).toString() == name && !item->icon().isNull() &&
        m_pictures.contains(views[n].name))
      continue;
    item->setText(name);
    item->setData(Qt::UserRole, name);
    item->setIcon(iconOf(views[n].name));
    item->setToolTip(tr("Fly to %1").arg(name));
  }
  std::erase_if(m_pictures, [&](const auto& each) {
    return std::none_of(views.begin(), views.end(),
                        [&](const session::NamedView& view) { return view.name == each.first; });
  });
  // Of one that is gone the next is not chosen instead: nobody looks from there.
  if (fewer) m_list->setCurrentRow(-1);
  for (int n = 0; n < m_list->count(); ++n)
    if (m_list->item(n)->data(Qt::UserRole).toString().toStdString() == before && !before.empty())
      m_list->setCurrentRow(n);
  m_filling = false;
  m_hint->setVisible(views.empty());
  m_list->setVisible(!views.empty());
  showButtons();
  m_soon.start();
}

void ViewPanel::drawAgain() {
  ++m_age;
  m_pictures.clear();
  refresh();
}

void ViewPanel::drawNext() {
  if (!isVisible() || !m_drawing.empty() || m_model.stage().isBusy()) return;
  for (const session::NamedView& view : m_model.document().session().views) {
    const bool here = view.camera == m_model.document().session().camera;
    const auto known = m_pictures.find(view.name);
    if (known != m_pictures.end() && (!known->second.image.isNull() || known->second.tried || !here))
      continue;
    m_drawing = view.name;
    const double ratio = devicePixelRatioF();
    const QSize size = (QSizeF(kPicture) * ratio).toSize();
    m_draw(view.camera, {size.width(), size.height()},
           [this, guard = QPointer(this), name = view.name, camera = view.camera, age = m_age,
            here](const QImage& image) {
             if (!guard) return;
             m_drawing.clear();
             // The view may look from elsewhere by now, or have gone.
             const std::vector<session::NamedView>& views = m_model.document().session().views;
             const bool asDrawn = std::any_of(views.begin(), views.end(), [&](const auto& its) {
               return its.name == name && its.camera == camera;
             });
             if (age == m_age && asDrawn) m_pictures[name] = {camera, image, here};
             for (int n = 0; n < m_list->count(); ++n)
               if (m_list->item(n)->data(Qt::UserRole).toString().toStdString() == name) {
                 m_filling = true;
                 m_list->item(n)->setIcon(iconOf(name));
                 m_filling = false;
               }
             m_soon.start();
           });
    return;
  }
}

void ViewPanel::renamed(QListWidgetItem* item) {
  if (m_filling) return;
  const std::string before = item->data(Qt::UserRole).toString().toStdString();
  const QString wish = app::plainText(item->text()).trimmed();
  // The same picture under its new name; one that another view has is refused.
  if (const auto drawn = m_pictures.find(before); drawn != m_pictures.end())
    m_pictures.try_emplace(wish.toStdString(), drawn->second);
  const QString problem = app::renameView(m_model.document(), before, wish);
  if (!problem.isEmpty()) emit message(problem);
  refresh();
}

void ViewPanel::showMenu(const QPoint& place) {
  if (!m_list->itemAt(place)) return;
  QMenu menu(this);
  connect(menu.addAction(tr("Fly there")), &QAction::triggered, this, [this] { emit flyWanted(chosen()); });
  for (QToolButton* const button : {m_replace, m_rename, m_remove})
    connect(menu.addAction(button->text()), &QAction::triggered, button, &QToolButton::click);
  menu.addSeparator();
  connect(menu.addAction(tr("Draw the pictures again")), &QAction::triggered, this, &ViewPanel::drawAgain);
  menu.exec(m_list->viewport()->mapToGlobal(place));
}

void ViewPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  m_soon.start();
}

/// In the list of views these keys are of a view, and not of what is selected in the pipeline.
bool ViewPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool asked = event->type() == QEvent::ShortcutOverride;
  if (watched != m_list || (!asked && event->type() != QEvent::KeyPress))
    return QWidget::eventFilter(watched, event);
  const auto& key = *static_cast<QKeyEvent*>(event);
  QToolButton* const button = key.modifiers() & ~Qt::KeypadModifier ? nullptr
                              : key.key() == Qt::Key_Delete         ? m_remove
                              : key.key() == Qt::Key_F2             ? m_rename
                                                                    : nullptr;
  if (!button) return QWidget::eventFilter(watched, event);
  event->accept();
  if (!asked) button->click();
  return true;
}

void ViewPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  m_filling = true;
  for (int n = 0; n < m_list->count(); ++n)
    m_list->item(n)->setIcon(iconOf(m_list->item(n)->data(Qt::UserRole).toString().toStdString()));
  m_filling = false;
}

}  // namespace farfield::ui
