// Looks of legends follow the objects and data that they are named for, and are handed on where these go.

#include <QTest>

#include "app/model/document/document.h"
#include "core/scene/legend_looks.h"
#include "core/session/legend_owner.h"

using namespace farfield;
using app::Draft;
using app::ObjectId;

namespace {

/// Slices of one function: the first has the legend of the data, the others share another map, and a legend.
struct Shared {
  Shared() {
    document.edit("Open", [&](Draft& draft) {
      draft.frame().data.push_back({"flow", {"sample://abc"}, {}, {}, {}});
      for (const char* const map : {"viridis", "plasma", "plasma", "plasma"}) {
        session::Object object;
        object.name = "slice";
        object.data = "flow";
        object.shape = session::Slice{};
        object.color.by = "pressure";
        object.color.map.name = map;
        ids.push_back(draft.add(object));
      }
      draft.frame().image.legends[scene::legendKey(own(draft, ids[1]), "pressure")].title = "of three";
    });
  }
  static std::string own(const Draft& draft, ObjectId id) {
    for (const auto& entry : draft.state().objects)
      if (entry.id == id) return scene::ownLegend(entry.object->data, entry.object->name);
    return {};
  }
  void remove(std::initializer_list<int> numbers) {
    document.edit("Remove", [&](Draft& draft) {
      for (const int n : numbers) draft.remove(ids[static_cast<std::size_t>(n)]);
    });
  }
  std::string titleOf(int number) const {
    const session::Object& object = *document.object(ids[static_cast<std::size_t>(number)]);
    const session::Session& session = document.session();
    const scene::LegendLook* const look =
        scene::legendLook(session.image.legends, session::legendOwner(object, session), "pressure");
    return look ? look->title : std::string();
  }
  app::Document document;
  std::vector<ObjectId> ids;
};

}  // namespace

class TestLegendNames : public QObject {
  Q_OBJECT
 private slots:
  void looksFollowNames();
  void looksThatAreSharedAreHandedOn();
  void whatNobodySharesGoes();
};

void TestLegendNames::looksFollowNames() {
  Shared shared;
  QCOMPARE(shared.titleOf(0), std::string());
  for (const int n : {1, 2, 3}) QCOMPARE(shared.titleOf(n), std::string("of three"));
  QVERIFY(shared.document.renameObject(shared.ids[1], "first").isEmpty());
  QVERIFY(shared.document.renameData("flow", "other").isEmpty());
  for (const int n : {1, 2, 3}) QCOMPARE(shared.titleOf(n), std::string("of three"));
}

void TestLegendNames::looksThatAreSharedAreHandedOn() {
  Shared shared;
  shared.remove({1});
  QCOMPARE(shared.titleOf(0), std::string());
  for (const int n : {2, 3}) QCOMPARE(shared.titleOf(n), std::string("of three"));
  shared.remove({2});
  QCOMPARE(shared.titleOf(3), std::string("of three"));
  shared.document.undoStack().undo();
  shared.document.undoStack().undo();
  for (const int n : {1, 2, 3}) QCOMPARE(shared.titleOf(n), std::string("of three"));
  // also where the one with the legend of the data goes in the same step, and what is left is alone
  shared.remove({0, 1, 2});
  QCOMPARE(shared.titleOf(3), std::string("of three"));
}

void TestLegendNames::whatNobodySharesGoes() {
  Shared shared;
  shared.remove({1, 2, 3});
  QVERIFY(shared.document.session().image.legends.empty());
  shared.document.undoStack().undo();
  QCOMPARE(shared.document.session().image.legends.size(), std::size_t{1});
}

QTEST_GUILESS_MAIN(TestLegendNames)
#include "tst_legend_names.moc"
