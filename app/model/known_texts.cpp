#include "app/model/known_texts.h"

#include <algorithm>
#include <array>

#include "core/fields/words/axis_names.h"
#include "core/session/run/picture_text.h"
#include "core/session/view_layout.h"

namespace farfield::app {
namespace {

std::vector<std::shared_ptr<const DataSummary>> openIn(AppModel& model, std::size_t view) {
  std::vector<std::shared_ptr<const DataSummary>> open;
  for (const std::string& name : dataSeenIn(model.document().session(), view))
    if (auto summary = model.stage().summary(name)) open.push_back(std::move(summary));
  return open;
}

}  // namespace

std::vector<std::string> dataSeenIn(const session::Session& session, std::size_t view) {
  std::vector<std::string> all, seen;
  for (const session::DataSource& source : session.data) {
    all.push_back(source.name);
    if (std::any_of(session.objects.begin(), session.objects.end(), [&](const session::Object& object) {
          return object.visible && object.data == source.name &&
                 session::isShownIn(session.layout, view, object);
        }))
      seen.push_back(source.name);
  }
  return seen.empty() ? all : seen;
}

std::shared_ptr<const DataSummary> namedInTexts(AppModel& model, std::size_t view) {
  const auto open = openIn(model, view);
  return open.empty() ? nullptr : open.front();
}

std::shared_ptr<const DataSummary> timedInTexts(AppModel& model, std::size_t view) {
  const auto open = openIn(model, view);
  if (open.empty()) return nullptr;
  return *std::max_element(open.begin(), open.end(), [](const auto& a, const auto& b) {
    return a->description.steps() < b->description.steps();
  });
}

session::ImageSettings withKnownTexts(session::ImageSettings image, AppModel& model, std::size_t view) {
  const auto open = openIn(model, view);
  if (open.empty()) return image;
  std::vector<const paging::DatasetDescription*> seen;
  for (const auto& each : open) seen.push_back(&each->description);
  image.notes.axisNames = fields::saidOf(fields::axisNames(seen));
  const auto withSteps = timedInTexts(model, view);
  const paging::DatasetDescription &first = *seen.front(), &timed = withSteps->description;
  const std::int64_t wanted = model.stage().step();
  const auto said = [&](const std::string& text) {
    return session::pictureText(text, first, std::min(wanted, first.steps() - 1), timed,
                                std::min(wanted, timed.steps() - 1));
  };
  image.title = said(image.title);
  for (scene::TextNote& note : image.notes.texts) note.text = said(note.text);
  return image;
}

}  // namespace farfield::app
