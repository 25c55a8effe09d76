#include "app/model/workshop/engine.h"

#include <QRegularExpression>

#include "app/model/files/data_files.h"
#include "app/model/workshop/changed_files.h"
#include "core/base/changed_file.h"
#include "core/fields/words/bad_steps.h"

namespace farfield::app {

namespace {

/// What is lacking now is not all that a larger budget is for: what reads and computes takes up to a seventh of it. And people type
/// round numbers.
std::uint64_t enoughMebibytes(std::uint64_t leastKibibytes) {
  const std::uint64_t enough = (leastKibibytes + leastKibibytes / 4 + 1023) / 1024;
  const std::uint64_t unit = enough <= 200 ? 10 : enough <= 1000 ? 50 : 100;
  return (enough + unit - 1) / unit * unit;
}

}  // namespace

QString windowAdvice(const std::string& advice) {
  QString text = QString::fromStdString(advice);
  // In whole MiB, as the field beside it has them.
  static const QRegularExpression kBudget("^give at least --memory (\\d+)K\\b");
  if (const auto match = kBudget.match(text); match.hasMatch())
    text.replace(0, match.capturedLength(),
                 Engine::tr("make the memory budget at least %1 MiB")
                     .arg(enoughMebibytes(match.captured(1).toULongLong())));
  if (text.startsWith(QLatin1String("name the reader"))) return foreignAdvice();
  // The window has fields for them.
  static const QRegularExpression kPlain("give --option dims=\\S+ --option type=\\S+ \\([^)]*\\)");
  text.replace(kPlain, Engine::tr("say how many there are along each axis, and of which type"));
  static const QRegularExpression kLogin("(set FARFIELD_TOKEN[^,]*, or )?run farfield login( \\S+)?");
  text.replace(kLogin, Engine::tr("log in to the server"));
  const std::pair<const char*, QString> kWords[] = {
      {kOpenAgain, Engine::tr("“Read again” takes the data as they are now")},
      {", on the command line with --solution", {}},
      {"name the grid, and this file as its solution", Engine::tr("choose the grid that it belongs to")},
      {" with the option badSteps=skip", {}},
      {fields::BadSteps::kNameAsWell, Engine::tr("“Read again” takes the data as they are now")},
      {"--memory", Engine::tr("memory budget")},
      {"name another folder in TMPDIR", Engine::tr("write elsewhere")},
      {" (--workers, or more lines)", {}},
      {"and that farfield-slabd runs",
       Engine::tr("and that farfield-slabd runs, or start it again with “Connect to renderer …”")},
      {"--processors", Engine::tr("processors (in the settings)")},
      {"a store with --codec lz4", Engine::tr("a store with the codec lz4")},
      {"or more --readers where it has room for them,", Engine::tr("or data nearer by,")}};
  for (const auto& [option, words] : kWords) text.replace(QLatin1String(option), words);
  static const QRegularExpression kShell(" \\(ulimit [^)]*\\)");
  text.remove(kShell);
  // There is no field for these: a session, or the command line, names them.
  static const QRegularExpression kOption("--option (\\S+=)");
  text.replace(kOption, Engine::tr("the option") + " \\1");
  return text;
}

QString windowText(const QString& line) {
  const auto advice = line.lastIndexOf(QLatin1String("; "));
  if (advice < 0) return windowMessage(line.toStdString());
  return windowMessage(line.left(advice).toStdString()) + "; " +
         windowAdvice(line.mid(advice + 2).toStdString());
}

QString windowMessage(const std::string& message) {
  if (const QString file = changedFile(message); !file.isEmpty())
    return Engine::tr("%1 has changed since it was opened").arg(file);
  QString text = QString::fromStdString(message);
  static const QRegularExpression kKey(
      "^(objects\\.[^:.]+\\.)?((color|seeds|integrator|transfer|release|range|clip)(\\.[A-Za-z0-9]+)*|vector|"
      "by|value|surface|"
      "blocks?|origin|normal|offsets): ");
  const auto match = kKey.match(text);
  if (!match.hasMatch()) return text;
  const QString key = match.captured(2);
  // The field is called "Of" or "Shows", as the object has it: what is wrong with its function says enough.
  if (key == QLatin1String("by")) return text.mid(match.capturedLength());
  const std::pair<const char*, QString> kLabels[] = {
      {"color.by", Engine::tr("Colour by")}, {"color.range", Engine::tr("Range of colours")},
      {"color", Engine::tr("Colour")},       {"seeds", Engine::tr("Seeds")},
      {"integrator", Engine::tr("Steps")},   {"transfer", Engine::tr("Transfer function")},
      {"release", Engine::tr("Release")},    {"range", Engine::tr("Nodes")},
      {"clip", Engine::tr("Clip")},          {"vector", Engine::tr("Vector")},
      {"value", Engine::tr("Value")},        {"surface", Engine::tr("Surface")},
      {"block", Engine::tr("Block")},        {"origin", Engine::tr("Through")},
      {"normal", Engine::tr("Normal")},      {"offsets", Engine::tr("Offsets")}};
  for (const auto& [word, label] : kLabels)
    if (key.startsWith(QLatin1String(word))) return label + ": " + text.mid(match.capturedLength());
  return text;
}

Engine::Engine(std::shared_ptr<const fields::ReaderRegistry> readers, const WorkshopOptions& options,
               QObject* parent)
    : QObject(parent) {
  // The workshop's threads end before this object does, and what they posted is dropped with it.
  const auto post = [this](auto&& work) {
    QMetaObject::invokeMethod(this, std::forward<decltype(work)>(work), Qt::QueuedConnection);
  };
  WorkshopEvents events;
  events.opening = [=, this](const std::string& key) { post([=, this] { emit opening(key); }); };
  events.opened = [=, this](const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
    post([=, this] { emit opened(key, summary); });
  };
  events.grown = [=, this](const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
    post([=, this] { emit grown(key, summary); });
  };
  events.replaced = [=, this](const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
    post([=, this] { emit replaced(key, summary); });
  };
  events.notReplaced = [=, this](const std::string& key, const Problem& problem) {
    post([=, this] { emit notReplaced(key, problem); });
  };
  events.openFailed = [=, this](const std::string& key, const Problem& problem) {
    post([=, this] { emit openFailed(key, problem); });
  };
  events.started = [=, this](ObjectId id, std::uint64_t request) {
    post([=, this] {
      if (isKnown(id, request)) emit started(id);
    });
  };
  events.picture = [=, this](const ObjectPicture& picture) {
    post([=, this] {
      if (isKnown(picture.id, picture.request)) emit pictureReady(picture);
    });
  };
  events.progress = [=, this](const ObjectProgress& progress) {
    post([=, this] {
      if (isKnown(progress.id, progress.request)) emit progressed(progress);
    });
  };
  events.ended = [=, this](const ObjectOutcome& outcome) {
    post([=, this] {
      if (isKnown(outcome.id, outcome.request) && !isSuperseded(outcome)) emit ended(outcome);
    });
  };
  events.levels = [=, this](const LevelsReport& report) {
    post([=, this] {
      if (m_firstRequest.contains(report.id)) emit levelsReported(report);
    });
  };
  events.probed = [=, this](const ProbeAnswer& answer) { post([=, this] { emit probed(answer); }); };
  events.curveRead = [=, this](const CurveAnswer& answer) { post([=, this] { emit curveRead(answer); }); };
  events.rangeFound = [=, this](const RangeFound& found) { post([=, this] { emit rangeFound(found); }); };
  events.counted = [=, this](const WorkshopCounters& counters) {
    post([=, this] {
      m_counters = counters;
      emit counted(counters);
    });
  };
  m_workshop = std::make_unique<Workshop>(std::move(readers), options, std::move(events));
}

Engine::~Engine() = default;

bool Engine::isKnown(ObjectId id, std::uint64_t request) const {
  const auto found = m_firstRequest.find(id);
  return found != m_firstRequest.end() && request >= found->second;
}

/// The end of something that is not asked for any more, which was on its way when that was known. What is asked for in its place has an
/// end of its own: until then it is being computed.
bool Engine::isSuperseded(const ObjectOutcome& outcome) const {
  const auto last = m_lastRequest.find(outcome.id);
  return last != m_lastRequest.end() && outcome.request < last->second;
}

void Engine::open(const std::string& key, std::function<fields::OpenRequest()> request) {
  m_workshop->open(key, std::move(request));
}

void Engine::close(const std::string& key) {
  m_workshop->close(key);
}

bool Engine::compute(const ObjectRequest& request) {
  const Workshop::Accepted accepted = m_workshop->compute(request);
  m_firstRequest.try_emplace(request.id, accepted.number);
  if (!accepted.atOnce) m_lastRequest[request.id] = accepted.number;
  return accepted.atOnce;
}

void Engine::forget(ObjectId id) {
  m_firstRequest.erase(id);
  m_lastRequest.erase(id);
  m_workshop->forget(id);
}

void Engine::draw(const std::vector<ObjectId>& ids, const scene::Scene& scene,
                  std::function<void(const scene::Scene&)> draw,
                  std::function<void(std::optional<Problem>)> done, std::stop_token unwanted) {
  m_workshop->draw(
      ids, scene, std::move(draw),
      [this, done = std::move(done)](const std::optional<Problem>& problem) {
        QMetaObject::invokeMethod(
            this, [=] { done(problem); }, Qt::QueuedConnection);
      },
      std::move(unwanted));
}

void Engine::writeGeometry(ObjectId id, const QString& path, std::function<void(std::optional<Problem>)> done,
                           std::stop_token unwanted) {
  m_workshop->writeGeometry(
      id, path.toStdString(),
      [this, done = std::move(done)](const std::optional<Problem>& problem) {
        QMetaObject::invokeMethod(
            this, [=] { done(problem); }, Qt::QueuedConnection);
      },
      std::move(unwanted));
}

}  // namespace farfield::app
