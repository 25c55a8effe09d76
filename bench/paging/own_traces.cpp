#include "bench/paging/own_traces.h"

#include <algorithm>

#include "bench/policies/slice_requests.h"
#include "bench/policies/trace_file.h"
#include "core/fields/samples/sample_data.h"
#include "core/paging/cache/page_trace_writer.h"
#include "core/session/json/session_json.h"
#include "core/session/run/runner.h"

namespace farfield::bench {
namespace {

/// Frames while a trace is recorded, as a fraction of the data: few, so that the order of requests is that of
/// tasks that wait for pages.
constexpr std::uint64_t kShareWhileRecording = 4;

struct Recording {
  std::string source;
  std::vector<Json> objects;
  std::uint64_t dataBytes = 0;
};

Json linesObject(const std::string& name, Json seeds, double maxLength) {
  return {{"name", name},
          {"type", "streamlines"},
          {"data", "flow"},
          {"seeds", std::move(seeds)},
          {"integrator", {{"tolerance", 1e-4}, {"maxLength", maxLength}}}};
}

ReplayTrace record(const Request& request, const std::string& name, const Recording& recording) {
  const Json document = {{"farfield", 1},
                         {"data", {{"flow", {{"source", recording.source}}}}},
                         {"objects", recording.objects},
                         {"output", {{"images", false}, {"geometry", false}}}};
  session::Session session = session::parseSession(document.dump());
  session.name = name;
  session.baseFolder = request.folder;
  session::RunOptions options;
  options.outputFolder = request.folder;
  options.memoryBytes = std::max<std::uint64_t>(recording.dataBytes / kShareWhileRecording, 4 << 20);
  options.processors = request.processors;
  options.workersPerProcessor = 16;
  fields::ReaderRegistry readers;
  readers.add(std::make_unique<samples::SampleDataReader>());
  std::filesystem::create_directories(request.folder);
  const std::filesystem::path file = request.folder / (name + ".pages");
  paging::PageTraceWriter writer(file);
  options.pageTrace = &writer;
  session::runSession(session, readers, options, request.stop);
  writer.commit();
  ReplayTrace trace = loadTrace(file);
  std::filesystem::remove(file);
  trace.name = name;
  return trace;
}

std::string url(const std::string& sample, const std::string& size, const std::string& more = {}) {
  return "sample://" + sample + "?size=" + size + more;
}

std::string cube(int edge) {
  return std::to_string(edge);
}

/// Bytes of the solution of one step, and of the coordinates if the grid has them.
std::uint64_t bytesOf(const Index3& size, int blocks, bool curvilinear) {
  return static_cast<std::uint64_t>(product(size) * blocks) * (curvilinear ? 34 : 20);
}

}  // namespace

std::vector<TraceMaker> ownTraces(const Request& request) {
  const int edge = request.choose(24, 64, 128, 192);
  const int lines = request.choose(20, 150, 500, 1500);
  const int positions = request.choose(2, 6, 12, 24);
  const Index3 ring{request.choose(17, 41, 65, 97), request.choose(17, 33, 65, 97),
                    request.choose(9, 33, 65, 97)};
  const std::string ringSize =
      std::to_string(ring[0]) + "," + std::to_string(ring[1]) + "," + std::to_string(ring[2]);
  const std::uint64_t boxBytes = bytesOf({edge, edge, edge}, 1, false), ringBytes = bytesOf(ring, 4, true);
  const int perAxis = std::max(2, static_cast<int>(std::cbrt(lines)));

  std::vector<TraceMaker> makers;
  const auto recorded = [&](const std::string& name, const Recording& recording) {
    makers.push_back({name, [&request, name, recording] { return record(request, name, recording); }});
  };
  const Json ringPlane = {{"type", "plane"},
                          {"origin", {-8, -3, 0.2}},
                          {"axis1", {0, 6, 0}},
                          {"axis2", {0, 0, 3.6}},
                          {"counts", {perAxis * perAxis, perAxis}}};
  recorded("streamlines tornado", {url("tornado", cube(edge)),
                                   {linesObject("lines",
                                                {{"type", "box"},
                                                 {"min", {-0.8, -0.8, -0.8}},
                                                 {"max", {0.8, 0.8, 0.8}},
                                                 {"counts", {perAxis, perAxis, perAxis}}},
                                                20)},
                                   boxBytes});
  recorded("streamlines cylinder",
           {url("cylinder", ringSize, "&blocks=4"), {linesObject("lines", ringPlane, 30)}, ringBytes});
  recorded("steps tornado", {url("tornado", cube(edge / 2), "&steps=6"),
                             {linesObject("lines",
                                          {{"type", "box"},
                                           {"min", {-0.8, -0.8, -0.8}},
                                           {"max", {0.8, 0.8, 0.8}},
                                           {"counts", {perAxis, perAxis, perAxis}}},
                                          20)},
                             boxBytes / 8 * 6});
  Recording views{url("cylinder", ringSize, "&blocks=4"), {}, ringBytes};
  for (int n = 0; n < positions; ++n) {
    const double y = -2 + 4.0 * n / positions;
    views.objects.push_back(linesObject(
        "lines" + std::to_string(n),
        {{"type", "line"}, {"from", {-8, y, 0.2}}, {"to", {-8, y + 0.5, 3.8}}, {"count", lines / 10}}, 30));
  }
  recorded("views cylinder", views);

  const SliceBlock regular{{edge, edge, edge}, 16, {20}}, curved{{edge, edge, edge}, 16, {12, 20}};
  const int planes = edge / 2;
  const auto sliced = [&](const std::string& name, const SliceBlock& block, const Vec3& normal, int sweeps) {
    makers.push_back({name, [=] { return sliceTrace(name, block, scrub(block, normal, planes, sweeps)); }});
  };
  sliced("slices along an axis", regular, {0, 0, 1}, 4);
  sliced("slices aslant", curved, {1, 0.6, 0.3}, 4);
  // three slices, one per axis, one of which is moved while all are drawn again
  makers.push_back({"slices three at once", [=] {
                      std::vector<SlicePlane> all;
                      for (const SlicePlane& moved : scrub(curved, {0, 0, 1}, planes, 2)) {
                        all.push_back({{1, 0, 0}, edge / 2.0});
                        all.push_back({{0, 1, 0}, edge / 2.0});
                        all.push_back(moved);
                      }
                      return sliceTrace("slices three at once", curved, all);
                    }});
  return makers;
}

}  // namespace farfield::bench
