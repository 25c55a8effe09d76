// HDF5 files that are wrong, cut off or of other formats, and what is not read of them: each is an error that says what it is.

#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "tests/support/array_checks.h"
#include "tests/unit/hdf5/hdf5_maker.h"
#include "tests/unit/hdf5/opened_hdf5.h"

using namespace farfield;
using test::allValues;
using test::errorOf;
using test::Hdf5Maker;

class TestBadHdf5 : public QObject, private test::OpenedHdf5 {
  Q_OBJECT
 private slots:
  void checksumsAreCompared();
  void unknownFiltersAreNamed();
  void whatTheLibraryCannotOpenIsNamed();
  void largeChunksNameConversion();
  void cutFilesAreRefused();
  void storesWithoutTheirEnd();
  void damagedIndexesAreErrors();
  void damagedAttributesAreErrors();
  void numbersInOtherFilesAreNotRead();
  void otherFormatsAreNamed();
};

void TestBadHdf5::checksumsAreCompared() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("values", {.dims = {4, 4, 4}, .chunks = {4, 4, 4}, .fletcher = true});
  }
  QCOMPARE(allValues(readerOf(), "values")[5], 5.0);
  std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  const float wanted[] = {5, 6, 7};
  const std::size_t at = all.find(std::string(reinterpret_cast<const char*>(wanted), sizeof wanted));
  QVERIFY(at != std::string::npos);
  file.seekp(static_cast<std::streamoff>(at));
  file.put('\x01');
  file.close();
  const std::string error = errorOf<Corrupt>([&] { allValues(readerOf(), "values"); });
  QVERIFY2(error.find("checksum") != std::string::npos && error.find("chunk 0") != std::string::npos,
           error.c_str());
}

void TestBadHdf5::unknownFiltersAreNamed() {
  {
    Hdf5Maker file(m_path);
    // a filter that may be missing is written without it, but named
    const test::Hid creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t chunk[] = {4, 4, 4}, dims[] = {8, 8, 8};
    H5Pset_chunk(creation, 3, chunk);
    H5Pset_filter(creation, 32008, H5Z_FLAG_OPTIONAL, 0, nullptr);
    const test::Hid space(H5Screate_simple(3, dims, nullptr), H5Sclose);
    const test::Hid set(
        H5Dcreate2(file.file(), "shuffled", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
        H5Dclose);
  }
  const std::string error = errorOf<Unsupported>([&] { readerOf(); });
  QVERIFY2(error.find("32008") != std::string::npos && error.find("convert") != std::string::npos,
           error.c_str());
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("good", {.dims = {4, 4, 4}});
    const test::Hid type(H5Tarray_create2(H5T_IEEE_F32LE, 1, std::vector<hsize_t>{3}.data()), H5Tclose);
    file.make("strange", {.dims = {4, 4, 4}, .type = type});
  }
  readerOf();
  QVERIFY(m_explain.find("strange") != std::string::npos);
}

/// A newer version of the library writes datasets that an older one cannot open: they were missing without a word.
void TestBadHdf5::whatTheLibraryCannotOpenIsNamed() {
  const auto make = [&](bool withGood) {
    {
      Hdf5Maker file(m_path);
      if (withGood) file.makeNumbered("good", {.dims = {4, 4, 4}});
      file.makeNumbered("newer", {.dims = {7, 11, 13}});
    }
    std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(file), {});
    // how "newer" is stored: a version (3), the kind (1: in a row), where, and the number of its bytes
    const std::size_t size = all.find(std::string("\xa4\x0f\0\0\0\0\0\0", 8));
    if (size == std::string::npos || size < 10 || all[size - 10] != 3 || all[size - 9] != 1) return false;
    file.seekp(static_cast<std::streamoff>(size - 10));
    file.put('\x63');
    return true;
  };
  QVERIFY(make(true));
  const auto reader = readerOf();
  QCOMPARE(allValues(reader, "good")[5], 5.0);
  QVERIFY(reader.description().find(0, "newer") < 0);
  QVERIFY2(m_explain.find("left out: /newer, which HDF5 ") != std::string::npos &&
               m_explain.find(" cannot open (") != std::string::npos,
           m_explain.c_str());
  QVERIFY(make(false));
  const std::string error = errorOf<Unsupported>([&] { readerOf(); });
  QVERIFY2(error.find("/newer") != std::string::npos, error.c_str());
}

void TestBadHdf5::largeChunksNameConversion() {
  {
    Hdf5Maker file(m_path);
    file.make("values", {.dims = {64, 64, 64}, .chunks = {64, 64, 64}});
    file.writeBox("values", {0, 0, 0}, {1, 1, 1}, {1});
  }
  MemoryAccount small(2 << 20);
  const std::string error = errorOf<OverBudget>([&] { open(small); });
  QVERIFY2(error.find("convert") != std::string::npos && error.find("1.0 MiB") != std::string::npos,
           error.c_str());
}

void TestBadHdf5::cutFilesAreRefused() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("values", {.dims = {8, 8, 8}, .chunks = {4, 4, 4}, .gzip = 1});
  }
  std::ifstream in(m_path, std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(in), {});
  for (std::size_t length = 0; length < all.size(); length += 97) {
    std::ofstream(m_path, std::ios::binary | std::ios::trunc) << all.substr(0, length);
    QVERIFY(!errorOf<Error>([&] { allValues(readerOf(), "values"); }).empty());
  }
}

void TestBadHdf5::storesWithoutTheirEnd() {
  {
    Hdf5Maker file(m_path);
    file.group("farfield");
    file.makeNumbered("farfield/index", {.dims = {8}});
  }
  const std::string error = errorOf<Corrupt>([&] { readerOf(); });
  QVERIFY2(error.find("paged store") != std::string::npos, error.c_str());
}

/// Chunks that are not stored have fill values; those that cannot be found have none.
void TestBadHdf5::damagedIndexesAreErrors() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("values", {.dims = {4, 4, 8}, .chunks = {4, 4, 4}, .gzip = 4});
  }
  std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  // the node of the tree of chunks (type 1): its mark, or the address of a chunk
  const std::size_t node = all.find(std::string("TREE\x01\x00", 6));
  QVERIFY(node != std::string::npos);
  constexpr std::size_t kHead = 24, kKey = 8 + 4 * 8;
  for (const auto& [at, bytes] :
       {std::pair{node, std::string("TREX")},
        std::pair{node + kHead + kKey, std::string("\x00\x00\x00\x00\x00\x00\x10\x00", 8)}}) {
    file.seekp(static_cast<std::streamoff>(at));
    file << bytes << std::flush;
    const std::string error = errorOf<Error>([&] { allValues(readerOf(), "values"); });
    QVERIFY2(!error.empty(), qPrintable(QString::number(at - node)));
    file.seekp(static_cast<std::streamoff>(at));
    file << all.substr(at, bytes.size()) << std::flush;
  }
  QCOMPARE(allValues(readerOf(), "values")[100], 100.0);
}

/// Where one of several attributes cannot be read the library itself ends the program once it visits them.
void TestBadHdf5::damagedAttributesAreErrors() {
  constexpr int kCount = 7;
  const auto name = [](int n) { return "attribute" + std::to_string(n); };
  for (const std::string object : {"values", "group"})
    for (int wrong = 0; wrong < kCount; ++wrong) {
      {
        Hdf5Maker file(m_path);
        file.makeNumbered("values", {.dims = {4, 4, 4}});
        file.group("group");
        for (int n = 0; n < kCount; ++n) file.text(object, name(n).c_str(), "text");
      }
      QCOMPARE(allValues(readerOf(), "values")[5], 5.0);
      std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
      const std::string all(std::istreambuf_iterator<char>(file), {});
      const std::size_t at = all.find(name(wrong));
      QVERIFY(at != std::string::npos);
      // the message begins with its version, eight bytes before the name
      QCOMPARE(all[at - 8], '\x01');
      file.seekp(static_cast<std::streamoff>(at - 8));
      file.put('\x4d');
      file.close();
      const std::string error = errorOf<Corrupt>([&] { readerOf(); });
      QVERIFY2(error.find("the attributes of /" + object) != std::string::npos, error.c_str());
    }
}

/// Whatever the layout says: the library itself opens such files, also outside of what a server shares.
void TestBadHdf5::numbersInOtherFilesAreNotRead() {
  const std::string secret = (m_folder.path() / "secret").string();
  std::ofstream(secret, std::ios::binary) << "SECRET!!";
  {
    Hdf5Maker file(m_path);
    const test::Hid creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(creation, secret.c_str(), 0, 8);
    const hsize_t dims[] = {2, 2, 2};
    const test::Hid space(H5Screate_simple(3, dims, nullptr), H5Sclose);
    const test::Hid set(
        H5Dcreate2(file.file(), "values", H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  }
  std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  const std::string contiguous = std::string("\x03\x01", 2) + std::string(8, '\xff');
  const std::size_t at = all.find(contiguous);
  QVERIFY(at != std::string::npos && all.find(contiguous, at + 1) == std::string::npos);
  for (const std::string& layout : {contiguous, std::string("\x03\x00\x08\x00", 4)}) {
    file.seekp(static_cast<std::streamoff>(at));
    file.write(layout.data(), static_cast<std::streamsize>(layout.size()));
    file.flush();
    const std::string error = errorOf<Unsupported>([&] { allValues(readerOf(), "values"); });
    QVERIFY2(error.find("in other files") != std::string::npos, error.c_str());
  }
}

void TestBadHdf5::otherFormatsAreNamed() {
  for (const char* const name : {"CGNSLibraryVersion", "Chombo_global"}) {
    Hdf5Maker file(m_path);
    file.group(name);
    file.makeNumbered("values", {.dims = {4, 4, 4}});
    H5Fflush(file.file(), H5F_SCOPE_GLOBAL);
    const std::string error = errorOf<Unsupported>([&] { readerOf(); });
    QVERIFY2(error.find("a.h5") != std::string::npos && error.find("variable") != std::string::npos,
             error.c_str());
    QCOMPARE(allValues(readerOf({{"variable", "values"}}), "values")[9], 9.0);
  }
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("WAVE::phi it=0 tl=0 rl=1", {.dims = {4, 4, 4}});
  }
  const std::string error = errorOf<Unsupported>([&] { readerOf(); });
  QVERIFY2(error.find("adaptive") != std::string::npos, error.c_str());
}

QTEST_GUILESS_MAIN(TestBadHdf5)
#include "tst_bad_hdf5.moc"
