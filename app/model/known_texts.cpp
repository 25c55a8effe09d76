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
  // Steps and times of a view of data of its own are theirs; else they are those of the data that have the steps, as in batch runs.
  std::shared_ptr<const DataSummary> timed = summary;
  if (!model.stage().summary(data))
    for (const session::DataSource& source : model.document().session().data)
      if (const auto its = model.stage().summary(source.name);
          its && its->description.steps() > timed->description.steps())
        timed = its;
  const std::int64_t wanted = model.stage().step();
  const auto said = [&](const std::string& text) {
    return session::pictureText(text, summary->description,
                                std::min(wanted, summary->description.steps() - 1), timed->description,
                                std::min(wanted, timed->description.steps() - 1));
  };
  image.title = said(image.title);
  for (scene::TextNote& note : image.notes.texts) note.text = said(note.text);
  return image;
}

}  // namespace farfield::app
