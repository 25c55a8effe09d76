#include "app/model/renderers/unwaited_threads.h"

#include <algorithm>
#include <utility>

namespace farfield::app {

UnwaitedThreads::~UnwaitedThreads() {
  for (const auto& thread : m_threads) thread->request_stop();
}

std::stop_source UnwaitedThreads::begin(std::function<void(const std::stop_token&)> work) {
  m_threads.push_back(
      std::make_unique<std::jthread>([this, work = std::move(work)](const std::stop_token& stop) {
        work(stop);
        QMetaObject::invokeMethod(
            &m_owner,
            [this, id = std::this_thread::get_id()] {
              std::erase_if(m_threads, [&](const auto& its) { return its->get_id() == id; });
            },
            Qt::QueuedConnection);
      }));
  return m_threads.back()->get_stop_source();
}

}  // namespace farfield::app
