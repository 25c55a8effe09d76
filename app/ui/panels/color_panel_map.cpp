// The map of the panel of colours: which one of those that are known, what it is like, and what is done with maps of one's own.

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "app/model/document/session_maps.h"
#include "app/model/document/volume_looks.h"
#include "app/model/settings/color_map_files.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/editors/map_editor.h"
#include "app/ui/editors/map_points_part.h"
#include "app/ui/panels/color_panel.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/map_swatch.h"
#include "app/ui/widgets/number_edit.h"
#include "core/base/error.h"

namespace farfield::ui {
namespace {

constexpr QSize kSwatch{120, 14};
constexpr int kUsualBands = 12;  // where there are none, and lines between them are wanted

QString nameOf(const scene::MapChoice& map) {
  return QString::fromStdString(map.name);
}

}  // namespace

QWidget* ColorPanel::makeMapPart() {
  auto* const part = new QWidget(this);
  auto* const grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(makeHeading(tr("Map"), part), 0, 0, 1, 3);
  m_maps = new QListWidget(part);
  m_maps->setObjectName("color.maps");
  m_maps->setAccessibleName(tr("Colour maps"));
  m_maps->setWhatsThis(tr(
      "Which colour stands for which value: that of the least at the left, that of the greatest at the right."));
  m_maps->setIconSize(kSwatch);
  m_maps->setUniformItemSizes(true);
  m_maps->setMinimumHeight(8 * (fontMetrics().height() + 8));
  grid->addWidget(m_maps, 1, 0, 1, 3);
  auto* const import = new QToolButton(part);
  import->setText(tr("Import …"));
  import->setObjectName("color.import");
  import->setToolTip(tr("Maps that ParaView exported (XML or JSON); they are kept for other sessions"));
  m_remove = new QToolButton(part);
  m_remove->setText(tr("Forget"));
  m_remove->setObjectName("color.forget");
  m_remove->setToolTip(tr("Takes an imported map out of this list; objects that have it keep it"));
  grid->addWidget(import, 2, 0);
  grid->addWidget(m_remove, 2, 1, Qt::AlignLeft);
  auto* const editing = new QToolButton(part);
  editing->setText(tr("Edit points"));
  editing->setObjectName("color.edit");
  editing->setToolTip(tr("Move, colour, add and remove the points of the map; the session keeps it"));
  editing->setCheckable(true);
  grid->addWidget(editing, 2, 2, Qt::AlignLeft);
  m_inverted = new QCheckBox(tr("Turned over"), part);
  m_inverted->setObjectName("color.inverted");
  m_inverted->setToolTip(tr("The colours of the high end at the low one"));
  grid->addWidget(m_inverted, 3, 0, 1, 2);
  auto* const bands = new QLabel(tr("Bands"), part);
  m_bands = new NumberEdit(
      {.least = 2, .greatest = scene::kMostBands, .whole = true, .mayBeEmpty = true, .arrowStep = 1}, part);
  m_bands->setObjectName("color.bands");
  m_bands->setPlaceholderText(tr("smooth"));
  m_bands->setToolTip(tr("Steps of one colour each, so that values can be read off; empty: smooth"));
  m_bands->setAccessibleName(tr("Bands"));
  bands->setBuddy(m_bands);
  grid->addWidget(bands, 4, 0);
  grid->addWidget(m_bands, 4, 1);
  m_lines = new QCheckBox(tr("Lines between"), part);
  m_lines->setObjectName("color.lines");
  m_lines->setToolTip(
      tr("On surfaces, along which the function has the value of the border between two bands"));
  grid->addWidget(m_lines, 4, 2);
  m_linesNote = new QLabel(part);
  m_linesNote->setObjectName("color.linesNote");
  m_linesNote->setWordWrap(true);
  m_linesNote->setForegroundRole(QPalette::PlaceholderText);
  m_linesNote->hide();
  grid->addWidget(m_linesNote, 5, 0, 1, 3);
  m_nan = new QPushButton(part);
  m_nan->setObjectName("color.nan");
  m_nan->setToolTip(tr("The colour of values that are not a number"));
  m_nan->setAccessibleName(tr("Colour of what is not a number"));
  m_nanTitle = new QLabel(tr("Not a number"), part);
  m_nanTitle->setBuddy(m_nan);
  grid->addWidget(m_nanTitle, 6, 0);
  grid->addWidget(m_nan, 6, 1, Qt::AlignLeft);
  m_below = addOutside(grid, 7, "below", tr("Below the range"), &session::Coloring::below);
  m_above = addOutside(grid, 8, "above", tr("Above the range"), &session::Coloring::above);
  // Made last, as the keyboard goes by that.
  m_points = new MapPointsPart(part);
  m_points->hide();
  grid->addWidget(m_points, 9, 0, 1, 3);
  connect(editing, &QToolButton::toggled, m_points, &QWidget::setVisible);
  connect(m_points, &MapPointsPart::edited, this, &ColorPanel::takePoints);
  connect(m_points, &MapPointsPart::renamed, this, &ColorPanel::renameMap);
  connect(m_points, &MapPointsPart::keepWanted, this, &ColorPanel::keepMap);
  grid->setColumnStretch(2, 1);

  connect(m_maps, &QListWidget::currentRowChanged, this, &ColorPanel::chooseMap);
  connect(import, &QToolButton::clicked, this, &ColorPanel::askForFile);
  connect(m_remove, &QToolButton::clicked, this, &ColorPanel::removeMap);
  connect(m_inverted, &QCheckBox::clicked, this, [this](bool on) {
    change(tr("Turn the map over"), {}, [on](session::Coloring& color) { color.map.inverted = on; });
  });
  connect(m_bands, &NumberEdit::edited, this, [this](bool final) {
    const int count = static_cast<int>(m_bands->value().value_or(0));
    change(tr("Bands of colour"), "color.bands", [count](session::Coloring& color) {
      color.map.bands = count;
      color.bandLines = color.bandLines && count > 0;
    });
    if (final) m_model.document().endMerge();
  });
  connect(m_bands, &NumberEdit::interrupted, this, [this] { m_model.document().endMerge(); });
  connect(m_lines, &QCheckBox::clicked, this, [this](bool on) {
    change(tr("Lines between bands"), {}, [on](session::Coloring& color) {
      color.bandLines = on;
      if (on && color.map.bands == 0) color.map.bands = kUsualBands;
    });
  });
  connect(m_nan, &QPushButton::clicked, this, [this] {
    if (const session::Object* const object = m_model.document().object(m_object))
      askForColor(tr("Colour of what is not a number"), object->color.nan,
                  [](session::Coloring& color, const scene::Rgba& picked) { color.nan = picked; });
  });
  return part;
}

void ColorPanel::refreshMaps(const session::Coloring& color) {
  std::vector<scene::MapChoice> maps = m_model.maps().list();
  const QSignalBlocker list(m_maps), inverted(m_inverted);
  // While a point is dragged one of them changes all the time.
  const std::vector<scene::MapChoice> before = std::exchange(m_listed, std::move(maps));
  if (before.size() != m_listed.size()) m_maps->clear();
  for (std::size_t row = 0; row < m_listed.size(); ++row) {
    const scene::MapChoice& map = m_listed[row];
    QListWidgetItem* item = m_maps->item(static_cast<int>(row));
    if (item && map == before[row]) continue;
    if (!item) m_maps->addItem(item = new QListWidgetItem);
    const QPixmap swatch = swatchOf(map, kSwatch, vision(), devicePixelRatioF());
    QIcon icon(swatch);
    icon.addPixmap(swatch, QIcon::Selected);  // else it would be tinted
    item->setIcon(icon);
    item->setText(nameOf(map));
  }
  for (std::size_t row = 0; row < m_listed.size(); ++row)
    if (m_listed[row].name == color.map.name && m_listed[row].points == color.map.points)
      m_maps->setCurrentRow(static_cast<int>(row));
  m_remove->setEnabled(m_model.settings().hasColorMap(color.map));
  m_points->showMap(color.map, m_remove->isEnabled());
  m_inverted->setChecked(color.map.inverted);
  m_bands->setValue(color.map.bands > 0 ? std::optional<double>(color.map.bands) : std::nullopt);
  m_lines->setChecked(color.bandLines);
  m_bar->setPixmap(swatchOf(color.map, {512, kBarHeight}, vision(), 1));
  const auto show = [](QPushButton* button, const scene::Rgba& its) {
    QPixmap patch(16, 16);
    patch.fill(QColor::fromRgbF(its[0], its[1], its[2]));
    button->setIcon(patch);
    button->setText(app::textOfColor(its));
  };
  show(m_nan, color.nan);
  for (const Outside* const each : {&m_below, &m_above}) {
    const std::optional<scene::Rgba>& its = color.*(each->place);
    each->on->setChecked(its.has_value());
    each->color->setVisible(its.has_value());
    if (its) show(each->color, *its);
  }
}

/// Rays go on through what is not a number, have the colours of the ends beyond them, and meet no border between bands.
void ColorPanel::showWhatThereIs(const session::Object& object) {
  const bool hasAll = !app::volumeIn(object);
  for (QWidget* const widget :
       std::initializer_list<QWidget*>{m_lines, m_nanTitle, m_nan, m_below.on, m_above.on})
    widget->setVisible(hasAll);
  for (const Outside* const each : {&m_below, &m_above})
    each->color->setVisible(hasAll && each->on->isChecked());
}

/// Between cells that have one value each nothing has the value of a border, so that no line is drawn there.
void ColorPanel::sayOfLines(const session::Object& object) {
  const auto summary = m_model.stage().summary(object.data);
  const bool inVain = object.color.bandLines && summary && app::isOfCells(*summary, object.color.by);
  m_linesNote->setVisible(inVain);
  if (!inVain) return;
  m_linesNote->setText(
      tr("Each cell has one value of “%1”: it jumps where cells meet, and no line is drawn there. "
         "“Edges of cells”, among the properties, shows where that is; “Values”, among those of the data, "
         "takes it to the nodes.")
          .arg(QString::fromStdString(object.color.by)));
}

void ColorPanel::chooseMap(int row) {
  if (row < 0 || row >= static_cast<int>(m_listed.size())) return;
  const scene::MapChoice& map = m_listed[static_cast<std::size_t>(row)];
  change(tr("Colour map"), "color.map", [map](session::Coloring& color) {
    color.map.name = map.name;
    color.map.points = map.points;
  });
}

void ColorPanel::askForFile() {
  ui::askForFile(this, tr("Import colour maps"), {},
                 tr("Colour maps of ParaView (*.xml *.json);;All files (*)"),
                 [this](const QString& path) { importFile(path); });
}

void ColorPanel::importFile(const QString& path) {
  try {
    std::vector<app::ImportedMap> maps = app::readColorMapFile(path);
    for (app::ImportedMap& map : maps) {
      map.choice.name = m_model.maps().nameToKeep(map.choice);
      m_model.settings().addColorMap(map.choice);
    }
    change(tr("Import colour maps"), {}, [&](session::Coloring& color) {
      color.map.name = maps.front().choice.name;
      color.map.points = maps.front().choice.points;
      if (maps.front().nan) color.nan = *maps.front().nan;
    });
    emit message(tr("Colour maps imported from %1: %2").arg(path).arg(maps.size()), false);
  } catch (const Error& error) {
    emit message(QString::fromUtf8(error.what()), true);
  }
}

void ColorPanel::takePoints(const std::vector<scene::MapPoint>& points, bool finished) {
  change(tr("Edit the colour map"), "color.points", [&](session::Coloring& color) {
    if (points == pointsOf(color.map)) return;
    // A map of the list stays there under its name.
    if (color.map.points.empty() || m_model.settings().hasColorMap(color.map))
      color.map.name = m_model.maps().freeName(tr("%1 edited").arg(nameOf(color.map)).toStdString());
    color.map.points = points;
  });
  if (finished) m_model.document().endMerge();
}

void ColorPanel::renameMap(const QString& name) {
  change(tr("Rename the colour map"), {}, [&](session::Coloring& color) {
    if (!color.map.points.empty())
      color.map.name = app::nameBeside(m_model.parts().colorMaps, name.toStdString());
  });
}

void ColorPanel::keepMap() {
  const session::Object* object = m_model.document().object(m_object);
  if (!object) return;
  scene::MapChoice kept = app::plainMap(object->color.map);
  // A session from elsewhere may call its own as a built-in one is called, or another that is kept.
  kept.name = m_model.maps().nameToKeep(kept);
  if (kept.name != object->color.map.name)
    change(tr("Rename the colour map"), {}, [&](session::Coloring& color) { color.map.name = kept.name; });
  m_model.settings().addColorMap(kept);
}

void ColorPanel::removeMap() {
  const session::Object* const object = m_model.document().object(m_object);
  if (!object) return;
  m_model.maps().forget(object->color.map.name);
  m_model.settings().removeColorMap(object->color.map.name);
}

}  // namespace farfield::ui
