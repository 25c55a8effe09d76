#include "core/session/vtp_writer.h"

#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/base/xml_text.h"

namespace farfield::session {
namespace {

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xmlEscaped(value) + "\"";
}
std::string attribute(const char* name, std::uint64_t value) {
  return attribute(name, std::to_string(value));
}

/// Appends values to a file.
class Output {
 public:
  explicit Output(NewFile& file) : m_file(file) {}
  template <class T>
  void put(std::span<const T> values) {
    m_file.write(std::as_bytes(values));
  }
  template <class T>
  void put(T value) {
    put(std::span<const T>(&value, 1));
  }

 private:
  NewFile& m_file;
};

struct Array {
  std::string type, name;
  int components = 1;
  std::uint64_t bytes = 0;
  std::function<void(Output&)> write;
};

template <class T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<double> = "Float64";
template <>
constexpr const char* kTypeName<std::int32_t> = "Int32";
template <>
constexpr const char* kTypeName<std::int64_t> = "Int64";

/// Collects the arrays of a file with one piece, then writes it.
class VtpFile {
 public:
  VtpFile(std::uint64_t points, std::uint64_t lines, std::uint64_t polys)
      : m_points(points), m_lines(lines), m_polys(polys) {}

  void begin(const std::string& element) { m_xml += "<" + element + ">\n"; }
  void end(const std::string& element) { m_xml += "</" + element + ">\n"; }
  void beginPiece() {
    m_xml += "<Piece" + attribute("NumberOfPoints", m_points) + attribute("NumberOfVerts", 0) +
             attribute("NumberOfLines", m_lines) + attribute("NumberOfStrips", 0) +
             attribute("NumberOfPolys", m_polys) + ">\n";
  }
  /// An array of `tuples` x `components`, which `write` writes exactly.
  template <class T>
  void array(const std::string& name, int components, std::uint64_t tuples,
             std::function<void(Output&)> write) {
    m_xml += "<DataArray" + attribute("type", kTypeName<T>) + attribute("Name", name) +
             attribute("NumberOfComponents", static_cast<std::uint64_t>(components)) + appended() + "/>\n";
    add({kTypeName<T>, name, components, tuples * static_cast<std::uint64_t>(components) * sizeof(T),
         std::move(write)});
  }
  void strings(const std::string& name, std::span<const char* const> texts) {
    m_xml += "<Array" + attribute("type", "String") + attribute("Name", name) +
             attribute("NumberOfTuples", texts.size()) + appended() + "/>\n";
    std::string all;
    for (const char* text : texts) all += std::string(text) + '\0';
    const std::uint64_t bytes = all.size();
    add({"String", name, 1, bytes, [all](Output& out) { out.put(std::span<const char>(all)); }});
  }

  void write(const std::filesystem::path& path) {
    NewFile file(path);
    file.write(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n");
    file.write(m_xml);
    file.write("</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    Output out(file);
    for (const Array& array : m_arrays) {
      out.put(array.bytes);
      const std::uint64_t start = file.written();
      array.write(out);
      if (file.written() - start != array.bytes) {
        throw Corrupt("the results changed while array '" + array.name + "' was written")
            .at("file " + path.string());
      }
    }
    file.write("\n</AppendedData>\n</VTKFile>\n");
    file.commit();
  }

 private:
  std::string appended() const { return attribute("format", "appended") + attribute("offset", m_offset); }
  void add(Array&& array) {
    m_offset += sizeof(std::uint64_t) + array.bytes;
    m_arrays.push_back(std::move(array));
  }
  std::uint64_t m_points, m_lines, m_polys, m_offset = 0;
  std::string m_xml;
  std::vector<Array> m_arrays;
};

/// Writes `count` numbers from `first` of every vertex of `width`.
void putColumns(Output& out, std::span<const double> run, std::size_t width, std::size_t first,
                std::size_t count) {
  for (std::size_t at = first; at < run.size(); at += width) out.put(run.subspan(at, count));
}

std::function<void(Output&)> vertexColumns(const LineSpool& spool, int first, int count) {
  return [&spool, first, count](Output& out) {
    spool.visitVertices([&](const LineSummary&, std::span<const double> run) {
      putColumns(out, run, static_cast<std::size_t>(spool.doubles()), static_cast<std::size_t>(first),
                 static_cast<std::size_t>(count));
    });
  };
}

std::function<void(Output&)> lineColumn(const LineSpool& spool,
                                        std::function<std::int32_t(const LineSummary&)> value) {
  return [&spool, value](Output& out) {
    spool.visitLines([&](const LineSummary& line) { out.put(value(line)); });
  };
}

}  // namespace

void writeLines(const std::filesystem::path& path, const LineSpool& spool, const LineFileContents& contents) {
  const std::uint64_t vertices = spool.vertexCount(), lines = spool.lineCount();
  const bool timed = !contents.directions.empty();
  const bool scalar = contents.scalar && !(timed && contents.scalar->first == "time");
  VtpFile file(vertices, lines, 0);
  if (timed) {
    file.begin("FieldData");
    file.strings("termination", flow::kTerminationNames);
    file.end("FieldData");
  }
  file.beginPiece();
  file.begin("PointData" + (contents.scalar ? attribute("Scalars", contents.scalar->first) : "") +
             (contents.vector ? attribute("Vectors", contents.vector->first) : ""));
  if (timed) file.array<double>("time", 1, vertices, vertexColumns(spool, 3, 1));
  if (contents.vector)
    file.array<double>(contents.vector->first, 3, vertices,
                       vertexColumns(spool, 4 + contents.vector->second, 3));
  if (scalar)
    file.array<double>(contents.scalar->first, 1, vertices,
                       vertexColumns(spool, 4 + contents.scalar->second, 1));
  file.end("PointData");
  if (timed) {
    const auto directions = contents.directions;
    file.begin("CellData");
    file.array<std::int32_t>("seed", 1, lines, lineColumn(spool, [directions](const LineSummary& line) {
                               return static_cast<std::int32_t>(line.number / directions.size());
                             }));
    file.array<std::int32_t>("direction", 1, lines, lineColumn(spool, [directions](const LineSummary& line) {
                               return directions[line.number % directions.size()];
                             }));
    file.array<std::int32_t>("termination", 1, lines, lineColumn(spool, [](const LineSummary& line) {
                               return static_cast<std::int32_t>(line.termination);
                             }));
    file.array<std::int32_t>("block", 1, lines,
                             lineColumn(spool, [](const LineSummary& line) { return line.block; }));
    file.end("CellData");
  }
  file.begin("Points");
  file.array<double>("Points", 3, vertices, vertexColumns(spool, 0, 3));
  file.end("Points");
  file.begin("Lines");
  file.array<std::int64_t>("connectivity", 1, vertices, [vertices](Output& out) {
    for (std::uint64_t n = 0; n < vertices; ++n) out.put(static_cast<std::int64_t>(n));
  });
  file.array<std::int64_t>("offsets", 1, lines, [&spool](Output& out) {
    std::int64_t end = 0;
    spool.visitLines(
        [&](const LineSummary& line) { out.put(end += static_cast<std::int64_t>(line.vertices)); });
  });
  file.end("Lines");
  file.end("Piece");
  file.write(path);
}

void writeSurface(const std::filesystem::path& path, const SurfaceSpool& spool,
                  const std::optional<NamedValue>& scalar) {
  const std::uint64_t nodes = spool.nodeCount(), triangles = spool.triangleCount();
  VtpFile file(nodes, 0, triangles);
  file.beginPiece();
  file.begin("PointData" + (scalar ? attribute("Scalars", scalar->first) : "") +
             attribute("Normals", "Normals"));
  file.array<double>("Normals", 3, nodes, [&spool](Output& out) {
    spool.visit({.points = false, .values = false, .triangles = false},
                [&](const extract::SurfacePatch& patch) { out.put(patch.normals); });
  });
  if (scalar) {
    file.array<double>(scalar->first, 1, nodes, [&spool, value = scalar->second](Output& out) {
      spool.visit({.points = false, .normals = false, .triangles = false},
                  [&](const extract::SurfacePatch& patch) {
                    putColumns(out, patch.values, static_cast<std::size_t>(spool.valuesPerNode()),
                               static_cast<std::size_t>(value), 1);
                  });
    });
  }
  file.end("PointData");
  file.begin("Points");
  file.array<double>("Points", 3, nodes, [&spool](Output& out) {
    spool.visit({.normals = false, .values = false, .triangles = false},
                [&](const extract::SurfacePatch& patch) { out.put(patch.points); });
  });
  file.end("Points");
  file.begin("Polys");
  file.array<std::int64_t>("connectivity", 1, 3 * triangles, [&spool](Output& out) {
    std::int64_t first = 0;
    spool.visit({.normals = false, .values = false}, [&](const extract::SurfacePatch& patch) {
      for (const std::uint32_t node : patch.triangles) out.put(first + static_cast<std::int64_t>(node));
      first += static_cast<std::int64_t>(patch.points.size() / 3);
    });
  });
  file.array<std::int64_t>("offsets", 1, triangles, [triangles](Output& out) {
    for (std::uint64_t n = 1; n <= triangles; ++n) out.put(static_cast<std::int64_t>(3 * n));
  });
  file.end("Polys");
  file.end("Piece");
  file.write(path);
}

}  // namespace farfield::session
