#include "app/model/known_texts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/fields/axis_names.h"
#include "core/session/run/picture_text.h"

namespace farfield::app {
namespace {

/// Of the data that something is seen of, as batch runs have them.
std::array<std::string, 3> axisNamesOfShown(AppModel& model) {
  std::vector<std::shared_ptr<const DataSummary>> summaries;
  std::vector<const paging::DatasetDescription*> data;
  const session::Session& session = model.document().session();
  for (const session::DataSource& source : session.data) {
    const bool isSeen = std::any_of(session.objects.begin(), session.objects.end(), [&](const auto& object) {
      return object.visible && object.data == source.name;
    });
    const auto summary = isSeen ? model.stage().summary(source.name) : nullptr;
    if (!summary) continue;
    summaries.push_back(summary);
    data.push_back(&summary->description);
  }
  return fields::saidOf(fields::axisNames(data));
}

}  // namespace

std::shared_ptr<const DataSummary> namedInTexts(AppModel& model, const std::string& data) {
  if (const auto summary = model.stage().summary(data)) return summary;
  for (const session::DataSource& source : model.document().session().data)
    if (const auto summary = model.stage().summary(source.name)) return summary;
  return nullptr;
}

session::ImageSettings withKnownTexts(session::ImageSettings image, AppModel& model,
                                      const std::string& data) {
  image.notes.axisNames = axisNamesOfShown(model);
  const auto summary = namedInTexts(model, data);
  if (!summary) return image;
  const std::int64_t step = std::min(model.stage().step(), summary->description.steps() - 1);
  image.title = session::pictureText(image.title, summary->description, step);
  for (scene::TextNote& note : image.notes.texts)
    note.text = session::pictureText(note.text, summary->description, step);
  return image;
}

}  // namespace farfield::app
