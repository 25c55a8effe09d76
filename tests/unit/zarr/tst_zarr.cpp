// Zarr in place: folders of versions 2 and 3 and of N5, written here byte by byte with every codec that is read, are what was written;
// images have their levels; wrong ones are refused.

#include <QTest>

#include <lz4.h>
#include <zlib.h>
#include <zstd.h>
#ifdef FARFIELD_BLOSC
#include <blosc.h>
#endif

#include <array>
#include <cmath>
#include <fstream>
#include <functional>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/sources/source_wait.h"
#include "plugins/zarr/zarr_data.h"
#include "plugins/zarr/zarr_json.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::test;

namespace {

using Bytes = std::string;
using Encode = std::function<Bytes(const Bytes&)>;

Bytes plain(const Bytes& bytes) {
  return bytes;
}
Bytes zlibbed(const Bytes& bytes) {
  uLongf size = compressBound(bytes.size());
  Bytes out(size, ' ');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
            bytes.size(), 5);
  out.resize(size);
  return out;
}
Bytes gzipped(const Bytes& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 5, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  Bytes out(compressBound(bytes.size()) + 32, ' ');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
Bytes zstded(const Bytes& bytes) {
  Bytes out(ZSTD_compressBound(bytes.size()), ' ');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}
Bytes lz4ed(const Bytes& bytes) {
  Bytes out(4 + static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(bytes.size()))), ' ');
  store(out.data(), static_cast<std::uint32_t>(bytes.size()));
  const int size = LZ4_compress_default(bytes.data(), out.data() + 4, static_cast<int>(bytes.size()),
                                        static_cast<int>(out.size()) - 4);
  out.resize(4 + static_cast<std::size_t>(size));
  return out;
}
#ifdef FARFIELD_BLOSC
Bytes blosced(const Bytes& bytes) {
  Bytes out(bytes.size() + BLOSC_MAX_OVERHEAD, ' ');
  const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, 4, bytes.size(), bytes.data(), out.data(), out.size(),
                                      "lz4", 0, 1);
  out.resize(static_cast<std::size_t>(size));
  return out;
}
#endif

/// CRC-32C, bit by bit.
Bytes withCrc32c(const Bytes& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  Bytes out = bytes + "    ";
  store(out.data() + bytes.size(), ~crc);
  return out;
}

}  // namespace

class TestZarr : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_root = (m_folder.path() / ("a" + std::to_string(++m_number) + ".zarr")).string(); }
  void version2_data();
  void version2();
  void version3();
  void shards();
  void indicesOfShardsAreClaimed();
  void dimensionsWithNames();
  void fillValuesOfXarray();
  void limitsOfPackedNumbers();
  void axesOfOneNodeDoNotChoose();
  void imagesHaveLevels();
  void n5();
  void blocksOfN5AreClaimed();
  void namesThatLeadOutAreRefused();
  void deepMetadataTakeNoStack();
  void wideMetadataTakeNoTime();
  void wrongOnesAreRefused();
  void realFolders();

 private:
  /// Of the array: 5 × 6 × 7 numbers, which are their numbers, in chunks of 3 × 4 × 4.
  static constexpr std::int64_t kShape[3] = {5, 6, 7}, kChunk[3] = {3, 4, 4};

  void put(const std::string& key, const Bytes& text) const {
    const std::filesystem::path path = std::filesystem::path(m_root) / key;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  /// A chunk of floats whose values are the numbers of the nodes; `axes`: dimensions slowest first.
  static Bytes chunkOf(const std::int64_t (&index)[3], bool bigEndian = false,
                       const int (&axes)[3] = {0, 1, 2}) {
    Bytes bytes;
    std::int64_t at[3];
    for (std::int64_t a = 0; a < kChunk[axes[0]]; ++a)
      for (std::int64_t b = 0; b < kChunk[axes[1]]; ++b)
        for (std::int64_t c = 0; c < kChunk[axes[2]]; ++c) {
          at[axes[0]] = a;
          at[axes[1]] = b;
          at[axes[2]] = c;
          std::int64_t number = 0;
          for (int d = 0; d < 3; ++d) number = number * kShape[d] + index[d] * kChunk[d] + at[d];
          char raw[4];
          store(raw, static_cast<float>(number));
          if (bigEndian) std::reverse(raw, raw + 4);
          bytes.append(raw, 4);
        }
    return bytes;
  }
  template <class Action>
  static void forEachChunk(Action action) {
    for (std::int64_t a = 0; a < 2; ++a)
      for (std::int64_t b = 0; b < 2; ++b)
        for (std::int64_t c = 0; c < 2; ++c) action({a, b, c});
  }
  static std::string keyOf(const std::int64_t (&index)[3], char separator) {
    return std::to_string(index[0]) + separator + std::to_string(index[1]) + separator +
           std::to_string(index[2]);
  }
  std::unique_ptr<fields::OpenData> open(std::map<std::string, std::string> options = {}) {
    const zarr::ZarrDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(m_root)) throw Invalid("not recognized");
    return reader.open({.sources = {m_root}, .options = std::move(options)}, m_account);
  }
  /// All values are their numbers, read by boxes and by pages.
  void areNumbers(const fields::OpenData& data, const std::string& name) {
    const auto values = allValues(*data.boxReader(), name);
    QCOMPARE(values.size(), std::size_t{210});
    for (std::size_t n = 0; n < values.size(); ++n) QCOMPARE(values[n], static_cast<double>(n));
    const auto sources = data.makeSources(m_account, {.stagingBytes = 1 << 20, .readers = 2});
    const paging::ArrayDescription& array = sources.front()->description().arrays.front();
    for (std::uint64_t page = 0; page < static_cast<std::uint64_t>(array.pageCount()); ++page) {
      const auto nodes = paging::fetchNodes(*sources.front(), 0, page);
      const IndexBox box = array.boxOf(page);
      QCOMPARE(valueAt(nodes.data(), array.type, 0),
               static_cast<double>(linear(box.first, array.layout.dims())));
    }
  }

  TemporaryFolder m_folder;
  std::string m_root;
  int m_number = 0;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestZarr::version2_data() {
  QTest::addColumn<QString>("how");
  for (const char* how :
       {"plain", "zlib", "gzip", "zstd", "lz4", "blosc", "columns", "big-endian", "slashes"})
    QTest::newRow(how) << how;
}

void TestZarr::version2() {
  QFETCH(QString, how);
#ifndef FARFIELD_BLOSC
  if (how == "blosc") QSKIP("built without blosc");
#endif
  const std::string name = how.toStdString();
  const bool codec = name == "zlib" || name == "gzip" || name == "zstd" || name == "lz4" || name == "blosc";
  put(".zarray", R"({"zarr_format": 2, "shape": [5, 6, 7], "chunks": [3, 4, 4], "dtype": ")" +
                     std::string(how == "big-endian" ? ">f4" : "<f4") + R"(", "order": ")" +
                     (how == "columns" ? "F" : "C") +
                     R"(", "fill_value": 0.0, "filters": null, "compressor": )" +
                     (codec ? R"({"id": ")" + name + R"("})" : "null") +
                     (how == "slashes" ? R"(, "dimension_separator": "/")" : "") + "}");
  const Encode encode = how == "zlib"   ? zlibbed
                        : how == "gzip" ? gzipped
                        : how == "zstd" ? zstded
                        : how == "lz4"  ? lz4ed
#ifdef FARFIELD_BLOSC
                        : how == "blosc" ? blosced
#endif
                                         : plain;
  forEachChunk([&](const std::int64_t(&index)[3]) {
    put(keyOf(index, how == "slashes" ? '/' : '.'),
        encode(how == "columns" ? chunkOf(index, false, {2, 1, 0}) : chunkOf(index, how == "big-endian")));
  });
  const auto data = open();
  QCOMPARE(data->description().blocks[0].dims, (Index3{7, 6, 5}));
  areNumbers(*data, "value");
  // a chunk that is not there holds the fill value
  std::filesystem::remove(std::filesystem::path(m_root) / (how == "slashes" ? "1/1/1" : "1.1.1"));
  QCOMPARE(allValues(*open()->boxReader(), "value").back(), 0.0);
}

void TestZarr::version3() {
  const auto write = [&](const std::string& codecs, const Encode& encode, const int(&axes)[3]) {
    put("zarr.json",
        R"({"zarr_format": 3, "node_type": "array", "shape": [5, 6, 7], "data_type": "float32", "fill_value": "NaN",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 4, 4]}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "codecs": [)" +
            codecs + "]}");
    forEachChunk([&](const std::int64_t(&index)[3]) {
      put("c/" + keyOf(index, '/'), encode(chunkOf(index, false, axes)));
    });
  };
  const std::string bytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
  write(bytes + R"(, {"name": "zstd", "configuration": {"level": 1}}, {"name": "crc32c"})",
        [](const Bytes& chunk) { return withCrc32c(zstded(chunk)); }, {0, 1, 2});
  areNumbers(*open(), "value");
  write(R"({"name": "transpose", "configuration": {"order": [1, 2, 0]}}, )" + bytes + R"(, {"name": "gzip"})",
        gzipped, {1, 2, 0});
  areNumbers(*open(), "value");
  // a file of metadata stands for its folder
  const std::string folder = m_root;
  m_root += "/zarr.json";
  areNumbers(*open(), "value");
  m_root = folder;
  std::filesystem::remove(std::filesystem::path(m_root) / "c/1/1/1");
  QVERIFY(std::isnan(allValues(*open()->boxReader(), "value").back()));
  // a checksum that is wrong
  write(bytes + R"(, {"name": "crc32c"})",
        [](const Bytes& chunk) { return withCrc32c(chunk).replace(0, 1, "x"); }, {0, 1, 2});
  const std::string error = errorOf<Corrupt>([&] { allValues(*open()->boxReader(), "value"); });
  QVERIFY2(error.find("checksum") != std::string::npos, error.c_str());
}

void TestZarr::shards() {
  // shards of 6 × 8 × 8: all in one
  put("zarr.json",
      R"({"zarr_format": 3, "node_type": "array", "shape": [5, 6, 7], "data_type": "float32", "fill_value": 7,
          "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [6, 8, 8]}},
          "chunk_key_encoding": {"name": "default"},
          "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 4, 4],
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "zstd"}],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
            "index_location": "end"}}]})");
  for (const bool whole : {true, false}) {
    Bytes shard, index;
    forEachChunk([&](const std::int64_t(&at)[3]) {
      const bool isThere = whole || at[0] + at[1] + at[2] < 3;
      const Bytes chunk = zstded(chunkOf(at));
      char entry[16];
      store(entry, isThere ? std::uint64_t{shard.size()} : ~std::uint64_t{0});
      store(entry + 8, isThere ? std::uint64_t{chunk.size()} : ~std::uint64_t{0});
      index.append(entry, 16);
      if (isThere) shard += chunk;
    });
    put("c/0/0/0", shard + withCrc32c(index));
    if (whole)
      areNumbers(*open(), "value");
    else
      QCOMPARE(allValues(*open()->boxReader(), "value").back(), 7.0);
    if (!whole) {
      put("c/0/0/0", shard + withCrc32c(index).replace(3, 1, "x"));
      QVERIFY(!errorOf<Corrupt>([&] { allValues(*open()->boxReader(), "value"); }).empty());
    }
  }
}

void TestZarr::dimensionsWithNames() {
  put(".zgroup", R"({"zarr_format": 2})");
  const auto axis = [&](const std::string& name, const std::vector<float>& values, const std::string& units) {
    put(name + "/.zarray",
        R"({"zarr_format": 2, "shape": [)" + std::to_string(values.size()) + R"(], "chunks": [)" +
            std::to_string(values.size()) +
            R"(], "dtype": "<f4", "order": "C", "fill_value": null, "filters": null, "compressor": null})");
    put(name + "/.zattrs", R"({"_ARRAY_DIMENSIONS": [")" + name + R"("], "units": ")" + units + "\"}");
    put(name + "/0", Bytes(reinterpret_cast<const char*>(values.data()), 4 * values.size()));
  };
  axis("lon", {0, 10, 20, 40, 50, 60, 70}, "degrees_east");
  axis("lat", {5, 4, 3, 2, 1, 0}, "degrees_north");
  put("temp/.zarray",
      R"({"zarr_format": 2, "shape": [5, 6, 7], "chunks": [3, 4, 4], "dtype": "<f4", "order": "C", "fill_value": 8.0,
          "filters": [{"id": "shuffle", "elementsize": 4}], "compressor": {"id": "zlib", "level": 1}})");
  put("temp/.zattrs", R"({"_ARRAY_DIMENSIONS": ["z", "lat", "lon"], "scale_factor": 2.0, "units": "K"})");
  forEachChunk([&](const std::int64_t(&index)[3]) {
    const Bytes chunk = chunkOf(index);
    Bytes shuffled;
    for (std::size_t b = 0; b < 4; ++b)
      for (std::size_t n = 0; n < chunk.size() / 4; ++n) shuffled += chunk[4 * n + b];
    put("temp/" + keyOf(index, '.'), zlibbed(shuffled));
  });
  const auto data = open();
  const paging::BlockDescription& block = data->description().blocks[0];
  QVERIFY(block.kind == paging::GridKind::Rectilinear);
  QCOMPARE((*block.axes)[0][3], 40.0);
  QCOMPARE((*block.axes)[1][0], 0.0);
  QCOMPARE(data->description().attributes.at("units.temp"), std::string("K"));
  const auto temp = allValues(*data->boxReader(), "temp");
  for (std::int64_t n = 0; n < 210; ++n) {
    const Index3 at = unlinear(n, {7, 6, 5});
    const std::int64_t stored = linear({at[0], 5 - at[1], at[2]}, {7, 6, 5});
    if (stored == 8)
      QVERIFY(std::isnan(temp[static_cast<std::size_t>(n)]));
    else
      QCOMPARE(temp[static_cast<std::size_t>(n)], 2.0 * static_cast<double>(stored));
  }
}

/// Reals that stand for no value are base64 in attributes of version 3: here 1e20; NaN; and text that is no number.
void TestZarr::fillValuesOfXarray() {
  for (const char* const fill : {"QIy1eB2vFUQ=", "AAAAAAAA+H8=", "none, really"}) {
    put("zarr.json",
        R"({"zarr_format": 3, "node_type": "array", "shape": [1, 2, 2], "data_type": "float32", "fill_value": 0.0,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 2, 2]}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "dimension_names": ["z", "y", "x"],
            "attributes": {"_FillValue": ")" +
            std::string(fill) + "\"}}");
    const std::array<float, 4> stored{1e20F, NAN, 3, 4};
    put("c/0/0/0", Bytes(reinterpret_cast<const char*>(stored.data()), sizeof stored));
    const auto data = open();
    const auto values = allValues(*data->boxReader(), "value"),
               blank = allValues(*data->boxReader(), "iblank");
    QCOMPARE(std::isnan(values[0]), *fill == 'Q');
    QVERIFY(std::isnan(values[1]));
    QCOMPARE(values[3], 4.0);
    QCOMPARE(blank.size(), *fill == 'n' ? std::size_t{0} : std::size_t{4});
    if (*fill == 'Q') QCOMPARE(blank[0], 0.0);
  }
}

/// The grid with most axes is shown, and of those the one with most variables; an axis with one node does not count.
/// Limits with a point are those of the values, others those of the packed numbers.
void TestZarr::limitsOfPackedNumbers() {
  put(".zarray",
      R"({"zarr_format": 2, "shape": [2, 2], "chunks": [2, 2], "dtype": "<i2", "order": "C", "fill_value": null,
      "filters": null, "compressor": null})");
  const std::array<std::int16_t, 4> numbers{20, 80, 82, -4};
  put("0.0", Bytes(reinterpret_cast<const char*>(numbers.data()), sizeof numbers));
  const auto has = [&](const std::string& limits) {
    put(".zattrs", R"({"_ARRAY_DIMENSIONS": ["y", "x"], "scale_factor": 0.5, )" + limits + "}");
    std::vector<bool> all;
    for (const double value : allValues(*open()->boxReader(), "value")) all.push_back(!std::isnan(value));
    return all;
  };
  QCOMPARE(has(R"("valid_range": [0.0, 40.0])"), (std::vector<bool>{true, true, false, false}));
  QCOMPARE(has(R"("valid_min": 0.0, "valid_max": 40.5)"), (std::vector<bool>{true, true, false, false}));
  QCOMPARE(has(R"("valid_range": [0, 80])"), (std::vector<bool>{true, true, false, false}));
  QCOMPARE(has(R"("valid_max": 40)"), (std::vector<bool>{true, false, false, true}));
}

void TestZarr::axesOfOneNodeDoNotChoose() {
  put(".zgroup", R"({"zarr_format": 2})");
  const auto array = [&](const std::string& name, const std::string& shape, const std::string& dimensions) {
    put(name + "/.zarray",
        R"({"zarr_format": 2, "shape": [)" + shape + R"(], "chunks": [)" + shape +
            R"(], "dtype": "|u1", "order": "C", "fill_value": 0, "filters": null, "compressor": null})");
    put(name + "/.zattrs", R"({"_ARRAY_DIMENSIONS": [)" + dimensions + "]}");
  };
  array("a_raw", "1, 3, 4", R"("sounding", "y", "x")");
  array("depth", "3, 4", R"("y", "x")");
  array("mask", "3, 4", R"("y", "x")");
  array("other", "2, 4", R"("v", "x")");
  const auto data = open();
  for (const char* const name : {"depth", "mask"}) QVERIFY(data->description().find(0, name) >= 0);
  for (const char* const name : {"a_raw", "other"}) QVERIFY(data->description().find(0, name) < 0);
  QCOMPARE(open({{"variable", "a_raw"}})->description().arrays[0].name, std::string("a_raw"));
}

void TestZarr::imagesHaveLevels() {
  put(".zgroup", R"({"zarr_format": 2})");
  put(".zattrs",
      R"({"multiscales": [{"axes": [{"name": "c", "type": "channel"}, {"name": "z", "type": "space", "unit": "micrometer"},
      {"name": "y", "type": "space"}, {"name": "x", "type": "space", "unit": "nanometer"}], "datasets": [
      {"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1, 3, 2, 0.5]}]},
      {"path": "1", "coordinateTransformations": [{"type": "scale", "scale": [1, 6, 4, 1]}, {"type": "translation", "translation": [0, 1.5, 1, 0.25]}]}]}],
      "omero": {"channels": [{"label": "red"}, {"label": "green"}]}})");
  for (int level = 0; level < 2; ++level) {
    const int n = 4 >> level;
    const std::string size = std::to_string(n);
    put(std::to_string(level) + "/.zarray",
        R"({"zarr_format": 2, "shape": [2, )" + size + "," + size + "," + size + R"(], "chunks": [1, )" +
            size + "," + size + "," + size +
            R"(], "dtype": "|u1", "order": "C", "fill_value": 0, "filters": null, "compressor": null})");
    for (int c = 0; c < 2; ++c)
      put(std::to_string(level) + "/" + std::to_string(c) + ".0.0.0",
          Bytes(static_cast<std::size_t>(n * n * n), static_cast<char>(10 * c + level + 1)));
  }
  const auto data = open();
  QCOMPARE(data->description().blocks[0].spacing.z, 3.0);
  QCOMPARE(data->description().attributes.at("axis.x"), std::string("x (nanometer)"));
  QCOMPARE(data->description().attributes.at("axis.z"), std::string("z (micrometer)"));
  QCOMPARE(data->description().attributes.count("axis.y"), std::size_t{0});
  QCOMPARE(allValues(*data->boxReader(), "green")[5], 11.0);
  const auto coarse = data->openLevel(1, m_account);
  QVERIFY(coarse != nullptr);
  QCOMPARE(coarse->description().blocks[0].dims, (Index3{2, 2, 2}));
  QCOMPARE(coarse->description().blocks[0].origin.z, 1.5);
  QCOMPARE(allValues(*coarse->boxReader(), "red")[1], 2.0);
  QCOMPARE(open({{"level", "1"}})->description().blocks[0].dims, (Index3{2, 2, 2}));
  QVERIFY(!errorOf<Invalid>([&] { open({{"level", "2"}}); }).empty());
}

void TestZarr::n5() {
  put("attributes.json",
      R"({"n5": "2.0.0", "dimensions": [7, 6, 5], "blockSize": [4, 4, 3], "dataType": "float32",
      "compression": {"type": "gzip"}})");
  forEachChunk([&](const std::int64_t(&index)[3]) {
    // blocks at the end are smaller, and say so
    Bytes head(16, '\0'), values;
    head[3] = 3;
    std::int64_t size[3];
    for (int d = 0; d < 3; ++d) {
      size[d] = std::min(kChunk[d], kShape[d] - index[d] * kChunk[d]);
      head[static_cast<std::size_t>(4 + 4 * (2 - d) + 3)] = static_cast<char>(size[d]);
    }
    for (std::int64_t a = 0; a < size[0]; ++a)
      for (std::int64_t b = 0; b < size[1]; ++b)
        for (std::int64_t c = 0; c < size[2]; ++c) {
          char raw[4];
          store(raw, static_cast<float>(((index[0] * 3 + a) * 6 + index[1] * 4 + b) * 7 + index[2] * 4 + c));
          std::reverse(raw, raw + 4);
          values.append(raw, 4);
        }
    put(std::to_string(index[2]) + "/" + std::to_string(index[1]) + "/" + std::to_string(index[0]),
        head + gzipped(values));
  });
  areNumbers(*open(), "value");
}

/// Before any is read: the index of a shard, as it is stored and as it is kept.
void TestZarr::indicesOfShardsAreClaimed() {
  const auto describe = [&](std::int64_t edge) {
    const std::string chunk = "[1, 1, " + std::to_string(edge) + "]";
    put("zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [2, 2, )" + std::to_string(edge) +
                         R"(], "data_type": "uint8", "fill_value": 7,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": )" +
                         chunk + R"(}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1, 1],
          "codecs": [{"name": "bytes"}], "index_codecs": [{"name": "bytes"}]}}]})");
  };
  const zarr::ZarrDataReader reader(std::make_shared<paging::ByteStores>());
  const auto lastOf = [&](std::uint64_t budget) {
    MemoryAccount account(budget);
    return allValues(*reader.open({.sources = {m_root}}, account)->boxReader(), "value").back();
  };
  // 100,000 entries of 16 bytes: 4 MB are kept, and one is read
  describe(100'000);
  QCOMPARE(lastOf(std::uint64_t{32} << 20), 7.0);
  try {
    lastOf(std::uint64_t{6} << 20);
    QFAIL("is not claimed");
  } catch (const OverBudget& error) {
    QVERIFY2(std::string(error.what()).find("indices of shards") != std::string::npos, error.what());
  }
  // what is made up by its metadata alone is refused with words, whatever the budget
  for (const std::int64_t edge : {std::int64_t{300'000}, std::int64_t{1} << 40}) {
    describe(edge);
    try {
      lastOf(std::uint64_t{32} << 20);
      QFAIL("is read");
    } catch (const Unsupported& error) {
      QVERIFY2(std::string(error.what()).find("chunks") != std::string::npos, error.what());
    }
  }
}

/// With all that unpacking one takes: what is stored, its block, what filters need, and the chunk with its place.
void TestZarr::blocksOfN5AreClaimed() {
  put("attributes.json",
      R"({"n5": "2.0.0", "dimensions": [64, 64, 64], "blockSize": [64, 64, 64], "dataType": "float32",
      "compression": {"type": "gzip"}})");
  Bytes head(16, '\0');
  head[3] = 3;
  for (const std::size_t at : {7, 11, 15}) head[at] = 64;
  put("0/0/0", head + gzipped(Bytes(std::size_t{4} << 18, '\0')));
  const zarr::ZarrDataReader reader(std::make_shared<paging::ByteStores>());
  const auto lastOf = [&](std::uint64_t budget) {
    MemoryAccount account(budget);
    return allValues(*reader.open({.sources = {m_root}}, account)->boxReader(), "value").back();
  };
  QCOMPARE(lastOf(std::uint64_t{12} << 20), 0.0);
  QVERIFY_EXCEPTION_THROWN(lastOf(std::uint64_t{8} << 20), OverBudget);
}

/// Metadata name arrays of the folder alone.
void TestZarr::namesThatLeadOutAreRefused() {
  put(".zgroup", R"({"zarr_format": 2})");
  const std::string array =
      R"({"zarr_format": 2, "shape": [2, 2, 2], "chunks": [2, 2, 2], "dtype": "|u1", "order": "C", "fill_value": 0,
      "filters": null, "compressor": null})";
  for (const std::string out : {"../x", "a/../../x"}) {
    put(".zmetadata", R"({"metadata": {")" + out + "/.zarray\": " + array + "}}");
    const std::string listed = errorOf<Corrupt>([&] { open(); });
    QVERIFY2(listed.find("outside") != std::string::npos, listed.c_str());
    put(".zattrs", R"({"multiscales": [{"axes": ["z", "y", "x"], "datasets": [{"path": ")" + out + "\"}]}]}");
    const std::string level = errorOf<Corrupt>([&] { open(); });
    QVERIFY2(level.find("outside") != std::string::npos, level.c_str());
    put(".zattrs", "{}");
  }
}

/// A hundred thousand objects in one: each was compared with all before it, for minutes.
void TestZarr::wideMetadataTakeNoTime() {
  std::string text = "{\"a\\\"[\": [[]], \"b\": {";
  for (int n = 0; n < 200000; ++n) text += "\"m" + std::to_string(n) + "\": {}, ";
  const nlohmann::json json = zarr::parsed(text + "\"last\": 7}}");
  QCOMPARE(json["b"].size(), std::size_t{200001});
  QCOMPARE(json["b"]["last"].get<int>(), 7);
  QCOMPARE(json["a\"["].dump(), std::string("[[]]"));
  QVERIFY(zarr::parsed("{\"a\": }").is_discarded());
}

void TestZarr::deepMetadataTakeNoStack() {
  put(".zarray",
      R"({"zarr_format": 2, "shape": [2, 2, 2], "chunks": [2, 2, 2], "dtype": "|u1", "order": "C", "fill_value": 0,
      "filters": null, "compressor": null})");
  const std::size_t deep = 2'000'000;
  put(".zattrs", "{\"units\": \"m\", \"a\": " + std::string(deep, '[') + std::string(deep, ']') + "}");
  QCOMPARE(open()->description().arrays.size(), std::size_t{1});
}

void TestZarr::wrongOnesAreRefused() {
  const std::string head =
      R"({"zarr_format": 2, "dtype": "<f4", "order": "C", "fill_value": 0, "filters": null, )";
  for (const char* const rest :
       {R"("shape": [5, 0, 7], "chunks": [3, 4, 4], "compressor": null})",
        R"("shape": [5], "chunks": [3, 4], "compressor": null})",
        R"("shape": "x", "chunks": [3], "compressor": null})", R"("chunks": [3], "compressor": null})"}) {
    put(".zarray", head + rest);
    QVERIFY2(!errorOf<Corrupt>([&] { open(); }).empty(), rest);
  }
  put(".zarray", head + R"("shape": [5, 6, 7], "chunks": [3, 4, 4], "compressor": {"id": "lzma"}})");
  const std::string unknown = errorOf<Unsupported>([&] { open(); });
  QVERIFY2(unknown.find("lzma") != std::string::npos && unknown.find("convert") != std::string::npos,
           unknown.c_str());
  put(".zarray", head + R"("shape": [5, 6, 7], "chunks": [3, 4, 4], "compressor": {"id": "zlib"}})");
  for (const Bytes& chunk : {Bytes("x"), Bytes(), zlibbed("short"), zlibbed(Bytes(4000, 'x'))}) {
    forEachChunk([&](const std::int64_t(&index)[3]) { put(keyOf(index, '.'), chunk); });
    const std::string error = errorOf<Corrupt>([&] { allValues(*open()->boxReader(), "value"); });
    QVERIFY2(error.find("chunk") != std::string::npos, error.c_str());
  }
}

void TestZarr::realFolders() {
  NEEDS_DATA("data/zarr/ome_zarr/simple_0.4/.zattrs");
  for (const char* const name : {"simple_0.4", "simple_0.5"}) {
    m_root = dataPath("data/zarr/ome_zarr/" + std::string(name)).string();
    if (!std::filesystem::exists(m_root + "/.zattrs")) continue;
    const auto data = open();
    QVERIFY(data->description().blocks[0].dims[0] > 1);
    QVERIFY(!allValues(*data->boxReader(), "image").empty());
  }
  m_root = dataPath("data/zarr/zarr_python_compat/fletcher32.zarr").string();
  QVERIFY(!allValues(*open()->boxReader(), "value").empty());
}

QTEST_GUILESS_MAIN(TestZarr)
#include "tst_zarr.moc"
