#include "remote/slabd/rank_gate.h"

#include <asio/post.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/trace/trace.h"
#include "remote/slabs/slab_messages.h"
#include "remote/wire/listen.h"

namespace farfield::remote {
namespace {

constexpr std::uint32_t kMostHello = 4096;

}  // namespace

RankGate::RankGate(std::string secret, bool otherNodes, std::uint32_t mostBody, Handle handle,
                   const std::string& name, Left left)
    : m_secret(std::move(secret)),
      m_mostBody(mostBody),
      m_handle(std::move(handle)),
      m_left(std::move(left)) {
  listenOn(m_acceptor, endpointOf(otherNodes ? "*:0" : "127.0.0.1:0", "ranks"), "ranks");
  accept();
  m_thread = std::thread([this, name] {
    trace::nameThread(name);
    m_io.run();
  });
}

RankGate::~RankGate() {
  asio::post(m_io, [this] {
    std::error_code ignored;
    m_acceptor.close(ignored);
    for (const auto& link : std::exchange(m_links, {})) link->close();
    m_guard.reset();
  });
  m_thread.join();
}

std::uint16_t RankGate::port() const {
  return m_acceptor.local_endpoint().port();
}

void RankGate::post(std::function<void()> work) {
  asio::post(m_io, std::move(work));
}

void RankGate::accept() {
  m_acceptor.async_accept([this](std::error_code error, asio::ip::tcp::socket socket) {
    if (!m_acceptor.is_open()) return;
    if (!error) begin(std::move(socket));
    accept();
  });
}

void RankGate::begin(asio::ip::tcp::socket socket) {
  const auto link = std::make_shared<FrameLink>(makePlainWire(std::move(socket)), kMostHello);
  m_links.insert(link);
  std::weak_ptr<FrameLink> weak = link;
  const auto closed = [this, weak](const std::string&) { m_links.erase(weak.lock()); };
  link->start({[this, weak, closed](const FrameBuffer::Frame& frame) {
                 if (slabMessage(frame.header) != SlabMessage::RankHello)
                   throw Protocol("a rank begins with a hello");
                 const RankHello hello = parseRankHello(frame.body);
                 if (hello.secret != m_secret) throw Protocol("no rank of this renderer");
                 const auto its = weak.lock();
                 its->setMostBody(m_mostBody);
                 its->follow({[this, weak](const FrameBuffer::Frame& said) {
                                if (const auto from = weak.lock()) m_handle(from, said);
                              },
                              [this, closed, rank = hello.rank](const std::string& why) {
                                closed(why);
                                if (m_left) m_left(rank);
                              }});
               },
               closed});
}

std::unique_ptr<Channel> dialRank(const Host& gate, const std::string& secret, std::uint32_t own,
                                  Channel::Events events, const std::string& name) {
  return std::make_unique<Channel>(Channel::Target{gate},
                                   slabFrame(SlabMessage::RankHello, 0, bytesOf(RankHello{secret, own, 0})),
                                   std::move(events), name);
}

}  // namespace farfield::remote
