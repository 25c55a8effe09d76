#include "app/ui/view/view_group.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/model/document/view_layout.h"
#include "app/model/known_texts.h"
#include "app/model/stage/view_bounds.h"
#include "app/ui/view/view_controller.h"
#include "app/ui/view/view_head.h"
#include "app/ui/widgets/esc_key.h"
#include "core/session/session_camera.h"
#include "core/session/view_layout.h"

namespace farfield::ui {
namespace {

constexpr int kGap = 2;
constexpr int kDividerWidth = 9;
constexpr int kDividerStep = 24;
constexpr int kRestsMs = 350;  // as ViewController has it

}  // namespace

ViewDivider::ViewDivider(QWidget* parent) : QWidget(parent) {
  setObjectName("viewDivider");
  setCursor(Qt::SplitHCursor);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Divider"));
  setAccessibleDescription(tr("Left and right move the line between the two views"));
  setToolTip(tr("Drag it: one data set is seen to the left, the other to the right"));
}

void ViewDivider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QRect line(width() / 2 - 1, 0, 3, height());
  painter.fillRect(line, palette().color(hasFocus() ? QPalette::Highlight : QPalette::Button));
  painter.fillRect(line.adjusted(1, 0, -1, 0), palette().color(QPalette::ButtonText));
  const QRect grip(0, height() / 2 - 18, width(), 36);
  painter.setPen(palette().color(QPalette::ButtonText));
  painter.setBrush(palette().color(hasFocus() ? QPalette::Highlight : QPalette::Button));
  painter.drawRoundedRect(grip.adjusted(0, 0, -1, -1), 3, 3);
}

void ViewDivider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_held = event->pos().x() - width() / 2;
  m_dragged = true;
}

void ViewDivider::mouseMoveEvent(QMouseEvent* event) {
  if (m_dragged) emit moved(mapToParent(event->pos()).x() - m_held, false);
}

void ViewDivider::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && std::exchange(m_dragged, false))
    emit moved(mapToParent(event->pos()).x() - m_held, true);
}

bool ViewDivider::event(QEvent* event) {
  return (m_dragged && escIn(*event) == Esc::Claimed) || QWidget::event(event);
}

void ViewDivider::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && std::exchange(m_dragged, false)) return emit putBack();
  const int way = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  if (way == 0) return QWidget::keyPressEvent(event);
  emit moved(geometry().center().x() + way * kDividerStep, true);
}

ViewGroup::ViewGroup(app::AppModel& model, qt3d::Viewport& first, QWidget* parent)
    : QWidget(parent), m_model(model), m_first(first), m_divider(new ViewDivider(this)) {
  first.setParent(this);
  m_divider->hide();
  app::Document& document = model.document();
  connect(&document, &app::Document::layoutChanged, this, &ViewGroup::refresh);
  connect(&document, &app::Document::replaced, this, &ViewGroup::refresh);
  connect(&document, &app::Document::changed, this, &ViewGroup::showObjects);
  connect(&model.stage(), &app::Stage::boundsChanged, this, [this] {
    showBounds();
    showCameras(false);
  });
  connect(&first, &qt3d::Viewport::cameraChanged, this,
          [this](const scene::Camera& camera) { moved(0, camera); });
  connect(&first, &qt3d::Viewport::boxAwaited, this, &ViewGroup::noteBox);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { focusChanged(now); });
  connect(m_divider, &ViewDivider::moved, this, [this](int x, bool finished) {
    if (!m_dividerBefore) m_dividerBefore = m_model.document().session().layout.divider;
    app::setDivider(m_model.document(), (x + 0.5) / std::max(1, width()));
    if (finished) m_model.document().endMerge();
    if (finished) m_dividerBefore.reset();
  });
  connect(m_divider, &ViewDivider::putBack, this, [this] {
    if (const auto before = std::exchange(m_dividerBefore, std::nullopt)) {
      app::setDivider(m_model.document(), *before);
      m_model.document().endMerge();
    }
  });
  refresh();
}

void ViewGroup::setController(ViewController* controller) {
  m_controller = controller;
  connect(controller, &ViewController::textsChanged, this, &ViewGroup::showTexts);
  showActive();
}

void ViewGroup::makeView() {
  const std::size_t number = m_others.size() + 1;
  auto* const made = new qt3d::Viewport(this, {.beside = &m_first});
  made->setObjectName(QStringLiteral("viewport%1").arg(number + 1));
  made->setAccessibleName(tr("View %1").arg(number + 1));
  made->hide();
  for (QAction* const action : m_first.actions()) made->addAction(action);
  auto* const rests = new QTimer(this);
  rests->setSingleShot(true);
  rests->setInterval(kRestsMs);
  connect(rests, &QTimer::timeout, this, [this, number, rests] {
    // A hand that holds still in the middle of a drag goes on with it.
    if (QGuiApplication::mouseButtons() != Qt::NoButton) return rests->start();
    keepCamera(number);
  });
  connect(made, &qt3d::Viewport::cameraChanged, this,
          [this, number](const scene::Camera& camera) { moved(number, camera); });
  // What is done in it is done as in the first.
  connect(made, &qt3d::Viewport::pointedAt, &m_first, [this, made](Vec3 place, const QString& item) {
    m_controller->setEye(made);
    emit m_first.pointedAt(place, item);
    m_controller->setEye(nullptr);
  });
  connect(made, &qt3d::Viewport::pointedAway, &m_first, &qt3d::Viewport::pointedAway);
  connect(made, &qt3d::Viewport::clicked, &m_first, &qt3d::Viewport::clicked);
  connect(made, &qt3d::Viewport::contextMenuWanted, &m_first, &qt3d::Viewport::contextMenuWanted);
  connect(made, &qt3d::Viewport::handleMoved, &m_first, &qt3d::Viewport::handleMoved);
  connect(made, &qt3d::Viewport::legendsMoved, &m_first, &qt3d::Viewport::legendsMoved);
  connect(made, &qt3d::Viewport::legendsPutBack, &m_first, &qt3d::Viewport::legendsPutBack);
  connect(made, &qt3d::Viewport::boxAwaited, this, &ViewGroup::noteBox);
  connect(made, &qt3d::Viewport::settled, this, &ViewGroup::othersDrawn);
  connect(made, &qt3d::Viewport::frameDrawn, this, &ViewGroup::othersDrawn);
  m_others.push_back(made);
  m_rests.push_back(rests);
  m_wanted.emplace_back();
}

void ViewGroup::makeHead() {
  const std::size_t number = m_heads.size();
  auto* const head = new ViewHead(m_model, number, this);
  head->hide();
  connect(head, &ViewHead::linkWanted, this, [this, number](bool linked) { link(number, linked); });
  m_heads.push_back(head);
}

void ViewGroup::zoomToNextBox(bool wanted) {
  if (wanted) active().setFocus();
  for (std::size_t number = 0; number < m_count; ++number) view(number).zoomToNextBox(wanted);
}

/// A frame was drawn in one of them, or is no longer wanted: it is waited for in none.
void ViewGroup::noteBox(bool awaited) {
  if (!awaited) zoomToNextBox(false);
  emit boxAwaited(awaited);
}

bool ViewGroup::isLinked(std::size_t number) const {
  const session::ViewLayout& layout = m_model.document().session().layout;
  return number == 0 || number >= layout.views.size() || !layout.views[number].camera;
}

bool ViewGroup::areCamerasLinked() const {
  for (std::size_t number = 1; number < m_count; ++number)
    if (!isLinked(number)) return false;
  return true;
}

void ViewGroup::setCamerasLinked(bool linked) {
  if (m_model.document().session().layout.over) return;
  if (!linked && m_controller && !m_controller->isFitted()) {
    showActive();  // what has not come to rest has no place of its own yet
    return;
  }
  std::map<std::size_t, std::optional<session::FixedCamera>> cameras;
  for (std::size_t number = 1; number < m_count; ++number)
    if (isLinked(number) != linked)
      cameras[number] = linked ? std::nullopt : std::optional(session::fixedCamera(view(number).camera()));
  app::setCamerasIn(m_model.document(), cameras, linked ? tr("Link the cameras") : tr("Unlink the cameras"));
}

void ViewGroup::link(std::size_t number, bool linked) {
  if (!linked && m_controller && !m_controller->isFitted()) {
    showActive();  // what has not come to rest has no place of its own yet
    return;
  }
  m_model.document().endMerge();
  app::setCameraIn(m_model.document(), number,
                   linked ? std::nullopt : std::optional(session::fixedCamera(view(number).camera())),
                   linked ? tr("Link view %1").arg(number + 1) : tr("Unlink view %1").arg(number + 1));
  m_model.document().endMerge();
}

void ViewGroup::moved(std::size_t number, const scene::Camera& camera) {
  if (number == m_active) emit activeMoved();
  if (m_linking || number >= m_count) return;
  if (!isLinked(number)) {
    m_rests[number - 1]->start();
    return;
  }
  m_linking = true;
  // The first one first: its camera is the session's.
  for (std::size_t other = 0; other < m_count; ++other)
    if (other != number && isLinked(other)) view(other).setCamera(camera);
  m_linking = false;
}

void ViewGroup::keepCamera(std::size_t number) {
  if (number >= m_count || isLinked(number)) return;
  const scene::Camera camera = view(number).camera();
  const session::FixedCamera& kept = *m_model.document().session().layout.views[number].camera;
  if (sameCamera(camera, session::cameraOf(kept))) return;
  m_wanted[number - 1] = camera;
  app::setCameraIn(m_model.document(), number, session::fixedCamera(camera),
                   tr("Move view %1").arg(number + 1));
  m_model.document().endMerge();
}

void ViewGroup::rest() {
  for (std::size_t number = 1; number <= m_rests.size(); ++number) {
    if (!m_rests[number - 1]->isActive()) continue;
    m_rests[number - 1]->stop();
    keepCamera(number);
  }
}

void ViewGroup::refresh() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  const std::size_t count = std::max<std::size_t>(1, layout.views.size());
  while (m_others.size() + 1 < count) makeView();
  while (m_heads.size() < layout.views.size()) makeHead();
  const bool other = count != m_count;
  m_count = count;
  if (m_active >= count) {
    const bool had = m_others[m_active - 1]->hasFocus();
    m_active = 0;
    if (had) m_first.setFocus();
  }
  for (std::size_t number = 1; number <= m_others.size(); ++number) {
    qt3d::Viewport& each = view(number);
    if (number < count && each.isHidden()) {
      each.follow(&m_first);
    } else if (number >= count && !each.isHidden()) {
      m_rests[number - 1]->stop();
      each.zoomToNextBox(false);
      each.hide();
      each.follow(nullptr);
    }
  }
  place();
  showObjects();
  showTexts();
  showCameras(!other);
  showActive();
}

void ViewGroup::showObjects() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  for (std::size_t number = 0; number < m_count; ++number) {
    QStringList hidden;
    if (!layout.views.empty())
      for (const app::ObjectId id : m_model.document().objectIds())
        if (!session::isShownIn(layout, number, *m_model.document().object(id)))
          hidden.append(ViewController::idText(id));
    view(number).setHidden(hidden);
  }
  for (ViewHead* const head : m_heads) head->refresh();
  showBounds();
}

/// Those of the first view the controller knows.
void ViewGroup::showBounds() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  for (std::size_t number = 1; number < std::min(m_count, layout.views.size()); ++number)
    view(number).setOwnBounds(app::boundsIn(m_model.document(), m_model.stage(), layout, number));
}

/// What is written over the first view the controller knows.
void ViewGroup::showTexts() {
  const session::Session& session = m_model.document().session();
  for (std::size_t number = 1; number < std::min(m_count, session.layout.views.size()); ++number) {
    const session::ImageSettings image = app::withKnownTexts(session.image, m_model, number);
    view(number).setOwnTexts(QString::fromStdString(image.title), image.notes.texts);
  }
}

void ViewGroup::showCameras(bool animate) {
  const session::ViewLayout& layout = m_model.document().session().layout;
  for (std::size_t number = 1; number < m_count; ++number) {
    qt3d::Viewport& each = view(number);
    const scene::Camera wanted =
        isLinked(number) ? m_first.camera() : session::cameraOf(*layout.views[number].camera);
    // What has not changed there is no reason to take a view out of the hand that is moving it.
    const bool isNews = !sameCamera(m_wanted[number - 1], wanted);
    if (!isNews && !isLinked(number) && m_rests[number - 1]->isActive()) continue;
    m_wanted[number - 1] = wanted;
    if (sameCamera(each.camera(), wanted)) continue;
    m_linking = true;
    each.setCamera(wanted, animate && !isLinked(number));
    m_linking = false;
  }
}

QSize ViewGroup::viewSize(std::size_t count, bool over) const {
  if (count == 1) return size();
  const int line = m_heads.front()->sizeHint().height();
  if (over) return {width(), std::max(1, height() - line)};
  const int rows = count == 4 ? 2 : 1;
  return {(width() - kGap) / 2, std::max(1, (height() - (rows - 1) * kGap) / rows - line)};
}

double ViewGroup::aspectIn(app::Arrangement arrangement) {
  if (m_heads.empty()) makeHead();  // which takes a part of the height
  const std::size_t count = arrangement == app::Arrangement::One    ? 1
                            : arrangement == app::Arrangement::Four ? 4
                                                                    : 2;
  const QSize size = viewSize(count, arrangement == app::Arrangement::Compare);
  return static_cast<double>(std::max(1, size.width())) / std::max(1, size.height());
}

void ViewGroup::place() {
  const session::ViewLayout& layout = m_model.document().session().layout;
  for (std::size_t number = 0; number < m_heads.size(); ++number)
    m_heads[number]->setVisible(number < m_count && m_count > 1);
  m_divider->setVisible(layout.over);
  if (m_count == 1) {
    m_first.setGeometry(rect());
    m_first.setNotesArea({});
    return;
  }
  const int line = m_heads.front()->sizeHint().height();
  if (layout.over) {
    const QRect whole = rect().adjusted(0, line, 0, 0);
    const int middle = static_cast<int>(std::lround(layout.divider * width()));
    qt3d::Viewport& right = view(1);
    m_first.setGeometry(whole);
    right.setGeometry(whole);
    right.setMask(QRegion(middle, 0, std::max(1, width() - middle), whole.height()));
    m_first.setNotesArea({0, 0, middle, whole.height()});
    right.setNotesArea({middle, 0, width() - middle, whole.height()});
    m_heads[0]->setGeometry(0, 0, middle, line);
    m_heads[1]->setGeometry(middle, 0, width() - middle, line);
    right.show();
    right.raise();
    m_divider->setGeometry(middle - kDividerWidth / 2, line, kDividerWidth, whole.height());
    m_divider->raise();
    return;
  }
  const QSize size = viewSize(m_count, false);
  for (std::size_t number = 0; number < m_count; ++number) {
    // All are equal; where they cannot be, the gap is a pixel wider.
    const QPoint corner(number % 2 ? width() - size.width() : 0,
                        number / 2 ? height() - size.height() - line : 0);
    m_heads[number]->setGeometry(QRect(corner, QSize(size.width(), line)));
    qt3d::Viewport& each = view(number);
    each.clearMask();
    each.setNotesArea({});
    each.setGeometry(QRect(corner + QPoint(0, line), size));
    each.show();
  }
}

void ViewGroup::focusChanged(QWidget* now) {
  for (std::size_t number = 0; number < m_count; ++number)
    if (now == &view(number) && m_active != number) {
      m_active = number;
      showActive();
    }
}

void ViewGroup::showActive() {
  for (std::size_t number = 0; number < m_heads.size(); ++number)
    m_heads[number]->setActive(number == m_active);
  if (m_controller) m_controller->setApart(isLinked(m_active) ? nullptr : &view(m_active));
  emit changed();
  emit activeMoved();
}

void ViewGroup::stopRefining() {
  for (std::size_t number = 0; number < m_count; ++number) view(number).stopRefining();
}

void ViewGroup::castVolumesAgain() {
  for (std::size_t number = 0; number < m_count; ++number) view(number).castVolumesAgain();
}

void ViewGroup::resizeEvent(QResizeEvent*) {
  place();
}

void ViewGroup::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_count > 1) place();
}

}  // namespace farfield::ui
