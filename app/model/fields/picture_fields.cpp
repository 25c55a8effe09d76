#include "app/model/fields/picture_fields.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/model/words/some_names.h"
#include "core/session/run/picture_text.h"

namespace farfield::app {
namespace {

using session::Session;

/// Where a new text is: below and at the right, beside the lowest corner of a box that is seen from above, the scale bar in the middle, and
/// the cross at the left.
constexpr std::array<double, 2> kPlaceOfText{1, 0.97};

QString tr(const char* text) {
  return QCoreApplication::translate("PictureFields", text);
}

PictureField make(const QString& group, const char* key, const QString& label, FieldKind kind,
                  const QString& tip) {
  PictureField its;
  its.field.group = group;
  its.field.key = QString::fromLatin1(key);
  its.field.label = label;
  its.field.kind = kind;
  its.field.tip = tip;
  return its;
}

/// In braces, as they are written.
QString knownNames(const std::shared_ptr<const DataSummary>& named) {
  QStringList names;
  for (const std::string& name :
       session::textNames(named ? named->description : paging::DatasetDescription{}))
    names.append('{' + QString::fromStdString(name) + '}');
  return someNames(names, QStringLiteral(", "));
}

std::function<QString(const QString&)> remarkOfNames(const std::shared_ptr<const DataSummary>& named) {
  return [named](const QString& text) {
    QStringList unknown;
    for (const std::string& name : session::unknownTextNames(
             text.toStdString(), named ? named->description : paging::DatasetDescription{}))
      unknown.append('{' + QString::fromStdString(name) + '}');
    unknown.removeDuplicates();
    return unknown.isEmpty() ? QString()
                             : tr("Stays as it is: %1. The data have %2.")
                                   .arg(someNames(unknown, QStringLiteral(", ")), knownNames(named));
  };
}

PictureField side(const char* key, const QString& label, const QString& tip, std::size_t n) {
  constexpr double kMostPixels = 16384;
  PictureField its = make(tr("Picture"), key, label, FieldKind::Integer, tip);
  its.field.unit = tr("px");
  its.field.least = 1;
  its.field.greatest = kMostPixels;
  its.field.byDefault = QVariant::fromValue<qlonglong>(session::ImageSettings{}.sizePixels[n]);
  its.get = [n](const Session& s) { return QVariant::fromValue<qlonglong>(s.image.sizePixels[n]); };
  its.set = [n](Session& s, const QVariant& value) { s.image.sizePixels[n] = value.toInt(); };
  return its;
}

/// A vector of what is cut away; `place` is null where there is none.
PictureField clipVector(const char* key, const QString& label, const QString& tip,
                        const std::function<Vec3*(scene::Clip&)>& place) {
  PictureField its = make(tr("Cut away"), key, label, FieldKind::Vector, tip);
  its.get = [place](const Session& s) {
    const Vec3* const at = place(const_cast<scene::Clip&>(s.image.clip));
    return at ? QVariant::fromValue(*at) : QVariant();
  };
  its.set = [place](Session& s, const QVariant& value) {
    if (Vec3* const at = place(s.image.clip)) *at = value.value<Vec3>();
  };
  return its;
}

/// A little larger, so that rounding cuts away nothing that lies on its faces, in numbers of few digits. What is flat gets a thickness
/// that can be taken hold of.
std::array<Vec3, 2> roundedOut(const Bounds& box) {
  const double size = std::max(1e-300, box.diagonal());
  const double perUnit = std::pow(10.0, 3 - std::floor(std::log10(size)));
  std::array<Vec3, 2> corners{box.min, box.max};
  for (int axis = 0; axis < 3; ++axis) {
    const double more = box.max[axis] > box.min[axis] ? 1 / perUnit : 0.01 * size;
    corners[0][axis] = std::floor((box.min[axis] - more) * perUnit) / perUnit;
    corners[1][axis] = std::ceil((box.max[axis] + more) * perUnit) / perUnit;
  }
  return corners;
}

/// Across the middle. What lies on the side of the eye goes, so that the inside is seen.
scene::ClipPlane firstPlane(const Session& session, const Bounds& box) {
  const auto* const fixed = std::get_if<session::FixedCamera>(&session.camera);
  const Vec3 toEye =
      fixed ? fixed->position - fixed->target : std::get<session::AutoCamera>(session.camera).direction;
  constexpr double kAlong = 1e-3;  // of the view: neither side is nearer
  return {box.center(), {0, toEye.y < -kAlong * length(toEye) ? 1.0 : -1.0, 0}};
}

bool overlap(const std::array<Vec3, 2>& a, const Bounds& b) {
  for (int axis = 0; axis < 3; ++axis)
    if (a[1][axis] < b.min[axis] || a[0][axis] > b.max[axis]) return false;
  return true;
}

/// Planes and a box that cut what is shown, without anything being computed again.
void addClipFields(std::vector<PictureField>& all, const scene::Clip& clip, const Bounds& shown,
                   const scene::Clip& before) {
  const Bounds box = shown.empty() ? Bounds{{0, 0, 0}, {1, 1, 1}} : shown;
  PictureField plane =
      make(tr("Cut away"), "image.clip.plane", tr("By a plane"), FieldKind::Flag,
           tr("What lies behind it is not shown. It can be dragged in the view while nothing is "
              "selected in the pipeline; objects can be left out, in their properties."));
  plane.field.byDefault = false;
  plane.field.reshapes = true;
  plane.get = [](const Session& s) { return !s.image.clip.planes.empty(); };
  plane.set = [box, last = before.planes](Session& s, const QVariant& value) {
    std::vector<scene::ClipPlane>& planes = s.image.clip.planes;
    if (!value.toBool())
      planes.clear();
    else if (planes.empty() && !last.empty() && overlap({last.front().origin, last.front().origin}, box))
      planes = last;
    else if (planes.empty())
      planes.push_back(firstPlane(s, box));
  };
  all.push_back(plane);
  if (!clip.planes.empty()) {
    const auto first = [](scene::Clip& c) { return c.planes.empty() ? nullptr : &c.planes.front(); };
    all.push_back(clipVector("image.clip.origin", tr("Through"), tr("A point of the plane."),
                             [first](scene::Clip& c) { return first(c) ? &first(c)->origin : nullptr; }));
    PictureField normal =
        clipVector("image.clip.normal", tr("Keep towards"), tr("Across the plane, to the side that stays."),
                   [first](scene::Clip& c) { return first(c) ? &first(c)->normal : nullptr; });
    normal.set = [set = normal.set](Session& s, const QVariant& value) {
      if (length(value.value<Vec3>()) > 0) set(s, value);
    };
    normal.field.demand = tr("A direction is needed: not all three are 0.");
    all.push_back(normal);
  }
  PictureField inside = make(tr("Cut away"), "image.clip.box", tr("By a box"), FieldKind::Flag,
                             tr("Only what lies in it is shown. Its faces can be dragged in the view."));
  inside.field.byDefault = false;
  inside.field.reshapes = true;
  inside.get = [](const Session& s) { return s.image.clip.box.has_value(); };
  inside.set = [box, last = before.box](Session& s, const QVariant& value) {
    s.image.clip.box.reset();
    if (!value.toBool()) return;
    s.image.clip.box = last && overlap(*last, box) ? *last : roundedOut(box);
  };
  all.push_back(inside);
  if (!clip.box) return;
  for (const std::size_t n : {std::size_t(0), std::size_t(1)}) {
    PictureField corner =
        clipVector(n == 0 ? "image.clip.min" : "image.clip.max", n == 0 ? tr("From") : tr("To"),
                   n == 0 ? tr("The least corner of the box.") : tr("The greatest corner of the box."),
                   [n](scene::Clip& c) { return c.box ? &(*c.box)[n] : nullptr; });
    corner.set = [n](Session& s, const QVariant& value) {
      if (!s.image.clip.box) return;
      std::array<Vec3, 2> corners = *s.image.clip.box;
      corners[n] = value.value<Vec3>();
      // A box that is none is not taken.
      if (corners[0].x < corners[1].x && corners[0].y < corners[1].y && corners[0].z < corners[1].z)
        s.image.clip.box = corners;
    };
    corner.field.demand = tr("From is to be below To along each axis.");
    all.push_back(corner);
  }
}

}  // namespace

bool hasNothingBehind(const session::ImageSettings& image) {
  return image.background[3] < 0.5F;
}

void putNothingBehind(session::ImageSettings& image, bool nothing) {
  image.background[3] = nothing ? 0.0F : 1.0F;
}

std::vector<PictureField> pictureFields(const Session& session, const Bounds& shown,
                                        const scene::Clip& before,
                                        const std::shared_ptr<const DataSummary>& named) {
  std::vector<PictureField> all;
  const QString group = tr("Picture");
  PictureField background =
      make(group, "image.background", tr("Background"), FieldKind::Color, tr("Behind everything."));
  background.field.byDefault = textOfColor(session::ImageSettings{}.background);
  background.get = [](const Session& s) { return textOfColor(s.image.background); };
  background.set = [](Session& s, const QVariant& value) {
    const float alpha = s.image.background[3];
    s.image.background = colorFromText(value.toString());
    s.image.background[3] = alpha;
  };
  all.push_back(background);
  PictureField nothing =
      make(group, "image.transparent", tr("Nothing behind it"), FieldKind::Flag,
           tr("Pictures that are written, here and by batch runs, have a transparent background, to lay them "
              "over others. The view and videos have the colour."));
  nothing.field.byDefault = false;
  nothing.get = [](const Session& s) { return hasNothingBehind(s.image); };
  nothing.set = [](Session& s, const QVariant& value) { putNothingBehind(s.image, value.toBool()); };
  all.push_back(nothing);
  PictureField title =
      make(group, "image.title", tr("Title"), FieldKind::Text,
           tr("Written at the top of the picture. Empty: none, or the step where there are several."));
  title.field.automatic = tr("none");
  title.field.remark = remarkOfNames(named);
  title.get = [](const Session& s) {
    return s.image.title.empty() ? QVariant() : QVariant(QString::fromStdString(s.image.title));
  };
  title.set = [](Session& s, const QVariant& value) { s.image.title = value.toString().toStdString(); };
  all.push_back(title);
  PictureField legend = make(group, "image.legend", tr("Legends"), FieldKind::Flag,
                             tr("What the colours stand for, at the right of the picture."));
  legend.field.byDefault = true;
  legend.get = [](const Session& s) { return s.image.legend; };
  legend.set = [](Session& s, const QVariant& value) { s.image.legend = value.toBool(); };
  all.push_back(legend);
  const auto addFlag = [&](const char* key, const QString& label, const QString& tip,
                           bool scene::Annotations::*place) {
    PictureField flag = make(tr("Written over it"), key, label, FieldKind::Flag, tip);
    flag.field.byDefault = false;
    flag.get = [place](const Session& s) { return s.image.notes.*place; };
    flag.set = [place](Session& s, const QVariant& value) { s.image.notes.*place = value.toBool(); };
    all.push_back(flag);
  };
  addFlag("image.axes", tr("Axes with numbers"), tr("Along the edges of the box around everything."),
          &scene::Annotations::axes);
  addFlag("image.scaleBar", tr("Scale bar"),
          tr("A bar of a round length, at the depth of what the view turns about."),
          &scene::Annotations::scaleBar);
  PictureField text =
      make(tr("Written over it"), "image.text", tr("Text"), FieldKind::Text,
           tr("At first below, at the right. Names stand for their values, also in the title: %1.")
               .arg(knownNames(named)));
  text.field.automatic = tr("none");
  text.field.remark = remarkOfNames(named);
  text.get = [](const Session& s) {
    const auto& texts = s.image.notes.texts;
    return texts.empty() ? QVariant() : QVariant(QString::fromStdString(texts.front().text));
  };
  text.set = [](Session& s, const QVariant& value) {
    auto& texts = s.image.notes.texts;
    const std::string wanted = value.toString().toStdString();
    if (wanted.empty()) {
      if (!texts.empty()) texts.erase(texts.begin());
      return;
    }
    if (texts.empty()) texts.push_back({.text = {}, .place = kPlaceOfText});
    texts.front().text = wanted;
  };
  all.push_back(text);
  // Where the first of the texts is, from the upper left corner.
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}}) {
    PictureField place =
        make(tr("Written over it"), n == 0 ? "image.text.x" : "image.text.y",
             n == 0 ? tr("Text, across") : tr("Text, down"), FieldKind::Number,
             n == 0 ? tr("0: at the left, 1: at the right.") : tr("0: at the top, 1: at the bottom."));
    place.field.least = 0;
    place.field.greatest = 1;
    place.field.byDefault = kPlaceOfText[n];
    place.get = [n](const Session& s) {
      const auto& texts = s.image.notes.texts;
      return QVariant(texts.empty() ? kPlaceOfText[n] : texts.front().place[n]);
    };
    place.set = [n](Session& s, const QVariant& value) {
      if (!s.image.notes.texts.empty()) s.image.notes.texts.front().place[n] = value.toDouble();
    };
    all.push_back(place);
  }
  PictureField phase = make(
      group, "image.phase", tr("Moved on"), FieldKind::Number,
      tr("How far particles, dashes and moving textures are from their places to those of the ones before "
         "them, 0 to 1, in pictures that stand still. In the view they go on from there."));
  phase.field.least = 0;
  phase.field.greatest = 1;
  phase.field.byDefault = 0;
  phase.get = [](const Session& s) { return QVariant(s.image.phase); };
  phase.set = [](Session& s, const QVariant& value) { s.image.phase = value.toDouble(); };
  all.push_back(phase);
  addClipFields(all, session.image.clip, shown, before);
  all.push_back(
      side("image.size.0", tr("Width"), tr("Of pictures that are written, here and by batch runs."), 0));
  all.push_back(
      side("image.size.1", tr("Height"), tr("Of pictures that are written, here and by batch runs."), 1));
  // Each heading stands once.
  std::vector<QString> groups;
  for (const PictureField& its : all)
    if (std::find(groups.begin(), groups.end(), its.field.group) == groups.end())
      groups.push_back(its.field.group);
  const auto placeOf = [&](const PictureField& its) {
    return std::find(groups.begin(), groups.end(), its.field.group) - groups.begin();
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const PictureField& a, const PictureField& b) { return placeOf(a) < placeOf(b); });
  return all;
}

}  // namespace farfield::app
