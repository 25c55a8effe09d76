#include "app/ui/editors/map_points_part.h"

#include <QColorDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "app/ui/editors/map_editor.h"
#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/number_edit.h"

namespace farfield::ui {
namespace {
constexpr int kLongestName = 60;
}

MapPointsPart::MapPointsPart(QWidget* parent) : QWidget(parent), m_editor(new MapEditor(this)) {
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(0, 4, 0, 4);
  m_editor->setObjectName("color.points");
  grid->addWidget(m_editor, 0, 0, 1, 3);
  const auto button = [&](const char* name, const QString& text, const QString& tip) {
    auto* const made = new QToolButton(this);
    made->setObjectName(name);
    made->setText(text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    return made;
  };
  auto* const place = new QLabel(tr("Point at"), this);
  m_place = new NumberEdit({.least = 0, .greatest = 1}, this);
  m_place->setObjectName("color.point.place");
  m_place->setAccessibleName(tr("Place of the point, 0 at the low end and 1 at the high one"));
  m_place->setToolTip(tr("0 at the low end of the map, 1 at the high one"));
  place->setBuddy(m_place);
  m_color = button("color.point.color", tr("Colour …"), tr("Colour of the point"));
  m_color->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_add = button("color.point.add", tr("Add"), tr("Another point after this one"));
  m_remove = button("color.point.remove", tr("Remove"), tr("Takes this point away"));
  // In two rows: the panel may stand in a narrow column.
  int column = 0;
  for (QWidget* const each : std::initializer_list<QWidget*>{place, m_place, m_color})
    grid->addWidget(each, 1, column++);
  auto* const row = new FlowLayout(nullptr, 4);
  row->addWidget(m_add);
  row->addWidget(m_remove);
  grid->addLayout(row, 2, 1, 1, 2);
  auto* const name = new QLabel(tr("Name"), this);
  m_name = new QLineEdit(this);
  m_name->setObjectName("color.map.name");
  m_name->setAccessibleName(tr("Name of the map"));
  m_name->setMaxLength(kLongestName);
  name->setBuddy(m_name);
  m_keep = button(
      "color.keep", tr("Keep the map"),
      tr("Puts the map into the list of every session, instead of the one of this name that was kept before"));
  grid->addWidget(name, 3, 0);
  grid->addWidget(m_name, 3, 1);
  grid->addWidget(m_keep, 3, 2);
  grid->setColumnStretch(1, 1);
  m_turned = new QLabel(tr("Turned over: the left end has the colour of the greatest values."), this);
  m_turned->setObjectName("color.points.turned");
  m_turned->setWordWrap(true);
  m_turned->setForegroundRole(QPalette::PlaceholderText);
  m_turned->hide();
  grid->addWidget(m_turned, 4, 0, 1, 3);

  connect(m_editor, &MapEditor::edited, this, &MapPointsPart::edited);
  connect(m_editor, &MapEditor::chosenChanged, this, &MapPointsPart::showPoint);
  connect(m_editor, &MapEditor::colorWanted, this, &MapPointsPart::askForColor);
  connect(m_color, &QToolButton::clicked, this, &MapPointsPart::askForColor);
  connect(m_add, &QToolButton::clicked, this, [this] { m_editor->addPoint(); });
  connect(m_remove, &QToolButton::clicked, this, [this] { m_editor->removePoint(); });
  connect(m_keep, &QToolButton::clicked, this, &MapPointsPart::keepWanted);
  connect(m_name, &QLineEdit::editingFinished, this, [this] {
    const QString typed = m_name->text().trimmed();
    const bool other = m_name->isModified() && !typed.isEmpty();
    m_name->setModified(false);
    if (other) emit renamed(typed);
    if (typed.isEmpty()) m_name->setText(m_mapName);
  });
  connect(m_place, &NumberEdit::edited, this, [this](bool final) {
    if (const auto typed = m_place->value()) m_editor->setPlace(*typed, final);
  });
  showPoint();
}

void MapPointsPart::showMap(const scene::MapChoice& map, bool kept) {
  m_editor->showMap(map);
  m_turned->setVisible(map.inverted);
  showPoint();
  m_mapName = QString::fromStdString(map.name);
  if (!m_name->isModified()) m_name->setText(m_mapName);
  m_name->setEnabled(!map.points.empty());
  m_name->setToolTip(map.points.empty() ? tr("Built-in maps keep their names") : QString());
  m_keep->setEnabled(!map.points.empty() && !kept);
}

void MapPointsPart::showPoint() {
  const std::vector<scene::MapPoint>& points = m_editor->points();
  const scene::MapPoint& point = points[m_editor->chosen()];
  const bool isEnd = m_editor->chosen() == 0 || m_editor->chosen() + 1 == points.size();
  QPixmap patch(14, 14);
  patch.fill(QColor(point.color[0], point.color[1], point.color[2]));
  m_color->setIcon(patch);
  const auto [least, greatest] = m_editor->roomOfChosen();
  m_place->setRange(least, greatest);
  m_place->setValue(point.place);
  m_place->setEnabled(!isEnd);
  m_remove->setEnabled(!isEnd);
}

void MapPointsPart::askForColor() {
  const scene::MapPoint& point = m_editor->points()[m_editor->chosen()];
  auto* const dialog = new QColorDialog(QColor(point.color[0], point.color[1], point.color[2]), this);
  dialog->setWindowTitle(tr("Colour of the point at %1").arg(textOfNumber(point.place)));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QColorDialog::DontUseNativeDialog);
  connect(dialog, &QColorDialog::colorSelected, m_editor, &MapEditor::setColor);
  dialog->open();
}

}  // namespace farfield::ui
