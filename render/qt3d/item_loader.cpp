#include "render/qt3d/item_loader.h"

#include <algorithm>
#include <exception>

#include "core/base/error.h"
#include "core/base/niceness.h"

namespace farfield::qt3d {
namespace {
constexpr int kLoadingNiceness = 5;
}

ItemLoader::ItemLoader(BuildLimits limits, std::function<void(Result)> done)
    : m_limits(limits),
      m_done(std::move(done)),
      m_thread([this](const std::stop_token& stop) { run(stop); }) {}

ItemLoader::~ItemLoader() {
  cancelAll();
  m_thread.request_stop();
}

std::uint64_t ItemLoader::request(const QString& id, const scene::SceneItem& item) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_jobs, [&](const Job& job) { return job.id == id; });
    number = m_wanted[id] = ++m_last;
    m_jobs.push_back({id, number, item});
  }
  m_wake.notify_one();
  return number;
}

void ItemLoader::cancel(const QString& id) {
  const std::lock_guard lock(m_mutex);
  m_wanted.erase(id);
  std::erase_if(m_jobs, [&](const Job& job) { return job.id == id; });
}

void ItemLoader::cancelAll() {
  const std::lock_guard lock(m_mutex);
  m_wanted.clear();
  m_jobs.clear();
}

bool ItemLoader::isWanted(const Job& job) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_wanted.find(job.id);
  return found != m_wanted.end() && found->second == job.number;
}

void ItemLoader::run(const std::stop_token& stop) {
  beNice(kLoadingNiceness);
  for (;;) {
    Job job;
    {
      std::unique_lock lock(m_mutex);
      if (!m_wake.wait(lock, stop, [&] { return !m_jobs.empty(); })) return;
      job = std::move(m_jobs.front());
      m_jobs.pop_front();
    }
    Result result{job.id, job.number, nullptr, {}};
    try {
      result.item = buildItem(job.item, m_limits, [&] { return isWanted(job); });
    } catch (const Cancelled&) {
      continue;
    } catch (const std::exception& error) {
      result.error = QString::fromUtf8(error.what());
    }
    job.item = {};  // the geometry is released before anyone is told that it is no longer visited
    {
      const std::lock_guard lock(m_mutex);
      const auto found = m_wanted.find(job.id);
      if (found == m_wanted.end() || found->second != job.number) continue;
      m_wanted.erase(found);
    }
    m_done(std::move(result));
  }
}

}  // namespace farfield::qt3d
