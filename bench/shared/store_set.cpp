#include "bench/shared/store_set.h"

#include <string>

#include "core/paging/ingest/converter.h"

namespace farfield::bench {

StoreImage& StoreSet::image(int edge, paging::Codec codec) {
  Store& store = m_stores[{edge, codec}];
  if (!store.image) {
    const auto path = m_folder / (std::to_string(edge) + paging::nameOf(codec) + ".h5");
    MemoryAccount account(m_request.memoryBytes);
    const Stopwatch watch;
    paging::convert(
        m_data, path,
        {.pageEdge = edge, .codec = codec, .processors = m_request.processors, .stop = m_request.stop},
        account);
    store.convertSeconds = watch.seconds();
    store.image = std::make_unique<StoreImage>(path, Device{});
    std::filesystem::remove(path);
  }
  return *store.image;
}

double StoreSet::convertSeconds(int edge, paging::Codec codec) const {
  const auto found = m_stores.find({edge, codec});
  return found == m_stores.end() ? 0 : found->second.convertSeconds;
}

}  // namespace farfield::bench
