// A conversion can be interrupted anywhere and resumed, and the outcome is the same file to the byte.

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <csignal>
#include <fstream>

#include "core/base/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/store/store_samples.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::test;

namespace {

/// Resumes, finishes, and returns how many pages were there.
std::uint64_t resumeAndFinish(const std::filesystem::path& path, const DatasetDescription& description,
                              Codec codec) {
  MemoryAccount account(kPlenty);
  StoreWriter writer(path, description, {.codec = codec, .resume = true, .sync = false}, account);
  const std::uint64_t found = writer.written();
  writeRest(writer);
  writer.finish();
  return found;
}

/// A partial store of `pages` pages, as a process that stops leaves it.
void interrupt(const std::filesystem::path& path, const DatasetDescription& description, Codec codec,
               std::uint64_t pages) {
  MemoryAccount account(kPlenty);
  StoreWriter writer(path, description, {.codec = codec}, account);
  writeRest(writer, pages);
}

}  // namespace

class TestStoreResume : public QObject {
  Q_OBJECT

 private slots:
  void afterEveryPage() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks();
    makeStore(folder / "whole", description, Codec::Zstd);
    const Bytes whole = contents(folder / "whole");
    MemoryAccount account(kPlenty);
    std::uint64_t count = StoreWriter(folder / "count", description, {}, account).pageCount();
    for (std::uint64_t pages = 0; pages <= count; ++pages) {
      const auto path = folder / std::to_string(pages);
      interrupt(path, description, Codec::Zstd, pages);
      QVERIFY(!std::filesystem::exists(path));
      QCOMPARE(StoreWriter::hasPartial(path), pages > 0);
      if (pages > 0) QVERIFY_EXCEPTION_THROWN(StoreFile::open(path, account), Invalid);
      if (pages > 0) QVERIFY_EXCEPTION_THROWN(StoreFile::open(path.string() + ".part", account), Invalid);
      QCOMPARE(resumeAndFinish(path, description, Codec::Zstd), pages);
      QVERIFY(contents(path) == whole);
    }
  }

  void cutAnywhere() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks(2);
    makeStore(folder / "whole", description, Codec::Lz4);
    const Bytes whole = contents(folder / "whole");
    interrupt(folder / "x", description, Codec::Lz4, 25);
    const Bytes part = contents(folder / "x.part"), journal = contents(folder / "x.part.journal");
    int cuts = 0;
    for (const bool cutJournal : {false, true}) {
      const Bytes& cut = cutJournal ? journal : part;
      for (std::size_t size = 0; size < cut.size(); size += 61) {
        setContents(folder / "y.part", cutJournal ? part : std::span(part).first(size));
        setContents(folder / "y.part.journal", cutJournal ? std::span(journal).first(size) : journal);
        QVERIFY(resumeAndFinish(folder / "y", description, Codec::Lz4) <= 25);
        QVERIFY(contents(folder / "y") == whole);
        std::filesystem::remove(folder / "y");
        ++cuts;
      }
    }
    QVERIFY(cuts > 200);
  }

  void damagedPagesAndEntriesAreMadeAgain() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks(2);
    makeStore(folder / "whole", description, Codec::Zstd);
    const Bytes whole = contents(folder / "whole");
    interrupt(folder / "x", description, Codec::Zstd, 25);
    const Bytes part = contents(folder / "x.part"), journal = contents(folder / "x.part.journal");
    for (const bool inJournal : {false, true}) {
      const Bytes& intact = inJournal ? journal : part;
      for (std::size_t at = 7; at < intact.size(); at += 251) {
        Bytes bad = intact;
        bad[at] ^= std::byte{0x10};
        setContents(folder / "y.part", inJournal ? part : bad);
        setContents(folder / "y.part.journal", inJournal ? bad : journal);
        QVERIFY(resumeAndFinish(folder / "y", description, Codec::Zstd) <= 25);
        QVERIFY(contents(folder / "y") == whole);
        std::filesystem::remove(folder / "y");
      }
    }
  }

  void interruptedWhileFinishing() {
    // All pages and the journal, and of the rest of the final file any number of bytes, with or without the
    // superblock that comes last.
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks(2);
    makeStore(folder / "whole", description, Codec::Zstd);
    const Bytes whole = contents(folder / "whole");
    interrupt(folder / "x", description, Codec::Zstd, 1000);
    const Bytes part = contents(folder / "x.part"), journal = contents(folder / "x.part.journal");
    QVERIFY(part.size() < whole.size());
    for (std::size_t size = part.size(); size <= whole.size(); size += 997) {
      for (const bool superblock : {false, true}) {
        Bytes state(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        if (!superblock) std::copy_n(part.begin(), kPayloadStart, state.begin());
        setContents(folder / "y.part", state);
        setContents(folder / "y.part.journal", journal);
        resumeAndFinish(folder / "y", description, Codec::Zstd);
        QVERIFY(contents(folder / "y") == whole);
        std::filesystem::remove(folder / "y");
      }
    }
    // After the rename only the journal can be left; the store is finished.
    setContents(folder / "z", whole);
    setContents(folder / "z.part.journal", journal);
    MemoryAccount account(kPlenty);
    StoreWriter writer(folder / "z", description, {.codec = Codec::Zstd, .resume = true}, account);
    QVERIFY(writer.alreadyFinished());
    QCOMPARE(writer.written(), writer.pageCount());
    writer.finish();
    QVERIFY(contents(folder / "z") == whole);
    QVERIFY(!std::filesystem::exists(folder / "z.part.journal"));
  }

  void killedAtAnyMoment() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks(12, 4);
    makeStore(folder / "whole", description, Codec::Zstd);
    const Bytes whole = contents(folder / "whole");
    int killed = 0;
    for (int round = 0; round < 200 && !std::filesystem::exists(folder / "x"); ++round) {
      const pid_t child = ::fork();
      QVERIFY(child >= 0);
      if (child == 0) {
        try {
          MemoryAccount account(kPlenty);
          StoreWriter writer(folder / "x", description, {.resume = true}, account);
          writeRest(writer);
          writer.finish();
        } catch (...) {
          ::_exit(1);
        }
        ::_exit(0);
      }
      // Each round lives a little longer, so that the last one ends by itself.
      ::usleep(static_cast<useconds_t>(2000 + 3000 * round));
      ::kill(child, SIGKILL);
      int status = 0;
      ::waitpid(child, &status, 0);
      QVERIFY(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
      if (WIFSIGNALED(status)) ++killed;
    }
    QVERIFY(killed > 0);
    QVERIFY(contents(folder / "x") == whole);
  }

  void otherInputIsRefused() {
    const TemporaryFolder folder;
    interrupt(folder / "x", twoBlocks(), Codec::Zstd, 5);
    MemoryAccount account(kPlenty);
    DatasetDescription other = twoBlocks();
    other.attributes["source.0"] = "another.xyz";
    QVERIFY_EXCEPTION_THROWN(StoreWriter(folder / "x", other, {.resume = true}, account), Invalid);
    QVERIFY_EXCEPTION_THROWN(StoreWriter(folder / "x", twoBlocks(2), {.resume = true}, account), Invalid);
    QVERIFY_EXCEPTION_THROWN(
        StoreWriter(folder / "x", twoBlocks(), {.codec = Codec::Gzip, .resume = true}, account), Invalid);
    DatasetDescription again = twoBlocks();
    again.attributes["command"] = "farfield convert a -o b --resume";
    StoreWriter writer(folder / "x", again, {.resume = true}, account);
    QCOMPARE(writer.written(), std::uint64_t{5});
    QCOMPARE(writer.description().attributes.at("command"), std::string("farfield convert a -o b"));
    // One process at a time.
    QVERIFY_EXCEPTION_THROWN(StoreWriter(folder / "x", again, {.resume = true}, account), Invalid);
  }

  void aFinishedStoreIsTheOneAskedFor() {
    const TemporaryFolder folder;
    makeStore(folder / "x", twoBlocks(), Codec::Zstd);
    const auto before = contents(folder / "x");
    MemoryAccount account(kPlenty);
    DatasetDescription again = twoBlocks();
    again.attributes["command"] = "farfield convert a -o b --resume";
    QVERIFY(
        StoreWriter(folder / "x", again, {.codec = Codec::Zstd, .resume = true}, account).alreadyFinished());
    DatasetDescription other = twoBlocks();
    other.attributes["source.0"] = "another.xyz";
    QVERIFY_EXCEPTION_THROWN(
        StoreWriter(folder / "x", other, {.codec = Codec::Zstd, .resume = true}, account), Invalid);
    QVERIFY_EXCEPTION_THROWN(
        StoreWriter(folder / "x", twoBlocks(2), {.codec = Codec::Zstd, .resume = true}, account), Invalid);
    QVERIFY_EXCEPTION_THROWN(
        StoreWriter(folder / "x", twoBlocks(), {.codec = Codec::Gzip, .resume = true}, account), Invalid);
    QVERIFY(contents(folder / "x") == before);
    // What is there is no store at all.
    std::ofstream(folder / "y") << "text";
    QVERIFY_EXCEPTION_THROWN(StoreWriter(folder / "y", twoBlocks(), {.resume = true}, account), Error);
    QVERIFY(contents(folder / "y").size() == 4);
  }

  void withoutResumeItStartsAnew() {
    const TemporaryFolder folder;
    interrupt(folder / "x", twoBlocks(), Codec::Zstd, 5);
    makeStore(folder / "x", oneBlock({9, 9, 9}, {4, 4, 4}, ScalarType::U8), Codec::None);
    makeStore(folder / "y", oneBlock({9, 9, 9}, {4, 4, 4}, ScalarType::U8), Codec::None);
    QVERIFY(contents(folder / "x") == contents(folder / "y"));
    interrupt(folder / "z", twoBlocks(), Codec::Zstd, 5);
    MemoryAccount account(kPlenty);
    StoreWriter(folder / "z", twoBlocks(), {.resume = true}, account).discard();
    QVERIFY(!StoreWriter::hasPartial(folder / "z"));
  }
};

QTEST_APPLESS_MAIN(TestStoreResume)
#include "tst_store_resume.moc"
