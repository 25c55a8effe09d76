#include "app/ui/view/camera_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "app/ui/view/stretch_dialog.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/session_camera.h"
#include "render/view/screen_map.h"

namespace farfield::ui {
CameraDialog::CameraDialog(ViewGroup& views, ViewController& controller, QWidget* parent)
    : QDialog(parent),
      m_views(views),
      m_controller(controller),
      m_angle(new NumberEdit({.least = 0, .greatest = 1e300, .leastExcluded = true}, this)),
      m_orthographic(new QCheckBox(tr("Orthographic"), this)),
      m_angleText(new QLabel(this)),
      m_problem(new QLabel(this)) {
  setObjectName("cameraDialog");
  setWindowTitle(tr("Camera"));
  auto* const grid = new QGridLayout(this);
  for (int axis = 0; axis < 3; ++axis)
    grid->addWidget(new QLabel(QString(QChar("xyz"[axis])), this), 0, 1 + axis, Qt::AlignHCenter);
  const auto add = [&](int row, const char* name, const QString& text, const QString& tip,
                       std::array<NumberEdit*, 3>& edits) {
    grid->addWidget(new QLabel(text, this), row, 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto* const edit = new NumberEdit({}, this);
      edit->setObjectName(QStringLiteral("camera.%1.%2").arg(name).arg(QChar("xyz"[axis])));
      edit->setAccessibleName(text + ' ' + QChar("xyz"[axis]));
      edit->setToolTip(tip);
      grid->addWidget(edit, row, 1 + static_cast<int>(axis));
      connect(edit, &NumberEdit::edited, this, &CameraDialog::take);
      edits[axis] = edit;
    }
  };
  add(1, "position", tr("Eye"), tr("Where the eye is; where axes are stretched, in stretched coordinates"),
      m_position);
  add(2, "target", tr("Looks at"), tr("The point in the middle of the view, about which it turns"), m_target);
  add(3, "up", tr("Up"), tr("What is up in the view; of any length"), m_up);
  grid->addWidget(m_angleText, 4, 0);
  m_angle->setObjectName("camera.angle");
  m_angle->setAccessibleName(tr("Opening of the view"));
  grid->addWidget(m_angle, 4, 1);
  m_orthographic->setObjectName("camera.orthographic");
  m_orthographic->setToolTip(tr("Without perspective"));
  grid->addWidget(m_orthographic, 4, 2, 1, 2);
  grid->addWidget(new QLabel(tr("Stretch"), this), 5, 0);
  const auto* const stretch = new StretchEdits(views, controller, "camera.stretch", this);
  for (std::size_t axis = 0; axis < 3; ++axis)
    grid->addWidget(stretch->edits()[axis], 5, 1 + static_cast<int>(axis));
  m_problem->setForegroundRole(QPalette::PlaceholderText);
  m_problem->setWordWrap(true);
  m_problem->setMinimumHeight(3 * fontMetrics().lineSpacing());
  grid->addWidget(m_problem, 6, 0, 1, 4);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* const copyButton = buttons->addButton(tr("Copy"), QDialogButtonBox::ActionRole);
  copyButton->setObjectName("camera.copy");
  copyButton->setToolTip(tr("As text, as a session has it"));
  QPushButton* const pasteButton = buttons->addButton(tr("Paste"), QDialogButtonBox::ActionRole);
  pasteButton->setObjectName("camera.paste");
  pasteButton->setToolTip(tr("A camera that was copied, here or from a session file"));
  // Return takes the number that was typed, and presses nothing.
  for (QPushButton* const button : findChildren<QPushButton*>()) button->setAutoDefault(false);
  grid->addWidget(buttons, 7, 0, 1, 4);
  connect(m_angle, &NumberEdit::edited, this, &CameraDialog::take);
  connect(m_orthographic, &QCheckBox::clicked, this, [this](bool on) {
    m_controller.setOrthographic(on);
    showCamera();
  });
  connect(copyButton, &QPushButton::clicked, this, &CameraDialog::copy);
  connect(pasteButton, &QPushButton::clicked, this, &CameraDialog::paste);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(&views, &ViewGroup::activeMoved, this, &CameraDialog::showCamera);
  // From the top to the bottom.
  setTabOrder(m_up.back(), m_angle);
  setTabOrder(m_angle, m_orthographic);
  setTabOrder(m_orthographic, stretch->edits().front());
  m_position.front()->setFocus();
  showCamera();
}

void CameraDialog::showCamera() {
  const scene::Camera camera = m_views.active().camera();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    m_position[axis]->setValue(camera.position[static_cast<int>(axis)]);
    m_target[axis]->setValue(camera.target[static_cast<int>(axis)]);
    m_up[axis]->setValue(camera.up[static_cast<int>(axis)]);
  }
  m_angleText->setText(camera.orthographic ? tr("Height (length)") : tr("Angle (°)"));
  m_angle->setToolTip(
      camera.orthographic
          ? tr("Of the view, in the data's length unit; above 0")
          : tr("Of the view, from its lower edge to its upper one; above 0° and at most %1°").arg(session::kMostAngle));
  m_angle->setValue(camera.orthographic ? camera.orthographicHeight : camera.fieldOfViewDegrees);
  m_orthographic->setChecked(camera.orthographic);
}

void CameraDialog::take() {
  scene::Camera camera = m_views.active().camera();
  const auto read = [](const std::array<NumberEdit*, 3>& edits, Vec3& out) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const auto value = edits[axis]->value()) out[static_cast<int>(axis)] = *value;
  };
  read(m_position, camera.position);
  read(m_target, camera.target);
  read(m_up, camera.up);
  if (const auto angle = m_angle->value())
    (camera.orthographic ? camera.orthographicHeight : camera.fieldOfViewDegrees) = *angle;
  if (!camera.orthographic && !(camera.fieldOfViewDegrees >= session::kLeastAngle &&
                                camera.fieldOfViewDegrees <= session::kMostAngle)) {
    m_problem->setText(
        tr("The angle has to be from %1° to %2°.").arg(session::kLeastAngle).arg(session::kMostAngle));
    return;
  }
  const bool sideways = length(cross(camera.target - camera.position, camera.up)) > 0;
  if (!view::isUsable(camera) || !sideways) {
    m_problem->setText(
        tr("From there nothing can be seen: the eye has to be away from what it looks at, and up "
           "must not lie along the line of sight."));
    return;
  }
  m_problem->clear();
  m_controller.setCamera(camera);
}

void CameraDialog::copy() {
  QApplication::clipboard()->setText(
      QString::fromStdString(session::textOfCamera(m_views.active().camera())));
  m_problem->setText(tr("Copied."));
}

void CameraDialog::paste() {
  const auto camera = session::cameraFromText(QApplication::clipboard()->text().toStdString());
  m_problem->setText(camera ? QString() : tr("There is no camera in the clipboard."));
  if (camera) m_controller.setCamera(*camera);
}

}  // namespace farfield::ui
