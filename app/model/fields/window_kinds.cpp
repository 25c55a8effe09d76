#include "app/model/fields/window_kinds.h"

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/first/usual_vector.h"
#include "app/model/fields/field_maker.h"
#include "core/session/run/remote_run.h"

namespace farfield::app {
namespace {

using session::Object;

void addStreamlineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addLineFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {});
  addLineFormFields(make, object, surroundings);
}

void addAllParticleFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addParticleFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {.own = {"age", "release", "seed", "time"}});
  addWidthField(make, tr("Colour"), session::Pathlines{}.widthPixels, [](Object& o) -> double& {
    if (auto* const paths = std::get_if<session::Pathlines>(&o.shape)) return paths->widthPixels;
    return std::get<session::Streaklines>(o.shape).widthPixels;
  });
}

void addGridSurfaceFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addSurfaceFields(make, object, surroundings);
  addColorFields(make, object, surroundings,
                 {.solid = kSurfaceColor,
                  .own = surroundings.data ? wallFunctions(*surroundings.data) : std::vector<std::string>{}});
}

void addAllSliceFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addSliceFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {.solid = kSurfaceColor});
}

void addAllIsosurfaceFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addIsosurfaceFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {.solid = kSurfaceColor});
}

void addAllIsolineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addIsolineFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {.own = {"value"}});
  if (object.color.by.empty()) addContrastField(make, tr("Colour"));
  addWidthField(make, tr("Colour"), session::Isolines{}.widthPixels,
                [](Object& o) -> double& { return std::get<session::Isolines>(o.shape).widthPixels; });
}

void addAllArrowFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addArrowFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {});
  addWidthField(make, tr("Colour"), session::Arrows{}.widthPixels,
                [](Object& o) -> double& { return std::get<session::Arrows>(o.shape).widthPixels; });
}

void addAllLicFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addLicFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {.solid = kSurfaceColor});
}

void addAllSurfaceLineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addSurfaceLineFields(make, object, surroundings);
  ColorUse use;
  if (surroundings.data) {
    use.own = wallFunctions(*surroundings.data);
    use.solid = newSurfaceLines(*surroundings.data).color.solid;
  }
  addColorFields(make, object, surroundings, use);
  addWidthField(make, tr("Colour"), session::SurfaceLines{}.widthPixels,
                [](Object& o) -> double& { return std::get<session::SurfaceLines>(o.shape).widthPixels; });
}

void addAllProbeFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addProbeFields(make, object, surroundings);
  addColorFields(make, object, surroundings, {.byFunction = false, .solid = kProbeColor});
}

void addOutlineFields(FieldMaker& make, const Object& object, const FieldSurroundings& surroundings) {
  addBlockField(make, tr("Blocks"), surroundings, [](Object& o) -> std::vector<std::int64_t>& {
    return std::get<session::Outline>(o.shape).blocks;
  });
  addColorFields(make, object, surroundings, {.byFunction = false, .solid = kOutlineColor});
  addWidthField(make, tr("Colour"), session::Outline{}.widthPixels,
                [](Object& o) -> double& { return std::get<session::Outline>(o.shape).widthPixels; });
}

}  // namespace

WindowKind windowKind(session::ObjectType type) {
  switch (type) {
    case session::kTypeOf<session::Streamlines>:
      return {type,
              tr("Streamlines"),
              "addStreamlines",
              tr("Add &streamlines"),
              "Ctrl+1",
              tr("Lines that follow a vector, from seeds that can be dragged"),
              true,
              newStreamlines,
              addStreamlineFields,
              false,
              true,
              WindowKind::Of::Places};
    case session::kTypeOf<session::GridSurface>:
      return {type,
              tr("Grid surface"),
              "addSurface",
              tr("Add &grid surface"),
              "Ctrl+2",
              tr("A sheet of nodes, or the faces of a block"),
              false,
              newGridSurface,
              addGridSurfaceFields};
    case session::kTypeOf<session::Slice>:
      return {type,
              tr("Slice"),
              "addSlice",
              tr("Add s&lice"),
              "Ctrl+4",
              tr("A plane through the data, which can be dragged and turned"),
              false,
              newSliceObject,
              addAllSliceFields,
              false,
              true,
              WindowKind::Of::Inside};
    case session::kTypeOf<session::Outline>:
      return {
          type,  tr("Outline"), "addOutline",    tr("Add &outline"), "Ctrl+3", tr("The edges of the blocks"),
          false, newOutline,    addOutlineFields};
    case session::kTypeOf<session::Pathlines>:
      return {type,
              tr("Pathlines"),
              "addPathlines",
              tr("Add &pathlines"),
              "Ctrl+7",
              tr("The ways of particles through a flow that changes in time"),
              true,
              newPathlines,
              addAllParticleFields,
              true,
              true,
              WindowKind::Of::Places};
    case session::kTypeOf<session::Streaklines>:
      return {type,
              tr("Streaklines"),
              "addStreaklines",
              tr("Add strea&klines"),
              "Ctrl+8",
              tr("Where particles are that left the seeds one after another, as dye shows it"),
              true,
              newStreaklines,
              addAllParticleFields,
              true,
              true,
              WindowKind::Of::Places};
    case session::kTypeOf<session::Isosurface>:
      return {type,
              tr("Isosurface"),
              "addIsosurface",
              tr("Add &isosurface"),
              "Ctrl+5",
              tr("Where a function has a value, which can be slid"),
              false,
              newIsosurface,
              addAllIsosurfaceFields,
              false,
              true,
              WindowKind::Of::Inside};
    case session::kTypeOf<session::Isolines>:
      return {type,
              tr("Isolines"),
              "addIsolines",
              tr("Add isoli&nes"),
              "Ctrl+9",
              tr("Lines on a surface along which a function has one value"),
              false,
              newIsolines,
              addAllIsolineFields};
    case session::kTypeOf<session::Arrows>:
      return {type,
              tr("Arrows"),
              "addArrows",
              tr("Add &arrows"),
              "Ctrl+0",
              tr("A vector at evenly spaced places of a surface"),
              true,
              newArrows,
              addAllArrowFields,
              false,
              false};
    case session::kTypeOf<session::Lic>:
      return {type,
              tr("Flow texture"),
              "addLic",
              tr("Add flow te&xture"),
              "Ctrl+Shift+0",
              tr("Noise on a surface, blurred along a vector"),
              true,
              newLic,
              addAllLicFields,
              false,
              false};
    case session::kTypeOf<session::SurfaceLines>:
      return {type,
              tr("Surface lines"),
              "addSurfaceLines",
              tr("Add lines on a &wall"),
              "Ctrl+Shift+1",
              tr("Lines on a grid surface that follow a vector along it, such as the wall shear"),
              true,
              newSurfaceLines,
              addAllSurfaceLineFields,
              false,
              false};
    case session::kTypeOf<session::Volume>:
      return {type,
              tr("Volume"),
              "addVolume",
              tr("Add &volume"),
              "Ctrl+6",
              tr("All of a function at once, more or less transparent by its value"),
              false,
              newVolume,
              addVolumeFields,
              false,
              true,
              WindowKind::Of::Inside};
    case session::kTypeOf<session::Probe>:
      return {type,
              tr("Probes"),
              "addProbe",
              tr("Add pro&be"),
              "Ctrl+Shift+2",
              tr("A place whose values stand beside it; P pins one under the cursor"),
              false,
              newProbe,
              addAllProbeFields,
              false,
              false,
              WindowKind::Of::Places};
    case session::kTypeOf<session::Slabs>:
      // there are some where a renderer's data are opened
      return {type, tr("Rendered elsewhere"), nullptr, {}, {}, {}, false, newSlabs, addSlabFields};
  }
  return {type, QString::fromUtf8(nameOf(type))};
}

session::Object newObject(session::ObjectType type, const DataSummary& data, const std::string& dataName) {
  session::Object object = windowKind(type).make(data);
  object.data = dataName;
  return object;
}

namespace {
/// A grid alone of which not even the places of nodes are known: nothing is of it that is made by a function.
bool lacksFunctions(const WindowKind& kind, const DataSummary& data) {
  return data.functions.empty() && data.parts.empty() && rendererFunctions(data).empty() &&
         (kind.type == session::kTypeOf<session::Isosurface> ||
          kind.type == session::kTypeOf<session::Isolines> || kind.type == session::kTypeOf<session::Volume>);
}
}  // namespace

bool canAdd(const WindowKind& kind, const DataSummary& data) {
  // besides pictures a renderer has what it computes of its data
  if (!rendererFunctions(data).empty() &&
      (data.functions.empty() ? kind.type != session::kTypeOf<session::Outline>
                              : !session::isComputedByRenderers(kind.type)))
    return false;
  return kind.action && (!kind.needsVector || !usualVector(data).empty()) &&
         (!kind.needsSteps || data.description.steps() > 1) && !lacksFunctions(kind, data) &&
         whyNothing(kind, data).isEmpty();
}

QString whyNothing(const WindowKind& kind, const DataSummary& data) {
  if (kind.type == session::kTypeOf<session::Probe> && !rendererFunctions(data).empty())
    return tr("A renderer gives pictures, not values: open the files that it reads to read values.");
  const bool surface = isSurfaceInSpace(data);
  if (kind.of == WindowKind::Of::Inside && !hasInside(data))
    return surface ? tr("These data are a surface in space, which has no inside: a grid surface shows it.")
           : liesInPlane(data)
               ? tr("These data lie in a plane, which has no inside: a grid surface shows them, isolines their "
                    "values, and a plot what is along a line.")
               : tr("These data are a sheet of nodes, which has no inside: a grid surface shows it.");
  // On its faces there are places, too.
  const bool liesOnFaces = surface && kind.type == session::kTypeOf<session::Probe>;
  if (kind.of == WindowKind::Of::Places && !holdsPlaces(data) && !liesOnFaces)
    return surface
               ? tr("These data are a surface in space, and no line lies in it: a grid surface shows "
                    "it, and arrows stand on that.")
               : tr("These data are a sheet of nodes across i or j, and no line or probe lies in it: a grid "
                    "surface shows it.");
  return {};
}

QString whyNoPlot(session::PlotChoice::Kind kind, const DataSummary& data) {
  using Kind = session::PlotChoice::Kind;
  if (!rendererFunctions(data).empty())
    return tr("A renderer gives pictures, not values: open the files that it reads to plot them.");
  // Lines have values wherever they lie.
  if (kind == Kind::Values || kind == Kind::Along || holdsPlaces(data)) return {};
  if (!isSurfaceInSpace(data))
    return tr(
        "These data are a sheet of nodes across i or j, and no line or probe lies in it: how often values "
        "occur can be plotted.");
  if (kind == Kind::Time) return {};
  return tr(
      "These data are a surface in space, and no line lies in it: values can be plotted over time at a "
      "point of it, or how often they occur.");
}

QString whyNotAdded(const WindowKind& kind, const DataSummary& data) {
  if (QString why = whyNothing(kind, data); !why.isEmpty()) return why;
  if (kind.needsVector && usualVector(data).empty())
    return tr(
        "These data have no vector, and no functions u, v and w that are one. The calculator can give three such names.");
  if (lacksFunctions(kind, data))
    return tr(
        "These data are a grid alone, without functions. Values may be in another file, such as a solution.");
  if (kind.needsSteps && data.description.steps() <= 1)
    return tr("These data have one step, and nothing in them moves.");
  return {};
}

std::vector<WindowKind> windowKinds() {
  std::vector<WindowKind> kinds;
  for (int n = 0; n < session::kTypeCount; ++n) kinds.push_back(windowKind(session::ObjectType{n}));
  return kinds;
}

bool canBeConverted(const DataSummary& data) {
  // A renderer gives pictures, not values.
  return data.description.format != "farfield" && data.description.format != "sample" &&
         rendererFunctions(data).empty();
}

}  // namespace farfield::app
