#include "remote/slabd/options.h"

#include <charconv>
#include <functional>

#include "core/base/error.h"
#include "core/base/program_options.h"
#include "core/base/units.h"
#include "core/session/step_text.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {
namespace {

struct Option {
  ProgramOption its;
  std::function<void(SlabdOptions&, const std::string&)> set;
};

constexpr double kMostEnhance = 100;

/// 1 … most.
int numberFrom(const std::string& text, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most)
    throw Invalid("must be a whole number from 1 to " + std::to_string(most) + ", not " + text);
  return number;
}

const std::vector<Option>& allOptions() {
  using Options = SlabdOptions;
  using Text = const std::string&;
  static const std::vector<Option> options = {
      {{"--solution", "FILE", "a solution of the data, or a pattern of several; may be repeated"},
       [](Options& o, Text v) { o.solutions.push_back(v); }},
      {{"--reader", "NAME", "the reader of the data (found by looking)"},
       [](Options& o, Text v) { o.reader = v; }},
      {{"--option", "KEY=VALUE", "an option of the reader; may be repeated"},
       [](Options& o, Text v) {
         const auto equals = v.find('=');
         if (equals == std::string::npos) throw Invalid("must be KEY=VALUE, not " + v);
         o.readerOptions[v.substr(0, equals)] = v.substr(equals + 1);
       }},
      {{"--listen", "ADDR:PORT",
        "where the first rank listens for viewers (127.0.0.1:4790); port 0 is any free one. Off loopback a token "
        "is asked for and TLS is spoken"},
       [](Options& o, Text v) { o.listen = v; }},
      {{"--steps", "STEPS",
        "shows these steps alone: N, A:B, A:B:S (every S-th) or all; negative numbers count from the end"},
       [](Options& o, Text v) {
         if (!session::stepsFromText(v))
           throw Invalid("'" + v + "' names no steps", "give N, A:B, A:B:S or all");
         o.steps = v;
       }},
      {{"--slabs", "N", "slabs along an axis (8, or two for each rank where that is more)"},
       [](Options& o, Text v) { o.slabs = static_cast<std::uint32_t>(numberFrom(v, kMostSlabs)); }},
      {{"--input-ranks", "M",
        "M ranks read the steps that come next, for those that render; auto: as many as hide the reading, by what is measured"},
       [](Options& o, Text v) {
         if (v != "auto") numberFrom(v, static_cast<int>(kMostRanks) - 1);
         o.inputRanks = v;
       }},
      {{"--input-together", "N",
        "so many of them share a step (1), where sending takes longer than rendering"},
       [](Options& o, Text v) { o.inputTogether = static_cast<std::uint32_t>(numberFrom(v, 1024)); }},
      {{"--quantize", nullptr,
        "what they read is sent as a byte a value, over the range of colours and opacities"},
       [](Options& o, Text) { o.quantize = true; }},
      {{"--enhance", "TIMES",
        "adds to each value what it changed by since the step before, so many times (0 to 100): what moves stands out"},
       [](Options& o, Text v) {
         const auto [end, error] = std::from_chars(v.data(), v.data() + v.size(), o.enhance);
         if (error != std::errc() || end != v.data() + v.size() ||
             !(o.enhance >= 0 && o.enhance <= kMostEnhance))
           throw Invalid("must be a number from 0 to 100, not " + v);
       }},
      {{"--memory", "SIZE", "memory of each rank (1G)"},
       [](Options& o, Text v) { o.memoryBytes = parseBytes(v); }},
      {{"--processors", "N", "processors of each rank (its share of the machine's)"},
       [](Options& o, Text v) { o.processors = numberFrom(v, 4096); }},
      {{"--engine", "NAME", "what casts: cpu, opencl, or auto, an accelerator where there is one (auto)"},
       [](Options& o, Text v) {
         if (v != "cpu" && v != "opencl" && v != "auto")
           throw Invalid("must be cpu, opencl or auto, not " + v);
         o.engine = v;
       }},
      {{"--token-file", "FILE", "lets in who has one of its tokens: a line for each"},
       [](Options& o, Text v) { o.tokenFile = v; }},
      {{"--tls-cert", "FILE", "certificate in PEM form (off loopback: one that is made on the first start)"},
       [](Options& o, Text v) { o.tlsCertificate = v; }},
      {{"--tls-key", "FILE", "its key"}, [](Options& o, Text v) { o.tlsKey = v; }},
      {{"--trace", "FILE", "writes when each thread did what (Chrome trace JSON), a file for each rank"},
       [](Options& o, Text v) { o.trace = v; }},
      {{"--quiet", nullptr, "says nothing but errors"}, [](Options& o, Text) { o.quiet = true; }},
      {{"--verbose", nullptr, "says who connects"}, [](Options& o, Text) { o.verbose = true; }},
  };
  return options;
}

const char* const kSummary = "renders volumes beside the data, on many processors, for Farfield elsewhere";

std::vector<ProgramOption> described() {
  std::vector<ProgramOption> options;
  for (const Option& option : allOptions()) options.push_back(option.its);
  return options;
}

std::string helpText() {
  return std::string("farfield-slabd ") + kSummary +
         ".\n\nUsage: mpirun -n N farfield-slabd DATA … [OPTION …]\n\n"
         "Prints \"listening on ADDR:PORT\" when it accepts. Sessions name it as slab://ADDR:PORT. With Open MPI's\n"
         "--enable-recovery the other ranks go on when one dies. SIGTERM ends it.\n\nOptions:\n" +
         helpLines(described());
}

std::string manPage() {
  return ".TH FARFIELD-SLABD 8 \"\" \"Farfield " FARFIELD_VERSION
         "\" \"Farfield\"\n.SH NAME\nfarfield\\-slabd \\- " +
         std::string(kSummary) +
         "\n.SH SYNOPSIS\n.B mpirun\n\\-n N farfield\\-slabd DATA ... [OPTION ...]\n.SH DESCRIPTION\n"
         "Each rank opens the data, renders slabs of them, and sends their pictures through one port of the first "
         "rank.\n"
         "Sessions name it as slab://HOST:PORT in objects of type slabs. It prints \\(lqlistening on "
         "ADDR:PORT\\(rq when it accepts.\n"
         "With Open MPI's \\-\\-enable\\-recovery the other ranks go on when one dies.\n.SH OPTIONS\n" +
         manLines(described()) +
         ".SH EXIT STATUS\n0 ended when it was told to, 1 failed, 2 wrong usage.\n.SH SEE ALSO\n.BR farfield "
         "(1),\n.BR mpirun (1)\n";
}

}  // namespace

SlabdOptions parseSlabd(const std::vector<std::string>& arguments) {
  SlabdOptions options;
  const GivenOptions parsed = parseOptions(described(), arguments, "farfield-slabd", true);
  if (parsed.asked == "--help") options.text = helpText();
  if (parsed.asked == "--version") options.text = "farfield-slabd " FARFIELD_VERSION "\n";
  if (parsed.asked == "--man-page") options.text = manPage();
  if (options.text) return options;
  options.sources = parsed.words;
  for (const auto& [index, value] : parsed.options) try {
      allOptions()[index].set(options, value);
    } catch (Error& error) {
      error.at(allOptions()[index].its.name).at("command line");
      throw;
    }
  if ((options.quantize || options.inputTogether > 1) && !options.inputRanks)
    throw Invalid("there are no ranks that read for others", "give --input-ranks as well").at("command line");
  if (options.inputRanks == "auto" && options.inputTogether > 1)
    throw Invalid("how many ranks share a step is measured as well", "leave --input-together out")
        .at("command line");
  if (options.sources.empty())
    throw Invalid("no data are named", "mpirun -n 4 farfield-slabd DATA").at("command line");
  return options;
}

}  // namespace farfield::remote
