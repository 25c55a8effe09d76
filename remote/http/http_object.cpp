#include "remote/http/http_object.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "remote/http/http_engine.h"

namespace farfield::http {
namespace {

/// For all objects together: part of what the program needs for any data.
constexpr std::uint64_t kBlocksKept = std::uint64_t{8} << 20;
constexpr std::uint64_t kPartBytes = std::uint64_t{1} << 20;
constexpr int kPartsAtOnce = 8;

}  // namespace

HttpStore::Shared::Shared(const HttpOptions& options)
    : transfers(std::make_shared<Transfers>(options)), blocks(kBlocksKept) {}

HttpObject::HttpObject(std::string name, std::shared_ptr<HttpTarget> target, paging::Generation generation,
                       bool isSentWhole, std::string server, std::shared_ptr<HttpStore::Shared> shared,
                       std::weak_ptr<const HttpStore> store)
    : ByteObject(target->said, std::move(generation)),
      m_name(std::move(name)),
      m_server(std::move(server)),
      m_shared(std::move(shared)),
      m_ranges(std::move(target), this->generation(), isSentWhole, m_shared->transfers),
      m_store(std::move(store)) {}

HttpObject::~HttpObject() {
  m_shared->blocks.forget(m_ranges);
}

void HttpObject::noteError(const std::exception_ptr& error) const noexcept {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
  } catch (...) {
    if (const auto store = m_store.lock()) store->forget(m_name);
  }
}

std::size_t HttpObject::readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t) const {
  if (offset >= size() || out.empty()) return 0;
  out = out.first(static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), size() - offset)));
  try {
    if (out.size() <= BlockCache::kMostFetched / 2)
      m_shared->blocks.read(m_ranges, offset, out);
    else
      readInParts(offset, out);
  } catch (...) {
    noteError(std::current_exception());
    throw;
  }
  return out.size();
}

void HttpObject::readInParts(std::uint64_t offset, std::span<std::byte> out) const {
  std::mutex mutex;
  std::condition_variable_any changed;
  int onTheirWay = 0;
  std::exception_ptr error;
  const std::stop_token stop = StoppableWaits::current();
  const auto cancelled = [] { return std::make_exception_ptr(Cancelled()); };
  // of what is sent whole each part costs all before it
  const std::uint64_t partBytes = m_ranges.isSentWhole() ? out.size() : kPartBytes;
  std::unique_lock lock(mutex);
  for (std::size_t at = 0; at < out.size() && !error;) {
    if (!changed.wait(lock, stop, [&] { return onTheirWay < kPartsAtOnce; })) error = cancelled();
    if (error) break;
    const auto part = out.subspan(at, std::min<std::size_t>(partBytes, out.size() - at));
    const auto ended = [&, bytes = part.size()](RangeEnd&& end) {
      const std::lock_guard guard(mutex);
      if (end.error)
        error = end.error;
      else if (end.got != bytes && !error)
        error = std::make_exception_ptr(
            Corrupt("ends before the end that the server told", "open the data again"));
      --onTheirWay;
      changed.notify_all();
    };
    ++onTheirWay;
    lock.unlock();
    try {
      m_ranges.begin(offset + at, part, &mutex, ended);
      lock.lock();
    } catch (...) {
      lock.lock();
      --onTheirWay;
      error = std::current_exception();
    }
    at += part.size();
  }
  if (!error && !changed.wait(lock, stop, [&] { return onTheirWay == 0; })) error = cancelled();
  if (error) {
    lock.unlock();
    m_ranges.end(&mutex);
    lock.lock();
  }
  changed.wait(lock, [&] { return onTheirWay == 0; });
  if (error) std::rethrow_exception(error);
}

void HttpObject::expect(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  m_shared->blocks.expect(m_ranges, offset, bytes);
}

void HttpObject::checkUnchanged() const {
  std::byte one{};
  // of an empty object the first byte is requested as well, past its end
  const RangeEnd end = m_ranges.ask(0, {&one, 1});
  if (!end.error) return;
  noteError(end.error);
  try {
    std::rethrow_exception(end.error);
  } catch (Error& error) {
    error.at(name());
    throw;
  }
}

std::unique_ptr<paging::ReadEngine> HttpObject::makeEngine(const paging::ByteObjects& objects,
                                                           const paging::EngineOptions& options) const {
  std::vector<std::shared_ptr<const HttpObject>> its;
  for (const auto& object : objects) {
    its.push_back(std::dynamic_pointer_cast<const HttpObject>(object));
    if (!its.back()) throw Invalid("is not read over HTTP, but goes with what is").at(object->name());
  }
  return makeHttpEngine(std::move(its), m_shared->transfers,
                        std::max(options.depth, m_shared->transfers->options().depth));
}

}  // namespace farfield::http
