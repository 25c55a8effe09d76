#pragma once
// One data set in stores of several page edges and codecs, each converted when it is first requested and then
// kept in memory.

#include <map>
#include <memory>
#include <utility>

#include "bench/benchmark.h"
#include "bench/shared/disk.h"
#include "bench/shared/measure.h"
#include "bench/shared/store_image.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/codec.h"

namespace farfield::bench {

/// Not thread-safe. `request` and `data` outlive it.
class StoreSet {
 public:
  StoreSet(const Request& request, const paging::BoxReader& data)
      : m_request(request), m_data(data), m_folder(request.folder) {}

  /// Throws what conversion throws.
  StoreImage& image(int edge, paging::Codec codec);
  /// Seconds that its conversion took; 0 before.
  double convertSeconds(int edge, paging::Codec codec) const;

 private:
  struct Store {
    std::unique_ptr<StoreImage> image;
    double convertSeconds = 0;
  };
  const Request& m_request;
  const paging::BoxReader& m_data;
  WorkFolder m_folder;
  std::map<std::pair<int, paging::Codec>, Store> m_stores;
};

}  // namespace farfield::bench
