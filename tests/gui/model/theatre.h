#pragma once
// A document on a stage, without a window, and objects to put there.

#include <vector>

#include "app/model/stage/stage.h"
#include "core/fields/samples/sample_data.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
/// Only how long a failure takes: the machine may have other things to do.
constexpr int kPatienceMs = 60'000;

inline std::shared_ptr<const fields::ReaderRegistry> sampleReaders() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<samples::SampleDataReader>());
  return registry;
}

inline session::Object rake(std::int64_t seeds, double length = 4) {
  session::Object object;
  object.name = "lines";
  object.data = "flow";
  session::Streamlines lines;
  lines.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, seeds};
  lines.integrator.maxLength = length;
  object.shape = lines;
  object.color.by = "velocity-magnitude";
  return object;
}

/// Lines that take long: many, and of many steps.
inline session::Object longRake() {
  session::Object object = rake(20'000, 1e6);
  auto& integrator = std::get<session::Streamlines>(object.shape).integrator;
  integrator.method = session::IntegratorMethod::Rk4;
  integrator.stepCells = 0.01;
  return object;
}

struct Picture {
  app::ObjectId id;
  scene::SceneItem item;
  bool complete;
};

struct Theatre {
  explicit Theatre(std::uint64_t memoryBytes = 64 * kMiB,
                   const std::shared_ptr<const fields::ReaderRegistry>& readers = sampleReaders(),
                   const app::WorkshopOptions& usual = {})
      : engine(readers, options(memoryBytes, usual)), stage(document, engine) {
    QObject::connect(&stage, &app::Stage::itemReady, &stage,
                     [this](app::ObjectId id, const scene::SceneItem& item, bool complete) {
                       pictures.push_back({id, item, complete});
                     });
  }
  app::WorkshopOptions options(std::uint64_t memoryBytes, app::WorkshopOptions options) const {
    options.memoryBytes = memoryBytes;
    options.processors = 2;
    options.spoolFolder = folder.path();
    return options;
  }
  app::ObjectId open(const session::Object& object, const std::string& source = "sample://abc?size=33") {
    app::ObjectId id = 0;
    document.edit("Open", [&](app::Draft& draft) {
      draft.frame().data.push_back({"flow", {source}, {}, {}, {}});
      id = draft.add(object);
    });
    return id;
  }
  app::ObjectState stateOf(app::ObjectId id) const { return stage.status(id).state; }

  TemporaryFolder folder;
  app::Document document;
  app::Engine engine;
  app::Stage stage;
  std::vector<Picture> pictures;
};

}  // namespace farfield::test
