#include "app/ui/view/stretch_dialog.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include "app/ui/view/view_group.h"
#include "app/ui/widgets/number_edit.h"

namespace farfield::ui {
namespace {

/// A map under an ocean's depth stays one; where no axis is that short, all others are made as long as the longest.
Vec3 whatFills(const Bounds& bounds) {
  const Vec3 stretch = scene::fillingStretch(bounds);
  return stretch == scene::kUnstretched ? scene::fillingStretch(bounds, 1) : stretch;
}

}  // namespace

StretchEdits::StretchEdits(ViewGroup& views, ViewController& controller, const QString& name, QWidget* parent)
    : QObject(parent), m_views(views), m_controller(controller) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto* const edit =
        new NumberEdit({.least = scene::kLeastStretch, .greatest = scene::kMostStretch}, parent);
    const QChar letter("xyz"[axis]);
    edit->setObjectName(QStringLiteral("%1.%2").arg(name).arg(letter));
    edit->setAccessibleName(tr("Stretch %1").arg(letter));
    edit->setToolTip(
        tr("By how much %1 is seen longer than it is, above 0; the data stay as they are").arg(letter));
    connect(edit, &NumberEdit::edited, this, &StretchEdits::take);
    m_edits[axis] = edit;
  }
  connect(&views, &ViewGroup::activeMoved, this, &StretchEdits::showStretch);
  showStretch();
}

void StretchEdits::showStretch() {
  // Not the numbers on the way of a view that glides.
  const Vec3 stretch = m_views.active().camera().stretch;
  for (std::size_t axis = 0; axis < 3; ++axis) m_edits[axis]->setValue(stretch[static_cast<int>(axis)]);
}

void StretchEdits::take(bool final) {
  Vec3 stretch = m_views.active().camera().stretch;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (const auto value = m_edits[axis]->value()) stretch[static_cast<int>(axis)] = *value;
  m_controller.setStretch(stretch, final);
}

StretchDialog::StretchDialog(ViewGroup& views, ViewController& controller,
                             const std::function<Bounds()>& bounds, QWidget* parent)
    : QDialog(parent) {
  setObjectName("stretchDialog");
  setWindowTitle(tr("Stretch axes"));
  auto* const grid = new QGridLayout(this);
  auto* const edits = new StretchEdits(views, controller, "stretch", this);
  for (int axis = 0; axis < 3; ++axis) {
    grid->addWidget(new QLabel(QString(QChar("xyz"[axis])), this), 0, 1 + axis, Qt::AlignHCenter);
    grid->addWidget(edits->edits()[static_cast<std::size_t>(axis)], 1, 1 + axis);
  }
  grid->addWidget(new QLabel(tr("Times as long"), this), 1, 0);
  auto* const note =
      new QLabel(tr("As they are seen. Numbers, seeds, planes and files remain the data's."), this);
  note->setForegroundRole(QPalette::PlaceholderText);
  note->setWordWrap(true);
  grid->addWidget(note, 2, 0, 1, 4);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  QPushButton* const fill = buttons->addButton(tr("&Fill the view"), QDialogButtonBox::ActionRole);
  fill->setObjectName("stretch.fill");
  fill->setToolTip(tr("Short axes about as long as the longest"));
  QPushButton* const none = buttons->addButton(tr("&None"), QDialogButtonBox::ActionRole);
  none->setObjectName("stretch.none");
  none->setToolTip(tr("As the data are"));
  // Return takes the number that was typed, and presses nothing.
  for (QPushButton* const button : findChildren<QPushButton*>()) button->setAutoDefault(false);
  grid->addWidget(buttons, 3, 0, 1, 4);
  connect(fill, &QPushButton::clicked, this,
          [&controller, bounds] { controller.setStretch(whatFills(bounds()), true); });
  connect(none, &QPushButton::clicked, this,
          [&controller] { controller.setStretch(scene::kUnstretched, true); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  edits->edits().front()->setFocus();
}

}  // namespace farfield::ui
