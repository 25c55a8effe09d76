#include "core/paging/writing/xdmf_writer.h"

#include <cstdio>
#include <string>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/units.h"
#include "core/base/xml_text.h"
#include "core/paging/pages/codec.h"

namespace farfield::paging {
namespace {

/// "nk nj ni", as XDMF lists axes: the slowest first.
std::string slowestFirst(const Index3& n) {
  return std::to_string(n[2]) + " " + std::to_string(n[1]) + " " + std::to_string(n[0]);
}
std::string slowestFirst(const Vec3& v) {
  return formatNumber(v.z) + " " + formatNumber(v.y) + " " + formatNumber(v.x);
}

const char* numberType(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
    case ScalarType::F64:
      return "Float";
    case ScalarType::U8:
      return "UChar";
    case ScalarType::I8:
      return "Char";
    case ScalarType::U16:
      return "UShort";
    case ScalarType::I16:
      return "Short";
    case ScalarType::I32:
      return "Int";
  }
  return "";
}

class Writer {
 public:
  Writer(NewFile& out, const std::string& storeName, const DatasetDescription& description)
      : m_out(out), m_store(xmlEscaped(storeName)), m_description(description) {}

  void write() {
    m_out.write("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n");
    m_out.write("<Grid Name=\"farfield\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (std::int64_t step = 0; step < m_description.steps(); ++step) {
      m_out.write("<Grid Name=\"step " + std::to_string(step) +
                  "\" GridType=\"Collection\" CollectionType=\"Spatial\">\n<Time Value=\"" +
                  formatNumber(m_description.times[static_cast<std::size_t>(step)]) + "\"/>\n");
      for (std::size_t block = 0; block < m_description.blocks.size(); ++block)
        writeBlock(static_cast<int>(block), step);
      m_out.write("</Grid>\n");
    }
    m_out.write("</Grid>\n</Domain>\n</Xdmf>\n");
  }

 private:
  void writeBlock(int number, std::int64_t step) {
    const BlockDescription& block = m_description.blocks[static_cast<std::size_t>(number)];
    const std::string dims = slowestFirst(block.dims);
    const int xyz = m_description.find(number, ArrayRole::Coordinates);
    m_out.write("<Grid Name=\"block " + std::to_string(number) + "\" GridType=\"Uniform\">\n");
    if (xyz >= 0) {
      const ArrayDescription& array = m_description.arrays[static_cast<std::size_t>(xyz)];
      m_out.write("<Topology TopologyType=\"3DSMesh\" Dimensions=\"" + dims +
                  "\"/>\n<Geometry GeometryType=\"XYZ\">\n");
      writeData(array, step, 0, array.components);
    } else if (block.axes) {
      m_out.write("<Topology TopologyType=\"3DRectMesh\" Dimensions=\"" + dims +
                  "\"/>\n<Geometry GeometryType=\"VXVYVZ\">\n");
      for (const std::vector<double>& axis : *block.axes) {
        m_out.write("<DataItem Dimensions=\"" + std::to_string(axis.size()) +
                    "\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">");
        for (const double at : axis) m_out.write(" " + formatNumber(at));
        m_out.write("</DataItem>\n");
      }
    } else {
      m_out.write("<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"" + dims +
                  "\"/>\n<Geometry GeometryType=\"Origin_DxDyDz\">\n");
      for (const Vec3& v : {block.origin, block.spacing})
        m_out.write("<DataItem Dimensions=\"3\" Format=\"XML\">" + slowestFirst(v) + "</DataItem>\n");
    }
    m_out.write("</Geometry>\n");
    for (std::size_t n = 0; n < m_description.arrays.size(); ++n) {
      const ArrayDescription& array = m_description.arrays[n];
      // arrays with other dims than the grid (location bounds) are not variables of it
      if (array.block == number && static_cast<int>(n) != xyz && array.layout.dims() == block.dims)
        writeVariables(array, step);
    }
    m_out.write("</Grid>\n");
  }

  /// An array without names for its components is one variable; otherwise each component is one.
  void writeVariables(const ArrayDescription& array, std::int64_t step) {
    const auto variable = [&](const std::string& name, const char* kind, int component, int count) {
      m_out.write("<Attribute Name=\"" + xmlEscaped(name) + "\" AttributeType=\"" + kind +
                  "\" Center=\"Node\">\n");
      writeData(array, step, component, count);
      m_out.write("</Attribute>\n");
    };
    if (array.componentNames.empty() && (array.components == 1 || array.components == 3)) {
      variable(array.name, array.components == 1 ? "Scalar" : "Vector", 0, array.components);
      return;
    }
    for (int c = 0; c < array.components; ++c)
      variable(array.componentNames.empty() ? array.name + std::to_string(c)
                                            : array.componentNames[static_cast<std::size_t>(c)],
               "Scalar", c, 1);
  }

  /// Components [component, component + count) of one step, cut out of the dataset (T, nk, nj, ni[, c]).
  void writeData(const ArrayDescription& array, std::int64_t step, int component, int count) {
    const std::string dims = slowestFirst(array.layout.dims());
    const bool several = array.components > 1;
    const std::string at = std::to_string(array.steps > 1 ? step : 0);
    const auto last = [&](int n) { return several ? " " + std::to_string(n) : std::string(); };
    char block[16];
    std::snprintf(block, sizeof block, "%04d", array.block);
    m_out.write("<DataItem ItemType=\"HyperSlab\" Dimensions=\"" + dims + (count > 1 ? last(count) : "") +
                "\">\n<DataItem Dimensions=\"3 " + (several ? "5" : "4") + "\" Format=\"XML\">" + at +
                " 0 0 0" + last(component) + " 1 1 1 1" + last(1) + " 1 " + dims + last(count) +
                "</DataItem>\n<DataItem Format=\"HDF\" NumberType=\"" + numberType(array.type) +
                "\" Precision=\"" + std::to_string(sizeOf(array.type)) + "\" Dimensions=\"" +
                std::to_string(array.steps) + " " + dims + last(array.components) + "\">" + m_store +
                ":/farfield/blocks/" + block + "/" + xmlEscaped(array.name) + "</DataItem>\n</DataItem>\n");
  }

  NewFile& m_out;
  const std::string m_store;
  const DatasetDescription& m_description;
};

}  // namespace

std::filesystem::path xdmfPath(const std::filesystem::path& store) {
  std::filesystem::path path = store;
  return path.replace_extension(".xmf");
}

void writeXdmf(const std::filesystem::path& store, const DatasetDescription& description) {
  if (description.codec != nameOf(Codec::Gzip))
    throw Invalid("other programs do not read stores with codec " + description.codec, "convert with --open")
        .at("file " + store.string());
  NewFile out(xdmfPath(store));
  Writer(out, store.filename().string(), description).write();
  out.commit();
}

}  // namespace farfield::paging
