#include "app/ui/dialogs/export_image_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTimer>

#include "app/ui/widgets/tab_order.h"
#include "app/ui/widgets/whole_number_box.h"
#include "render/color/image.h"

namespace farfield::ui {
namespace {

QString mostText() {
  constexpr std::int64_t kMillion = 1'000'000;
  return ExportImageDialog::tr("At most %1 million pixels.").arg(color::Image::kMaxPixels / kMillion);
}

}  // namespace

ExportImageDialog::ExportImageDialog(std::array<int, 2> sizePixels, std::array<int, 2> viewPixels,
                                     bool transparent, QWidget* parent)
    : QDialog(parent),
      m_width(new WholeNumberBox(this)),
      m_height(new WholeNumberBox(this)),
      m_transparent(new QCheckBox(tr("Nothing behind it"), this)),
      m_problem(new QLabel(this)) {
  setObjectName("exportImage.dialog");
  setWindowTitle(tr("Export picture"));
  auto* const form = new QFormLayout(this);
  for (WholeNumberBox* const side : {m_width, m_height}) {
    side->setRange(1, color::Image::kMaxSide);
    side->setSuffix(tr(" px"));
    connect(side, &QSpinBox::valueChanged, this, &ExportImageDialog::check);
    connect(side, &WholeNumberBox::judged, this, &ExportImageDialog::check);
  }
  m_width->setObjectName("export.width");
  m_height->setObjectName("export.height");
  const QString limits = tr("From 1 to %1 pixels.").arg(QLocale().toString(color::Image::kMaxSide));
  m_width->setToolTip(tr("From left to right. %1 %2").arg(limits, mostText()));
  m_height->setToolTip(tr("From top to bottom. %1 %2").arg(limits, mostText()));
  setMinimumWidth(fontMetrics().averageCharWidth() * 44);
  m_width->setValue(sizePixels[0]);
  m_height->setValue(sizePixels[1]);
  form->addRow(tr("Width"), m_width);
  form->addRow(tr("Height"), m_height);
  auto* const sizes = new QHBoxLayout;
  const auto offer = [&](const QString& text, const QString& tip, int times) {
    auto* const button = new QPushButton(text, this);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, [this, viewPixels, times] {
      m_width->setValue(times * viewPixels[0]);
      m_height->setValue(times * viewPixels[1]);
    });
    sizes->addWidget(button);
  };
  offer(tr("As the view"), tr("Pixel by pixel what is seen"), 1);
  offer(tr("Twice"), tr("As the view, with twice as many pixels along each side"), 2);
  offer(tr("Four times"), tr("As the view, with four times as many pixels along each side"), 4);
  form->addRow(QString(), sizes);
  m_transparent->setObjectName("export.transparent");
  m_transparent->setToolTip(tr("A transparent background, to lay the picture over others"));
  m_transparent->setChecked(transparent);
  form->addRow(tr("Background"), m_transparent);
  m_problem->setForegroundRole(QPalette::PlaceholderText);
  form->addRow(m_problem);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  buttons->setObjectName("export.buttons");
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Choose a file …"));
  buttons->button(QDialogButtonBox::Ok)->setToolTip(tr("Where the picture is written, and under which name"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  form->addRow(buttons);
  tabAsLaidOut(*form);
  check();
  // Typing replaces the number, and does not add to it.
  m_width->setFocus();
  QTimer::singleShot(0, m_width, &QSpinBox::selectAll);
}

void ExportImageDialog::check() {
  const bool small = std::int64_t{m_width->value()} * m_height->value() <= color::Image::kMaxPixels;
  m_problem->setText(small ? QString() : mostText());
  if (auto* const buttons = findChild<QDialogButtonBox*>())
    buttons->button(QDialogButtonBox::Ok)->setEnabled(small && m_width->isGood() && m_height->isGood());
}

std::array<int, 2> ExportImageDialog::sizePixels() const {
  return {m_width->value(), m_height->value()};
}

bool ExportImageDialog::isTransparent() const {
  return m_transparent->isChecked();
}

}  // namespace farfield::ui
