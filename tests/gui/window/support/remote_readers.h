#pragma once
// The readers of the window's tests, and paging servers.

#include <chrono>
#include <filesystem>
#include <memory>

#include "core/fields/data/store_data.h"
#include "core/fields/samples/sample_data.h"
#include "plugins/plot3d/plot3d_data.h"
#include "remote/client/remote_data.h"

namespace farfield::test {

/// Pages of servers are kept in the folder `pages`; empty: nowhere.
inline std::shared_ptr<const fields::ReaderRegistry> remoteReaders(const std::filesystem::path& pages = {}) {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<samples::SampleDataReader>());
  registry->add(std::make_unique<fields::StoreDataReader>());
  std::shared_ptr<const paging::PageFolder> kept;
  if (!pages.empty())
    kept = std::make_shared<paging::PageFolder>(paging::PageFolder::Options{.folder = pages});
  // As in the program: it waits until somebody stops it.
  registry->add(std::make_unique<remote::RemoteDataReader>(
      kept, remote::RemoteDataOptions{.patience = std::chrono::hours(24)}));
  registry->add(std::make_unique<plot3d::Plot3dDataReader>());
  return registry;
}

}  // namespace farfield::test
