#include "bench/devices/tcp_relay.h"

#include <algorithm>
#include <asio.hpp>
#include <atomic>
#include <cstring>
#include <deque>
#include <list>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "core/base/error.h"

namespace farfield::bench {
namespace {

using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPieceBytes = 64 << 10;
/// Of the paging protocol: bytes of a frame's head, and the type of a page.
constexpr std::size_t kHeadBytes = 16;
constexpr char kPageType = 68;

tcp::endpoint endpointOf(const std::string& text) {
  const auto colon = text.rfind(':');
  std::error_code error;
  const auto address = asio::ip::make_address(text.substr(0, colon), error);
  if (error || colon == std::string::npos) throw Invalid("'" + text + "' is not ADDRESS:PORT");
  return {address, static_cast<unsigned short>(std::stoi(text.substr(colon + 1)))};
}

/// When the next byte may be sent, shared by all connections of a direction.
struct Rate {
  double bytesPerSecond = 0;
  Clock::time_point free{};
  Clock::time_point leave(std::size_t bytes, Clock::time_point now) {
    if (bytesPerSecond <= 0) return now;
    free = std::max(free, now) + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                     static_cast<double>(bytes) / bytesPerSecond));
    return free;
  }
};

/// One direction of a connection: pieces are received, wait for their time, and are sent.
class Pipe : public std::enable_shared_from_this<Pipe> {
 public:
  Pipe(asio::io_context& io, std::shared_ptr<tcp::socket> from, std::shared_ptr<tcp::socket> to, Rate& rate,
       const RelayOptions& options, bool shuffles, std::atomic<std::uint64_t>& sentByAll)
      : m_from(std::move(from)),
        m_to(std::move(to)),
        m_rate(rate),
        m_options(options),
        m_shuffles(shuffles),
        m_sentByAll(sentByAll),
        m_timer(io) {}

  void start() { readMore(); }
  std::uint64_t sentBytes() const { return m_sentBytes; }

 private:
  struct Piece {
    std::vector<char> bytes;
    Clock::time_point due;
  };

  void readMore() {
    if (m_reading || m_ended || m_waitingBytes > m_options.queueBytes) return;
    m_reading = true;
    auto piece = std::make_shared<std::vector<char>>(kPieceBytes);
    m_from->async_read_some(asio::buffer(*piece), [this, self = shared_from_this(), piece](
                                                      std::error_code error, std::size_t bytes) {
      m_reading = false;
      if (error) {
        m_ended = true;
        return writeMore();
      }
      piece->resize(bytes);
      if (m_shuffles) {
        *piece = shuffled(*piece);
        bytes = piece->size();
      }
      m_waitingBytes += bytes;
      m_pieces.push_back({std::move(*piece), m_rate.leave(bytes, Clock::now()) + m_options.delay});
      writeMore();
      readMore();
    });
  }

  /// The whole frames of what has come, pages among them in any order; what has begun to come stays.
  std::vector<char> shuffled(const std::vector<char>& more) {
    m_begun.insert(m_begun.end(), more.begin(), more.end());
    std::vector<std::vector<char>> frames;
    std::size_t at = 0;
    while (m_begun.size() - at >= kHeadBytes) {
      std::uint32_t body = 0;
      std::memcpy(&body, m_begun.data() + at, sizeof body);
      if (m_begun.size() - at - kHeadBytes < body) break;
      const auto begin = m_begun.begin() + static_cast<std::ptrdiff_t>(at);
      frames.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(kHeadBytes + body));
      at += kHeadBytes + body;
    }
    m_begun.erase(m_begun.begin(), m_begun.begin() + static_cast<std::ptrdiff_t>(at));
    std::vector<std::vector<char>*> pages;
    for (std::vector<char>& frame : frames)
      if (frame[4] == kPageType && frame[5] == 0) pages.push_back(&frame);
    for (std::size_t n = pages.size(); n > 1; --n) std::swap(*pages[n - 1], *pages[m_random() % n]);
    std::vector<char> all;
    for (const std::vector<char>& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
    return all;
  }

  void writeMore() {
    if (m_writing) return;
    if (m_pieces.empty()) {
      std::error_code ignored;
      if (m_ended) m_to->shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    m_writing = true;
    m_timer.expires_at(m_pieces.front().due);
    m_timer.async_wait([this, self = shared_from_this()](std::error_code) {
      asio::async_write(*m_to, asio::buffer(m_pieces.front().bytes),
                        [this, self](std::error_code error, std::size_t) {
                          m_writing = false;
                          m_waitingBytes -= m_pieces.front().bytes.size();
                          m_sentBytes += m_pieces.front().bytes.size();
                          m_sentByAll += m_pieces.front().bytes.size();
                          m_pieces.pop_front();
                          std::error_code ignored;
                          if (error) {
                            m_ended = true;
                            m_pieces.clear();
                            m_from->close(ignored);
                            return;
                          }
                          writeMore();
                          readMore();
                        });
    });
  }

  std::shared_ptr<tcp::socket> m_from, m_to;
  Rate& m_rate;
  const RelayOptions& m_options;
  const bool m_shuffles;
  std::atomic<std::uint64_t>& m_sentByAll;  ///< in this direction
  std::vector<char> m_begun;
  std::minstd_rand m_random{1};
  asio::steady_timer m_timer;
  std::deque<Piece> m_pieces;
  std::uint64_t m_waitingBytes = 0, m_sentBytes = 0;
  bool m_reading = false, m_writing = false, m_ended = false;
};

}  // namespace

struct TcpRelay::State {
  explicit State(const RelayOptions& its) : options(its), acceptor(io), timer(io) {
    up.bytesPerSecond = down.bytesPerSecond = its.bytesPerSecond;
  }

  void accept() {
    acceptor.async_accept([this](std::error_code error, tcp::socket socket) {
      if (error) return;
      auto client = std::make_shared<tcp::socket>(std::move(socket));
      auto server = std::make_shared<tcp::socket>(io);
      tcp::endpoint target;
      {
        const std::lock_guard lock(mutex);
        target = endpointOf(options.target);
      }
      server->async_connect(target, [this, client, server](std::error_code failure) {
        std::error_code ignored;
        if (failure) {
          client->close(ignored);
          return;
        }
        for (const auto& its : {client, server}) its->set_option(tcp::no_delay(true), ignored);
        std::erase_if(connections, [](const Connection& known) { return known.back.expired(); });
        std::make_shared<Pipe>(io, client, server, up, options, false, bytesUp)->start();
        const auto back =
            std::make_shared<Pipe>(io, server, client, down, options, options.shuffle, bytesBack);
        connections.push_back({client, server, back});
        back->start();
      });
      accept();
    });
  }

  void cutLater() {
    if (options.cutEvery.count() == 0) return;
    timer.expires_after(options.cutEvery);
    timer.async_wait([this](std::error_code error) {
      if (error) return;
      std::erase_if(connections, [this](const Connection& its) {
        const auto back = its.back.lock();
        if (back && back->sentBytes() < options.cutAfterBytes) return false;
        cut(its.client);
        cut(its.server);
        return true;
      });
      cutLater();
    });
  }

  void cut(const std::weak_ptr<tcp::socket>& end) {
    const auto its = end.lock();
    if (!its || !its->is_open()) return;
    std::error_code ignored;
    its->close(ignored);
    ++cuts;
  }

  struct Connection {
    std::weak_ptr<tcp::socket> client, server;
    std::weak_ptr<Pipe> back;  ///< from the server to the client
  };

  RelayOptions options;
  asio::io_context io{1};
  tcp::acceptor acceptor;
  asio::steady_timer timer;
  Rate up, down;
  std::mutex mutex;
  std::list<Connection> connections;
  std::atomic<std::uint64_t> cuts{0}, bytesUp{0}, bytesBack{0};
  std::thread thread;
};

TcpRelay::TcpRelay(const RelayOptions& options) : m_state(std::make_unique<State>(options)) {
  endpointOf(options.target);
  try {
    m_state->acceptor.open(tcp::v4());
    m_state->acceptor.bind({asio::ip::address_v4::loopback(), 0});
    m_state->acceptor.listen();
  } catch (const std::system_error& error) {
    throw Io("a relay cannot listen: " + error.code().message());
  }
  m_state->accept();
  m_state->cutLater();
  m_state->thread = std::thread([this] { m_state->io.run(); });
}

TcpRelay::~TcpRelay() {
  m_state->io.stop();
  m_state->thread.join();
}

std::string TcpRelay::address() const {
  return "127.0.0.1:" + std::to_string(m_state->acceptor.local_endpoint().port());
}

std::uint64_t TcpRelay::cuts() const {
  return m_state->cuts;
}

std::uint64_t TcpRelay::bytesBack() const {
  return m_state->bytesBack;
}

}  // namespace farfield::bench
