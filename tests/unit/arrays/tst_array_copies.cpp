// Compressed streams and text that become files of numbers.

#include <QTest>

#include <zlib.h>

#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "plugins/arrays/base64.h"
#include "plugins/arrays/copies.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::arrays;

namespace {

/// `text` as gzip has it.
std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 200, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

class Source {
 public:
  explicit Source(const std::string& bytes) {
    std::ofstream(m_folder / "f", std::ios::binary) << bytes;
    m_source = fileBytes(m_folder / "f", makeFilePool());
  }
  const ByteSource& operator*() const { return *m_source; }

 private:
  test::TemporaryFolder m_folder;
  std::shared_ptr<const ByteSource> m_source;
};

std::string contents(const File& file) {
  std::string all(static_cast<std::size_t>(file.size()), '\0');
  file.readAt(0, std::as_writable_bytes(std::span(all)));
  return all;
}

std::string inflated(const std::string& bytes, const InflatedPart& part) {
  Source source(bytes);
  File copy = makeCopy();
  appendInflated(*source, part, copy);
  return contents(copy);
}

template <class T>
std::vector<T> numbers(NumberType type, const std::string& text, std::uint64_t count) {
  Source source(text);
  File copy = makeCopy();
  TextNumbers words(*source, 0);
  words.append(type, count, copy);
  const std::string bytes = contents(copy);
  std::vector<T> result(bytes.size() / sizeof(T));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

class TestArrayCopies : public QObject {
  Q_OBJECT
 private slots:
  void streamsAreUnpacked();
  void damagedStreamsAreRefused();
  void textBecomesNumbers();
  void textThatIsNoNumberIsRefused();
  void copyingEndsWithTheWaitsOfItsThread();
};

void TestArrayCopies::streamsAreUnpacked() {
  std::string text;
  for (unsigned n = 0; n < 200000; ++n) text += static_cast<char>(n * n >> 5);
  const std::string packed = gzipped(text);
  QCOMPARE(inflated("xyz" + packed, {3, 0, text.size(), false}), text);
  QCOMPARE(inflated(packed, {0, 1234, 5678, false}), text.substr(1234, 5678));
  QCOMPARE(inflated(packed, {0, 0, 77, true}), text.substr(text.size() - 77));
  // Several in a row are one.
  QCOMPARE(inflated(packed + gzipped("and more"), {0, text.size() - 3, 11, false}),
           text.substr(text.size() - 3) + "and more");
  // zlib's own form.
  std::string small(200, '\0');
  uLongf bytes = small.size();
  compress(reinterpret_cast<Bytef*>(small.data()), &bytes, reinterpret_cast<const Bytef*>("hello"), 5);
  QCOMPARE(inflated(small.substr(0, bytes), {0, 0, 5, false}), std::string("hello"));
}

void TestArrayCopies::damagedStreamsAreRefused() {
  const std::string text(5000, 'a');
  std::string packed = gzipped(text);
  QVERIFY_EXCEPTION_THROWN(inflated(packed, {0, 0, 5001, false}), Corrupt);
  QVERIFY_EXCEPTION_THROWN(inflated(packed, {0, 0, 5001, true}), Corrupt);
  QVERIFY_EXCEPTION_THROWN(inflated("not compressed at all", {0, 0, 5, false}), Corrupt);
  for (std::size_t length = 0; length < packed.size() - 8; ++length)
    QVERIFY_EXCEPTION_THROWN(inflated(packed.substr(0, length), {0, 0, 5000, true}), Corrupt);
}

void TestArrayCopies::textBecomesNumbers() {
  QCOMPARE(numbers<double>(NumberType::F64, "1 -2.5,3e2\n\t+4\r\n nan inf 1e-400 1e400", 8).size(),
           std::size_t{8});
  const auto reals = numbers<double>(NumberType::F64, "1 -2.5,3e2\n\t+4\r\n nan inf 1e-400 1e400", 8);
  QCOMPARE(reals[1], -2.5);
  QCOMPARE(reals[2], 300.0);
  QCOMPARE(reals[3], 4.0);
  QVERIFY(std::isnan(reals[4]) && std::isinf(reals[5]) && reals[6] == 0 && std::isinf(reals[7]));
  QCOMPARE(numbers<std::int8_t>(NumberType::I8, "-128 127 1.0", 3), (std::vector<std::int8_t>{-128, 127, 1}));
  QCOMPARE(numbers<std::uint64_t>(NumberType::U64, "18446744073709551615", 1),
           std::vector<std::uint64_t>{UINT64_MAX});
  // A number that lies across the pieces in which text is read.
  std::string many;
  for (int n = 0; n < 60000; ++n) many += std::to_string(n) + " ";
  const auto read = numbers<std::int32_t>(NumberType::I32, many, 60000);
  for (int n = 0; n < 60000; ++n) QCOMPARE(read[static_cast<std::size_t>(n)], n);
}

void TestArrayCopies::textThatIsNoNumberIsRefused() {
  QVERIFY_EXCEPTION_THROWN(numbers<double>(NumberType::F64, "1 2", 3), Corrupt);
  QVERIFY_EXCEPTION_THROWN(numbers<double>(NumberType::F64, "1 two", 2), Corrupt);
  QVERIFY_EXCEPTION_THROWN(numbers<double>(NumberType::F64, "1.0x", 1), Corrupt);
  QVERIFY_EXCEPTION_THROWN(numbers<std::uint8_t>(NumberType::U8, "256", 1), Corrupt);
  QVERIFY_EXCEPTION_THROWN(numbers<std::uint8_t>(NumberType::U8, "-1", 1), Corrupt);
  QVERIFY_EXCEPTION_THROWN(numbers<std::uint8_t>(NumberType::U8, "1.5", 1), Corrupt);
  QVERIFY_EXCEPTION_THROWN(numbers<std::uint8_t>(NumberType::U8, std::string(5000, '1'), 1), Corrupt);
}

/// Whoever gives up waiting for data does not wait for a copy of them, either.
void TestArrayCopies::copyingEndsWithTheWaitsOfItsThread() {
  /// Somebody gives up while its second piece is read.
  struct GivenUp final : ByteSource {
    explicit GivenUp(std::string text) : bytes(std::move(text)) {}
    std::uint64_t size() const override { return bytes.size(); }
    void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
      if (++reads == 2) stop.request_stop();
      std::memcpy(out.data(), bytes.data() + offset, out.size());
    }
    const std::string bytes;
    mutable int reads = 0;
    mutable std::stop_source stop;
  };
  std::string noise;
  std::uint32_t state = 1;
  for (int n = 0; n < 2'000'000; ++n)
    noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 25);
  const GivenUp packed(gzipped(noise));
  QVERIFY(packed.size() > 1'500'000);
  File copy = makeCopy();
  {
    const StoppableWaits waits(packed.stop.get_token());
    QVERIFY_EXCEPTION_THROWN(appendInflated(packed, {0, 0, noise.size(), false}, copy), Cancelled);
  }
  QVERIFY(packed.reads < 4 && copy.size() < noise.size());
  std::string text;
  for (int n = 0; n < 300'000; ++n) text += "12345 ";
  const GivenUp numbers(text);
  {
    const StoppableWaits waits(numbers.stop.get_token());
    TextNumbers words(numbers, 0);
    QVERIFY_EXCEPTION_THROWN(words.append(NumberType::F32, 300'000, copy), Cancelled);
  }
  QVERIFY(numbers.reads < 4);
  const GivenUp letters(std::string(2'000'000, 'A'));
  {
    const StoppableWaits waits(letters.stop.get_token());
    std::vector<std::byte> out(1'500'000);
    QVERIFY_EXCEPTION_THROWN(Base64Reader(letters, 0).read(out), Cancelled);
  }
  QVERIFY(letters.reads < 4);
}

QTEST_GUILESS_MAIN(TestArrayCopies)
#include "tst_array_copies.moc"
