// The program: hands the readers, the renderer and the window to the command line. Built twice where there is
// a window (whole_program.h).

#include <algorithm>
#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/files/cache_folder.h"
#include "app/cli/running/program.h"
#include "core/base/arenas.h"
#include "core/base/log.h"
#include "core/base/machine.h"
#include "core/base/units.h"
#include "core/fields/data/store_data.h"
#include "core/fields/samples/sample_data.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/location/kept_ranges.h"
#include "plugins/formats/formats.h"
#include "plugins/hdf5/outside.h"
#include "plugins/plot3d/plot3d_detect.h"
#include "remote/client/remote_data.h"
#ifdef FARFIELD_HTTP
#include "remote/http/http_store.h"
#endif
#if defined(FARFIELD_WINDOW)
#include "app/ui/window/application.h"
#include "app/ui/window/display.h"
#elif defined(FARFIELD_LIBEXEC)
#include "app/whole_program.h"
#endif
#ifdef FARFIELD_COLOR
#include "app/slab_data.h"
#include "app/slab_maker.h"
#include "app/transfer/transfer_files.h"
#include "app/volume_maker.h"
#include "render/color/color_map.h"
#endif
#ifdef FARFIELD_OPENCL
#include "render/opencl/lines/line_tracer.h"
#include "render/opencl/open_cl.h"
#endif
#ifdef FARFIELD_EGL
#include "core/base/told_progress.h"
#include "render/color/png_writer.h"
#include "render/egl/egl_context.h"
#include "render/egl/egl_renderer.h"
#endif

namespace {

using namespace farfield;

/// How long a paging server is waited for that cannot be reached: commands end with an error. In a window somebody sees what
/// waits, and can stop it.
constexpr std::chrono::minutes kPatience{1};
#ifdef FARFIELD_WINDOW
constexpr std::chrono::hours kPatienceOfWindow{24 * 7};
#endif
#ifdef FARFIELD_EGL
/// Of what a picture takes; the rest is packing it into its file.
constexpr double kDrawingPart = 0.9;
#endif

/// Adds all readers; the stores of bytes that they read from. The `stop` of `far` ends their waits for what is far away.
std::shared_ptr<paging::ByteStores> addReaders(fields::ReaderRegistry& readers,
                                               const std::shared_ptr<const paging::PageFolder>& pages,
                                               const remote::RemoteDataOptions& far) {
  readers.add(std::make_unique<samples::SampleDataReader>());
  const auto stores = std::make_shared<paging::ByteStores>();
#ifdef FARFIELD_HTTP
  http::addHttpStores(*stores, {.stop = far.stop});
#endif
  readers.add(std::make_unique<fields::StoreDataReader>(stores, pages));
  readers.add(std::make_unique<remote::RemoteDataReader>(pages, far));
#ifdef FARFIELD_COLOR
  readers.add(std::make_unique<app::SlabDataReader>(far.stop));
#endif
  std::shared_ptr<const paging::KeptScans> kept;
  const std::filesystem::path folder = cli::cacheFolder();
  if (!folder.empty())
    kept = std::make_shared<paging::KeptScans>(paging::KeptScans::Options{.folder = folder / "places"});
  readers.keepRangesIn(std::make_shared<paging::KeptRanges>(
      paging::KeptRanges::Options{.folder = folder.empty() ? folder : folder / "ranges"}));
  formats::addFormats(readers, {.stores = stores, .kept = std::move(kept)});
  return stores;
}

}  // namespace

int main(int count, char** words) {
  limitArenas(std::max(2, availableProcessors()));
  cli::Environment environment;
  const auto pages = cli::pageFolder();
  std::stop_source ending;  // of the work of the whole program
  environment.interrupted = [ending]() mutable { ending.request_stop(); };
  [[maybe_unused]] const auto stores = addReaders(
      environment.readers, pages, {.patience = kPatience, .stop = ending.get_token(), .tell = log::note});
  environment.whyHdf5IsOpenedHere = [] { return hdf5::Outside::ofThisProgram().whyNot(); };
#ifdef FARFIELD_COLOR
  environment.colorMaps = color::mapNames();
  app::VolumeDevices devices;
#ifdef FARFIELD_OPENCL
  const auto openCl = std::make_shared<opencl::OpenCl>(opencl::OpenCl::Options{.notice = log::warning});
  devices = {openCl->anyDevice(), openCl->accelerator(),
             [openCl](const Error& error) { openCl->failed(error); }};
  environment.traceLines = opencl::lineEngine(openCl);
  environment.describeDevice = [openCl] { return opencl::textOf(openCl->describe()); };
#endif
  const std::shared_ptr<const paging::KeptLevels> keptLevels = cli::levelFolder();
  environment.makeVolume = app::volumeMaker(devices, keptLevels);
  environment.makeSlabs = app::slabMaker();
  environment.askResults = app::resultAsker();
  environment.takeTransferFiles = app::takeTransferFiles;
#endif
#ifndef FARFIELD_OPENCL
  environment.traceLines = [](const flow::LineJob&) -> std::optional<flow::LineCounts> {
    log::warning("this build has no OpenCL (FARFIELD_OPENCL=OFF); the processors trace the lines");
    return std::nullopt;
  };
#endif
#ifdef FARFIELD_EGL
  // Made with the first picture, because a context takes time and memory that other commands do not need.
  const auto render = [renderer = std::make_shared<std::unique_ptr<egl::EglRenderer>>()](
                          const scene::Scene& scene, std::array<int, 2> size) {
    if (!*renderer) *renderer = std::make_unique<egl::EglRenderer>();
    return (*renderer)->render(scene, size[0], size[1]);
  };
  environment.drawImage = [render](const scene::Scene& scene, std::array<int, 2> size,
                                   const std::filesystem::path& path) {
    const color::Image image = [&] {
      const ToldProgress drawing(0, kDrawingPart);
      return render(scene, size);
    }();
    const ToldProgress writing(kDrawingPart, 1);
    color::writePng(image, path, {{"Software", "Farfield"}});
  };
  environment.drawImageWithTexts = [render](const scene::Scene& scene, std::array<int, 2> size,
                                            const std::filesystem::path& path, const auto& texts) {
    const color::Image image = render(scene, size);
    color::writePng(image, path, texts());
  };
  environment.describeRenderer = [] {
    const egl::EglContext context;
    return doctor::DrawingDevice{context.driver(), context.version(), "EGL"};
  };
#endif
#if defined(FARFIELD_WINDOW)
  environment.openWindow = [&environment, pages, stores, keptLevels,
                            ending](const cli::WindowRequest& request) {
    if (request.memoryBytes && *request.memoryBytes < app::kLeastMemoryBytes)
      throw Invalid("the window takes at least " + formatBytes(app::kLeastMemoryBytes), "give it more")
          .at("--memory");
    app::AppParts parts;
    const auto readers = std::make_shared<fields::ReaderRegistry>();
    addReaders(*readers, pages, {.patience = kPatienceOfWindow, .stop = ending.get_token()});
    parts.readers = readers;
    parts.endWaits = environment.interrupted;
    parts.drawImage = environment.drawImage;
    parts.makeVolume = environment.makeVolume;
    parts.makeSlabs = environment.makeSlabs;
    parts.askResults = environment.askResults;
    parts.traceLines = environment.traceLines;
    parts.keptLevels = keptLevels;
    parts.colorMaps = environment.colorMaps;
    parts.readingsOf = [stores](const std::string& grid, const std::string& solution) {
      std::vector<app::FileReading> readings;
      for (const plot3d::Reading& reading : plot3d::readingsOf(grid, solution, *stores))
        readings.push_back({reading.text, reading.options});
      return readings;
    };
    parts.isThere = [stores](const std::string& url) {
      try {
        return stores->open(url) != nullptr;
      } catch (const NotFound&) {
        return false;
      }
    };
    return ui::runApplication({request.paths, request.memoryBytes}, std::move(parts));
  };
  environment.describeWindow = ui::describeDisplay;
#elif defined(FARFIELD_LIBEXEC)
  environment.openWindow = [](const cli::WindowRequest& request) -> int {
    std::vector<std::string> given;
    if (request.memoryBytes) given = {"--memory", std::to_string(*request.memoryBytes)};
    if (!request.paths.empty()) given.push_back("--");
    given.insert(given.end(), request.paths.begin(), request.paths.end());
    app::becomeWholeProgram(given);
  };
  environment.findWholeProgram = app::findWholeProgram;
  environment.describeWindow = []() -> doctor::DrawingDevice {
    throw Unsupported("the window is another program's", "leave out --in-process");
  };
#endif
  return cli::runProgram({words + (count > 0 ? 1 : 0), words + count}, environment);
}
