#include "app/model/workshop/curve_reader.h"

#include <utility>

namespace farfield::app {

bool lineMoves(const CurveRequest& request) {
  return request.kind == CurveRequest::Kind::Line && request.goesFrom.size() == 2 &&
         request.places.size() == 2;
}

bool isAnswerTo(const CurveRequest& request, const CurveAnswer& answer) {
  if (!lineMoves(request)) return answer.request == request;
  CurveRequest asked = answer.request;
  asked.from = request.from;
  asked.to = request.to;
  return asked == request;
}

CurveReader::CurveReader(Engine& engine, QObject* parent) : QObject(parent), m_engine(engine) {
  connect(&engine, &Engine::curveRead, this, &CurveReader::take);
}

void CurveReader::read(std::vector<CurveRequest> requests) {
  m_answers.clear();
  m_requests = std::move(requests);
  if (!m_requests.empty()) m_engine.readCurve(m_requests.front());
}

void CurveReader::stop() {
  m_answers.clear();
  if (!std::exchange(m_requests, {}).empty()) m_engine.readCurve(std::nullopt);
}

void CurveReader::take(const CurveAnswer& answer) {
  // Answers to what was asked before come too late.
  if (m_answers.size() >= m_requests.size() || !isAnswerTo(m_requests[m_answers.size()], answer)) return;
  std::vector<CurveAnswer> answers = m_answers;
  answers.push_back(answer);
  if (answer.part == 1) {
    m_answers = answers;
    if (m_answers.size() < m_requests.size()) m_engine.readCurve(m_requests[m_answers.size()]);
  }
  emit answered(answers);
}

}  // namespace farfield::app
