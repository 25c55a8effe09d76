#include "app/ui/panels/volume_sight_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "app/ui/editors/transfer_editor.h"

namespace farfield::ui {

session::VolumeSamples samplesOf(const app::ObjectStatus& status) {
  const auto* const sampled = dynamic_cast<const session::SampledVolume*>(status.volume.get());
  return sampled ? sampled->samples() : session::VolumeSamples{};
}

bool areCoarse(const session::VolumeSamples& samples) {
  return samples.nodes > 0 && samples.timesCoarser >= 2;
}

QString timesOf(const session::VolumeSamples& samples) {
  return QString::number(std::round(samples.timesCoarser), 'f', 0);
}

int finerNodes(const session::VolumeSamples& samples) {
  constexpr int kOftenEnough = 512, kMost = 4096;
  const int nodes = samples.nodes;
  const double times = std::max(2.0, samples.timesCoarser);
  return std::min({static_cast<int>(std::min(std::ceil(nodes * times), double{kMost})),
                   std::max(2 * nodes, kOftenEnough), kMost});
}

namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(VolumePanel)
};

/// Of what is rendered elsewhere.
QString textOfSlabs(const scene::SlabsShown& slabs) {
  QStringList parts;
  if (slabs.isFrame)
    parts.append(Text::tr("a whole frame"));
  else if (!slabs.axes.empty()) {
    parts.append(Text::tr("slabs along %1").arg(QString::fromStdString(slabs.axes)));
    parts.append(Text::tr("%1° off").arg(slabs.degrees, 0, 'f', 0));
    if (slabs.pixels >= 0.05)
      parts.append(Text::tr("displaced by up to %1 pixels").arg(slabs.pixels, 0, 'f', 1));
  }
  if (!slabs.gone.empty()) {
    parts.append(Text::tr("the renderer is gone"));
    return parts.join(QStringLiteral(", "));
  }
  parts.append(slabs.ranks == 1 ? Text::tr("1 rank") : Text::tr("%1 ranks").arg(slabs.ranks));
  if (slabs.missing > 0) parts.append(Text::tr("slabs missing: %1").arg(slabs.missing));
  return parts.join(QStringLiteral(", "));
}

/// Of a volume that is shown as a surface of one value, which is not there.
QString whyNoSurface(const app::ObjectStatus& status) {
  const double value = status.volumeLook.value;
  const auto known = status.volume ? status.volume->histogram() : nullptr;
  if (known && !(value >= known->range[0] && value <= known->range[1]))
    return Text::tr("there is no value %1, values go from %2 to %3")
        .arg(QString::number(value, 'g', 5), QString::number(known->range[0], 'g', 5),
             QString::number(known->range[1], 'g', 5));
  return Text::tr("its rays meet no value %1. Choose another one").arg(QString::number(value, 'g', 5));
}

/// Whether the data have values that are not transparent, as far as is known.
bool hasOpaqueValues(const app::ObjectStatus& status) {
  const auto known = status.volume ? status.volume->histogram() : nullptr;
  if (!known) return false;
  // The ends are values, also where none of those that were counted is near them.
  for (const double end : known->range)
    if (opacityAt(status.volumeLook.opacity, end) > 0) return true;
  const double width = (known->range[1] - known->range[0]) / static_cast<double>(known->counts.size());
  for (std::size_t n = 0; n < known->counts.size(); ++n) {
    const double middle = known->range[0] + (static_cast<double>(n) + 0.5) * width;
    if (known->counts[n] > 0 && opacityAt(status.volumeLook.opacity, middle) > 0) return true;
  }
  return false;
}

QString textOfLevel(const qt3d::VolumeSight& sight, const app::ObjectStatus& status) {
  if (sight.shown.overview) return Text::tr("a first sight by ranges of pages");
  const int level = sight.shown.level;
  const QString part = QStringLiteral("1/%1").arg(1 << level);
  const session::VolumeSamples samples = samplesOf(status);
  if (!areCoarse(samples))
    return level == 0 ? Text::tr("in full detail") : Text::tr("at %1 of full detail").arg(part);
  const QString all =
      Text::tr("samples %1 times as far apart as the finest cells are thick").arg(timesOf(samples));
  const QString seen = level == 0 ? all : Text::tr("%1 of the detail of %2").arg(part, all);
  return samples.isCrumbs ? Text::tr("%1, most of it lies between them").arg(seen) : seen;
}

/// Of a volume of which nothing is seen.
QString whyUnseen(const qt3d::VolumeSight& sight, const app::ObjectStatus& status) {
  if (sight.isCovered) return Text::tr("something hides it. Hide what lies in front of it");
  if (status.volumeLook.mode == scene::VolumeMode::Isosurface) return whyNoSurface(status);
  // From afar a voxel stands for many values, and few of them are lost in it.
  const bool isCoarse = sight.shown.level > 0 || sight.shown.overview;
  if (isCoarse && hasOpaqueValues(status))
    return Text::tr(
        "the values that are not transparent are lost in so little detail. Come nearer (Shift+F), or choose "
        "a better quality");
  if (isCoarse)
    return Text::tr(
        "its opacities are 0 wherever its rays have values in so little detail. Come nearer (Shift+F), or "
        "choose other opacities");
  return Text::tr("its opacities are 0 wherever its rays have values. Choose others, or a preset");
}

}  // namespace

QString textOfSight(const qt3d::VolumeSight& sight, const app::ObjectStatus& status) {
  using State = qt3d::VolumeSight::State;
  if (sight.slabs && sight.state != State::Failed) return textOfSlabs(*sight.slabs);
  const QString level = textOfLevel(sight, status);
  const QString how = sight.shown.strided ? Text::tr(", single samples") : QString();
  switch (sight.state) {
    case State::Complete:
      if (sight.isClear)
        return Text::tr("complete, %1%2, and nothing of it is seen: ").arg(level, how) +
               whyUnseen(sight, status);
      if (sight.shown.overview) return level;
      return Text::tr("complete, %1%2").arg(level, how);
    case State::Withdrawn:
      // Nobody stopped it: its pages were wanted elsewhere, or its data are opened anew.
      if (status.state == app::ObjectState::Done) return Text::tr("is being drawn again");
      [[fallthrough]];
    case State::Stopped:
      if (status.state == app::ObjectState::Waiting || status.state == app::ObjectState::Running)
        return Text::tr("is being drawn again");
      return Text::tr("stopped, %1%2").arg(level, how);
    case State::Refining:
      return Text::tr("refining, %1%2, %3 %").arg(level, how).arg(static_cast<int>(100 * sight.part));
    case State::Failed:
      return sight.problem;
  }
  return {};
}

}  // namespace farfield::ui
