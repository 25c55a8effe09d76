// What was opened last as it stands in a list: which files, where they are not here on which machine, and in little room each name by
// itself without its middle.

#include <QFontMetrics>
#include <QTest>

#include "app/ui/widgets/names.h"

using farfield::ui::elidedNames;
using farfield::ui::recentText;

class TestNames : public QObject {
  Q_OBJECT
 private slots:
  void filesAreNamed();
  void eachNameIsShortenedByItself();
};

void TestNames::filesAreNamed() {
  QCOMPARE(recentText("/data/wing.xyz\n/data/wing.q"), QString("wing.xyz + wing.q"));
  QCOMPARE(recentText("far://cluster:4780/runs/wing.h5"), QString("wing.h5 on cluster:4780"));
  QCOMPARE(recentText("https://data.example.org/ocean.zarr/"), QString("ocean.zarr on data.example.org"));
  QCOMPARE(recentText("far://cluster:4780/runs/grid.xyz\nfar://cluster:4780/runs/flow_1.q\n"
                      "far://cluster:4780/runs/flow_2.q"),
           QString("grid.xyz on cluster:4780 + flow_*.q (2 files)"));
  // As the start page calls it, and what was asked of it otherwise.
  QCOMPARE(recentText("sample://cylinder"), QString("Cylinder (sample)"));
  QCOMPARE(recentText("sample://taylor-green?steps=12"), QString("Taylor–Green vortices (sample)"));
  QCOMPARE(recentText("sample://cylinder?size=33"), QString("Cylinder (sample, size=33)"));
  QCOMPARE(recentText("sample://of-a-session"), QString("sample://of-a-session"));
  QCOMPARE(recentText("/data/set.zarr/"), QString("set.zarr"));
}

void TestNames::eachNameIsShortenedByItself() {
  const QFontMetrics metrics{QFont()};
  const QString text = "bluntfin_8blk_le_f8_mk_ib.xyz + bluntfin_8blk_le_f8_mk_ib.q";
  const int whole = metrics.horizontalAdvance(text);
  QCOMPARE(elidedNames(text, metrics, whole), text);
  for (const int width : {2 * whole / 3, whole / 2}) {
    const QString shorter = elidedNames(text, metrics, width);
    QVERIFY(metrics.horizontalAdvance(shorter) <= width);
    QStringList names = shorter.split(" + ");
    QCOMPARE(names.size(), 2);
    QVERIFY2(names[0].startsWith("blunt") && names[0].endsWith("xyz"), qPrintable(shorter));
    QVERIFY2(names[1].startsWith("blunt") && names[1].endsWith(".q"), qPrintable(shorter));
  }
  // What is short is whole, and leaves its room.
  const QString uneven = "a.xyz + " + QString(60, 'q');
  QVERIFY(elidedNames(uneven, metrics, metrics.horizontalAdvance(uneven) - 20)
              .startsWith("a.xyz + qqqqqqqqqqqqqqqqq"));
}

QTEST_MAIN(TestNames)
#include "tst_names.moc"
