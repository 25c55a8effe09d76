// The contract of the byte layer's back ends over HTTP, against a server of the test's own: one that behaves, one that cuts every
// fourth answer short and is busy now and then, both while something is written to the object, and one that sends no parts.

#include <QTest>
#include <mutex>

#include "core/paging/bytes/growing_object.h"
#include "remote/http/http_store.h"
#include "tests/contract/byte_store_contract.h"
#include "tests/support/http_server.h"

namespace farfield::test {
namespace {

struct Manners {
  bool misbehaves = false;
  bool grows = false;  ///< between any two answers
  bool sendsWhole = false;
};

class Website {
 public:
  explicit Website(const Manners& manners)
      : m_grows(manners.grows), m_server([this, manners](HttpRequest request) {
          if (manners.sendsWhole) request.headers.erase("range");
          HttpReply reply = answer(request);
          const bool misbehaves = manners.misbehaves;
          if (misbehaves && request.number % 4 == 3) reply.cutAfter = reply.body.size() / 2;
          if (misbehaves && request.number % 7 == 5)
            return HttpReply{.status = 503, .headers = {{"Retry-After", "0"}}};
          return reply;
        }) {}
  std::string put(const std::vector<std::byte>& bytes) {
    const std::lock_guard lock(m_mutex);
    m_last = std::to_string(++m_count);
    m_files["/" + m_last] = {{reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                             "\"" + m_last + "\""};
    return m_server.url(m_last);
  }
  void change(bool sameSize) {
    const std::lock_guard lock(m_mutex);
    File& file = m_files["/" + m_last];
    file.etag = "\"another\"";
    if (!sameSize) file.bytes.resize(file.bytes.size() / 2);
    if (m_grows) file.bytes[kLastingAt] = static_cast<char>(~file.bytes[kLastingAt]);
  }
  static constexpr std::size_t kLastingAt = 1000, kLasting = 100;

 private:
  struct File {
    std::string bytes, etag;
  };
  HttpReply answer(const HttpRequest& request) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_files.find(request.path);
    if (found == m_files.end()) return {.status = 404};
    File& file = found->second;
    const HttpReply reply = HttpServer::rangeOf(request, file.bytes, file.etag);
    if (m_grows) {
      file.bytes += "more";
      file.etag = "\"" + std::to_string(file.bytes.size()) + "\"";
    }
    return reply;
  }

  std::mutex m_mutex;
  std::map<std::string, File> m_files;
  std::string m_last;
  int m_count = 0;
  const bool m_grows;
  HttpServer m_server;
};

ByteSubject subjectOn(const std::string& name, const Manners& manners) {
  const auto store = std::make_shared<http::HttpStore>();
  const auto site = std::make_shared<Website>(manners);
  const auto letGrow = [](const paging::ByteObject& object, std::span<const std::byte> bytes) {
    if (bytes.size() < Website::kLastingAt + Website::kLasting) return;
    const auto lasting = bytes.subspan(Website::kLastingAt, Website::kLasting);
    dynamic_cast<const paging::GrowingObject&>(object).letGrow(
        {{Website::kLastingAt, {lasting.begin(), lasting.end()}}});
  };
  return {.name = name,
          .open =
              [=](const std::vector<std::byte>& bytes) {
                auto object = store->open(site->put(bytes));
                if (manners.grows) letGrow(*object, bytes);
                return object;
              },
          .engine = {.depth = 8},
          .change = [site](bool sameSize) { site->change(sameSize); }};
}

}  // namespace
}  // namespace farfield::test

int main(int argc, char** argv) {
  using namespace farfield::test;
  ByteStoreContract suite({subjectOn("http", {}),
                           subjectOn("http, a server that misbehaves", {.misbehaves = true}),
                           subjectOn("http, an object that grows", {.grows = true}),
                           subjectOn("http, both", {.misbehaves = true, .grows = true}),
                           subjectOn("http, a server that sends no parts", {.sendsWhole = true})});
  return QTest::qExec(&suite, argc, argv);
}
