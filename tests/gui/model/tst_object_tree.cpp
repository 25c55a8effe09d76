// The tree of data and objects: rows follow the document, and what is done in the tree can be undone.

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <memory>
#include <random>

#include "app/model/object_tree.h"
#include "tests/gui/model/theatre.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

class TestObjectTree : public QObject {
  Q_OBJECT
 private slots:
  void rowsFollowTheDocument();
  void namesAndChecks();
  void draggingReorders();
  void statesAreTold();
};

void TestObjectTree::rowsFollowTheDocument() {
  Theatre theatre;
  ObjectTree tree(theatre.document, theatre.stage);
  QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
  QCOMPARE(tree.rowCount(), 0);
  const ObjectId first = theatre.open(rake(2));
  const QModelIndex data = tree.index(0, 0);
  QCOMPARE(tree.rowCount(), 1);
  QCOMPARE(tree.rowCount(data), 1);
  QCOMPARE(data.data().toString(), "flow");
  QCOMPARE(tree.idAt(tree.index(0, 0, data)), first);
  QCOMPARE(tree.dataAt(tree.indexOf(first)), "flow");
  QSignalSpy inserted(&tree, &ObjectTree::rowsInserted), removed(&tree, &ObjectTree::rowsRemoved),
      reset(&tree, &ObjectTree::modelReset);
  const ObjectId second = theatre.document.addObject(rake(2));
  QCOMPARE(inserted.count(), 1);
  theatre.document.edit("Remove", [&](Draft& draft) { draft.remove(first); });
  QCOMPARE(removed.count(), 1);
  QCOMPARE(reset.count(), 0);
  QCOMPARE(tree.indexOf(second).row(), 0);
  theatre.document.undoStack().undo();
  QCOMPARE(tree.indexOf(second).row(), 1);
  // Whatever happens to the document, the tree is a sound model of it.
  std::mt19937 random(3);
  for (int n = 0; n < 200; ++n) {
    const auto ids = theatre.document.objectIds();
    const ObjectId some = ids.empty() ? 0 : ids[random() % ids.size()];
    switch (random() % 6) {
      case 0:
        theatre.document.addObject(rake(1));
        break;
      case 1:
        theatre.document.edit("Remove", [&](Draft& draft) { draft.remove(some); });
        break;
      case 2:
        theatre.document.edit("Move", [&](Draft& draft) { draft.move(some, random() % 4); });
        break;
      case 3:
        theatre.document.edit("Data", [&](Draft& draft) {
          draft.frame().data.push_back({"more " + std::to_string(n), {"sample://abc?size=9"}, {}, {}, {}});
        });
        break;
      case 4:
        theatre.document.undoStack().undo();
        break;
      default:
        theatre.document.undoStack().redo();
        break;
    }
    int rows = 0;
    for (int row = 0; row < tree.rowCount(); ++row) rows += tree.rowCount(tree.index(row, 0));
    QCOMPARE(rows, static_cast<int>(theatre.document.objectIds().size()));
  }
  theatre.document.clear();
  QCOMPARE(tree.rowCount(), 0);
}

void TestObjectTree::namesAndChecks() {
  Theatre theatre;
  ObjectTree tree(theatre.document, theatre.stage);
  const ObjectId id = theatre.open(rake(2));
  const QModelIndex index = tree.indexOf(id);
  QSignalSpy changed(&tree, &ObjectTree::dataChanged), refused(&tree, &ObjectTree::nameRefused);
  QVERIFY(tree.setData(index, "wake"));
  QCOMPARE(theatre.document.object(id)->name, "wake");
  QVERIFY(changed.count() > 0);
  QVERIFY(!tree.setData(index, "a/b"));
  QCOMPARE(refused.count(), 1);
  QCOMPARE(index.data().toString(), "wake");
  QCOMPARE(index.data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
  QVERIFY(tree.setData(index, Qt::Unchecked, Qt::CheckStateRole));
  QVERIFY(!theatre.document.object(id)->visible);
  theatre.document.undoStack().undo();
  QVERIFY(theatre.document.object(id)->visible);
  QVERIFY(tree.setData(tree.index(0, 0), "wing"));
  QCOMPARE(theatre.document.session().data[0].name, "wing");
  QCOMPARE(theatre.document.object(id)->data, "wing");
  QVERIFY(!tree.index(0, 0).data(Qt::CheckStateRole).isValid());
}

void TestObjectTree::draggingReorders() {
  Theatre theatre;
  ObjectTree tree(theatre.document, theatre.stage);
  const ObjectId a = theatre.open(rake(1)), b = theatre.document.addObject(rake(1)),
                 c = theatre.document.addObject(rake(1));
  const auto drop = [&](ObjectId what, int row) {
    const std::unique_ptr<QMimeData> mime(tree.mimeData({tree.indexOf(what)}));
    tree.dropMimeData(mime.get(), Qt::MoveAction, row, 0, tree.index(0, 0));
  };
  using Ids = std::vector<ObjectId>;
  drop(c, 0);
  QCOMPARE(theatre.document.objectIds(), (Ids{c, a, b}));
  drop(c, 2);  // before b
  QCOMPARE(theatre.document.objectIds(), (Ids{a, c, b}));
  drop(a, -1);  // onto the data: last
  QCOMPARE(theatre.document.objectIds(), (Ids{c, b, a}));
  drop(b, 1);  // before itself
  QCOMPARE(theatre.document.objectIds(), (Ids{c, b, a}));
  for (int n = 0; n < 3; ++n) theatre.document.undoStack().undo();
  QCOMPARE(theatre.document.objectIds(), (Ids{a, b, c}));
  QMimeData nonsense;
  nonsense.setText("x");
  QVERIFY(!tree.dropMimeData(&nonsense, Qt::MoveAction, 0, 0, tree.index(0, 0)));
}

void TestObjectTree::statesAreTold() {
  Theatre theatre;
  ObjectTree tree(theatre.document, theatre.stage);
  session::Object wrong = rake(2);
  wrong.color.by = "no such function";
  const ObjectId id = theatre.open(wrong);
  QTRY_COMPARE_WITH_TIMEOUT(tree.indexOf(id).data(ObjectTree::StateRole).toInt(), int(ObjectState::Failed),
                            kPatienceMs);
  QVERIFY(tree.indexOf(id).data(ObjectTree::ProblemRole).toString().contains("no such function"));
  QVERIFY(tree.indexOf(id).data(Qt::ToolTipRole).toString().contains("Streamlines"));
  QCOMPARE(tree.index(0, 0).data(ObjectTree::StateRole).toInt(), int(DataState::Open));
  QVERIFY(tree.index(0, 0).data(Qt::ToolTipRole).toString().contains("sample://abc"));
}

QTEST_MAIN(TestObjectTree)
#include "tst_object_tree.moc"
