#pragma once
// A store as data to open, served as a device of one's choice would serve it: from memory, with the latency,
// bandwidth and concurrency of the device put on top. The machine's own disk has no part in the times, so
// that a fast disk does not hide what waiting costs, and a busy one does not disturb.

#include <chrono>
#include <filesystem>
#include <memory>

#include "core/fields/open_data.h"
#include "core/paging/store/store_file.h"

namespace farfield::bench {

/// How ScriptedSource is told to behave. All zero: pages are there when they are asked for.
struct Device {
  std::string name = "memory";
  std::chrono::nanoseconds latency{0};
  double bytesPerSecond = 0;  ///< of all reads together; 0: unlimited
  int concurrent = 0;         ///< reads that it serves at a time; 0: as many as it is given
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
  /// What the model of the device takes is the device's, not the program's.
  mutable MemoryAccount m_ownAccount{std::uint64_t{1} << 40};
  std::shared_ptr<const Image> m_image;
};

}  // namespace farfield::bench
