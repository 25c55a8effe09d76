#pragma once
// The window with what it needs to show what renderers render.

#include "app/slab_data.h"
#include "app/slab_maker.h"
#include "tests/gui/window/studio.h"

namespace farfield::test {

inline std::unique_ptr<Studio> slabStudio() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  readers->add(std::make_unique<fields::StoreDataReader>());
  readers->add(std::make_unique<app::SlabDataReader>());
  return std::make_unique<Studio>(QSize(1280, 800), QString(), session::VolumeMaker{}, readers,
                                  [](app::AppParts& parts) {
                                    parts.makeSlabs = app::slabMaker();
                                    parts.askResults = app::resultAsker();
                                  });
}

}  // namespace farfield::test
