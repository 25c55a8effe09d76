#include "remote/http/object_ranges.h"

#include <algorithm>
#include <utility>

#include "core/base/changed_file.h"
#include "core/base/error.h"

namespace farfield::http {
namespace {

std::exception_ptr changed() {
  return std::make_exception_ptr(fileHasChanged());
}

}  // namespace

/// At what lasts, and at the requests that came before it began.
struct ObjectRanges::Look {
  Requests requests;
  paging::Lasting lasting;
  std::vector<std::vector<std::byte>> there;
  std::vector<RangeEnd> ends;
  std::size_t missing =
      0;  ///< parts that have not come; used by the thread of the transfers, but for what is not sent
};

ObjectRanges::ObjectRanges(std::shared_ptr<HttpTarget> target, paging::Generation generation,
                           bool isSentWhole, std::shared_ptr<Transfers> transfers)
    : m_target(std::move(target)),
      m_generation(std::move(generation)),
      m_isSentWhole(isSentWhole),
      m_transfers(std::move(transfers)),
      m_seen(m_generation) {}

ObjectRanges::~ObjectRanges() {
  m_transfers->end(this);
}

void ObjectRanges::letGrow(const std::vector<paging::LastingBytes>& lasting) {
  const std::lock_guard lock(m_mutex);
  m_lasting = paging::together(m_lasting, lasting);
}

bool ObjectRanges::hasGrown() const {
  const std::lock_guard lock(m_mutex);
  return m_hasGrown;
}

void ObjectRanges::begin(std::uint64_t offset, std::span<std::byte> to, const void* owner,
                         Transfers::Done done) {
  send(std::make_shared<Requests>(1, Request{offset, to, owner, std::move(done)}), hasGrown());
}

void ObjectRanges::send(const Pointer& request, bool mayBeLonger) {
  const Request& its = request->front();
  m_transfers->begin(
      {.target = m_target,
       .offset = its.offset,
       .to = its.to,
       .generation = &m_generation,
       .mayBeLonger = mayBeLonger,
       .owner = its.owner},
      [this, request, mayBeLonger](RangeEnd&& end) { landed(request, std::move(end), mayBeLonger); });
}

void ObjectRanges::landed(const Pointer& request, RangeEnd&& end, bool mayBeLonger) noexcept {
  if (end.hasChanged && !mayBeLonger) {
    bool again = false;
    {
      const std::lock_guard lock(m_mutex);
      again = m_lasting != nullptr;
      m_hasGrown = m_hasGrown || again;
    }
    if (again) try {
        return send(request, true);
      } catch (...) {
        end.error = std::current_exception();
      }
  }
  bool wait = false;
  if (!end.error && mayBeLonger) {
    const paging::Generation now = end.answer.generation();
    const std::lock_guard lock(m_mutex);
    // what came in parts may be of several
    wait = end.lost > 0 || (now != m_generation && now != m_seen);
    if (wait) {
      request->front().end = std::move(end);
      m_waiting.splice(m_waiting.end(), *request);
    }
  }
  if (wait) return lookIfWanted();
  request->front().done(std::move(end));
}

/// Looks, unless that is done already or nobody waits for it.
void ObjectRanges::lookIfWanted() noexcept {
  std::shared_ptr<Look> look;
  {
    const std::lock_guard lock(m_mutex);
    if (m_look || m_waiting.empty()) return;
    look = m_look = std::make_shared<Look>();
    look->requests.splice(look->requests.end(), m_waiting);
    look->lasting = m_lasting;
  }
  const std::vector<paging::LastingBytes>& lasting = *look->lasting;
  look->there.resize(lasting.size());
  look->ends.resize(lasting.size());
  look->missing = lasting.size();
  for (std::size_t n = 0; n < lasting.size(); ++n) {
    look->there[n].resize(lasting[n].bytes.size());
    try {
      m_transfers->begin({.target = m_target,
                          .offset = lasting[n].at,
                          .to = look->there[n],
                          .generation = &m_generation,
                          .mayBeLonger = true,
                          .owner = this},
                         [this, look, n](RangeEnd&& end) {
                           look->ends[n] = std::move(end);
                           if (--look->missing == 0) looked(*look);
                         });
    } catch (...) {
      look->ends[n].error = std::current_exception();
      if (--look->missing == 0) looked(*look);
    }
  }
}

void ObjectRanges::looked(Look& look) noexcept {
  std::exception_ptr error;
  for (std::size_t n = 0; n < look.ends.size() && !error; ++n) {
    error = look.ends[n].error;
    if (!error && (look.ends[n].got != look.there[n].size() || look.there[n] != (*look.lasting)[n].bytes))
      error = changed();
  }
  Requests requests;
  {
    const std::lock_guard lock(m_mutex);
    requests.splice(requests.end(), look.requests);
    m_look = nullptr;
    m_giving = true;
    if (!error) {
      const auto now = look.ends.front().answer.generation();
      if (std::all_of(look.ends.begin(), look.ends.end(),
                      [&](const RangeEnd& end) { return end.answer.generation() == now; }))
        m_seen = now;
    }
  }
  giveOut(requests, error);
  {
    const std::lock_guard lock(m_mutex);
    m_giving = false;
    m_given.notify_all();
  }
  lookIfWanted();
}

void ObjectRanges::giveOut(Requests& requests, const std::exception_ptr& error) noexcept {
  for (Request& request : requests) {
    if (error) request.end.error = error;
    request.done(std::move(request.end));
  }
}

RangeEnd ObjectRanges::ask(std::uint64_t offset, std::span<std::byte> to) {
  return Transfers::waitFor(
      [&](const void* owner, Transfers::Done done) { begin(offset, to, owner, std::move(done)); },
      [&](const void* owner) { end(owner); });
}

void ObjectRanges::end(const void* owner) noexcept {
  m_transfers->end(owner);
  Requests its;
  {
    std::unique_lock lock(m_mutex);
    const auto take = [&](Requests& from) {
      for (auto at = from.begin(); at != from.end();) {
        const auto one = at++;
        if (one->owner == owner) its.splice(its.end(), from, one);
      }
    };
    take(m_waiting);
    if (m_look) take(m_look->requests);
    m_given.wait(lock, [&] { return !m_giving; });
  }
  giveOut(its, std::make_exception_ptr(Cancelled()));
}

}  // namespace farfield::http
