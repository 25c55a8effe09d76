#include "app/model/settings/kept_choices.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace farfield::app {
namespace {

/// What is opened, however it is read.
std::string filesOf(const session::Session& session, const session::DataSource& source) {
  std::string files = source.reader;
  for (const auto* names : {&source.source, &source.solution}) {
    files += '\n';
    for (const std::string& name : *names) files += '\n' + session.resolve(name);
  }
  return files;
}

}  // namespace

void KeptChoices::keep(const session::Session& session, const session::DataSource& source,
                       const std::vector<fields::ReadingChoice>& choices) {
  std::vector<Kept>& kept = m_kept[filesOf(session, source)];
  std::erase_if(kept, [&](const Kept& its) {
    return std::any_of(choices.begin(), choices.end(), [&](const fields::ReadingChoice& choice) {
      return choice.option == its.choice.option;
    });
  });
  for (Kept& its : kept) its.isOfLastTime = false;
  std::vector<Kept> all;
  for (const fields::ReadingChoice& choice : choices) all.push_back({choice});
  std::move(kept.begin(), kept.end(), std::back_inserter(all));
  kept = std::move(all);
}

std::vector<fields::ReadingChoice> KeptChoices::of(const session::Session& session,
                                                   const session::DataSource& source) const {
  std::vector<fields::ReadingChoice> choices;
  const auto found = m_kept.find(filesOf(session, source));
  if (found == m_kept.end()) return choices;
  for (const Kept& its : found->second) {
    const auto said = source.options.find(its.choice.option);
    if (said == source.options.end() && !its.isOfLastTime) continue;
    fields::ReadingChoice choice = its.choice;
    choice.now = choice.byDefault;
    if (said != source.options.end()) {
      const std::string value = session::textOf(said->second);
      const auto at = std::find_if(choice.values.begin(), choice.values.end(),
                                   [&](const auto& each) { return each.value == value; });
      choice.now = static_cast<std::size_t>(at - choice.values.begin());
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace farfield::app
