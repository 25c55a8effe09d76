// Codecs: what goes in comes out, HDF5 reads what we write, and no input whatever does harm.

#include <hdf5.h>

#include <QTest>
#include <cmath>
#include <random>

#include "core/base/error.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/inflate.h"
#include "core/paging/pages/shuffle.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_seed.h"

using namespace farfield;
using namespace farfield::paging;

namespace {

const Codec kCodecs[] = {Codec::None, Codec::Zstd, Codec::Lz4, Codec::Gzip};
using Bytes = std::vector<std::byte>;

Bytes randomBytes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Bytes bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

/// A wave with a little noise: what pages of a flow look like.
template <class T>
Bytes wave(std::size_t elements) {
  std::mt19937 random(7);
  Bytes bytes(elements * sizeof(T));
  for (std::size_t n = 0; n < elements; ++n) {
    const T value =
        static_cast<T>(100 + 90 * std::sin(0.001 * static_cast<double>(n)) + 1e-6 * (random() % 1000));
    std::memcpy(bytes.data() + n * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

Bytes encoded(Codec codec, int elementBytes, const Bytes& raw) {
  Scratch scratch;
  Bytes out(encodedBound(codec, raw.size()));
  out.resize(encode(codec, elementBytes, raw, out, scratch));
  return out;
}

Bytes decoded(Codec codec, int elementBytes, const Bytes& stored, std::size_t rawBytes) {
  Scratch scratch;
  Bytes out(rawBytes);
  decode(codec, elementBytes, stored, out, scratch);
  return out;
}

/// True if it decoded, false if it threw Corrupt; anything else fails the test by escaping.
bool decodes(Codec codec, int elementBytes, const Bytes& stored, std::size_t rawBytes, Bytes& out,
             Scratch& scratch) {
  // Exact allocations, so that a sanitizer sees any byte touched outside.
  out.assign(rawBytes, std::byte{0});
  out.shrink_to_fit();
  try {
    decode(codec, elementBytes, stored, out, scratch);
    return true;
  } catch (const Corrupt&) {
    return false;
  }
}

}  // namespace

class TestCodec : public QObject {
  Q_OBJECT

 private slots:
  void shuffleIsAPermutationAndItsInverse() {
    for (const int width : {1, 2, 3, 4, 5, 8, 12, 16}) {
      for (const std::size_t size : {0u, 1u, 7u, 16u, 31u, 64u, 127u, 128u, 129u, 1000u, 4099u}) {
        const Bytes raw = randomBytes(size, size + static_cast<std::size_t>(width));
        Bytes shuffled(size), back(size);
        shuffle(width, raw, shuffled);
        const std::size_t elements = size / static_cast<std::size_t>(width);
        for (std::size_t n = 0; n < elements; ++n)
          for (std::size_t b = 0; b < static_cast<std::size_t>(width); ++b)
            QCOMPARE(shuffled[b * elements + n], raw[n * static_cast<std::size_t>(width) + b]);
        unshuffle(width, shuffled, back);
        QVERIFY(back == raw);
      }
    }
  }

  void roundTrip() {
    for (const Codec codec : kCodecs) {
      for (const int width : {1, 2, 4, 8}) {
        for (const std::size_t elements : {0u, 1u, 2u, 15u, 16u, 17u, 1000u, 4096u, 35937u}) {
          const std::size_t size = elements * static_cast<std::size_t>(width);
          const Bytes inputs[] = {Bytes(size), randomBytes(size, 1),
                                  width == 8   ? wave<double>(elements)
                                  : width == 4 ? wave<float>(elements)
                                  : width == 2 ? wave<std::uint16_t>(elements)
                                               : wave<std::uint8_t>(elements)};
          for (const Bytes& raw : inputs) {
            const Bytes stored = encoded(codec, width, raw);
            QVERIFY(stored.size() <= encodedBound(codec, raw.size()));
            QVERIFY(decoded(codec, width, stored, raw.size()) == raw);
            QVERIFY(encoded(codec, width, raw) == stored);
          }
        }
      }
    }
  }

  void smoothDataShrinkAndNoiseHardlyGrows() {
    const Bytes smooth = wave<float>(32768), noise = randomBytes(1 << 17, 3);
    for (const Codec codec : {Codec::Zstd, Codec::Lz4, Codec::Gzip}) {
      QVERIFY(encoded(codec, 4, smooth).size() < smooth.size() * 7 / 10);
      QVERIFY(encoded(codec, 4, noise).size() < noise.size() + noise.size() / 100);
    }
  }

  void wrongSizesAreCorrupt() {
    const Bytes raw = wave<float>(1000);
    for (const Codec codec : kCodecs) {
      const Bytes stored = encoded(codec, 4, raw);
      for (const std::size_t size :
           {std::size_t{0}, raw.size() - 4, raw.size() - 1, raw.size() + 1, raw.size() * 3})
        QVERIFY_EXCEPTION_THROWN(decoded(codec, 4, stored, size), Corrupt);
      QVERIFY_EXCEPTION_THROWN(decoded(codec, 4, {}, raw.size()), Corrupt);
      Bytes longer = stored;
      longer.push_back(std::byte{0});
      QVERIFY_EXCEPTION_THROWN(decoded(codec, 4, longer, raw.size()), Corrupt);
    }
  }

  void everyTruncationIsCorrupt() {
    const Bytes raw = wave<float>(600);
    Bytes out;
    Scratch scratch;
    for (const Codec codec : kCodecs) {
      const Bytes stored = encoded(codec, 4, raw);
      for (std::size_t size = 0; size < stored.size(); ++size) {
        Bytes cut(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(size));
        cut.shrink_to_fit();
        QVERIFY(!decodes(codec, 4, cut, raw.size(), out, scratch));
      }
    }
  }

  void mutatedInputNeverDoesHarm() {
    std::mt19937_64 random(test::testSeed());
    Bytes out;
    Scratch scratch;
    const Bytes raws[] = {wave<float>(500), randomBytes(2000, 5), Bytes(2000)};
    int refused = 0;
    for (const Codec codec : {Codec::Zstd, Codec::Lz4, Codec::Gzip}) {
      for (const Bytes& raw : raws) {
        const Bytes stored = encoded(codec, 4, raw);
        for (int round = 0; round < 3000; ++round) {
          Bytes bad = stored;
          for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips) {
            // Headers are short and matter most, so half of the flips go there.
            const std::size_t range = random() % 2 ? std::min<std::size_t>(bad.size(), 24) : bad.size();
            bad[random() % range] = static_cast<std::byte>(random());
          }
          if (random() % 8 == 0) bad.resize(random() % (bad.size() + 32));
          bad.shrink_to_fit();
          const std::size_t size = random() % 8 == 0 ? random() % 5000 : raw.size();
          if (!decodes(codec, 4, bad, size, out, scratch)) ++refused;
        }
      }
      for (int round = 0; round < 2000; ++round)
        if (!decodes(codec, 1 + static_cast<int>(random() % 9), randomBytes(random() % 200, random()),
                     random() % 1000, out, scratch))
          ++refused;
    }
    QVERIFY(refused > 10000);
  }

  void lz4IsFramedAsHdf5sFilterWantsIt() {
    const Bytes raw = wave<float>(1000), stored = encoded(Codec::Lz4, 4, raw);
    const auto at = [&](std::size_t n) { return std::to_integer<std::uint64_t>(stored[n]); };
    std::uint64_t total = 0, block = 0, size = 0;
    for (std::size_t n = 0; n < 8; ++n) total = total << 8 | at(n);
    for (std::size_t n = 8; n < 12; ++n) block = block << 8 | at(n);
    for (std::size_t n = 12; n < 16; ++n) size = size << 8 | at(n);
    QCOMPARE(total, std::uint64_t{4000});
    QCOMPARE(block, std::uint64_t{4000});
    QCOMPARE(size, std::uint64_t{stored.size() - 16});
  }

  void deflateAtOnceTakesExactlyWhatIsThere() {
    const Bytes raw = wave<float>(5000);
    Bytes stored(encodedBound(Codec::Gzip, raw.size())), out(raw.size()), longer(raw.size() + 1);
    Scratch scratch;
    stored.resize(encode(Codec::Gzip, 1, raw, stored, scratch));
    if (!inflateAtOnce(stored, out)) QSKIP("built without libdeflate");
    QVERIFY(out == raw);
    QVERIFY(!inflateAtOnce(stored, longer));
    QVERIFY(!inflateAtOnce(stored, std::span(out).first(out.size() - 1)));
    QVERIFY(!inflateAtOnce(std::span(stored).first(stored.size() - 1), out));
    QVERIFY(!inflateAtOnce({}, out));
    Bytes more = stored;
    more.push_back(std::byte{0});
    QVERIFY(!inflateAtOnce(more, out));
    stored[stored.size() / 2] ^= std::byte{0x10};
    QVERIFY(!inflateAtOnce(stored, out));
  }

  void hdf5sOwnFiltersReadGzipPages() {
    const test::TemporaryFolder folder;
    const hsize_t dims[1] = {1000}, offset[1] = {0};
    const Bytes raw = wave<float>(1000), stored = encoded(Codec::Gzip, 4, raw);
    const hid_t file = H5Fcreate((folder / "x.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, dims, nullptr), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 1, dims);
    H5Pset_shuffle(plist);
    H5Pset_deflate(plist, 4);
    const hid_t data = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    QVERIFY(H5Dwrite_chunk(data, H5P_DEFAULT, 0, offset, stored.size(), stored.data()) >= 0);
    Bytes back(raw.size());
    QVERIFY(H5Dread(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()) >= 0);
    QVERIFY(back == raw);
    H5Dclose(data);
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
  }

  void namesAndChecksum() {
    for (const Codec codec : kCodecs) QVERIFY(codecNamed(nameOf(codec)) == codec);
    QVERIFY_EXCEPTION_THROWN(codecNamed("zip"), Invalid);
    // XXH3-64 of nothing and of "a", seed 0, as published with the algorithm's reference implementation.
    QCOMPARE(checksum({}), std::uint64_t{0x2D06800538D394C2});
    const std::byte a{'a'};
    QCOMPARE(checksum({&a, 1}), std::uint64_t{0xE6C632B61E964E1F});
  }
};

QTEST_APPLESS_MAIN(TestCodec)
#include "tst_codec.moc"
