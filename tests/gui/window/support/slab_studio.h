#pragma once
// The window with what it needs to show what renderers render.

#include "app/slab_data.h"
#include "app/slab_maker.h"
#include "tests/gui/window/support/studio.h"

namespace farfield::test {

/// With settings of its own, or those of `settings`.
inline std::unique_ptr<Studio> slabStudio(const QString& settings = {}) {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  readers->add(std::make_unique<fields::StoreDataReader>());
  readers->add(std::make_unique<app::SlabDataReader>());
  return std::make_unique<Studio>(QSize(1280, 800), settings, session::VolumeMaker{}, readers,
                                  [](app::AppParts& parts) {
                                    parts.makeSlabs = app::slabMaker();
                                    parts.askResults = app::resultAsker();
                                  });
}

}  // namespace farfield::test
