// How arrays are cut: pages of even extents that hold each node once, and a way to the page of a node that is
// exact though it does not divide.

#include <QTest>

#include <random>

#include "core/paging/pages/page_layout.h"

using namespace farfield;
using namespace farfield::paging;

class TestPageLayout : public QObject {
  Q_OBJECT
 private slots:
  void evenPagesDifferByLessThanTheirNumber();
  void everyNodeLiesInThePageThatIsNamed();
  void pagesOfHugeAxesAreExact();
};

void TestPageLayout::evenPagesDifferByLessThanTheirNumber() {
  const PageLayout layout = PageLayout::even({37, 33, 1}, 32);
  QCOMPARE(layout.extent(), (Index3{19, 17, 1}));
  QCOMPARE(layout.pagesPerAxis(), (Index3{2, 2, 1}));
  QCOMPARE(layout.box(3), (IndexBox{{19, 17, 0}, {18, 16, 1}}));
  for (std::int64_t dim = 1; dim < 300; ++dim)
    for (const int edge : {1, 2, 7, 8, 16, 32}) {
      const PageLayout cut = PageLayout::even({dim, 1, 1}, edge);
      QVERIFY(cut.extent()[0] <= edge);
      const std::int64_t last = cut.box(cut.pageCount() - 1).size[0];
      QVERIFY(last >= 1 && cut.extent()[0] - last < cut.pageCount());
    }
}

void TestPageLayout::everyNodeLiesInThePageThatIsNamed() {
  for (const Index3& dims : {Index3{1, 1, 1}, Index3{37, 30, 21}, Index3{5, 64, 2}})
    for (const Index3& extent : {Index3{1, 1, 1}, Index3{8, 8, 8}, Index3{37, 7, 3}, Index3{100, 1, 2}}) {
      const PageLayout layout = PageLayout::ofExtent(dims, extent);
      for (std::int64_t n = 0; n < product(dims); ++n)
        QVERIFY(layout.box(layout.pageOf(unlinear(n, dims))).contains(unlinear(n, dims)));
    }
}

void TestPageLayout::pagesOfHugeAxesAreExact() {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    // Up to 2^32 by multiplication, beyond by division; the nodes next to borders are those that may go
    // wrong.
    const std::int64_t dim = static_cast<std::int64_t>(random() >> (24 + random() % 30));
    const std::int64_t extent = 1 + static_cast<std::int64_t>(random() >> (30 + random() % 30)) % (dim + 1);
    const PageLayout layout = PageLayout::ofExtent({dim + 1, 1, 1}, {extent, 1, 1});
    const std::int64_t length = layout.extent()[0];
    for (int n = 0; n < 20; ++n) {
      const std::int64_t page = static_cast<std::int64_t>(random()) % layout.pagesPerAxis()[0];
      for (const std::int64_t node : {std::abs(page) * length - 1, std::abs(page) * length, dim}) {
        if (node < 0 || node > dim) continue;
        QCOMPARE(layout.pageAlong(0, node), node / length);
      }
    }
  }
}

QTEST_APPLESS_MAIN(TestPageLayout)
#include "tst_page_layout.moc"
