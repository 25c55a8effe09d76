#pragma once
// An HDF5 file of a test in a folder of its own, and the ways to open it.

#include <memory>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "plugins/hdf5/outside.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

class OpenedHdf5 {
 protected:
  arrays::ArrayReader readerOf(const arrays::Options& options = {}, const std::string& second = {}) {
    std::vector<hdf5::OpenedHdf5> files;
    const paging::ByteStores stores;
    for (const std::string& path : {m_path, second})
      if (!path.empty()) files.push_back(hdf5::openFile(path, stores.open(path), m_account));
    return readerOf(files, options);
  }
  /// Processes of `outside` look into the file, and read what only the library can.
  arrays::ArrayReader readerBy(hdf5::Outside& outside) {
    std::vector<hdf5::OpenedHdf5> files(1);
    hdf5::OpenedHdf5& opened = files.front();
    opened.path = m_path;
    opened.file = std::make_shared<hdf5::File>(paging::ByteStores().open(m_path), outside);
    opened.contents = hdf5::contentsOf(*opened.file, m_account, opened.claim);
    return readerOf(files, {});
  }
  arrays::ArrayReader readerOf(const std::vector<hdf5::OpenedHdf5>& files, const arrays::Options& options) {
    const auto caches = std::make_shared<chunks::ChunkCaches>(m_account);
    cf::CfData data = hdf5::describeHdf5(files, options, caches, m_account);
    m_explain.clear();
    for (const std::string& line : data.explain) m_explain += line + "\n";
    return {std::move(data.description), std::move(data.places), std::move(data.claims)};
  }
  std::unique_ptr<fields::OpenData> open(MemoryAccount& account) {
    return hdf5::Hdf5DataReader(std::make_shared<paging::ByteStores>()).open({.sources = {m_path}}, account);
  }

  TemporaryFolder m_folder;
  std::string m_path = (m_folder.path() / "a.h5").string(), m_explain;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

}  // namespace farfield::test
