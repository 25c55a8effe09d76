#include "app/ui/view/seed_sight.h"

#include <utility>

namespace farfield::ui {
namespace {

/// From here on, numbers of requests.
constexpr std::uint64_t kSeeds = std::uint64_t{1} << 61;

}  // namespace

SeedSight::SeedSight(app::AppModel& model, QObject* parent)
    : QObject(parent), m_model(model), m_number(kSeeds) {
  connect(&model.engine(), &app::Engine::probed, this, &SeedSight::take);
}

void SeedSight::look(const std::string& data, view::Handle& handle, bool mayAsk) {
  const std::vector<Vec3> marks = view::seedsOf(handle);
  if (marks.empty()) return;
  const Question question{m_model.stage().keyOf(data), m_model.stage().step(), handle.positions,
                          handle.seeds};
  if (m_asked == question) {
    if (!m_outside.empty()) handle.known = {handle.positions, m_outside};
    return;
  }
  if (!mayAsk) return;
  m_asked = question;
  m_outside.clear();
  app::ProbeRequest request;
  request.number = ++m_number;
  request.dataKey = question.dataKey;
  request.step = question.step;
  request.places = marks;
  request.stays = true;
  m_model.engine().probe(request);
}

void SeedSight::forget() {
  m_asked.reset();
  m_outside.clear();
}

void SeedSight::take(const app::ProbeAnswer& answer) {
  if (answer.number != m_number || !m_asked || answer.inside.empty()) return;
  m_outside = answer.inside;
  m_outside.flip();
  emit answered();
}

}  // namespace farfield::ui
