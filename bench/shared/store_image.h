#pragma once
// A store as data to open, served as by a given device: from memory, with the device's latency, bandwidth and
// concurrency. The machine's own disk does not affect the times: a fast one does not hide the cost of
// waiting, and a busy one does not disturb.

#include <chrono>
#include <filesystem>
#include <memory>

#include "core/fields/functions/open_data.h"
#include "core/paging/store/store_file.h"

namespace farfield::bench {

/// Behaviour for ScriptedSource. All zero: pages are there when they are requested.
struct Device {
  std::string name = "memory";
  std::chrono::nanoseconds latency{0};
  double bytesPerSecond = 0;  ///< of all reads together; 0: unlimited
  int concurrent = 0;         ///< reads served at a time; 0: all
};

class StoreImage final : public fields::OpenData {
 public:
  /// The store is mapped into memory and read once. Throws as StoreFile::open.
  StoreImage(const std::filesystem::path& store, Device device);
  ~StoreImage() override;

  const paging::DatasetDescription& description() const override;
  std::uint64_t largestStoredBytes() const override;
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const fields::SourceOptions& options) const override;

  void setDevice(Device device) { m_device = std::move(device); }
  const Device& device() const { return m_device; }
  std::uint64_t fileBytes() const;

 private:
  struct Image;
  Device m_device;
  /// memory of the model of the device, not of the program
  mutable MemoryAccount m_ownAccount{std::uint64_t{1} << 40};
  std::shared_ptr<const Image> m_image;
};

}  // namespace farfield::bench
