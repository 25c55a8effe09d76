#include "app/model/workshop/along_reader.h"

#include <QPointer>
#include <limits>
#include <utility>

#include "core/base/error.h"

namespace farfield::app {
namespace {

/// No document comes to it.
constexpr ObjectId kId = std::numeric_limits<ObjectId>::max();

/// Nobody has asked for colours: they are how the values are computed.
QString withoutColours(const std::string& message) {
  constexpr std::string_view kKey = "color.by: ";
  return windowMessage(message.starts_with(kKey) ? message.substr(kKey.size()) : message);
}

}  // namespace

AlongReader::AlongReader(Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {
  connect(&engine, &Engine::progressed, this, [this](const ObjectProgress& progress) {
    if (progress.id != kId || !m_request || progress.total == 0) return;
    const double its = static_cast<double>(progress.done) / static_cast<double>(progress.total);
    emit progressed((static_cast<double>(m_next) + its) / static_cast<double>(m_request->functions.size()));
  });
  connect(&engine, &Engine::ended, this, [this](const ObjectOutcome& outcome) {
    if (outcome.id != kId || !m_request) return;
    if (outcome.end == ObjectEnd::Done) return collect();
    end(nullptr, outcome.end == ObjectEnd::Cancelled ? tr("It was stopped.")
                                                     : withoutColours(outcome.problem.message));
  });
}

AlongReader::~AlongReader() {
  stop();
}

void AlongReader::read(const AlongRequest& request) {
  stop();
  m_request = request;
  m_collector = std::make_shared<session::AlongCollector>(kMostPoints);
  computeNext();
}

void AlongReader::stop() {
  ++m_number;
  m_next = 0;
  m_collector.reset();
  if (std::exchange(m_request, std::nullopt)) m_engine.forget(kId);
}

void AlongReader::computeNext() {
  ObjectRequest request;
  request.id = kId;
  request.dataKey = m_request->dataKey;
  request.object = session::linesBy(m_request->lines, m_request->functions.at(m_next));
  request.step = m_request->step;
  if (m_engine.compute(request)) collect();  // one function is named twice
}

/// On another thread: the lines may be many, and are on disk.
void AlongReader::collect() {
  const auto collector = m_collector;
  m_engine.draw(
      {kId}, {},
      [collector](const scene::Scene& scene) {
        collector->add(scene.items.empty() ? nullptr : scene.items.front().lines.get());
      },
      [this, guard = QPointer(this), number = m_number](const std::optional<Problem>& problem) {
        if (!guard || number != m_number) return;
        if (problem) return end(nullptr, QString::fromStdString(problem->message));
        if (++m_next < m_request->functions.size()) return computeNext();
        end(std::make_shared<const session::ValuesAlong>(m_collector->take()), {});
      });
}

void AlongReader::end(std::shared_ptr<const session::ValuesAlong> values, const QString& problem) {
  stop();
  emit ended(std::move(values), problem);
}

}  // namespace farfield::app
