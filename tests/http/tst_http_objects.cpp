// The contract of the byte layer's back ends over HTTP, against a server of the test's own: one that behaves, and one
// that cuts every fourth answer short and is busy now and then.

#include <QTest>
#include <mutex>

#include "remote/http/http_store.h"
#include "tests/contract/byte_store_contract.h"
#include "tests/support/http_server.h"

namespace farfield::test {
namespace {

class Website {
 public:
  explicit Website(bool misbehaves)
      : m_server([this, misbehaves](const HttpRequest& request) {
          HttpReply reply = answer(request);
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
  }

 private:
  struct File {
    std::string bytes, etag;
  };
  HttpReply answer(const HttpRequest& request) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_files.find(request.path);
    if (found == m_files.end()) return {.status = 404};
    return HttpServer::rangeOf(request, found->second.bytes, found->second.etag);
  }

  std::mutex m_mutex;
  std::map<std::string, File> m_files;
  std::string m_last;
  int m_count = 0;
  HttpServer m_server;
};

ByteSubject subjectOn(const std::string& name, const std::shared_ptr<Website>& site) {
  const auto store = std::make_shared<http::HttpStore>();
  return {
      .name = name,
      .open = [store, site](const std::vector<std::byte>& bytes) { return store->open(site->put(bytes)); },
      .engine = {.depth = 8},
      .change = [site](bool sameSize) { site->change(sameSize); }};
}

}  // namespace
}  // namespace farfield::test

int main(int argc, char** argv) {
  using namespace farfield::test;
  ByteStoreContract suite({subjectOn("http", std::make_shared<Website>(false)),
                           subjectOn("http, a server that misbehaves", std::make_shared<Website>(true))});
  return QTest::qExec(&suite, argc, argv);
}
