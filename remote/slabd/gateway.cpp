#include "remote/slabd/gateway.h"

#include <algorithm>
#include <asio.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/trace/trace.h"
#include "remote/protocol/messages.h"
#include "remote/server/access.h"
#include "remote/slabd/input_owner.h"
#include "remote/slabd/input_sizing.h"
#include "remote/slabd/slab_costs.h"
#include "remote/slabd/splice.h"
#include "remote/slabs/frame_link.h"
#include "remote/slabs/geometry_messages.h"
#include "remote/wire/listen.h"
#include "remote/wire/tls.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

constexpr std::size_t kMostLinks = 4096;
constexpr auto kRanksWithin = 60s, kJoinWithin = 30s, kHelloWithin = 30s, kTick = 1s;
/// Of a viewer, which are not answered yet.
constexpr std::ptrdiff_t kMostQuestions = 16;

}  // namespace

struct Gateway::State {
  struct Viewer {
    std::shared_ptr<FrameLink> link;
    std::string peer;
    Planned plan;
    bool isToldOfInputs = false;  ///< that others have the ranks that read
  };
  struct Waiting {  ///< a viewer's connection that a rank is to be joined to
    std::uint32_t rank = 0;
    FrameLink::Released viewer;
    std::chrono::steady_clock::time_point since;
  };
  struct Question {
    std::uint64_t viewer = 0, number = 0;
    std::uint32_t rank = 0;
  };

  explicit State(GatewayOptions its)
      : options(std::move(its)),
        access(options.tokenFile.empty() ? Access() : Access::fromFile(options.tokenFile)),
        costs(options.facts),
        sizing(options.sizesInputs ? options.inputs : InputNeed{0, 1}),
        ranks(options.ranks) {}

  void say(const std::string& line) const {
    if (options.log) options.log(line);
  }

  void accept(tcp::acceptor& acceptor, bool ofRanks) {
    acceptor.async_accept([this, &acceptor, ofRanks](std::error_code error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!error) begin(std::move(socket), ofRanks);
      if (error == std::errc::too_many_files_open) std::this_thread::sleep_for(10ms);
      accept(acceptor, ofRanks);
    });
  }

  void begin(tcp::socket socket, bool ofRanks) {
    std::error_code error;
    const tcp::endpoint endpoint = socket.remote_endpoint(error);
    if (error || links.size() >= kMostLinks) return;
    const std::string peer = textOf(endpoint);
    auto wire =
        tls && !ofRanks ? makeTlsWire(std::move(socket), tls, true) : makePlainWire(std::move(socket));
    const auto link = std::make_shared<FrameLink>(std::move(wire), kMostHelloBytes);
    links.emplace(link, std::chrono::steady_clock::now());
    std::weak_ptr<FrameLink> weak = link;
    FrameLink::Events events;
    events.frame = [this, weak, peer, ofRanks](const FrameBuffer::Frame& frame) {
      if (const auto its = weak.lock()) ofRanks ? onRankHello(its, frame) : onHello(its, peer, frame);
    };
    events.closed = [this, weak](const std::string&) { links.erase(weak.lock()); };
    link->start(std::move(events));
  }

  void refuse(const std::shared_ptr<FrameLink>& link, const Invalid& error) {
    link->send(frameOf(MessageType::Failed, 0, bytesOf(failedFrom(std::make_exception_ptr(error)))));
    link->closeAfterSending("refused");
  }

  // Viewers.

  void onHello(const std::shared_ptr<FrameLink>& link, const std::string& peer,
               const FrameBuffer::Frame& frame) {
    if (slabMessage(frame.header) != SlabMessage::Hello) throw Protocol("a connection begins with a hello");
    const SlabHello hello = parseSlabHello(frame.body);
    if (hello.leastVersion > kSlabVersion || hello.mostVersion < kSlabVersion)
      return refuse(
          link, Invalid("the renderer speaks version " + std::to_string(kSlabVersion) + " of the protocol",
                        "use the same version of Farfield on both sides"));
    if (access.needsToken() && !access.grantFor(hello.token)) {
      say("event=refused viewer=" + peer + " why=token");
      return refuse(link, Invalid(hello.token.empty() ? "the renderer asks for a token"
                                                      : "the token is not known there",
                                  "set FARFIELD_TOKEN or FARFIELD_TOKEN_FILE, or run farfield login"));
    }
    if (hello.rank == SlabHello::kControl) return addViewer(link, peer);
    if (!viewers.contains(hello.viewer) || hello.rank >= ranks.size() || !ranks[hello.rank])
      return refuse(link, Invalid("there is no such rank, or no such viewer"));
    const std::uint64_t channel = ++lastChannel;
    waiting[channel] = {hello.rank, link->release(), std::chrono::steady_clock::now()};
    links.erase(link);
    ranks[hello.rank]->send(slabFrame(SlabMessage::Attach, 0, bytesOf(Attach{hello.viewer, channel})));
  }

  void addViewer(const std::shared_ptr<FrameLink>& link, const std::string& peer) {
    links.erase(link);
    std::uint64_t id = 0;
    while (id == 0 || viewers.contains(id)) id = random() * std::uint64_t{0x100000001} + random();
    viewers[id] = {link, peer, {}};
    link->setMostBody(kMostAskedBytes);
    link->follow({[this, id](const FrameBuffer::Frame& frame) { onViewer(id, frame); },
                  [this, id](const std::string& why) { endViewer(id, why); }});
    SlabWelcome welcome;
    welcome.viewer = id;
    welcome.server = "farfield-slabd " FARFIELD_VERSION;
    for (const auto& rank : ranks) welcome.alive.push_back(rank != nullptr);
    welcome.facts = options.facts;
    link->send(slabFrame(SlabMessage::Welcome, 0, bytesOf(welcome)));
    say("event=viewer client=" + peer);
  }

  void endViewer(std::uint64_t id, const std::string& why) {
    say("event=viewer-left client=" + viewers[id].peer + " why=\"" + printable(why) + "\"");
    viewers.erase(id);
    inputs.leave(id);
    std::erase_if(questions, [&](const auto& asked) { return asked.second.viewer == id; });
    for (const auto& rank : ranks)
      if (rank) rank->send(slabFrame(SlabMessage::Detach, 0, bytesOf(Attach{id, 0})));
  }

  std::vector<std::uint32_t> alive() const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t n = 0; n < ranks.size(); ++n)
      if (ranks[n]) numbers.push_back(n);
    return numbers;
  }

  void onViewer(std::uint64_t id, const FrameBuffer::Frame& frame) {
    Viewer& viewer = viewers.at(id);
    const std::uint64_t number = frame.header.sequence;
    const auto fail = [&](const auto& error) {
      viewer.link->send(
          frameOf(MessageType::Failed, number, bytesOf(failedFrom(std::make_exception_ptr(error)))));
    };
    const auto steps = static_cast<std::int64_t>(options.facts.times.size());
    const std::vector<std::uint32_t> numbers = alive();
    if (numbers.empty()) return fail(Io("no rank of the renderer is left", "start farfield-slabd again"));
    switch (slabMessage(frame.header)) {
      case SlabMessage::Survey: {
        const SurveyRequest request = parseSurveyRequest(frame.body);
        if (request.step >= steps) return fail(noStep(request.step));
        if (std::count_if(questions.begin(), questions.end(),
                          [&](const auto& asked) { return asked.second.viewer == id; }) >= kMostQuestions)
          return fail(Invalid("too many questions at a time", "wait for answers"));
        questions[++lastQuestion] = {id, number, numbers.front()};
        ranks[numbers.front()]->send(slabFrame(SlabMessage::Survey, lastQuestion, frame.body));
        return;
      }
      case SlabMessage::Show: {
        Work work;
        work.viewer = id;
        work.request = parseShowRequest(frame.body);
        if (work.request.step >= steps) return fail(noStep(work.request.step));
        work.request.nextStep = std::min(work.request.nextStep, steps - 1);
        work.inputs = inputPlan(numbers, sizing.need());
        work.inputs.isFollowed = inputs.takes(id, strideOf(work.request) > 0 && work.request.nextStep >= 0,
                                              InputOwner::Clock::now());
        if (work.inputs.isFollowed)
          ++lastSerial;
        else if (!work.inputs.ranks.empty() && options.notice && !std::exchange(viewer.isToldOfInputs, true))
          options.notice("ranks that read do so for the viewer that shows steps; what viewer " + viewer.peer +
                         " shows is read by those that render");
        work.inputs.serial = lastSerial;
        const std::vector<std::uint32_t> renderers(
            numbers.begin(), numbers.end() - static_cast<std::ptrdiff_t>(work.inputs.ranks.size()));
        work.plan = work.request.kind == ShowKind::Slabs
                        ? costs.slabs(work.request.axis, options.slabs, renderers)
                        : costs.parts(work.request.axis, renderers);
        if (work.inputs.isFollowed)
          sizing.begin(work.inputs, std::set(work.plan.ranks.begin(), work.plan.ranks.end()).size(),
                       numbers.size());
        work.plan.show = number;
        viewer.plan = work.plan;
        viewer.link->send(slabFrame(SlabMessage::Planned, number, bytesOf(work.plan)));
        const Bytes body = bytesOf(work);
        for (const std::uint32_t rank : numbers)
          ranks[rank]->send(slabFrame(SlabMessage::Work, number, body));
        return;
      }
      case SlabMessage::Compute: {
        const ComputeRequest request = parseComputeRequest(frame.body);
        if (request.step >= steps) return fail(noStep(request.step));
        viewer.link->send(slabFrame(SlabMessage::Computing, number, bytesOf(Computing{numbers})));
        ComputeWork work{id, 0, static_cast<std::uint32_t>(numbers.size()), request};
        for (; work.part < work.of; ++work.part)
          ranks[numbers[work.part]]->send(slabFrame(SlabMessage::ComputeWork, number, bytesOf(work)));
        return;
      }
      case SlabMessage::Forget:
        for (const std::uint32_t rank : numbers)
          ranks[rank]->send(slabFrame(SlabMessage::ForgetWork, number, bytesOf(Attach{id, number})));
        return;
      default:
        throw Protocol("a viewer does not say this");
    }
  }

  static Invalid noStep(std::int64_t step) {
    return Invalid("the renderer has no step " + std::to_string(step), "choose another");
  }

  // Ranks.

  void onRankHello(const std::shared_ptr<FrameLink>& link, const FrameBuffer::Frame& frame) {
    if (slabMessage(frame.header) != SlabMessage::RankHello) throw Protocol("a rank begins with a hello");
    const RankHello hello = parseRankHello(frame.body);
    // random, and never sent to who may not know it: how long comparing takes says nothing useful
    if (hello.secret != options.secret || hello.rank >= ranks.size())
      throw Protocol("no rank of this renderer");
    links.erase(link);
    if (hello.channel != 0) return join(link, hello);
    const std::uint32_t number = hello.rank;
    if (ranks[number]) throw Protocol("a rank twice");
    link->setMostBody(kMostAskedBytes);
    link->follow({[this, number](const FrameBuffer::Frame& its) { onRank(number, its); },
                  [this, number](const std::string& why) { endRank(number, why); }});
    ranks[number] = link;
    const std::lock_guard lock(mutex);
    ++there;
    changed.notify_all();
  }

  void join(const std::shared_ptr<FrameLink>& link, const RankHello& hello) {
    const auto found = waiting.find(hello.channel);
    if (found == waiting.end() || found->second.rank != hello.rank) return link->close();
    FrameLink::Released rank = link->release(), viewer = std::move(found->second.viewer);
    waiting.erase(found);
    Bytes toViewer = slabFrame(SlabMessage::Attached, 0, {});
    toViewer.insert(toViewer.end(), rank.received.begin(), rank.received.end());
    const auto splice = std::make_shared<Splice>(std::move(viewer.wire), std::move(rank.wire));
    std::erase_if(splices, [](const auto& known) { return known.expired(); });
    splices.push_back(splice);
    splice->start(std::move(toViewer), std::move(viewer.received));
  }

  void onRank(std::uint32_t number, const FrameBuffer::Frame& frame) {
    const auto question = questions.find(frame.header.sequence);
    const auto answer = [&](auto type) {
      if (question == questions.end()) return;
      const auto viewer = viewers.find(question->second.viewer);
      if (viewer != viewers.end())
        viewer->second.link->send(
            frameOf(static_cast<MessageType>(type), question->second.number, frame.body));
      questions.erase(question);
    };
    if (frame.header.type == MessageType::Failed) return answer(MessageType::Failed);
    if (slabMessage(frame.header) == SlabMessage::Surveyed) return answer(SlabMessage::Surveyed);
    if (slabMessage(frame.header) == SlabMessage::Measured) {
      const std::string said = options.sizesInputs ? sizing.note(parseStepMeasured(frame.body)) : "";
      if (options.notice && !said.empty()) options.notice(said);
      return;
    }
    if (slabMessage(frame.header) != SlabMessage::Finished) throw Protocol("a rank does not say this");
    const Finished finished = parseFinished(frame.body);
    const auto viewer = viewers.find(finished.viewer);
    if (viewer == viewers.end() || viewer->second.plan.show != finished.show) return;
    const Planned& plan = viewer->second.plan;
    if (finished.part < plan.ranks.size() && plan.ranks[finished.part] == number)
      costs.note(plan.axis, plan.edges[finished.part], plan.edges[finished.part + 1], finished.seconds);
  }

  void endRank(std::uint32_t number, const std::string& why) {
    ranks[number].reset();
    say("event=rank-gone rank=" + std::to_string(number) + " why=\"" + printable(why) + "\"");
    for (const auto& rank : ranks)
      if (rank) rank->send(slabFrame(SlabMessage::Gone, 0, bytesOf(Attach{number, 0})));
    for (auto at = questions.begin(); at != questions.end();) {
      const Question asked = at->second;
      if (asked.rank != number) {
        ++at;
        continue;
      }
      at = questions.erase(at);
      if (const auto viewer = viewers.find(asked.viewer); viewer != viewers.end())
        viewer->second.link->send(
            frameOf(MessageType::Failed, asked.number,
                    bytesOf(failedFrom(std::make_exception_ptr(
                        Io("rank " + std::to_string(number) + " of the renderer is gone", "try again"))))));
    }
  }

  void tick() {
    timer.expires_after(kTick);
    timer.async_wait([this](std::error_code error) {
      if (error) return;
      const auto now = std::chrono::steady_clock::now();
      std::erase_if(waiting, [&](auto& its) {
        if (now - its.second.since < kJoinWithin) return false;
        its.second.viewer.wire->close();
        return true;
      });
      std::erase_if(links, [&](const auto& its) {
        if (now - its.second < kHelloWithin) return false;
        its.first->close();
        return true;
      });
      tick();
    });
  }

  void stop() {
    std::error_code ignored;
    viewerAcceptor.close(ignored);
    rankAcceptor.close(ignored);
    timer.cancel();
    for (const auto& [link, since] : std::exchange(links, {})) link->close();
    for (auto& [id, viewer] : viewers) viewer.link->close();
    for (const auto& rank : ranks)
      if (rank) rank->close();
    for (auto& [channel, its] : waiting) its.viewer.wire->close();
    for (const auto& weak : splices)
      if (const auto splice = weak.lock()) splice->close();
  }

  const GatewayOptions options;
  const Access access;
  std::shared_ptr<TlsContext> tls;
  std::string fingerprint;
  asio::io_context io{1};
  tcp::acceptor viewerAcceptor{io}, rankAcceptor{io};
  asio::steady_timer timer{io};
  std::random_device random;
  SlabCosts costs;
  InputSizing sizing;
  InputOwner inputs;
  /// That have not said hello, since they are there.
  std::map<std::shared_ptr<FrameLink>, std::chrono::steady_clock::time_point> links;
  std::map<std::uint64_t, Viewer> viewers;
  std::vector<std::shared_ptr<FrameLink>> ranks;  ///< null: not there
  std::map<std::uint64_t, Waiting> waiting;       ///< by channel
  std::vector<std::weak_ptr<Splice>> splices;
  std::map<std::uint64_t, Question> questions;  ///< that ranks were asked
  std::uint64_t lastChannel = 0, lastQuestion = 0, lastSerial = 0;
  std::mutex mutex;  ///< of what follows
  std::condition_variable changed;
  std::uint32_t there = 0;  ///< ranks that have come
  std::thread thread;
};

Gateway::Gateway(GatewayOptions options) : m_state(std::make_unique<State>(std::move(options))) {
  State& state = *m_state;
  const GatewayOptions& its = state.options;
  if (its.tlsCertificate.empty() != its.tlsKey.empty())
    throw Invalid("a certificate and its key are given together", "give --tls-cert and --tls-key");
  const tcp::endpoint endpoint = endpointOf(its.listen, "--listen");
  if (!endpoint.address().is_loopback())
    requireProtection(its.listen, !its.tokenFile.empty(), !its.tlsCertificate.empty());
  if (!its.tlsCertificate.empty()) {
    state.tls = serverTls(its.tlsCertificate, its.tlsKey);
    state.fingerprint = fingerprintOf(its.tlsCertificate);
  }
  listenOn(state.viewerAcceptor, endpoint, "--listen");
  listenOn(state.rankAcceptor, endpointOf(its.otherNodes ? "*:0" : "127.0.0.1:0", "--listen"), "ranks");
  state.accept(state.rankAcceptor, true);
  state.tick();
  state.thread = std::thread([&state] {
    trace::nameThread("gateway");
    state.io.run();
  });
}

Gateway::~Gateway() {
  asio::post(m_state->io, [this] { m_state->stop(); });
  m_state->thread.join();
}

std::string Gateway::address() const {
  return textOf(m_state->viewerAcceptor.local_endpoint());
}

std::uint16_t Gateway::rankPort() const {
  return m_state->rankAcceptor.local_endpoint().port();
}

std::string Gateway::fingerprint() const {
  return m_state->fingerprint;
}

void Gateway::waitForRanks() {
  State& state = *m_state;
  {
    std::unique_lock lock(state.mutex);
    if (!state.changed.wait_for(lock, kRanksWithin, [&] { return state.there == state.options.ranks; }))
      throw Io(std::to_string(state.options.ranks - state.there) + " of " +
                   std::to_string(state.options.ranks) + " ranks did not come to the gateway",
               "check that their nodes reach the first rank's");
  }
  asio::post(state.io, [&state] { state.accept(state.viewerAcceptor, false); });
}

}  // namespace farfield::remote
