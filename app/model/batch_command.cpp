#include "app/model/batch_command.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "app/model/document/document.h"
#include "app/model/document/shared_colors.h"
#include "app/model/document/volume_looks.h"
#include "app/model/stage/stage.h"
#include "core/base/units.h"
#include "core/session/run/shared_ranges.h"

namespace farfield::app {
namespace {

std::string quotedForShell(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                         "_-./,+@%:=") == std::string::npos;
  if (plain) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

std::map<std::size_t, session::ReleaseSteps> releasesInTheWindow(const session::Session& session) {
  std::map<std::size_t, session::ReleaseSteps> releases;
  for (std::size_t n = 0; n < session.objects.size(); ++n) {
    const auto& shape = session.objects[n].shape;
    const auto* const paths = std::get_if<session::Pathlines>(&shape);
    const auto* const streaks = std::get_if<session::Streaklines>(&shape);
    if (paths && std::holds_alternative<std::monostate>(paths->release)) releases[n] = {{0, 0}, 1};
    if (streaks && std::holds_alternative<std::monostate>(streaks->release)) releases[n] = {{0, -1}, 1};
  }
  return releases;
}

std::string pathOfObject(const std::vector<session::Object>& objects, std::size_t place) {
  std::string number = std::to_string(place);
  const auto isName = [&](const session::Object& object) { return object.name == number; };
  while (std::any_of(objects.begin(), objects.end(), isName)) number.insert(0, 1, '0');
  return "objects." + number;
}

std::vector<std::string> automaticOfVolumes(const Document& document, const Stage& stage) {
  std::set<std::string> changes;
  const std::vector<ObjectId> ids = document.objectIds();
  const auto pathOf = [&](ObjectId id) {
    return pathOfObject(document.session().objects,
                        static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin()));
  };
  for (const ObjectId id : ids) {
    const session::Object& object = *document.object(id);
    const session::Volume* const volume = volumeIn(object);
    const ObjectStatus status = stage.status(id);
    if (!volume || !object.visible || !status.volume) continue;
    // What is still being looked through, as after another step was chosen, has nothing yet that holds.
    if (status.state != ObjectState::Done) continue;
    if (!volume->range && !object.color.range) {
      std::vector<ObjectId> all = sharingColors(document, id);
      for (const ObjectId other : sharingScaleAlone(document, id)) all.push_back(other);
      // They have one scale, which is of another step as long as one of them is.
      const bool isOnItsWay = std::any_of(all.begin(), all.end(), [&](ObjectId each) {
        const ObjectState state = stage.status(each).state;
        return state == ObjectState::Waiting || state == ObjectState::Running;
      });
      if (isOnItsWay) all.clear();
      for (const ObjectId each : all) {
        const session::Object& its = *document.object(each);
        const session::Volume* const itsVolume = volumeIn(its);
        const ObjectStatus seen = stage.status(each);
        if (!seen.hasPicture || its.color.range || (itsVolume && itsVolume->range)) continue;
        // A logarithmic one over values of 0 and less, which begins by itself where it began.
        const scene::ColorScale& scale = seen.scale;
        const double least =
            scale.reachesDown && scale.min <= session::leastOfLogarithms(scale.max) ? 0 : scale.min;
        // A volume may say itself what it is of.
        changes.insert(pathOf(each) + (its.color.by.empty() ? ".transfer.color.range=[" : ".color.range=[") +
                       formatNumber(least) + "," + formatNumber(scale.max) + "]");
      }
    }
    if (!volume->look.opacity.empty() || status.volumeLook.opacity.empty()) continue;
    std::string points;
    for (const scene::OpacityPoint& point : status.volumeLook.opacity)
      points +=
          (points.empty() ? "[" : ",[") + formatNumber(point.value) + "," + formatNumber(point.opacity) + "]";
    changes.insert(pathOf(id) + ".transfer.opacity=[" + points + "]");
  }
  return {changes.begin(), changes.end()};
}

std::string batchCommand(const std::string& sessionPath, std::uint64_t memoryBytes,
                         const std::vector<std::string>& changes, double lineScale, int view) {
  std::string command = "farfield batchvis " + quotedForShell(sessionPath) + " --memory " +
                        std::to_string(memoryBytes >> 20) + "M -o .";
  for (const std::string& change : changes) command += " --set " + quotedForShell(change);
  if (lineScale != 1) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", lineScale);
    command += std::string(" --line-scale ") + text;
  }
  if (view > 0) command += " --view " + std::to_string(view);
  return command;
}

}  // namespace farfield::app
