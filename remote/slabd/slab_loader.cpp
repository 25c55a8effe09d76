#include "remote/slabd/slab_loader.h"

#include <chrono>
#include <exception>
#include <utility>

#include "core/base/log.h"
#include "core/trace/trace.h"
#include "remote/slabs/tags.h"

namespace farfield::remote {

void SlabLoader::start(SlabPainter::Load load, std::uint64_t frame) {
  if (m_thread.joinable()) {
    m_thread.request_stop();
    m_thread.join();
  }
  m_thread = std::jthread([this, load = std::move(load), frame](const std::stop_token& stop) {
    trace::nameThread("loads");
    const TagSpan span("slabd", kLoad, frame);
    const auto began = std::chrono::steady_clock::now();
    try {
      load(stop);
      m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    } catch (const std::exception& error) {
      if (!stop.stop_requested()) log::detail(std::string("not read ahead: ") + error.what());
    }
  });
}

void SlabLoader::wait() {
  if (m_thread.joinable()) m_thread.join();
}

}  // namespace farfield::remote
