#include "core/base/told_progress.h"

#include <utility>

namespace farfield {
namespace {

thread_local ToldProgress* t_current = nullptr;

}  // namespace

ToldProgress::ToldProgress(std::function<void(double part)> hear)
    : m_hear(std::move(hear)), m_outer(std::exchange(t_current, this)) {}

ToldProgress::ToldProgress(double from, double to)
    : m_from(from), m_to(to), m_outer(std::exchange(t_current, this)) {}

ToldProgress::~ToldProgress() {
  t_current = m_outer;
}

void ToldProgress::tell(double part) {
  for (const ToldProgress* each = t_current; each; each = each->m_outer) {
    if (each->m_hear) return each->m_hear(part);
    part = each->m_from + part * (each->m_to - each->m_from);
  }
}

}  // namespace farfield
