#pragma once
// A link that a test breaks when it wants to: passes bytes on between those who connect to it and a port of this machine, ends all
// connections, takes none for a while, or says something of its own in between.

#include <array>
#include <asio.hpp>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace farfield::test {

/// Calls wait until they are done. Has a thread of its own.
class BrokenLink {
 public:
  /// To 127.0.0.1:`port`.
  explicit BrokenLink(std::uint16_t port) : m_target(asio::ip::address_v4::loopback(), port) {
    listen({asio::ip::address_v4::loopback(), 0});
    m_own = m_acceptor.local_endpoint();
    m_thread = std::thread([this] { m_io.run(); });
  }
  ~BrokenLink() {
    run([this] {
      m_isDown = true;
      close();
      m_guard.reset();
    });
    m_thread.join();
  }
  BrokenLink(const BrokenLink&) = delete;
  BrokenLink& operator=(const BrokenLink&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(m_own.port()); }
  /// All connections end; new ones can be made.
  void cut() {
    run([this] { endPairs(); });
  }
  /// And no new ones are passed on until up(): they end at once.
  void down() {
    run([this] {
      m_isDown = true;
      endPairs();
    });
  }
  void up() {
    run([this] { m_isDown = false; });
  }
  /// Says this to those who have connected, between what they are told.
  void say(const std::vector<std::uint8_t>& bytes) {
    run([&] {
      for (const auto& pair : m_pairs) {
        std::error_code ignored;
        asio::write(pair->one, asio::buffer(bytes), ignored);
      }
    });
  }
  /// Connections now.
  std::size_t count() {
    std::size_t count = 0;
    run([&] { count = m_pairs.size(); });
    return count;
  }

 private:
  using Socket = asio::ip::tcp::socket;
  struct Pair {
    explicit Pair(asio::io_context& io) : one(io), other(io) {}
    Socket one, other;
    std::array<char, 65536> there{}, back{};
  };

  template <class Work>
  void run(Work work) {
    if (std::this_thread::get_id() == m_thread.get_id()) return work();
    asio::post(m_io, asio::use_future(work)).get();
  }

  void listen(const asio::ip::tcp::endpoint& endpoint) {
    m_acceptor.open(endpoint.protocol());
    m_acceptor.set_option(asio::socket_base::reuse_address(true));
    m_acceptor.bind(endpoint);
    m_acceptor.listen();
    accept();
  }

  void accept() {
    const auto pair = std::make_shared<Pair>(m_io);
    m_acceptor.async_accept(pair->one, [this, pair](std::error_code error) {
      if (!m_acceptor.is_open()) return;
      std::error_code failed = error;
      if (!failed && !m_isDown) pair->other.connect(m_target, failed);
      if (!failed && !m_isDown) {
        m_pairs.push_back(pair);
        pass(pair, pair->one, pair->other, pair->there);
        pass(pair, pair->other, pair->one, pair->back);
      }
      accept();
    });
  }

  /// Writes whole: tests send little.
  void pass(const std::shared_ptr<Pair>& pair, Socket& from, Socket& to, std::array<char, 65536>& room) {
    from.async_read_some(
        asio::buffer(room), [this, pair, &from, &to, &room](std::error_code error, std::size_t bytes) {
          if (error) return end(pair);
          asio::async_write(to, asio::buffer(room.data(), bytes),
                            [this, pair, &from, &to, &room](std::error_code failed, std::size_t) {
                              if (failed) return end(pair);
                              pass(pair, from, to, room);
                            });
        });
  }

  void end(const std::shared_ptr<Pair>& pair) {
    std::error_code ignored;
    pair->one.close(ignored);
    pair->other.close(ignored);
    std::erase(m_pairs, pair);
  }
  void endPairs() {
    for (const auto& pair : std::exchange(m_pairs, {})) end(pair);
  }
  void close() {
    std::error_code ignored;
    m_acceptor.close(ignored);
    endPairs();
  }

  asio::io_context m_io{1};
  asio::executor_work_guard<asio::io_context::executor_type> m_guard{m_io.get_executor()};
  asio::ip::tcp::acceptor m_acceptor{m_io};
  const asio::ip::tcp::endpoint m_target;
  asio::ip::tcp::endpoint m_own;
  std::vector<std::shared_ptr<Pair>> m_pairs;
  bool m_isDown = false;
  std::thread m_thread;
};

}  // namespace farfield::test
