#pragma once
// Writes PLOT3D files box by box, in most of the formats that are read (without subrecords), so that sample
// data of any size can be streamed. The file appears under its name only by commit().

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/base/file.h"
#include "plugins/plot3d/plot3d_layout.h"

namespace farfield::plot3d {

/// The numbers before the conserved variables of a block.
struct FlowHeader {
  double mach = 0, alpha = 0, reynolds = 0, time = 0;
};

/// Not thread-safe. Nodes that are never written are zero.
class Plot3dWriter {
 public:
  /// A grid of blocks of `dims`. Throws Invalid if the format cannot hold them, Io.
  static Plot3dWriter grid(const std::filesystem::path& path, const Format& format,
                           const std::vector<Index3>& dims);
  /// A solution on such a grid; the same header for all blocks.
  static Plot3dWriter solution(const std::filesystem::path& path, const Format& format,
                               const std::vector<Index3>& dims, const FlowHeader& header);
  Plot3dWriter(Plot3dWriter&& other) noexcept;
  Plot3dWriter& operator=(Plot3dWriter&&) = delete;
  ~Plot3dWriter();

  /// Writes the nodes of `box` of `block`: components fastest (x y z, or the five conserved variables), then
  /// i, j, k. Throws Io.
  void write(int block, const IndexBox& box, std::span<const double> values);
  /// The same for iblank, if the grid has it.
  void writeIblank(int block, const IndexBox& box, std::span<const std::int32_t> values);
  /// Closes the file and gives it its name. Throws Io.
  void commit();
  const Layout& layout() const { return m_layout; }

 private:
  Plot3dWriter(const std::filesystem::path& path, Layout layout, const FlowHeader& header);
  void writeHead(const FlowHeader& header);
  void writeMarkers(const Record& record);
  template <class T, class Get>
  void writeVariable(const VariablePlace& place, int block, const IndexBox& box, Get get);

  std::filesystem::path m_path, m_temporary;
  Layout m_layout;
  File m_file;
  std::vector<std::byte> m_rows;
  bool m_committed = false;
};

}  // namespace farfield::plot3d
