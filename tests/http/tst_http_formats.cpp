// Every format that opens in place is read from a web server in place: the same as from local files. An object that is
// replaced is an error, never a mixture.

#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

#include "core/base/error.h"
#include "core/fields/functions/origin.h"
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
  void serversThatListNothingRefuseWhatTheyLack();
  void serversThatSendNoParts_data() { sameAsLocal_data(); }
  void serversThatSendNoParts();
  void shardsNeedParts();
  void aReplacedFileIsAnError_data();
  void aReplacedFileIsAnError();

 private:
  HttpReply answer(const HttpRequest& request) {
    // A folder is no object: reading it as one fails.
    const std::filesystem::path path = m_files.path(request.path.substr(1));
    if (m_refusesAll || !std::filesystem::is_regular_file(path)) return {.status = m_refuses ? 403 : 404};
    std::ifstream in(path, std::ios::binary);
    const std::lock_guard lock(m_mutex);
    HttpRequest its = request;
    if (m_sendsWhole) its.headers.erase("range");
    return HttpServer::rangeOf(its, {std::istreambuf_iterator<char>(in), {}}, m_tag);
  }
  std::unique_ptr<fields::OpenData> open(const FormatCase& its, bool remote, bool forConversion = false) {
    return m_readers.open(requestFor(its, remote ? m_server.url("") : m_files.path(""), forConversion),
                          m_account);
  }

  FormatFiles m_files;
  std::mutex m_mutex;
  std::string m_tag = "\"1\"";
  std::atomic<bool> m_sendsWhole = false, m_refuses = false, m_refusesAll = false;
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

/// As S3 does without the right to list a bucket, and proxies do.
void TestHttpFormats::serversThatListNothingRefuseWhatTheyLack() {
  const auto back = qScopeGuard([&] { m_refuses = m_refusesAll = false; });
  m_refuses = true;
  const std::filesystem::path folder = m_files.folder() / "shelf.zarr";
  writeZarrOcean(folder);
  const auto text = [&](const std::string& name) {
    std::ifstream in(folder / name);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto open = [&](const std::string& name) {
    return m_readers.open({.sources = {m_server.url(name)}}, m_account);
  };
  // Nothing says which arrays there are.
  const std::string alone = errorOf<Error>([&] { open("shelf.zarr"); });
  QVERIFY2(alone.find("does not list") != std::string::npos &&
               alone.find("consolidate_metadata") != std::string::npos,
           alone.c_str());
  const auto one = open("shelf.zarr/temp");
  QVERIFY(!one->description().arrays.empty());
  // Attributes may be there: without them values are not what they stand for.
  const std::filesystem::path bare = m_files.folder() / "bare.zarr";
  std::filesystem::copy(folder, bare, std::filesystem::copy_options::recursive);
  std::filesystem::remove(bare / "temp" / ".zattrs");
  const auto saysSo = [](const fields::OpenData& data) {
    const std::vector<std::string> lines = data.explanation();
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("attributes are refused") != std::string::npos;
    });
  };
  QVERIFY(!saysSo(*one) && saysSo(*open("bare.zarr/temp")));
  // All of it in one object. Each in a folder of its own: for a moment what was refused is known to be.
  const std::filesystem::path whole = m_files.folder() / "whole.zarr",
                              holed = m_files.folder() / "holed.zarr";
  std::filesystem::copy(folder, whole, std::filesystem::copy_options::recursive);
  std::string all = R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": )" + text(".zgroup");
  for (const char* const name : {"depth", "lat", "lon", "temp", "u", "v"})
    for (const char* const of : {"/.zarray", "/.zattrs"})
      all += std::string(", \"") + name + of + "\": " + text(name + std::string(of));
  std::ofstream(whole / ".zmetadata") << all << "}}";
  std::filesystem::copy(whole, holed, std::filesystem::copy_options::recursive);
  const auto near = m_readers.open({.sources = {whole.string()}}, m_account), far = open("whole.zarr");
  const std::string different = difference(*near, *far);
  QVERIFY2(different.empty(), different.c_str());
  // A chunk that is refused is no fill value.
  std::filesystem::remove(holed / "temp" / "0.0.0");
  const std::string chunk =
      errorOf<Error>([&] { differenceOfBoxes(*open("holed.zarr"), *open("holed.zarr")); });
  QVERIFY2(chunk.find("403") != std::string::npos && chunk.find("404 for these") != std::string::npos,
           chunk.c_str());
  // Where all is refused nobody knows what it is.
  m_refusesAll = true;
  const std::string closed = errorOf<Error>([&] { open("closed.zarr"); });
  QVERIFY2(
      closed.find("refuses it (403)") != std::string::npos && closed.find("consolidate") == std::string::npos,
      closed.c_str());
}

void TestHttpFormats::serversThatSendNoParts() {
  const auto back = qScopeGuard([&] { m_sendsWhole = false; });
  m_sendsWhole = true;
  sameAsLocal();
  conversionReadsTheSame();
}

/// Chunks of two megabytes, in files of their own and in one shard: they are read as a whole, but no part of a shard is.
void TestHttpFormats::shardsNeedParts() {
  const auto back = qScopeGuard([&] { m_sendsWhole = false; });
  const std::string chunk = R"("chunk_shape": [1, 1024, 2048])";
  const auto write = [&](const std::string& name, const std::string& outer, const std::string& codec,
                         const std::vector<std::string>& objects) {
    const std::filesystem::path folder = m_files.folder() / name;
    for (std::size_t n = 0; n < objects.size(); ++n) {
      const auto path = folder / "c" / std::to_string(n) / "0" / "0";
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << objects[n];
    }
    std::ofstream(folder / "zarr.json")
        << R"({"zarr_format": 3, "node_type": "array", "shape": [2, 1024, 2048], "data_type": "uint8", "fill_value": 0,
               "chunk_grid": {"name": "regular", "configuration": {)"
        << outer << R"(}}, "chunk_key_encoding": {"name": "default"}, "codecs": [)" << codec << "]}";
  };
  constexpr std::uint64_t kBytes = std::uint64_t{2} << 20;
  std::string numbers(2 * kBytes, ' '), index(32, ' ');
  for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = static_cast<char>(n % 251);
  const std::uint64_t entries[4] = {0, kBytes, kBytes, kBytes};
  std::memcpy(index.data(), entries, index.size());
  const std::string bytes = R"({"name": "bytes"})";
  write("chunks", chunk, bytes, {numbers.substr(0, kBytes), numbers.substr(kBytes)});
  write("shards", R"("chunk_shape": [2, 1024, 2048])",
        R"({"name": "sharding_indexed", "configuration": {)" + chunk + R"(, "codecs": [)" + bytes +
            R"(], "index_codecs": [)" + bytes + R"(], "index_location": "end"}})",
        {numbers + index});
  const auto opened = [&](const std::string& name, bool remote) {
    return m_readers.open(
        {.sources = {remote ? m_server.url(name + "/zarr.json") : m_files.path(name + "/zarr.json")}},
        m_account);
  };
  m_sendsWhole = true;
  const std::string different = differenceOfBoxes(*opened("chunks", false), *opened("chunks", true));
  QVERIFY2(different.empty(), different.c_str());
  const std::string words =
      errorOf<Unsupported>([&] { differenceOfBoxes(*opened("shards", false), *opened("shards", true)); });
  QVERIFY2(contains(words, "sends the whole file") && contains(words, "shards/c/0/0/0"), words.c_str());
  m_sendsWhole = false;
  const std::string other = differenceOfBoxes(*opened("chunks", false), *opened("shards", true));
  QVERIFY2(other.empty(), other.c_str());
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
