#include "app/model/kept_steps.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>

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

QString problemOf(const session::DataSource& source, const Error& error) {
  return QString::fromStdString(source.name) + ": " + windowText(error.what());
}

std::string listOf(const std::vector<std::string>& names) {
  QJsonArray list;
  for (const std::string& name : names) list.append(QString::fromStdString(name));
  return QJsonDocument(list).toJson(QJsonDocument::Compact).toStdString();
}

}  // namespace

std::map<std::string, KnownSteps> knownSteps(const Document& document, const Stage& stage) {
  std::map<std::string, KnownSteps> known;
  for (const session::DataSource& source : document.session().data) {
    const auto summary = stage.summary(source.name);
    if (!summary) continue;
    KnownSteps& its = known[source.name];
    its.explanation = summary->explanation;
    its.lacksSome = !stepsLeftOut(*summary).empty();
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
      return problemOf(source, error);
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

bool areLeftOut(const std::map<std::string, KnownSteps>& known) {
  return std::any_of(known.begin(), known.end(), [](const auto& its) { return its.second.lacksSome; });
}

std::vector<std::string> changesNamingSteps(const session::Session& session,
                                            const std::map<std::string, KnownSteps>& known,
                                            QString& problem) {
  std::vector<std::string> changes;
  session::Session kept = session;
  problem = keepSteps(kept, known);
  if (!problem.isEmpty()) return changes;
  for (std::size_t place = 0; place < kept.data.size(); ++place) {
    const session::DataSource &source = session.data[place], &its = kept.data[place];
    if (!known.contains(source.name)) continue;
    const std::string path = "data." + source.name + '.';
    try {
      const fields::OpenRequest found = session::requestOf(session, source);
      if (found.sources != its.source) changes.push_back(path + "source=" + listOf(its.source));
      if (found.solutions != its.solution) changes.push_back(path + "solution=" + listOf(its.solution));
    } catch (const Error& error) {  // files may go while one looks
      problem = problemOf(source, error);
      return {};
    }
    const auto& leftOut = known.at(source.name).leftOut;
    if (looksForBadSteps(source) && !leftOut.empty())
      changes.push_back(path + "options." + fields::BadSteps::kOption + '=' +
                        fields::BadSteps::textNaming(leftOut));
  }
  return changes;
}

}  // namespace farfield::app
