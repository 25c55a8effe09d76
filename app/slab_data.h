#pragma once
// What a renderer says of its data, as data: slab://HOST:PORT where a file's name goes. They have steps, times and bounds, and
// no values: objects of type slabs show them, and outlines.

#include <memory>
#include <stop_token>
#include <string>

#include "core/fields/functions/open_data.h"

namespace farfield::app {

class SlabDataReader final : public fields::DataReader {
 public:
  /// `stop` ends waiting for the renderer.
  explicit SlabDataReader(std::stop_token stop = {}) : m_stop(std::move(stop)) {}
  std::string name() const override { return "slabs"; }
  bool recognizes(const std::string& source) const override;
  /// Throws Invalid (several sources, a solution, a wrong token), Io, NotFound, Cancelled.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  const std::stop_token m_stop;
};

}  // namespace farfield::app
