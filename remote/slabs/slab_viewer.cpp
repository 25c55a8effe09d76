#include "remote/slabs/slab_viewer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <numbers>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/log.h"
#include "remote/protocol/messages.h"
#include "remote/slabs/channel.h"
#include "remote/slabs/geometry_show.h"
#include "remote/slabs/slab_show.h"
#include "remote/slabs/tags.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr const char* kScheme = "slab://";
/// A renderer that was there and is not is waited for.
constexpr std::chrono::milliseconds kPatience = 10s, kPause = 300ms, kLook = 50ms;
/// Where ranks are gone, the others are asked for everything.
constexpr int kTries = 3;
/// Pictures of slabs are seen through a filter that takes the mean of neighbours: a little finer than the picture.
constexpr double kFiner = 1.5;
constexpr std::uint64_t kFirstResult = std::uint64_t{1} << 63;
constexpr int kLeastPixels = 32, kMostPixels = 2048;

}  // namespace

bool isSlabUrl(const std::string& text) {
  return text.starts_with(kScheme);
}

Host parseSlabUrl(const std::string& text) {
  if (!isSlabUrl(text)) throw Invalid("is no URL of a renderer", "write slab://HOST:PORT").at(text);
  const std::string rest = text.substr(std::string(kScheme).size());
  const auto slash = rest.find('/');
  if (slash != std::string::npos && slash + 1 < rest.size())
    throw Invalid("a renderer has one data set, and no paths", "write slab://HOST:PORT").at(text);
  try {
    FarUrl url = parseFarUrl("far://" + rest.substr(0, slash));
    if (url.hosts.size() > 1) throw Invalid("a renderer is at one place");
    Host host = url.hosts.front();
    if (rest.substr(0, slash).find(host.name + ":") == std::string::npos &&
        rest.find("]:") == std::string::npos)
      host.port = kDefaultSlabPort;
    return host;
  } catch (const Error& error) {
    throw Invalid(error.message(), "write slab://HOST:PORT").at(text);
  }
}

/// All channels to a renderer, from their beginning to their end. Threads of channels call it; what is waited for is waited for
/// on others.
class SlabViewer::Connection {
 public:
  /// `lives` outlive it.
  Connection(const std::string& url, const Host& host, const std::optional<Credentials>& credentials,
             LifeLog& lives)
      : m_url(url), m_target(slabTarget(host, credentials)), m_lives(lives) {}
  ~Connection() {
    // their threads use what is below
    m_data.clear();
    m_control.reset();
  }

  /// Throws what keeps it from being made.
  void open(const std::stop_token& stop) {
    m_control = std::make_unique<Channel>(
        m_target, viewerHello(m_target.credentials),
        Channel::Events{[this](const FrameBuffer::Frame& frame) { onControl(frame); },
                        [this](const std::exception_ptr& why) { onClosed(why); }},
        "renderer");
    wait(stop, [this] { return m_isWelcome; });
    for (std::uint32_t rank = 0; rank < m_welcome.alive.size(); ++rank) {
      if (!m_welcome.alive[rank]) continue;
      const Bytes hello = viewerHello(m_target.credentials, m_welcome.viewer, rank);
      m_data[rank] = std::make_unique<Channel>(
          m_target, hello,
          Channel::Events{[this, rank](const FrameBuffer::Frame& frame) { onData(rank, frame); },
                          [this, rank](const std::exception_ptr&) { onRankClosed(rank); }},
          "rank " + std::to_string(rank));
    }
    wait(stop, [this] { return m_attached + m_gone.size() >= m_data.size(); });
  }

  const SlabWelcome& welcome() const { return m_welcome; }
  bool isUp() const {
    const std::lock_guard lock(m_mutex);
    return !m_closed;
  }
  /// As far as it was when it was made.
  bool isWhole() const {
    const std::lock_guard lock(m_mutex);
    return !m_closed && m_gone.empty();
  }
  std::uint64_t bytesReceived() const { return m_bytesReceived; }
  std::uint64_t alive() const {
    const std::lock_guard lock(m_mutex);
    return m_data.size() - m_gone.size();
  }

  void watch() {
    for (const auto& [rank, channel] : m_data) {
      const std::int64_t now = trace::recentClock();
      m_lives.asked(rank, now);
      channel->send(slabFrame(SlabMessage::Watch, 0, bytesOf(LifeAsk{now})));
    }
  }

  Surveyed survey(const SurveyRequest& request, const std::stop_token& stop) {
    const auto question = std::make_shared<Question>();
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(m_mutex);
      number = ++m_lastNumber;
      m_questions[number] = question;
    }
    m_control->send(slabFrame(SlabMessage::Survey, number, bytesOf(request)));
    const auto end = [&] {
      const std::lock_guard lock(m_mutex);
      m_questions.erase(number);
    };
    try {
      wait(stop, [&] { return question->answer || question->error; });
    } catch (...) {
      end();
      throw;
    }
    end();
    if (question->error) std::rethrow_exception(question->error);
    return *question->answer;
  }

  /// Until it is done; its error is not thrown.
  std::shared_ptr<SlabShow> show(const ShowRequest& request, MemoryAccount& account,
                                 const std::stop_token& stop) {
    std::shared_ptr<SlabShow> show;
    {
      const std::lock_guard lock(m_mutex);
      show = std::make_shared<SlabShow>(++m_lastNumber, request, m_welcome.facts.bounds, account);
      m_show = show;
      for (const std::uint32_t rank : m_gone) show->lose(rank);
    }
    const TagSpan span("viewer", kFrame, static_cast<std::uint64_t>(request.step));
    m_control->send(slabFrame(SlabMessage::Show, show->number(), bytesOf(request)));
    try {
      wait(stop, [&] { return show->isDone(); });
    } catch (...) {
      forget(show);
      throw;
    }
    forget(show);
    return show;
  }

  /// Until it is done; its error is not thrown.
  std::shared_ptr<GeometryShow> results(const session::ResultRequest& request, bool again) {
    const auto show = std::make_shared<GeometryShow>(request, again);
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(m_mutex);
      number = ++m_lastResult;
      m_results[number] = show;
      for (const std::uint32_t rank : m_gone) show->lose(rank);
    }
    m_control->send(
        slabFrame(SlabMessage::Compute, number, bytesOf(ComputeRequest{request.step, request.document})));
    const auto end = [&] {
      {
        const std::lock_guard lock(m_mutex);
        m_results.erase(number);
      }
      show->close();
      m_control->send(slabFrame(SlabMessage::Forget, number, {}));
    };
    try {
      wait(request.stop, [&] { return show->isDone(); });
    } catch (...) {
      end();
      throw;
    }
    end();
    return show;
  }

 private:
  struct Question {
    std::optional<Surveyed> answer;
    std::exception_ptr error;
  };

  void forget(const std::shared_ptr<SlabShow>& show) {
    const std::lock_guard lock(m_mutex);
    if (m_show == show) m_show.reset();
  }

  /// Throws the connection's error, Cancelled.
  template <class Condition>
  void wait(const std::stop_token& stop, Condition condition) {
    std::unique_lock lock(m_mutex);
    while (!condition()) {
      if (stop.stop_requested()) throw Cancelled();
      if (m_closed) std::rethrow_exception(m_closed);
      m_changed.wait_for(lock, stop, kLook, condition);
    }
  }

  void onClosed(const std::exception_ptr& why) {
    const std::lock_guard lock(m_mutex);
    if (!m_closed) m_closed = why;
    m_changed.notify_all();
  }

  void onRankClosed(std::uint32_t rank) {
    m_lives.end(rank);
    const std::lock_guard lock(m_mutex);
    m_gone.push_back(rank);
    if (m_show) m_show->lose(rank);
    for (const auto& [number, result] : m_results) result->lose(rank);
    m_changed.notify_all();
  }

  void onFailed(const FrameBuffer::Frame& frame) {
    const std::exception_ptr error = failureAt(m_url, frame);
    const std::uint64_t number = frame.header.sequence;
    if (number == 0) {
      if (!m_closed) m_closed = error;
    } else if (const auto result = m_results.find(number); result != m_results.end()) {
      result->second->fail(error);
    } else if (m_show && m_show->number() == number) {
      m_show->fail(error);
    } else if (const auto question = m_questions.find(number); question != m_questions.end()) {
      question->second->error = error;
    }
  }

  void onControl(const FrameBuffer::Frame& frame) {
    m_bytesReceived += kFrameHeaderBytes + frame.body.size();
    const std::lock_guard lock(m_mutex);
    const std::uint64_t number = frame.header.sequence;
    switch (slabMessage(frame.header)) {
      case SlabMessage::Welcome:
        if (m_isWelcome) throw Protocol("a second welcome");
        m_welcome = parseSlabWelcome(frame.body);
        m_isWelcome = true;
        break;
      case SlabMessage::Surveyed:
        if (const auto found = m_questions.find(number); found != m_questions.end())
          found->second->answer = parseSurveyed(frame.body);
        break;
      case SlabMessage::Planned:
        if (const Planned plan = parsePlanned(frame.body); m_show && m_show->number() == plan.show)
          guarded([&] { m_show->takePlan(plan); });
        break;
      case SlabMessage::Computing:
        if (const auto found = m_results.find(number); found != m_results.end())
          found->second->takePlan(parseComputing(frame.body));
        break;
      default:
        if (frame.header.type != MessageType::Failed) throw Protocol("a renderer does not say this");
        onFailed(frame);
    }
    m_changed.notify_all();
  }

  /// Parts of results go where these are kept without keeping others waiting; what is not waited for is not looked at.
  void onResult(std::uint32_t rank, const FrameBuffer::Frame& frame) {
    std::shared_ptr<GeometryShow> result;
    {
      const std::lock_guard lock(m_mutex);
      const auto found = m_results.find(frame.header.sequence);
      if (found == m_results.end()) return;
      result = found->second;
    }
    if (slabMessage(frame.header) == SlabMessage::Geometry) {
      const TagSpan span("viewer", kLightPayload, frame.header.sequence);
      result->takeHead(rank, parseGeometryHead(frame.body));
    } else {
      const TagSpan span("viewer", kHeavyPayload, frame.header.sequence);
      result->takeBlock(rank, parseGeometryBlock(frame.body));
    }
    m_changed.notify_all();
  }

  void onData(std::uint32_t rank, const FrameBuffer::Frame& frame) {
    m_bytesReceived += kFrameHeaderBytes + frame.body.size();
    const SlabMessage said = slabMessage(frame.header);
    if (said == SlabMessage::Geometry || said == SlabMessage::Vertices) return onResult(rank, frame);
    if (said == SlabMessage::Watched)
      return m_lives.heard(rank, parseLifeClock(frame.body), trace::recentClock());
    if (said == SlabMessage::News) return m_lives.take(rank, parseLifeNews(frame.body));
    const std::lock_guard lock(m_mutex);
    const bool wanted = m_show && m_show->number() == frame.header.sequence;
    const std::uint64_t tagged = wanted ? static_cast<std::uint64_t>(m_show->step()) : frame.header.sequence;
    switch (slabMessage(frame.header)) {
      case SlabMessage::Attached:
        ++m_attached;
        break;
      case SlabMessage::Slab: {
        const TagSpan span("viewer", kLightPayload, tagged);
        const SlabHead head = parseSlabHead(frame.body);
        if (wanted) guarded([&] { m_show->takeHead(rank, head); });
        break;
      }
      case SlabMessage::Pixels: {
        const TagSpan span("viewer", kHeavyPayload, tagged);
        const SlabPixels pixels = parseSlabPixels(frame.body);
        if (wanted) guarded([&] { m_show->takePixels(rank, pixels); });
        break;
      }
      case SlabMessage::Rows: {
        const TagSpan span("viewer", kHeavyPayload, tagged);
        const FrameRows rows = parseFrameRows(frame.body);
        if (wanted) guarded([&] { m_show->takeRows(rows); });
        break;
      }
      default:
        if (frame.header.type != MessageType::Failed) throw Protocol("a rank does not say this");
        onFailed(frame);
    }
    m_changed.notify_all();
  }

  /// An error of what is shown ends that, not the connection, if it is not the other side's.
  template <class Work>
  void guarded(Work work) {
    try {
      work();
    } catch (const Protocol&) {
      throw;
    } catch (...) {
      m_show->fail(std::current_exception());
    }
  }

  const std::string m_url;
  Channel::Target m_target;
  mutable std::mutex m_mutex;
  std::condition_variable_any m_changed;
  bool m_isWelcome = false;
  SlabWelcome m_welcome;
  std::size_t m_attached = 0;
  std::vector<std::uint32_t> m_gone;  ///< ranks whose connection has ended
  std::exception_ptr m_closed;
  std::uint64_t m_lastNumber = 0;
  std::map<std::uint64_t, std::shared_ptr<Question>>
      m_questions;  ///< that are waited for, whatever is shown meanwhile
  std::shared_ptr<SlabShow> m_show;
  std::uint64_t m_lastResult = kFirstResult;                         ///< numbers of their own
  std::map<std::uint64_t, std::shared_ptr<GeometryShow>> m_results;  ///< that are waited for
  std::atomic<std::uint64_t> m_bytesReceived{0};
  std::unique_ptr<Channel> m_control;
  std::map<std::uint32_t, std::unique_ptr<Channel>> m_data;  ///< by rank; changed by open() alone
  LifeLog& m_lives;
};

SlabViewer::SlabViewer(const std::string& url, const std::stop_token& stop,
                       const std::optional<Credentials>& credentials)
    : m_url(url), m_host(parseSlabUrl(url)), m_credentials(credentials) {
  const auto made = std::make_shared<Connection>(m_url, m_host, m_credentials, m_lives);
  made->open(stop);
  m_connection = made;
}

SlabViewer::~SlabViewer() = default;

VolumeFacts SlabViewer::facts() const {
  const std::lock_guard lock(m_mutex);
  return m_connection->welcome().facts;
}

std::shared_ptr<SlabViewer::Connection> SlabViewer::connection(const std::stop_token& stop) {
  {
    const std::lock_guard lock(m_mutex);
    // a rank may be back, or only its connection be lost
    if (m_connection->isWhole()) return m_connection;
  }
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    const auto made = std::make_shared<Connection>(m_url, m_host, m_credentials, m_lives);
    try {
      made->open(stop);
      const std::lock_guard lock(m_mutex);
      m_counters.bytesReceived += m_connection->bytesReceived();
      ++m_counters.reconnects;
      m_connection = made;
      return made;
    } catch (const Io&) {
      if (std::chrono::steady_clock::now() > until) throw;
    }
    for (auto left = kPause; left.count() > 0; left -= kLook) {
      if (stop.stop_requested()) throw Cancelled();
      std::this_thread::sleep_for(kLook);
    }
  }
}

/// Once more where the connection is lost meanwhile.
template <class Result>
Result SlabViewer::retried(const std::stop_token& stop, const std::function<Result(Connection&)>& ask) {
  for (int attempt = 1;; ++attempt) {
    const std::shared_ptr<Connection> up = connection(stop);
    try {
      return ask(*up);
    } catch (const Io& error) {
      if (up->isUp() || attempt == kTries) throw;
      log::warning(error.what());
    }
  }
}

Surveyed SlabViewer::survey(const SurveyRequest& request, const std::stop_token& stop) {
  return retried<Surveyed>(stop, [&](Connection& up) { return up.survey(request, stop); });
}

std::shared_ptr<SlabShow> SlabViewer::shown(const ShowRequest& request, MemoryAccount& account,
                                            const std::stop_token& stop) {
  // for the renderer a later one takes the place of an earlier one: what is waited for on another thread would never come
  const Turns::Turn turn(m_turns, stop);
  for (int attempt = 1;; ++attempt) {
    const auto show = retried<std::shared_ptr<SlabShow>>(
        stop, [&](Connection& up) { return up.show(request, account, stop); });
    if (show->error()) try {
        std::rethrow_exception(show->error());
      } catch (const Io& error) {
        // A rank that is gone is heard of by the others before it is known here: those that are left are asked.
        if (attempt == kTries) throw;
        log::warning(m_url + ": " + error.what() + "; asked once more");
        continue;
      }
    {
      const std::lock_guard lock(m_mutex);
      m_counters.parts = show->parts();
      m_counters.missing = show->missing();
      m_counters.samples += show->samples();
    }
    if (show->missing() == 0 || attempt == kTries) return show;
    log::warning(m_url + ": a rank is gone, and with it " + std::to_string(show->missing()) + " of " +
                 std::to_string(show->parts()) + " parts of the volume; the others are asked for them");
  }
}

std::shared_ptr<const scene::SlabSet> SlabViewer::slabs(const ShowRequest& request, MemoryAccount& account,
                                                        const std::stop_token& stop) {
  const auto show = shown(request, account, stop);
  if (show->missing() > 0)
    log::warning(m_url + ": " + std::to_string(show->missing()) + " of " + std::to_string(show->parts()) +
                 " slabs are missing; they are hatched");
  return show->slabs();
}

void SlabViewer::frame(const ShowRequest& request, MemoryAccount& account, const std::stop_token& stop,
                       std::span<float> rgba) {
  const auto show = shown(request, account, stop);
  if (show->missing() > 0)
    throw Io("parts of a frame are missing: a rank is gone", "start farfield-slabd again").at(m_url);
  const std::vector<std::uint8_t>& bytes = show->frame();
  for (std::size_t n = 0; n < std::min(bytes.size(), rgba.size()); ++n)
    rgba[n] = static_cast<float>(bytes[n]) / 255;
}

session::ResultCounts SlabViewer::results(const session::ResultRequest& request) {
  const std::uint64_t before = counters().bytesReceived;
  bool begun = false;
  for (int attempt = 1;; ++attempt) {
    const auto show = retried<std::shared_ptr<GeometryShow>>(
        request.stop, [&](Connection& up) { return up.results(request, std::exchange(begun, true)); });
    if (const auto error = show->error()) std::rethrow_exception(error);
    if (show->missing() == 0) return {show->shares(), counters().bytesReceived - before};
    const std::string gone = std::to_string(show->missing()) + " of " + std::to_string(show->shares());
    if (attempt == kTries)
      throw Io("ranks are gone that had " + gone + " shares of an object", "start farfield-slabd again")
          .at(m_url);
    log::warning(m_url + ": a rank is gone, and with it " + gone +
                 " shares of an object; the others are asked for it");
  }
}

SlabCounters SlabViewer::counters() const {
  const std::lock_guard lock(m_mutex);
  SlabCounters counters = m_counters;
  counters.ranks = m_connection->welcome().alive.size();
  counters.alive = m_connection->alive();
  counters.bytesReceived += m_connection->bytesReceived();
  return counters;
}

void SlabViewer::watch(const std::stop_token& stop) {
  connection(stop)->watch();
}

namespace {

/// From the middle of the data, to where they are seen from.
Vec3 toEyeOf(const Bounds& data, const scene::Camera& camera) {
  return camera.orthographic ? scene::axesOf(camera).back
                             : camera.position - scene::stretched(data, camera.stretch).center();
}

}  // namespace

double alongOf(const Bounds& data, const scene::Camera& camera, int axis) {
  const Vec3 toEye = toEyeOf(data, camera);
  const double far = length(toEye);
  return far > 0 ? std::abs(toEye[axis]) / far : 0;
}

SlabView slabViewOf(const Bounds& data, const scene::SlabAim& aim, int axis) {
  const scene::Camera& camera = aim.camera;
  const Bounds bounds = scene::stretched(data, camera.stretch);
  const scene::CameraAxes axes = scene::axesOf(camera);
  const Vec3 middle = 0.5 * (bounds.min + bounds.max), extent = bounds.max - bounds.min;
  const Vec3 toEye = toEyeOf(data, camera);
  SlabView view;
  view.axis = axis;
  if (axis < 0) {
    view.axis = 0;
    for (int a = 1; a < 3; ++a)
      if (std::abs(toEye[a]) > std::abs(toEye[view.axis])) view.axis = a;
  }
  view.fromAbove = toEye[view.axis] >= 0;
  const double depth = std::max(dot(camera.position - middle, axes.back), 0.0);
  const double high = camera.orthographic
                          ? camera.orthographicHeight
                          : 2 * depth * std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
  double longer = 0;
  for (int a = 0; a < 3; ++a)
    if (a != view.axis) longer = std::max(longer, extent[a]);
  const double wanted = high > 0 ? kFiner * longer * aim.height / high : kMostPixels;
  view.pixels = static_cast<int>(std::clamp<double>(std::ceil(wanted), kLeastPixels, kMostPixels));
  return view;
}

}  // namespace farfield::remote
