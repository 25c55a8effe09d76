#include "app/model/kept_steps.h"

#include "app/model/workshop/engine.h"
#include "app/model/workshop/missing_steps.h"
#include "core/base/error.h"
#include "core/fields/words/bad_steps.h"
#include "core/session/run/runner.h"

namespace farfield::app {
namespace {

/// Whether which ones are bad is found when they are opened.
bool looksForBadSteps(const session::DataSource& source) {
  const auto option = source.options.find(fields::BadSteps::kOption);
  return option != source.options.end() && session::textOf(option->second) == "skip";
}

}  // namespace

std::map<std::string, KnownSteps> knownSteps(const Document& document, const Stage& stage) {
  std::map<std::string, KnownSteps> known;
  for (const session::DataSource& source : document.session().data) {
    const auto summary = stage.summary(source.name);
    if (!summary) continue;
    KnownSteps& its = known[source.name];
    its.explanation = summary->explanation;
    its.steps = static_cast<std::size_t>(summary->description.steps());
    for (const std::int64_t step : namedStepsLeftOut(*summary))
      its.leftOut.insert(static_cast<std::size_t>(step));
  }
  return known;
}

QString keepSteps(session::Session& session, const std::map<std::string, KnownSteps>& known) {
  for (session::DataSource& source : session.data) {
    const auto its = known.find(source.name);
    if (its == known.end()) continue;
    try {
      fields::OpenRequest request = session::requestOf(session, source);
      keepFiles(request, its->second.explanation);
      source.source = request.sources;
      source.solution = request.solutions;
    } catch (const Error& error) {
      return QString::fromStdString(source.name) + ": " + windowText(error.what());
    }
    if (looksForBadSteps(source)) {
      // Files that have come since are none of these, and the last of them may be half written.
      const std::size_t had = its->second.steps + its->second.leftOut.size();
      for (auto* const names : {&source.source, &source.solution})
        if (had > 1 && names->size() > had) names->resize(had);
      source.options[fields::BadSteps::kOption] = fields::BadSteps::textNaming(its->second.leftOut);
    }
  }
  return {};
}

std::vector<std::string> changesNamingSteps(const Document& document, const Stage& stage) {
  std::vector<std::string> changes;
  const auto known = knownSteps(document, stage);
  for (const session::DataSource& source : document.session().data)
    // Where none is, files that a pattern does not find are left out still.
    if (const auto its = known.find(source.name);
        its != known.end() && looksForBadSteps(source) && !its->second.leftOut.empty())
      changes.push_back("data." + source.name + ".options." + fields::BadSteps::kOption + "=" +
                        fields::BadSteps::textNaming(its->second.leftOut));
  return changes;
}

}  // namespace farfield::app
