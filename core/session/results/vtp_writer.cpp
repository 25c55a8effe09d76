#include "core/session/results/vtp_writer.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/xml_text.h"
#include "core/flow/termination.h"
#include "core/session/results/spool_file.h"

namespace farfield::session {
namespace {

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + xmlEscaped(value) + "\"";
}
std::string attribute(const char* name, std::uint64_t value) {
  return attribute(name, std::to_string(value));
}

/// Appends values to a file, until nobody wants it any more (StoppableWaits).
class Output {
 public:
  explicit Output(NewFile& file) : m_file(file) {}
  template <class T>
  void put(std::span<const T> values) {
    m_file.write(std::as_bytes(values));
    m_sinceLook += values.size_bytes();
    if (m_sinceLook < kBetweenLooks) return;
    m_sinceLook = 0;
    StoppableWaits::throwIfStopped();
  }
  template <class T>
  void put(T value) {
    put(std::span<const T>(&value, 1));
  }

 private:
  static constexpr std::size_t kBetweenLooks = 1 << 20;
  NewFile& m_file;
  std::size_t m_sinceLook = 0;
};

struct Array {
  std::string type, name;
  int components = 1;
  std::uint64_t bytes = 0;
  std::function<void(Output&)> write;  ///< none: it is written with the others that have none, all in one go
};

/// An array that is filled from its beginning while others are, in a file beside them.
class FilledArray {
 public:
  FilledArray(SpoolFile& file, std::uint64_t bytes)
      : m_file(file), m_first(file.allocate(bytes)), m_at(m_first), m_end(m_first + bytes) {}
  void put(std::span<const double> values) {
    m_waiting.insert(m_waiting.end(), values.begin(), values.end());
    if (m_waiting.size() >= kWaiting) flush();
  }
  /// Whether it has been filled exactly.
  bool finish() {
    flush();
    return m_at == m_end;
  }
  void copyTo(Output& out) const {
    std::vector<double> numbers;
    for (std::uint64_t at = m_first; at < m_end; at += numbers.size() * sizeof(double)) {
      numbers.resize(std::min<std::uint64_t>(kCopied, (m_end - at) / sizeof(double)));
      m_file.read(at, std::as_writable_bytes(std::span(numbers)));
      out.put(std::span<const double>(numbers));
    }
  }

 private:
  static constexpr std::size_t kWaiting = 4096, kCopied = 32 * 1024;
  void flush() {
    StoppableWaits::throwIfStopped();
    const auto bytes = std::as_bytes(std::span(m_waiting));
    if (m_at + bytes.size() <= m_end) m_file.write(m_at, bytes);
    m_at += bytes.size();
    m_waiting.clear();
  }
  SpoolFile& m_file;
  std::uint64_t m_first, m_at, m_end;
  std::vector<double> m_waiting;
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
  struct Counts {
    std::uint64_t points = 0, verts = 0, lines = 0, polys = 0;
  };
  explicit VtpFile(const Counts& counts) : m_counts(counts) {}

  void begin(const std::string& element) { m_xml += "<" + element + ">\n"; }
  void end(const std::string& element) { m_xml += "</" + element + ">\n"; }
  void beginPiece() {
    m_xml += "<Piece" + attribute("NumberOfPoints", m_counts.points) +
             attribute("NumberOfVerts", m_counts.verts) + attribute("NumberOfLines", m_counts.lines) +
             attribute("NumberOfStrips", 0) + attribute("NumberOfPolys", m_counts.polys) + ">\n";
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

  /// `fill` fills the arrays that were added without a function, which it gets in order.
  void write(const std::filesystem::path& path,
             const std::function<void(std::span<FilledArray>)>& fill = nullptr) {
    NewFile file(path);
    file.write(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n");
    file.write(m_xml);
    file.write("</PolyData>\n<AppendedData encoding=\"raw\">\n_");
    Output out(file);
    // What is filled together waits beside the file until its turn comes.
    std::optional<SpoolFile> beside;
    std::vector<FilledArray> filled;
    for (const Array& array : m_arrays) {
      if (array.write) continue;
      if (!beside) beside.emplace(spoolFolder(path.parent_path()), 0);
      filled.emplace_back(*beside, array.bytes);
    }
    if (!filled.empty()) fill(filled);
    std::size_t next = 0;
    for (const Array& array : m_arrays) {
      out.put(array.bytes);
      const std::uint64_t start = file.written();
      if (array.write)
        array.write(out);
      else if (FilledArray& its = filled[next++]; its.finish())
        its.copyTo(out);
      if (file.written() - start != array.bytes)
        throw Corrupt("the results changed while array '" + array.name + "' was written")
            .at("file " + path.string());
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
  Counts m_counts;
  std::uint64_t m_offset = 0;
  std::string m_xml;
  std::vector<Array> m_arrays;
};

/// Writes `count` numbers, from number `first` on, of every vertex of `width` numbers.
void putColumns(Output& out, std::span<const double> run, std::size_t width, std::size_t first,
                std::size_t count) {
  for (std::size_t at = first; at < run.size(); at += width) out.put(run.subspan(at, count));
}

/// Writes the arrays of a file of lines.
class LineArrays {
 public:
  LineArrays(const Polylines& lines, bool asPoints)
      : m_lines(lines), m_width(static_cast<std::size_t>(lines.width())), m_asPoints(asPoints) {}

  std::uint64_t vertexCount() const { return m_asPoints ? m_lines.lineCount() : m_lines.vertexCount(); }

  /// Fills one array for each of `columns`, in one pass over the vertices: they may be scattered over a large file.
  void fill(std::span<const VertexColumn> columns, std::span<FilledArray> arrays) const {
    const auto put = [&](std::span<const double> vertex) {
      for (std::size_t n = 0; n < columns.size(); ++n)
        arrays[n].put(vertex.subspan(static_cast<std::size_t>(columns[n].first),
                                     static_cast<std::size_t>(columns[n].components)));
    };
    std::vector<double> last(m_width);
    std::optional<std::uint64_t> current;
    m_lines.visitVertices([&](const PolylineSummary& line, std::span<const double> run) {
      if (m_asPoints) {
        if (current && current != line.number) put(last);
        current = line.number;
        const std::span<const double> vertex = run.last(m_width);
        std::copy(vertex.begin(), vertex.end(), last.begin());
      } else {
        for (std::size_t at = 0; at < run.size(); at += m_width) put(run.subspan(at, m_width));
      }
    });
    if (current) put(last);
  }
  template <class T>
  std::function<void(Output&)> cells(std::size_t column) const {
    return [this, column](Output& out) {
      m_lines.visitLines([&](const PolylineSummary& line) { out.put(static_cast<T>(line.cells[column])); });
    };
  }
  void putOffsets(Output& out) const {
    std::int64_t end = 0;
    m_lines.visitLines([&](const PolylineSummary& line) {
      out.put(end += m_asPoints ? 1 : static_cast<std::int64_t>(line.vertices));
    });
  }

 private:
  const Polylines& m_lines;
  std::size_t m_width;
  bool m_asPoints;
};

}  // namespace

void writeLines(const std::filesystem::path& path, const Polylines& lines, const LineFileContents& contents) {
  const LineArrays arrays(lines, contents.asPoints);
  const std::uint64_t vertices = arrays.vertexCount(), count = lines.lineCount();
  VtpFile file(
      {.points = vertices, .verts = contents.asPoints ? count : 0, .lines = contents.asPoints ? 0 : count});
  if (contents.terminations) {
    file.begin("FieldData");
    file.strings("termination", flow::kTerminationNames);
    file.end("FieldData");
  }
  file.beginPiece();
  file.begin("PointData" + (contents.scalars.empty() ? "" : attribute("Scalars", contents.scalars)) +
             (contents.vectors.empty() ? "" : attribute("Vectors", contents.vectors)));
  for (const VertexColumn& column : contents.vertices)
    file.array<double>(column.name, column.components, vertices, nullptr);
  file.end("PointData");
  if (!contents.cells.empty()) {
    file.begin("CellData");
    for (std::size_t n = 0; n < contents.cells.size(); ++n) {
      if (contents.cells[n].integer)
        file.array<std::int32_t>(contents.cells[n].name, 1, count, arrays.cells<std::int32_t>(n));
      else
        file.array<double>(contents.cells[n].name, 1, count, arrays.cells<double>(n));
    }
    file.end("CellData");
  }
  file.begin("Points");
  file.array<double>("Points", 3, vertices, nullptr);
  file.end("Points");
  const std::string cells = contents.asPoints ? "Verts" : "Lines";
  file.begin(cells);
  file.array<std::int64_t>("connectivity", 1, vertices, [vertices](Output& out) {
    for (std::uint64_t n = 0; n < vertices; ++n) out.put(static_cast<std::int64_t>(n));
  });
  file.array<std::int64_t>("offsets", 1, count, [&arrays](Output& out) { arrays.putOffsets(out); });
  file.end(cells);
  file.end("Piece");
  std::vector<VertexColumn> columns = contents.vertices;
  columns.push_back({"Points", 0, 3});
  file.write(path, [&](std::span<FilledArray> filled) { arrays.fill(columns, filled); });
}

namespace {

std::string pointDataOf(const std::vector<NamedValue>& values) {
  return (values.empty() ? "" : attribute("Scalars", values.front().first)) + attribute("Normals", "Normals");
}

void writePiece(const std::filesystem::path& path, const SurfaceSpool& spool,
                const SurfaceSpool::Piece& piece, const std::vector<NamedValue>& values) {
  VtpFile file({.points = piece.nodes, .polys = piece.triangles});
  const auto visit = [&spool, &piece](const SurfaceSpool::Parts& parts, const auto& each) {
    spool.visitPiece(piece, parts, each);
  };
  file.beginPiece();
  file.begin("PointData" + pointDataOf(values));
  file.array<double>("Normals", 3, piece.nodes, [&visit](Output& out) {
    visit({.points = false, .values = false, .triangles = false},
          [&](const extract::SurfacePatch& patch) { out.put(patch.normals); });
  });
  for (const NamedValue& named : values) {
    file.array<double>(named.first, 1, piece.nodes, [&visit, &spool, value = named.second](Output& out) {
      visit({.points = false, .normals = false, .triangles = false}, [&](const extract::SurfacePatch& patch) {
        putColumns(out, patch.values, static_cast<std::size_t>(spool.valuesPerNode()),
                   static_cast<std::size_t>(value), 1);
      });
    });
  }
  file.end("PointData");
  file.begin("Points");
  file.array<double>("Points", 3, piece.nodes, [&visit](Output& out) {
    visit({.normals = false, .values = false, .triangles = false},
          [&](const extract::SurfacePatch& patch) { out.put(patch.points); });
  });
  file.end("Points");
  file.begin("Polys");
  file.array<std::int64_t>("connectivity", 1, 3 * piece.triangles, [&visit](Output& out) {
    std::int64_t first = 0;
    visit({.normals = false, .values = false}, [&](const extract::SurfacePatch& patch) {
      for (const std::uint32_t node : patch.triangles) out.put(first + static_cast<std::int64_t>(node));
      first += static_cast<std::int64_t>(patch.points.size() / 3);
    });
  });
  file.array<std::int64_t>("offsets", 1, piece.triangles, [triangles = piece.triangles](Output& out) {
    for (std::uint64_t n = 1; n <= triangles; ++n) out.put(static_cast<std::int64_t>(3 * n));
  });
  file.end("Polys");
  file.end("Piece");
  file.write(path);
}

}  // namespace

void writeSurface(const std::filesystem::path& path, const SurfaceSpool& spool,
                  const std::vector<NamedValue>& values) {
  writePiece(path, spool, spool.whole(), values);
}

std::filesystem::path piecePath(const std::filesystem::path& path, std::uint64_t number) {
  char ending[32];
  std::snprintf(ending, sizeof ending, ".%04" PRIu64 ".vtp", number);
  return path.parent_path() / (path.stem().string() + ending);
}

void writeSurfaceInPieces(const std::filesystem::path& path, const SurfaceSpool& spool,
                          const std::vector<NamedValue>& values, std::uint64_t triangles) {
  const std::vector<SurfaceSpool::Piece> pieces = spool.pieces(triangles);
  std::string list;
  // A list of before would name pieces of both, where this is stopped or fails on its way.
  std::error_code problem;
  std::filesystem::remove(path, problem);
  if (problem)
    throw Io("cannot be replaced: " + problem.message(), "name another folder").at("file " + path.string());
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    writePiece(piecePath(path, n), spool, pieces[n], values);
    list += "<Piece" + attribute("Source", piecePath(path, n).filename().string()) + "/>\n";
  }
  // of a run that had more
  for (std::uint64_t n = pieces.size(); std::filesystem::exists(piecePath(path, n)); ++n)
    std::filesystem::remove(piecePath(path, n));
  const auto array = [](const std::string& name, std::uint64_t components) {
    return "<PDataArray" + attribute("type", kTypeName<double>) + attribute("Name", name) +
           attribute("NumberOfComponents", components) + "/>\n";
  };
  NewFile file(path);
  file.write(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<PPolyData GhostLevel=\"0\">\n");
  file.write("<PPointData" + pointDataOf(values) + ">\n" + array("Normals", 3));
  for (const NamedValue& named : values) file.write(array(named.first, 1));
  file.write("</PPointData>\n<PPoints>\n" + array("Points", 3) + "</PPoints>\n" + list +
             "</PPolyData>\n</VTKFile>\n");
  file.commit();
}

}  // namespace farfield::session
