#pragma once
// A subcommand as data: what it is called, what it takes, in which words it is explained. Parsing, --help,
// the list of commands and the man pages all follow from this one description. A command object is made for
// one invocation; parsing fills in the variables that its options name.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/doctor/check.h"
#include "core/base/error.h"
#include "core/fields/functions/open_data.h"
#include "core/flow/line_engine.h"
#include "core/scene/scene.h"
#include "core/session/run/result_parts.h"
#include "core/session/run/volumes/slab_maker.h"
#include "core/session/run/volumes/volume_maker.h"

namespace farfield::session {
struct Session;
}

namespace farfield::cli {

/// Wrong use of the command line: exit status 2.
struct UsageError : ErrorKind<UsageError> {
  using ErrorKind::ErrorKind;
};

/// Whole numbers within bounds, both included.
struct IntegerTarget {
  int* value = nullptr;
  int min = 0, max = 0;
};
/// Sizes as people write them: 200M.
struct BytesTarget {
  std::uint64_t* value = nullptr;
};
/// One of a few words.
struct ChoiceTarget {
  std::string* value = nullptr;
  std::vector<std::string> choices;
};
/// Several values; each use of the option takes one, or as many as follow it.
struct ListTarget {
  std::vector<std::string>* values = nullptr;
  bool onePerUse = false;
  bool single = false;  ///< one value is meant; what else the parser finds, the command knows where to put
};
using Target = std::variant<bool*, std::string*, IntegerTarget, BytesTarget, ChoiceTarget, ListTarget>;

struct Option {
  std::string flags;  ///< "-o,--output"; for an argument without a flag its name, "SESSION"
  /// "DIR"; empty for switches and arguments. A shell completes files' names where it (of an argument its
  /// name) is FILE, OUT, SESSION, DATA or INPUT, folders' where it is DIR.
  std::string valueName;
  std::string help;  ///< a sentence without its full stop
  Target target;
  bool required = false;
  std::string byDefault = {};                ///< what happens without it, where that is not plain
  std::vector<std::string> knownWords = {};  ///< values that a shell may offer; others are allowed
};

/// What the desktop window is to begin with.
struct WindowRequest {
  std::vector<std::string> paths;            ///< files and URLs
  std::optional<std::uint64_t> memoryBytes;  ///< of this window alone; none: as its settings say
};

/// What the composition root gives to the commands.
struct Environment {
  fields::ReaderRegistry readers;
  /// Draws a scene and writes it as PNG; empty in builds without pictures.
  std::function<void(const scene::Scene& scene, std::array<int, 2> sizePixels,
                     const std::filesystem::path& path)>
      drawImage;
  /// The same, with texts by their keywords in the file; they are asked for when the picture is drawn, before there is a file.
  std::function<void(const scene::Scene& scene, std::array<int, 2> sizePixels,
                     const std::filesystem::path& path,
                     const std::function<std::vector<std::pair<std::string, std::string>>()>& texts)>
      drawImageWithTexts = {};
  /// Makes what casts volumes; empty where the build cannot.
  session::VolumeMaker makeVolume = {};
  /// Asks other programs for what they render; empty where the build cannot.
  session::SlabMaker makeSlabs = {};
  session::ResultAsker askResults = {};
  /// Reads the colours and opacities that volumes name in files; empty where volumes cannot be drawn.
  std::function<void(session::Session& session)> takeTransferFiles = {};
  /// Traces lines on a device; empty: tasks do.
  flow::LineEngine traceLines = {};
  std::vector<std::string> colorMaps;  ///< that drawImage knows
  /// Called when the user interrupts a command, on another thread: ends waits for what is far away. May be empty.
  std::function<void()> interrupted = {};
  /// Opens the desktop window and returns the exit status when it is closed; empty in builds without.
  std::function<int(const WindowRequest& request)> openWindow;
  /// Where the program is that has the window; empty where that is this one, or there is none.
  std::function<std::filesystem::path()> findWholeProgram;
  /// What drawImage and the window draw with. They throw where nothing can be drawn; empty as those two are.
  std::function<doctor::DrawingDevice()> describeRenderer, describeWindow;
  /// Says which OpenCL device casts volumes, and how fast; throws where there is none. Empty in builds without OpenCL.
  std::function<std::string()> describeDevice;
  /// Why this process must open HDF5 files itself; empty text: another one does.
  std::function<std::string()> whyHdf5IsOpenedHere = {};
};

/// What a running command works with.
struct Context {
  const Environment& environment;
  std::stop_token stop;
};

struct Manual {
  std::string name;
  std::string summary;               ///< one line
  std::vector<std::string> details;  ///< paragraphs
  std::vector<Option> arguments, options;
};

class Command {
 public:
  virtual ~Command() = default;
  /// Refers to this object's variables.
  virtual Manual manual() = 0;
  /// Does the work once parsing has filled in the variables. Throws what goes wrong; UsageError for
  /// combinations that make no sense.
  virtual void run(const Context& context) = 0;
};

using CommandFactory = std::function<std::unique_ptr<Command>()>;
/// All there are, in the order of the documentation.
const std::vector<CommandFactory>& commands();

}  // namespace farfield::cli
