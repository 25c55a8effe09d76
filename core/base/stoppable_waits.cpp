#include "core/base/stoppable_waits.h"

#include <utility>

#include "core/base/error.h"

namespace farfield {
namespace {

thread_local const StoppableWaits* t_current = nullptr;

}  // namespace

StoppableWaits::StoppableWaits(std::stop_token stop)
    : m_stop(std::move(stop)), m_outer(std::exchange(t_current, this)) {}

StoppableWaits::~StoppableWaits() {
  t_current = m_outer;
}

std::stop_token StoppableWaits::current() {
  return t_current ? t_current->m_stop : std::stop_token();
}

void StoppableWaits::throwIfStopped() {
  if (current().stop_requested()) throw Cancelled();
}

}  // namespace farfield
