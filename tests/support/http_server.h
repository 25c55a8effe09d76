#pragma once
// A small web server inside a test. It serves ranges of bytes of files in memory, keeps connections, and misbehaves as
// it is told: what real servers do rarely, and when nobody is looking.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace farfield::test {

struct HttpRequest {
  std::string method, path;                    ///< the path as it was sent
  std::map<std::string, std::string> headers;  ///< names in small letters
  int number = 0;                              ///< of the server's requests, from 1 on
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct HttpReply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  std::optional<std::size_t> cutAfter = {};  ///< bytes of the body, after which the connection ends
  bool hangs = false;                        ///< says nothing
};

class HttpServer {
 public:
  using Answer = std::function<HttpReply(const HttpRequest&)>;

  /// `answer` is called from threads of the server.
  explicit HttpServer(Answer answer) : m_answer(std::move(answer)) {
    m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(m_socket, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(m_socket, 64) != 0 ||
        ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no port for a web server");
    m_port = ntohs(address.sin_port);
    m_thread = std::thread([this] { accept(); });
  }
  ~HttpServer() {
    m_stop = true;
    m_thread.join();
    for (std::thread& thread : m_connections) thread.join();
    ::close(m_socket);
  }

  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(m_port) + "/" + path;
  }
  int port() const { return m_port; }
  int requests() const { return m_requests; }
  int connections() const { return m_connected; }

  /// The part of `body` that `request` asks for, as a good server has it. If-Range and If-Match are honoured.
  static HttpReply rangeOf(const HttpRequest& request, const std::string& body, const std::string& etag) {
    HttpReply reply{.status = 200, .headers = {{"ETag", etag}, {"Server", "test/1"}}, .body = body};
    const std::string match = request.header("if-match"), condition = request.header("if-range");
    if (!match.empty() && match != etag) return {.status = 412, .headers = {{"ETag", etag}}};
    const std::string range = request.header("range");
    if (!range.starts_with("bytes=") || (!condition.empty() && condition != etag)) return reply;
    const auto dash = range.find('-');
    const std::size_t first = std::stoull(range.substr(6, dash - 6));
    std::size_t last = std::stoull(range.substr(dash + 1));
    if (first >= body.size()) {
      reply.status = 416;
      reply.headers.emplace_back("Content-Range", "bytes */" + std::to_string(body.size()));
      reply.body = "no";
      return reply;
    }
    last = std::min(last, body.size() - 1);
    reply.status = 206;
    reply.body = body.substr(first, last - first + 1);
    reply.headers.emplace_back("Content-Range", "bytes " + std::to_string(first) + "-" +
                                                    std::to_string(last) + "/" + std::to_string(body.size()));
    return reply;
  }

 private:
  bool waitFor(int socket, short events) const {
    while (!m_stop) {
      pollfd polled{socket, events, 0};
      if (::poll(&polled, 1, 20) > 0) return true;
    }
    return false;
  }

  void accept() {
    while (waitFor(m_socket, POLLIN)) {
      const int socket = ::accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (socket < 0) continue;
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ++m_connected;
      m_connections.emplace_back([this, socket] {
        serve(socket);
        ::close(socket);
      });
    }
  }

  void serve(int socket) {
    std::string text;
    for (;;) {
      std::size_t end;
      while ((end = text.find("\r\n\r\n")) == std::string::npos) {
        if (!waitFor(socket, POLLIN)) return;
        char buffer[4096];
        const ssize_t got = ::recv(socket, buffer, sizeof buffer, 0);
        if (got <= 0) return;
        text.append(buffer, static_cast<std::size_t>(got));
      }
      const HttpRequest request = parse(text.substr(0, end + 2));
      text.erase(0, end + 4);
      const HttpReply reply = m_answer(request);
      if (reply.hangs) {
        while (!m_stop) ::usleep(10000);
        return;
      }
      std::string out = "HTTP/1.1 " + std::to_string(reply.status) + " X\r\n";
      bool hasLength = false;
      for (const auto& [name, value] : reply.headers) {
        out += name + ": " + value + "\r\n";
        hasLength = hasLength || name == "Content-Length" || name == "Transfer-Encoding";
      }
      if (!hasLength) out += "Content-Length: " + std::to_string(reply.body.size()) + "\r\n";
      out += "\r\n" + reply.body.substr(0, reply.cutAfter.value_or(std::string::npos));
      for (std::size_t at = 0; at < out.size();) {
        if (!waitFor(socket, POLLOUT)) return;
        const ssize_t sent = ::send(socket, out.data() + at, out.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) return;
        at += static_cast<std::size_t>(sent);
      }
      if (reply.cutAfter) return;
    }
  }

  HttpRequest parse(const std::string& head) {
    HttpRequest request;
    request.number = ++m_requests;
    std::size_t at = head.find("\r\n");
    const std::string line = head.substr(0, at);
    const auto space = line.find(' ');
    request.method = line.substr(0, space);
    request.path = line.substr(space + 1, line.rfind(' ') - space - 1);
    for (at += 2; at < head.size();) {
      const auto end = head.find("\r\n", at);
      const auto colon = head.find(':', at);
      std::string name = head.substr(at, colon - at);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      const auto value = head.find_first_not_of(' ', colon + 1);
      request.headers[name] = head.substr(value, end - value);
      at = end + 2;
    }
    return request;
  }

  const Answer m_answer;
  int m_socket = -1, m_port = 0;
  std::atomic<bool> m_stop{false};
  std::atomic<int> m_requests{0}, m_connected{0};
  std::thread m_thread;
  std::vector<std::thread> m_connections;  ///< of m_thread until it ends
};

}  // namespace farfield::test
