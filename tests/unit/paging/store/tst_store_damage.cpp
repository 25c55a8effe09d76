// Damaged and hostile stores: every flipped byte that matters is noticed, and nothing in a file makes the
// reader crash or take memory that the file does not back.

#include <QTest>
#include <random>

#include "core/base/error.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/store_check.h"
#include "tests/support/memory_object.h"
#include "tests/support/sealed_store.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_seed.h"
#include "tests/unit/paging/store/store_samples.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;
using namespace farfield::test;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

/// Opens, and looks up every page and summary. Returns the error's name; "outside" where a page is said to
/// lie where the file has no bytes; "" when all is well.
std::string visit(Bytes bytes, std::string* words = nullptr) {
  MemoryAccount account(kBudget);
  const std::uint64_t size = bytes.size();
  try {
    const auto store =
        StoreFile::open(std::make_shared<farfield::test::MemoryObject>(std::move(bytes), true), account);
    for (std::uint32_t a = 0; a < store->description().arrays.size(); ++a)
      for (std::int64_t p = 0; p < store->description().arrays[a].pageCount(); ++p) {
        const PagePlace place = store->place(a, static_cast<std::uint64_t>(p));
        if (place.offset > size || place.bytes > size - place.offset) return "outside";
        store->summary(a, static_cast<std::uint64_t>(p));
      }
    return {};
  } catch (const Error& error) {
    if (words) *words = error.what();
    if (dynamic_cast<const Corrupt*>(&error)) return "Corrupt";
    if (dynamic_cast<const Invalid*>(&error)) return "Invalid";
    if (dynamic_cast<const Unsupported*>(&error)) return "Unsupported";
    return "other";
  }
}

Trailer trailerOf(const Bytes& store) {
  return load<Trailer>(store.data() + store.size() - sizeof(Trailer));
}

/// A store whose catalog is `text`, with everything around it right.
Bytes withCatalog(const std::string& text, const Bytes& original) {
  Bytes bytes(original.begin(),
              original.begin() + static_cast<std::ptrdiff_t>(trailerOf(original).catalog.offset));
  appendCatalog(text, bytes);
  return bytes;
}

std::string catalogOf(const Bytes& store) {
  const NodePlace place = trailerOf(store).catalog;
  return {reinterpret_cast<const char*>(store.data()) + place.offset, place.bytes};
}

}  // namespace

class TestStoreDamage : public QObject {
  Q_OBJECT

  TemporaryFolder m_folder;
  Bytes m_store;

 private slots:
  void initTestCase() {
    makeStore(m_folder / "store", twoBlocks(2), Codec::Zstd);
    m_store = contents(m_folder / "store");
    QCOMPARE(visit(m_store), std::string());
  }

  void everyFlippedByteOfTrailerCatalogAndIndex() {
    const Trailer trailer = trailerOf(m_store);
    // The index ends where the catalog begins; it starts behind the last page.
    std::uint64_t indexBegin = 0;
    {
      MemoryAccount account(kBudget);
      const auto store = StoreFile::open(m_folder / "store", account);
      for (std::uint32_t a = 0; a < store->description().arrays.size(); ++a)
        for (std::int64_t p = 0; p < store->description().arrays[a].pageCount(); ++p) {
          const PagePlace place = store->place(a, static_cast<std::uint64_t>(p));
          indexBegin = std::max(indexBegin, place.offset + place.bytes);
        }
    }
    indexBegin = (indexBegin + 7) / 8 * 8;
    const std::uint64_t catalogEnd = trailer.catalog.offset + trailer.catalog.bytes;
    std::vector<std::uint64_t> positions;
    for (std::uint64_t at = indexBegin; at < catalogEnd; at += 5) positions.push_back(at);
    for (std::uint64_t at = m_store.size() - sizeof(Trailer); at < m_store.size(); ++at)
      positions.push_back(at);
    for (const std::uint64_t at : positions) {
      Bytes bad = m_store;
      bad[at] ^= static_cast<std::byte>(1 << at % 8);
      std::string words;
      QCOMPARE(visit(std::move(bad), &words), std::string("Corrupt"));
      QVERIFY(words.find("memory: ") == 0);
    }
  }

  void verifyReadsEveryByte() {
    MemoryAccount account(kBudget);
    const auto isDamaged = [&](const Bytes& bytes) {
      const auto object = std::make_shared<farfield::test::MemoryObject>(bytes, true);
      try {
        if (!checkStore(*object, account).empty()) return false;
        const auto opened = StoreFile::open(object, account);
        for (std::uint32_t a = 0; a < opened->description().arrays.size(); ++a)
          for (std::int64_t p = 0; p < opened->description().arrays[a].pageCount(); ++p)
            readPage(*opened, {a, static_cast<std::uint64_t>(p)});
        return false;
      } catch (const Error&) {
        return true;
      }
    };
    QVERIFY(!isDamaged(m_store));
    const std::uint64_t catalog = trailerOf(m_store).catalog.offset;
    std::size_t flips = 0;
    for (std::uint64_t at = 0; at < m_store.size(); ++flips) {
      Bytes bad = m_store;
      bad[at] ^= static_cast<std::byte>(1 << at % 8);
      QVERIFY2(isDamaged(bad), ("byte " + std::to_string(at)).c_str());
      // HDF5's own structures and the trailer more densely than what lies before.
      at += at < 200 ? 1 : at < kPayloadStart ? 97 : at < catalog ? 211 : 13;
    }
    QVERIFY(flips > 1000);
  }

  void storesWithoutAChecksumOfStructuresAreNamed() {
    Bytes older = m_store;
    Trailer trailer = trailerOf(older);
    trailer.structures = 0;
    farfield::paging::test::sealTrailer(trailer);
    store(older.data() + older.size() - sizeof trailer, trailer);
    MemoryAccount account(kBudget);
    const auto doubts = checkStore(farfield::test::MemoryObject(older, true), account);
    QCOMPARE(doubts.size(), std::size_t{1});
    QVERIFY(doubts.front().starts_with("HDF5's own structures (bytes 0 to 4096 and "));
  }

  void everyTruncation() {
    for (std::size_t size = 0; size < m_store.size(); size += size < 5000 ? 13 : 401) {
      const std::string error =
          visit(Bytes(m_store.begin(), m_store.begin() + static_cast<std::ptrdiff_t>(size)));
      QVERIFY(error == (size < 8 ? "Invalid" : "Corrupt"));
    }
    Bytes longer = m_store;
    longer.push_back(std::byte{0});
    QCOMPARE(visit(longer), std::string("Corrupt"));
  }

  void otherFilesAndVersions() {
    const Bytes other(10000, std::byte{7});
    QCOMPARE(visit(other), std::string("Invalid"));
    setContents(m_folder / "bad", other);
    QVERIFY(!StoreFile::looksLikeStore(m_folder / "bad"));
    Bytes newer = m_store;
    Trailer trailer = trailerOf(newer);
    trailer.version = 99;
    sealTrailer(trailer);
    store(newer.data() + newer.size() - sizeof trailer, trailer);
    QCOMPARE(visit(newer), std::string("Unsupported"));
    MemoryAccount account(kBudget);
    QVERIFY_EXCEPTION_THROWN(StoreFile::open(m_folder / "nowhere", account), NotFound);
  }

  void smallFilesThatClaimMuch() {
    // Right checksums throughout, but sizes out of this world.
    const std::string catalog = catalogOf(m_store);
    const auto replaced = [&](const std::string& from, const std::string& to) {
      std::string text = catalog;
      const std::size_t at = text.find(from);
      if (at == std::string::npos) throw std::runtime_error("no " + from);
      return visit(withCatalog(text.replace(at, from.size(), to), m_store));
    };
    QCOMPARE(replaced("\"pageEdge\":8", "\"pageEdge\":8"), std::string());
    for (const char* dims :
         {"[1000000000,1000000000,1000000000]", "[100000,100000,100]", "[4503599627370496,1,1]",
          "[9223372036854775807,9223372036854775807,2]", "[18446744073709551615,1,1]", "[-1,4,4]", "[0,4,4]",
          "[1.5,4,4]", "[1e300,4,4]", "[\"x\",4,4]", "[4,4]", "null", "{}"})
      QCOMPARE(replaced("\"dims\":[21,10,9],\"name\"", "\"dims\":" + std::string(dims) + ",\"name\""),
               std::string("Corrupt"));
    for (const char* components : {"0", "-1", "65536", "1000000000", "18446744073709551615", "5.5", "true"})
      QCOMPARE(replaced("\"components\":3", "\"components\":" + std::string(components)),
               std::string("Corrupt"));
    for (const char* steps : {"0", "-5", "3", "1000000000000"})
      QCOMPARE(replaced("\"steps\":2", "\"steps\":" + std::string(steps)), std::string("Corrupt"));
    for (const char* page : {"[22,10,9]", "[0,1,1]", "[1,1,1]"})
      QCOMPARE(replaced("\"page\":[7,5,5]", "\"page\":" + std::string(page)), std::string("Corrupt"));
    QCOMPARE(replaced("\"codec\":\"zstd\"", "\"codec\":\"zst\""), std::string("Corrupt"));
    QCOMPARE(replaced("\"type\":\"f64\"", "\"type\":\"f65\""), std::string("Corrupt"));
    QCOMPARE(replaced("{", "["), std::string("Corrupt"));
    QCOMPARE(replaced("\"times\":", "\"time\":"), std::string("Corrupt"));
  }

  void aCatalogOfAnyLength() {
    // Deep nesting, nothing, and a place that is not in the file.
    for (const std::string& text :
         {std::string(100000, '['), std::string(), std::string("{}"), std::string("[]"), std::string("null"),
          std::string("{\"description\":{}}")}) {
      QCOMPARE(visit(withCatalog(text, m_store)), std::string("Corrupt"));
    }
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{m_store.size()}, ~std::uint64_t{0}}) {
      for (const std::uint64_t bytes : {std::uint64_t{10}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        Bytes bad = m_store;
        Trailer trailer = trailerOf(bad);
        trailer.catalog.offset = offset;
        trailer.catalog.bytes = bytes;
        sealTrailer(trailer);
        store(bad.data() + bad.size() - sizeof trailer, trailer);
        QCOMPARE(visit(bad), std::string("Corrupt"));
      }
    }
  }

  void hostileIndices() {
    // A forger knows the checksums too: change the root of the first array and seal everything above it.
    std::mt19937_64 random(testSeed());
    const Catalog catalog = catalogFromText(catalogOf(m_store));
    int noticed = 0;
    for (int round = 0; round < 1000; ++round) {
      Bytes bad = m_store;
      Catalog forged = catalog;
      NodePlace& root = forged.indices[0].root;
      const auto leaf = load<NodePlace>(bad.data() + root.offset);
      const std::uint64_t values[] = {
          0, 1, 4095, bad.size() - 64, bad.size(), ~std::uint64_t{0}, random(), random() % 99999};
      const std::uint64_t value = values[random() % std::size(values)];
      if (round % 2 == 0) {
        store(bad.data() + root.offset + random() % (root.bytes - 8), value);
      } else {
        store(bad.data() + leaf.offset + random() % (leaf.bytes - 8), value);
        NodePlace sealed = leaf;
        sealed.checksum = checksum({bad.data() + leaf.offset, leaf.bytes});
        store(bad.data() + root.offset, sealed);
      }
      root.checksum = checksum({bad.data() + root.offset, root.bytes});
      const std::string error = visit(withCatalog(catalogText(forged), bad));
      QVERIFY(error.empty() || error == "Corrupt");
      if (!error.empty()) ++noticed;
    }
    QVERIFY(noticed > 250);
  }

  void mutatedCatalogs() {
    std::mt19937_64 random(testSeed());
    const std::string catalog = catalogOf(m_store);
    const std::string interesting = "0123456789-\"{}[],:.eEtrufalsn\\\x00\xff";
    int noticed = 0;
    for (int round = 0; round < 1500; ++round) {
      std::string text = catalog;
      for (int n = 1 + static_cast<int>(random() % 3); n > 0; --n)
        text[random() % text.size()] = interesting[random() % interesting.size()];
      if (random() % 10 == 0) text.insert(random() % text.size(), std::to_string(random()));
      const std::string error = visit(withCatalog(text, m_store));
      QVERIFY2(error.empty() || error == "Corrupt", error.c_str());
      // What is taken says what it said: written again and read again it is the same.
      if (error.empty())
        QCOMPARE(catalogText(catalogFromText(catalogText(catalogFromText(text)))),
                 catalogText(catalogFromText(text)));
      else
        ++noticed;
    }
    QVERIFY2(noticed > 900, std::to_string(noticed).c_str());
  }
};

QTEST_APPLESS_MAIN(TestStoreDamage)
#include "tst_store_damage.moc"
