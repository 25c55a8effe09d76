// Every format that opens in place is read from a web server in place: the same as from local files. An object that is
// replaced is an error, never a mixture.

#include <QTest>

#include <fstream>
#include <iterator>
#include <mutex>

#include "core/base/error.h"
#include "core/fields/origin.h"
#include "plugins/formats/formats.h"
#include "remote/http/http_store.h"
#include "tests/contract/same_data.h"
#include "tests/support/error_words.h"
#include "tests/support/http_server.h"
#include "tests/support/zarr_ocean.h"

namespace farfield::test {

class TestHttpFormats : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void sameAsLocal_data();
  void sameAsLocal();
  void conversionReadsTheSame_data() { sameAsLocal_data(); }
  void conversionReadsTheSame();
  void aFileOfMetadataStandsForItsFolder();
  void aReplacedFileIsAnError_data();
  void aReplacedFileIsAnError();

 private:
  HttpReply answer(const HttpRequest& request) {
    std::ifstream in(m_files.path(request.path.substr(1)), std::ios::binary);
    if (!in) return {.status = 404};
    const std::lock_guard lock(m_mutex);
    return HttpServer::rangeOf(request, {std::istreambuf_iterator<char>(in), {}}, m_tag);
  }
  std::unique_ptr<fields::OpenData> open(const FormatCase& its, bool remote, bool forConversion = false) {
    return m_readers.open(requestFor(its, remote ? m_server.url("") : m_files.path(""), forConversion),
                          m_account);
  }

  FormatFiles m_files;
  std::mutex m_mutex;
  std::string m_tag = "\"1\"";
  HttpServer m_server{[this](const HttpRequest& request) { return answer(request); }};
  fields::ReaderRegistry m_readers;
  MemoryAccount m_account{std::uint64_t{256} << 20};
};

void TestHttpFormats::initTestCase() {
  for (const char* const name : {"http_proxy", "all_proxy", "ALL_PROXY"}) qunsetenv(name);
  const auto stores = std::make_shared<paging::ByteStores>();
  http::addHttpStores(*stores);
  formats::addFormats(m_readers, {.stores = stores});
}

void TestHttpFormats::sameAsLocal_data() {
  QTest::addColumn<int>("number");
  const auto cases = FormatFiles::cases();
  for (std::size_t n = 0; n < cases.size(); ++n) QTest::newRow(cases[n].name.c_str()) << static_cast<int>(n);
}

void TestHttpFormats::sameAsLocal() {
  QFETCH(int, number);
  const FormatCase its = FormatFiles::cases()[static_cast<std::size_t>(number)];
  const auto near = open(its, false), far = open(its, true);
  const std::string different = difference(*near, *far);
  QVERIFY2(different.empty(), different.c_str());
  const fields::Origin origin = dynamic_cast<const fields::RemoteOrigin&>(*far).origin();
  QCOMPARE(origin.server, std::string("test/1"));
  QVERIFY(origin.url.starts_with("http://"));
  QVERIFY(origin.fileBytes > 0);
  far->checkUnchanged();
}

void TestHttpFormats::conversionReadsTheSame() {
  QFETCH(int, number);
  const FormatCase its = FormatFiles::cases()[static_cast<std::size_t>(number)];
  const std::string different = differenceOfBoxes(*open(its, false, true), *open(its, true, true));
  QVERIFY2(different.empty(), different.c_str());
}

/// Nothing in the URL of the folder says that it is Zarr.
void TestHttpFormats::aFileOfMetadataStandsForItsFolder() {
  writeZarrOcean(m_files.folder() / "ocean");
  const auto near = m_readers.open({.sources = {m_files.path("ocean/temp")}}, m_account),
             far = m_readers.open({.sources = {m_server.url("ocean/temp/.zarray")}}, m_account);
  const std::string different = difference(*near, *far);
  QVERIFY2(different.empty(), different.c_str());
}

void TestHttpFormats::aReplacedFileIsAnError_data() {
  QTest::addColumn<int>("number");
  const auto cases = FormatFiles::cases();
  for (std::size_t n = 0; n < cases.size(); ++n)
    for (const char* const name : {"vtk image", "vtk mesh", "netcdf", "netcdf of exodus"})
      if (cases[n].name == name) QTest::newRow(name) << static_cast<int>(n);
}

void TestHttpFormats::aReplacedFileIsAnError() {
  QFETCH(int, number);
  const auto data = open(FormatFiles::cases()[static_cast<std::size_t>(number)], true);
  {
    const std::lock_guard lock(m_mutex);
    m_tag = "\"2\"";
  }
  const std::string words = errorOf<Corrupt>([&] { data->checkUnchanged(); });
  {
    const std::lock_guard lock(m_mutex);
    m_tag = "\"1\"";
  }
  QVERIFY2(contains(words, "has changed since it was opened") && contains(words, "http://"), words.c_str());
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestHttpFormats)
#include "tst_http_formats.moc"
