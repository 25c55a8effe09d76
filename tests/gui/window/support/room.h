#pragma once
// A model with settings and folders of its own, for panels by themselves, without a window.

#include <memory>
#include <string>

#include "app/model/app_model.h"
#include "app/ui/widgets/look.h"
#include "core/fields/samples/sample_data.h"
#include "render/color/color_map.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

/// Only how long a failure takes: the machine may have other things to do.
constexpr int kPatienceMs = 60'000;

struct Room {
  Room() : model(parts()) { ui::applyTheme(app::Theme::Light); }
  app::AppParts parts() const {
    auto readers = std::make_shared<fields::ReaderRegistry>();
    readers->add(std::make_unique<samples::SampleDataReader>());
    app::AppParts parts;
    parts.readers = readers;
    parts.colorMaps = color::mapNames();
    parts.settingsFile = at("settings.ini");
    parts.dataFolder = at("data");
    parts.cacheFolder = at("cache");
    return parts;
  }
  QString at(const char* name) const { return QString::fromStdString((folder / name).string()); }
  /// Opens data with lines through it, coloured; their id.
  app::ObjectId open(const char* source) {
    session::Object object;
    object.name = "lines";
    object.data = "flow";
    session::Streamlines lines;
    lines.seeds = session::GridPointSeeds{0, {}, {4, 4, 4}};
    lines.integrator.maxLength = 4;
    object.shape = lines;
    object.color.by = "velocity-magnitude";
    app::ObjectId id = 0;
    model.document().edit("Open", [&](app::Draft& draft) {
      draft.frame().data.push_back({"flow", {source}, {}, {}, {}});
      id = draft.add(object);
    });
    return id;
  }
  bool done(app::ObjectId id) { return model.stage().status(id).state == app::ObjectState::Done; }
  const session::Coloring& color(app::ObjectId id) { return model.document().object(id)->color; }

  TemporaryFolder folder;
  app::AppModel model;
};

}  // namespace farfield::test
