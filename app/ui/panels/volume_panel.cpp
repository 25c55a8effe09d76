#include "app/ui/panels/volume_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/model/document/session_maps.h"
#include "app/model/document/volume_looks.h"
#include "app/model/object_tree.h"
#include "app/model/settings/color_map_files.h"
#include "app/model/settings/transfer_presets.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/editors/transfer_editor.h"
#include "app/ui/panels/volume_sight_text.h"
#include "app/ui/widgets/flow_layout.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::ui {

QString textOfLevels(const app::LevelsReport& levels) {
  using State = app::LevelsReport::State;
  const QString size = QString::fromStdString(formatBytes(levels.bytes));
  const QString begun = levels.begunBytes > 0
                            ? VolumePanel::tr(" %1 are there already.")
                                  .arg(QString::fromStdString(formatBytes(levels.begunBytes)))
                            : QString();
  switch (levels.state) {
    case State::None:
      break;
    case State::Offered:
      return VolumePanel::tr(
                 "These data have no levels of detail: from afar single samples are seen. Levels take up "
                 "to %1 on the disk.")
                 .arg(size) +
             begun;
    case State::Waiting:
      return VolumePanel::tr("Levels of detail are going to be made: up to %1 on the disk.").arg(size) +
             begun;
    case State::Making:
      return VolumePanel::tr("Levels of detail are being made: %1 % of up to %2 on the disk")
          .arg(static_cast<int>(100 * levels.part))
          .arg(size);
    case State::Made:
      return VolumePanel::tr("Levels of detail are kept on the disk.");
    case State::Stopped:
      return VolumePanel::tr("Levels of detail were stopped. They take up to %1 on the disk.").arg(size) +
             begun;
    case State::Failed:
      return VolumePanel::tr("Levels of detail cannot be made: %1")
          .arg(QString::fromStdString(levels.problem.message) +
               (levels.problem.advice.empty() ? QString() : "; " + app::windowAdvice(levels.problem.advice)));
  }
  return {};
}

VolumePanel::VolumePanel(app::AppModel& model, QWidget* parent) : QScrollArea(parent), m_model(model) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Volume"));
  auto* const page = new QWidget;
  auto* const column = new QVBoxLayout(page);
  column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
  m_title = new QLabel(page);
  m_title->setWordWrap(true);
  column->addWidget(m_title);
  m_parts = new QWidget(page);
  auto* const parts = new QVBoxLayout(m_parts);
  parts->setContentsMargins(0, 0, 0, 0);
  m_sight = new QLabel(m_parts);
  m_sight->setObjectName("volume.sight");
  m_sight->setWordWrap(true);
  // Room for what may have to be said, so that a curve that is dragged stays under the hand.
  m_sight->setMinimumHeight(3 * fontMetrics().lineSpacing());
  m_sight->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  parts->addWidget(m_sight);
  parts->addWidget(makeLevelsPart());
  parts->addWidget(makeTransferPart());
  parts->addWidget(makeQualityPart());
  column->addWidget(m_parts);
  column->addStretch();
  setWidget(page);

  connect(&model.document(), &app::Document::changed, this, &VolumePanel::refresh);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    m_sights.clear();
    showObject(0);
  });
  connect(&model.stage(), &app::Stage::statusChanged, this, [this](app::ObjectId id) {
    if (id == m_object) refresh();
  });
  refresh();
}

QSize VolumePanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 56, 520};
}

QWidget* VolumePanel::makeTransferPart() {
  auto* const part = new QWidget(this);
  auto* const grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(makeHeading(tr("Opacity by value"), part), 0, 0, 1, 4);
  m_editor = new TransferEditor(part);
  m_editor->setObjectName("volume.opacity");
  m_editorHelp = m_editor->accessibleDescription();
  grid->addWidget(m_editor, 1, 0, 1, 4);
  m_ends = new QLabel(part);
  m_ends->setAlignment(Qt::AlignCenter);
  m_ends->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(m_ends, 2, 0, 1, 4);
  auto* const value = new QLabel(tr("Value"), part);
  m_value = new NumberEdit({}, part);
  m_value->setObjectName("volume.value");
  m_value->setAccessibleName(tr("Value of the point"));
  m_value->setWhatsThis(tr("Where the chosen point of the curve stands, among the values."));
  value->setBuddy(m_value);
  auto* const opacity = new QLabel(tr("Opacity"), part);
  m_opacity = new NumberEdit({.least = 0, .greatest = 1}, part);
  m_opacity->setObjectName("volume.opacityOfPoint");
  m_opacity->setAccessibleName(tr("Opacity of the point"));
  m_opacity->setWhatsThis(tr("How much of what is behind a voxel it hides there: 0 nothing, 1 all."));
  opacity->setBuddy(m_opacity);
  grid->addWidget(value, 3, 0);
  grid->addWidget(m_value, 3, 1);
  grid->addWidget(opacity, 3, 2);
  grid->addWidget(m_opacity, 3, 3);
  auto* const row = new FlowLayout(nullptr, 4);
  const auto button = [&](const char* name, const QString& text, const QString& tip) {
    auto* const made = new QToolButton(part);
    made->setObjectName(name);
    made->setText(text);
    made->setToolTip(tip);
    row->addWidget(made);
    return made;
  };
  m_automatic = button("volume.automatic", tr("Automatic"),
                       tr("By the values: what is most frequent, or lies all around, is transparent"));
  m_automatic->setCheckable(true);
  m_presets = button("volume.presets", tr("Presets"), tr("Opacities that are often wanted"));
  m_import =
      button("volume.import", tr("Import …"), tr("Colours and opacities that ParaView exported (JSON)"));
  grid->addLayout(row, 4, 0, 1, 4);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(3, 1);

  auto* const menu = new QMenu(m_presets);
  menu->setToolTipsVisible(true);
  for (const app::TransferPreset& preset : app::transferPresets()) {
    QAction* const action = menu->addAction(preset.text);
    action->setObjectName(QStringLiteral("volume.preset.") + scene::kOpacityPresets[preset.number]);
    action->setToolTip(preset.tip);
    action->setCheckable(true);
    action->setData(QVariant::fromValue(preset.number));
    connect(action, &QAction::triggered, this, [this, number = preset.number] {
      setPreset(number);
      refresh();
    });
  }
  m_presets->setMenu(menu);
  m_presets->setPopupMode(QToolButton::InstantPopup);

  connect(m_editor, &TransferEditor::edited, this, &VolumePanel::setPoints);
  connect(m_editor, &TransferEditor::selectionChanged, this, [this] { refreshPoint(); });
  connect(m_editor, &TransferEditor::takenBack, this, [this] {
    if (const auto before = std::exchange(m_beforeDrag, std::nullopt)) {
      change(tr("Opacity by value"), "volume.opacity",
             [&](session::Object& object) { *app::volumeIn(object) = *before; });
      m_model.document().endMerge();
    }
  });
  connect(m_value, &NumberEdit::edited, this, &VolumePanel::takeTypedPoint);
  connect(m_opacity, &NumberEdit::edited, this, &VolumePanel::takeTypedPoint);
  connect(m_automatic, &QToolButton::clicked, this, [this] {
    setPoints({}, true);
    refresh();  // also where that changes nothing, and the click has turned it off
  });
  connect(m_import, &QToolButton::clicked, this, &VolumePanel::askForFile);
  return part;
}

QWidget* VolumePanel::makeQualityPart() {
  auto* const part = new QWidget(this);
  auto* const grid = new QGridLayout(part);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->addWidget(makeHeading(tr("Quality"), part), 0, 0, 1, 3);
  m_quality = new QSlider(Qt::Horizontal, part);
  m_quality->setObjectName("volume.quality");
  m_quality->setAccessibleName(tr("Quality"));
  m_quality->setWhatsThis(tr(
      "How fine the picture becomes at rest; what is finer takes longer. The line below says what is chosen."));
  m_quality->setRange(0, app::kQualitySteps - 1);
  m_quality->setPageStep(1);
  m_quality->setTickPosition(QSlider::TicksBelow);
  grid->addWidget(new QLabel(tr("Quick"), part), 1, 0);
  grid->addWidget(m_quality, 1, 1);
  grid->addWidget(new QLabel(tr("Exact"), part), 1, 2);
  m_qualityText = new QLabel(part);
  m_qualityText->setObjectName("volume.quality.text");
  m_qualityText->setWordWrap(true);
  m_qualityText->setForegroundRole(QPalette::PlaceholderText);
  grid->addWidget(m_qualityText, 2, 0, 1, 3);
  m_finer = new QToolButton(part);
  m_finer->setObjectName("volume.finer");
  m_finer->setText(tr("Sample more finely"));
  grid->addWidget(m_finer, 3, 0, 1, 3);
  connect(m_finer, &QToolButton::clicked, this, &VolumePanel::sampleMoreFinely);
  grid->setColumnStretch(1, 1);
  connect(m_quality, &QSlider::valueChanged, this, [this](int quality) {
    change(tr("Quality"), "volume.quality",
           [quality](session::Object& object) { app::setQuality(*app::volumeIn(object), quality); });
  });
  return part;
}

void VolumePanel::sampleMoreFinely() {
  const session::Object* const object = m_model.document().object(m_object);
  if (!object) return;
  const int nodes = finerNodes(samplesOf(m_model.stage().status(m_object)));
  m_model.readAs(m_model.openDataOr(object->data), {"resample"}, {{"resample", std::to_string(nodes)}});
}

QWidget* VolumePanel::makeLevelsPart() {
  m_levelsPart = new QWidget(this);
  auto* const row = new QHBoxLayout(m_levelsPart);
  row->setContentsMargins(0, 0, 0, 0);
  m_levels = new QLabel(m_levelsPart);
  m_levels->setObjectName("volume.levels");
  m_levels->setWordWrap(true);
  m_levelsButton = new QToolButton(m_levelsPart);
  m_levelsButton->setObjectName("volume.levelsButton");
  row->addWidget(m_levels, 1);
  row->addWidget(m_levelsButton, 0, Qt::AlignTop);
  connect(m_levelsButton, &QToolButton::clicked, this, [this] {
    using State = app::LevelsReport::State;
    const State state = m_model.stage().status(m_object).levels.state;
    if (state == State::Waiting || state == State::Making)
      m_model.engine().stopLevels(m_object);
    else
      m_model.engine().makeLevels(m_object);
  });
  return m_levelsPart;
}

void VolumePanel::refreshLevels() {
  using State = app::LevelsReport::State;
  const app::LevelsReport levels = m_model.stage().status(m_object).levels;
  const QString text = textOfLevels(levels);
  m_levelsPart->setVisible(!text.isEmpty());
  m_levels->setText(text);
  m_levels->setToolTip(
      tr("Coarser versions of what is shown, for views from afar and in motion. They are kept in %1 and "
         "used again, until others need the room.")
          .arg(QString::fromStdString(levels.folder)));
  m_levelsButton->setVisible(levels.state != State::Made);
  const bool stops = levels.state == State::Waiting || levels.state == State::Making;
  m_levelsButton->setText(stops                            ? tr("Stop")
                          : levels.state == State::Stopped ? tr("Go on")
                          : levels.state == State::Failed  ? tr("Try again")
                                                           : tr("Make"));
}

const session::Volume* VolumePanel::shape() const {
  const session::Object* const object = m_model.document().object(m_object);
  return object ? app::volumeIn(*object) : nullptr;
}

void VolumePanel::showObject(app::ObjectId id) {
  if (id != m_object) {
    m_editor->select(-1);
    m_beforeDrag.reset();
  }
  m_object = id;
  refresh();
}

void VolumePanel::showSight(app::ObjectId id, const qt3d::VolumeSight& sight) {
  m_sights[id] = sight;
  if (id == m_object) refresh();
  emit sightShown(id, sight);
}

void VolumePanel::refresh() {
  const session::Volume* const volume = shape();
  m_parts->setVisible(volume != nullptr);
  if (!volume) {
    m_title->setText(tr("Select a volume in the pipeline."));
    return;
  }
  const session::Object& object = *m_model.document().object(m_object);
  m_title->setText(
      tr("“%1”, %2")
          .arg(QString::fromStdString(object.name), QString::fromStdString(session::shownFunction(object))));
  const auto sight = m_sights.find(m_object);
  refreshLevels();

  const app::ObjectStatus status = m_model.stage().status(m_object);
  TransferView view;
  view.automatic = volume->look.opacity.empty() && !volume->preset;
  view.points = volume->look.opacity.empty() ? status.volumeLook.opacity : volume->look.opacity;
  view.scale = status.scale;
  view.scale.map = app::withPlainColors(object).color.map;
  view.range = {status.scale.min, status.scale.max};
  const auto histogram = status.volume ? status.volume->histogram() : nullptr;
  if (histogram) {
    view.counts = histogram->counts;
    view.histogramRange = histogram->range;
    view.range = {std::min(view.range[0], histogram->range[0]), std::max(view.range[1], histogram->range[1])};
  }
  for (const scene::OpacityPoint& point : view.points)
    view.range = {std::min(view.range[0], point.value), std::max(view.range[1], point.value)};
  const bool isSurface = volume->look.mode == scene::VolumeMode::Isosurface;
  if (isSurface) {
    view.why = tr("A surface of one value has no opacities.");
    view.marked = status.volumeLook.value;
    view.range = {std::min(view.range[0], *view.marked), std::max(view.range[1], *view.marked)};
  }
  m_editor->setAccessibleDescription(isSurface ? view.why : m_editorHelp);
  for (QWidget* const part : {static_cast<QWidget*>(m_editor), static_cast<QWidget*>(m_automatic),
                              static_cast<QWidget*>(m_presets)})
    part->setEnabled(!isSurface);
  // What is wrong with it is what there is to say; the view has nothing of it.
  const bool hasFailed = status.state == app::ObjectState::Failed && !status.hasPicture;
  QStringList seen;
  if (hasFailed)
    seen.append(app::stateText(status));
  else if (sight != m_sights.end())
    seen.append(textOfSight(sight->second, status));
  const session::VolumeSamples samples = samplesOf(status);
  if (!hasFailed && !isSurface && histogram && !view.automatic && !samples.isCrumbs &&
      app::isAllOpaque(status.volumeLook, *histogram))
    seen.append(tr(
        "Nearly all values are opaque: what is seen is the outside of the data. Make those around what you "
        "look for less so, or choose “Automatic”."));
  m_sight->setText(seen.join('\n'));
  m_ends->setText(textOfRange(view.range[0], view.range[1]));
  m_editor->show(view);
  m_automatic->setChecked(view.automatic);
  for (QAction* const action : m_presets->menu()->actions())
    action->setChecked(volume->preset && action->data().value<std::size_t>() == *volume->preset);
  refreshPoint();

  const QSignalBlocker block(m_quality);
  const int quality = app::qualityOf(*volume);
  m_quality->setValue(quality);
  session::Volume its;
  app::setQuality(its, quality);
  const double error = its.look.pixelError.value_or(its.saysQuality ? 0 : 1);
  QStringList said{error == 1 ? tr("The level of detail whose voxels are seen about 1 pixel large")
                   : error > 0
                       ? tr("The level of detail whose voxels are seen about %1 pixels large").arg(error)
                   : samples.nodes > 0
                       ? tr("The finest samples, taken %1 times in each voxel").arg(its.look.samplesPerVoxel)
                       : tr("The data themselves, %1 samples for each voxel").arg(its.look.samplesPerVoxel)};
  if (samples.nodes > 0) {
    const QString sampled =
        tr("The data are sampled on a regular grid, here at %1 places along the longest side (the option “resample” of the data). %2")
            .arg(samples.nodes);
    said.append(
        areCoarse(samples)
            ? sampled.arg(
                  tr("They are %1 times as far apart as the finest cells are thick: what is thinner than that is seen in part, or not.")
                      .arg(timesOf(samples)))
            : sampled.arg(tr("What is as thin as one or two of these steps has holes.")));
  }
  const int finer = samples.nodes > 0 ? finerNodes(samples) : 0;
  m_finer->setVisible(finer > samples.nodes);
  m_finer->setToolTip(
      tr("At %1 places along the longest side. The data are opened anew for it, as one step that can be undone; what is "
         "seen takes longer to be complete")
          .arg(finer));
  if (sight != m_sights.end() && sight->second.state == qt3d::VolumeSight::State::Complete &&
      app::mayShowGrain(status.volumeLook, view.histogramRange))
    said.append(
        tr("Opacities that change this steeply may show stripes that the data do not have: more samples, "
           "towards “Exact”, leave none."));
  m_qualityText->setText(said.join('\n'));
}

void VolumePanel::refreshPoint() {
  const int selected = m_editor->selected();
  const auto& points = m_editor->shown().points;
  const bool chosen = m_editor->isEnabled() && selected >= 0 && selected < static_cast<int>(points.size());
  m_value->setEnabled(chosen);
  m_opacity->setEnabled(chosen);
  if (chosen) {
    const auto [least, greatest] = m_editor->roomOfSelected();
    m_value->setRange(least, greatest);
  }
  m_value->setValue(chosen ? std::optional(points[static_cast<std::size_t>(selected)].value) : std::nullopt);
  m_opacity->setValue(chosen ? std::optional(points[static_cast<std::size_t>(selected)].opacity)
                             : std::nullopt);
}

void VolumePanel::change(const QString& text, const QString& key,
                         const std::function<void(session::Object&)>& edit) {
  const session::Object* const object = m_model.document().object(m_object);
  if (!object || !shape()) return;
  session::Object changed = *object;
  edit(changed);
  m_model.document().setObject(m_object, std::move(changed), text, key);
}

void VolumePanel::setPoints(const std::vector<scene::OpacityPoint>& points, bool final) {
  if (const session::Volume* const now = shape(); now && !m_beforeDrag) m_beforeDrag = *now;
  change(tr("Opacity by value"), "volume.opacity", [&](session::Object& object) {
    session::Volume& its = *app::volumeIn(object);
    its.look.opacity = points;
    its.preset.reset();
  });
  if (!final) return;
  m_model.document().endMerge();
  m_beforeDrag.reset();
}

/// By its name, as in sessions: over the range of the colours, as opaque as the automatic choice, however the present points are. Of means where
/// these lie; a greatest value or a mean is the only one of its ray, and is opaque. Such points say by the name what they were made from.
void VolumePanel::setPreset(std::size_t number) {
  const session::Volume* const volume = shape();
  if (!volume) return;
  const TransferView& view = m_editor->shown();
  const scene::VolumeMode mode = volume->look.mode;
  const std::array<double, 2> range{view.scale.min, view.scale.max};
  std::vector<scene::OpacityPoint> points;
  if (mode == scene::VolumeMode::Average && !view.counts.empty())
    points = scene::presetOpacityOfMeans(number, view.histogramRange,
                                         {.range = view.histogramRange, .counts = view.counts});
  else if (mode == scene::VolumeMode::Average || mode == scene::VolumeMode::Maximum)
    points = scene::presetOpacity(number, range, {{range[0], 1}});
  change(tr("Opacity by value"), {}, [&](session::Object& object) {
    session::Volume& its = *app::volumeIn(object);
    its.look.opacity = std::move(points);
    its.preset = number;
  });
}

void VolumePanel::takeTypedPoint(bool final) {
  const auto value = m_value->value(), opacity = m_opacity->value();
  if (value && opacity) m_editor->setSelected(*value, *opacity, final);
}

void VolumePanel::askForFile() {
  ui::askForFile(this, tr("Import colours and opacities"), {},
                 tr("Colour maps of ParaView (*.json);;All files (*)"),
                 [this](const QString& path) { importFile(path); });
}

void VolumePanel::importFile(const QString& path) {
  if (!shape()) return;
  try {
    const app::ImportedMap map = app::readColorMapFile(path).front();
    if (map.opacity.empty() && !map.range)
      throw Invalid("has no opacities", "export it with \"Points\", or import it as colours")
          .at(path.toStdString());
    const bool colorsAlone = map.opacity.empty();
    change(colorsAlone ? tr("Import colours") : tr("Import colours and opacities"), {},
           [&](session::Object& object) {
             object = app::withPlainColors(object);
             object.color.map.name = app::nameBeside(m_model.parts().colorMaps, map.choice.name);
             object.color.map.points = map.choice.points;
             if (map.range) object.color.range = map.range;
             if (map.nan) object.color.nan = *map.nan;
             if (colorsAlone) return;
             session::Volume& its = *app::volumeIn(object);
             its.look.opacity = map.opacity;
             its.preset.reset();
           });
    emit message(
        colorsAlone
            ? tr("Colours imported from %1. There are no opacities in it: they stay as they are.").arg(path)
            : tr("Colours and opacities imported from %1").arg(path),
        false);
  } catch (const Error& error) {
    emit message(QString::fromUtf8(error.what()), true);
  }
}

}  // namespace farfield::ui
