#pragma once
// The window with two data sets that are compared, and the pictures that it writes of several views.

#include <QFileDialog>
#include <QSpinBox>
#include <string>
#include <vector>

#include "app/ui/dialogs/export_image_dialog.h"
#include "tests/gui/window/support/studio.h"

namespace farfield::test {

/// Two data sets, each with a slice of the same function; that of the first one is in other colours.
struct Compared : Studio {
  Compared() : Studio(QSize(1280, 800)) {
    for (const char* const name : {"sample://cylinder?size=17,17,9", "sample://abc?size=17"}) {
      const std::size_t had = session().objects.size();
      model.open({name});
      if (!QTest::qWaitFor([&] { return rests() && session().objects.size() > had; }, kPatienceMs)) return;
    }
    for (const session::DataSource& source : std::vector(session().data)) ids.push_back(slice(source.name));
    opened = QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
  }
  app::ObjectId slice(const std::string& data) {
    window.pipeline().selectData(data);
    trigger("addSlice");
    session::Object object = *model.document().object(newest());
    object.color.by = "velocity-x";
    if (ids.empty()) object.color.map.name = "plasma";
    if (ids.size() == 2) object.color = model.document().object(ids[1])->color;  // as the panel makes it
    model.document().setObject(newest(), object, "colour");
    return newest();
  }
  std::string mapOf(app::ObjectId id) { return model.document().object(id)->color.map.name; }
  std::vector<app::ObjectId> ids;
  bool opened = false;
};

/// The picture of all views, as it is written; null where it is not.
inline QImage exported(Studio& studio, const char* name, QSize pixels) {
  const QString path = studio.at(name);
  studio.trigger("exportImage");
  auto* const size = studio.window.findChild<ui::ExportImageDialog*>();
  if (!size) return {};
  size->findChild<QSpinBox*>("export.width")->setValue(pixels.width());
  size->findChild<QSpinBox*>("export.height")->setValue(pixels.height());
  size->accept();
  auto* const files = studio.window.findChild<QFileDialog*>();
  if (!files) return {};
  emit files->fileSelected(path);
  files->close();
  QImage picture;
  (void)QTest::qWaitFor([&] { return picture.load(path); }, kPatienceMs);
  return picture;
}

}  // namespace farfield::test
