// The contract of page sources, for pages from a server: through loopback, through a connection that is cut again and
// again, and from two servers at a time.

#include <QTest>

#include "bench/devices/tcp_relay.h"
#include "core/base/error.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/writing/stripe_writer.h"
#include "remote/client/remote_data.h"
#include "tests/contract/page_source_contract.h"
#include "tests/contract/sample_data.h"
#include "tests/contract/sample_store.h"
#include "tests/remote/loopback_server.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace paging;

struct Files {
  TemporaryFolder folder;
  std::filesystem::path store = writeSampleStore(folder / "sample.h5");
  std::filesystem::path flipped = writeDamagedCopy(store, folder / "flipped.h5");
};

/// A striped set of three parts, of which one server has two and another the third.
struct StripedFiles {
  explicit StripedFiles(const Files& files) {
    MemoryAccount account(std::uint64_t{64} << 20);
    for (const char* const set : {"sample.stripes", "flipped.stripes"})
      writeStripes(*LocalFile::open(files.store), one.path() / set, {.parts = 3}, account);
    damageFirstPage(one.path() / "flipped.stripes", one.path() / "flipped.1.stripe");
    for (const std::string set : {"sample", "flipped"}) {
      std::filesystem::copy_file(one.path() / (set + ".stripes"), other.path() / (set + ".stripes"));
      std::filesystem::rename(one.path() / (set + ".2.stripe"), other.path() / (set + ".2.stripe"));
    }
  }
  TemporaryFolder one, other;
};

/// A source with the data that it needs.
class OpenedSource final : public PageSource {
 public:
  OpenedSource(const std::string& url, MemoryAccount& account, std::uint64_t stagingBytes) {
    fields::OpenRequest request;
    request.sources = {url};
    m_data = remote::RemoteDataReader().open(request, account);
    m_source = std::move(m_data->makeSources(account, {.stagingBytes = stagingBytes}).front());
  }
  ~OpenedSource() override { m_source.reset(); }
  const DatasetDescription& description() const override { return m_source->description(); }
  std::string name() const override { return m_source->name(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_source->maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override { m_source->read(requests); }
  void hurry(const PageRequest& request) noexcept override { m_source->hurry(request); }
  void withdraw(const PageRequest& request) noexcept override { m_source->withdraw(request); }
  void cancel(const PageSink* sink) noexcept override { m_source->cancel(sink); }
  SourceCounters counters() const override { return m_source->counters(); }
  int reap() noexcept override { return m_source->reap(); }
  int pollDescriptors(int* out, int capacity) const override {
    return m_source->pollDescriptors(out, capacity);
  }

 private:
  std::unique_ptr<fields::OpenData> m_data;
  std::unique_ptr<PageSource> m_source;
};

SourceSubject subject(const std::string& name, const std::string& base, std::uint64_t stagingBytes,
                      const std::string& ending = ".h5") {
  const auto opener = [=](const std::string& file) -> SourceSubject::Open {
    return [=](MemoryAccount& account) {
      return std::make_unique<OpenedSource>(base + "/" + file, account, stagingBytes);
    };
  };
  return {.name = name,
          .open = opener("sample" + ending),
          .truth = samplePage,
          .openFlipped = opener("flipped" + ending)};
}

}  // namespace
}  // namespace farfield::test

int main(int argc, char** argv) {
  using namespace farfield;
  using namespace farfield::test;
  using namespace std::chrono_literals;
  const Files files;
  remote::ServerOptions withoutCache;
  withoutCache.cacheBytes = 0;
  LoopbackServer cached(files.folder.path()), plain(files.folder.path(), withoutCache);
  const bench::TcpRelay cutting({.target = cached.address(), .cutEvery = 150ms});
  const bench::TcpRelay slow({.target = plain.address(), .delay = 500us, .bytesPerSecond = 20e6});
  std::vector<SourceSubject> subjects;
  subjects.push_back(subject("server", "far://" + cached.address(), 1 << 20));
  subjects.push_back(subject("server without a cache, one page at a time", "far://" + plain.address(), 1));
  subjects.push_back(subject("connection cut again and again", "far://" + cutting.address(), 1 << 20));
  subjects.push_back(subject("slow link", "far://" + slow.address(), 1 << 18));
  subjects.push_back(subject("two servers", "far://" + cached.address() + "," + plain.address(), 1 << 20));
  const StripedFiles stripes(files);
  LoopbackServer one(stripes.one.path()), other(stripes.other.path());
  const bench::TcpRelay shuffling({.target = other.address(), .delay = 1ms, .shuffle = true});
  subjects.push_back(subject("striped over two servers", "far://" + one.address() + "," + shuffling.address(),
                             1 << 20, ".stripes"));
  const bench::TcpRelay disorder({.target = cached.address(), .delay = 2ms, .shuffle = true});
  subjects.push_back(subject("replies in another order", "far://" + disorder.address(), 1 << 20));
  PageSourceContract suite(std::move(subjects));
  return QTest::qExec(&suite, argc, argv);
}
