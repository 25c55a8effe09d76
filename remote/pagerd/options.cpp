#include "remote/pagerd/options.h"

#include <functional>
#include <sstream>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/program_options.h"
#include "core/base/units.h"
#include "remote/pagerd/far_upstream.h"
#include "remote/pagerd/web_upstream.h"

namespace farfield::remote {
namespace {

constexpr std::uint64_t kMostConfigBytes = 1 << 20;

struct Option {
  const char* name;   ///< "--root"
  const char* value;  ///< "DIR"; nullptr: a switch
  const char* help;
  bool inFile;  ///< may be used in the configuration file
  std::function<void(PagerdOptions&, const std::string&)> set;
};

double rateFrom(const std::string& text) {
  return static_cast<double>(parseBytes(text));
}

const std::vector<Option>& allOptions() {
  using Options = PagerdOptions;
  using Text = const std::string&;
  static const std::vector<Option> options = {
      {"--root", "DIR", "shares what lies below this folder, read-only", true,
       [](Options& o, Text v) {
         o.server.exports = {{"", v}};
       }},
      {"--listen", "ADDR:PORT",
       "where to listen (127.0.0.1:0); port 0 is any free one. Off loopback a token is asked for and TLS is "
       "spoken",
       true, [](Options& o, Text v) { o.server.listen = v; }},
      {"--cache", "SIZE", "memory for stored pages (256M)", true,
       [](Options& o, Text v) { o.server.cacheBytes = parseBytes(v); }},
      {"--token-file", "FILE",
       "lets in who has one of its tokens: a line for each, TOKEN [name=NAME] [root=FOLDER] [rate=SIZE]",
       true, [](Options& o, Text v) { o.server.tokenFile = v; }},
      {"--tls-cert", "FILE", "certificate in PEM form (off loopback: one that is made on the first start)",
       true, [](Options& o, Text v) { o.server.tlsCertificate = v; }},
      {"--tls-key", "FILE", "its key", true, [](Options& o, Text v) { o.server.tlsKey = v; }},
      {"--upstream", "URL",
       "serves what another server has, as a cache in front of it: far://HOST:PORT, https://HOST/FOLDER, "
       "s3://BUCKET, or a folder there",
       true,
       [](Options& o, Text v) {
         const bool isWeb = v.starts_with("http://") || v.starts_with("https://") || v.starts_with("s3://");
         o.server.upstream = isWeb ? makeWebUpstream(v) : makeFarUpstream(v);
       }},
      {"--rate", "SIZE", "sends no more than this many bytes a second to all clients together", true,
       [](Options& o, Text v) { o.server.bytesPerSecond = rateFrom(v); }},
      {"--rate-per-client", "SIZE", "the same for each client", true,
       [](Options& o, Text v) { o.server.bytesPerSecondAndClient = rateFrom(v); }},
      {"--metrics", "ADDR:PORT", "answers HTTP requests for /metrics and /healthz, on loopback", true,
       [](Options& o, Text v) { o.server.metrics = v; }},
      {"--audit-log", "FILE", "appends a line for each connection and each data set that is opened", true,
       [](Options& o, Text v) { o.auditLog = v; }},
      {"--stdio", nullptr,
       "serves one client over standard input and output, as far+ssh://HOST/PATH starts it, and listens "
       "nowhere",
       false, [](Options& o, Text) { o.stdio = true; }},
      {"--config", "FILE",
       "takes options from a file: NAME = VALUE lines, and [export NAME] sections with a root each", false,
       [](Options& o, Text v) { o.config = v; }},
      {"--check-config", nullptr, "checks options, files and folders, and ends", false,
       [](Options& o, Text) { o.checkConfig = true; }},
      {"--quiet", nullptr, "says nothing but errors", false, [](Options& o, Text) { o.quiet = true; }},
      {"--verbose", nullptr, "says who connects and what is opened", false,
       [](Options& o, Text) { o.verbose = true; }},
  };
  return options;
}

const char* const kSummary = "serves simulation results to Farfield over the network, by pages";

std::vector<ProgramOption> described() {
  std::vector<ProgramOption> options;
  for (const Option& option : allOptions()) options.push_back({option.name, option.value, option.help});
  return options;
}

std::string helpText() {
  return std::string("farfield-pagerd ") + kSummary +
         ".\n\nUsage: farfield-pagerd --root DIR [OPTION …]\n\n"
         "Prints \"listening on ADDR:PORT\" when it accepts. SIGTERM ends it after what was begun; SIGHUP "
         "reads the\nconfiguration and the tokens again.\n\nOptions:\n" +
         helpLines(described());
}

std::string manPage() {
  return ".TH FARFIELD-PAGERD 8 \"\" \"Farfield " FARFIELD_VERSION
         "\" \"Farfield\"\n.SH NAME\nfarfield\\-pagerd \\- " +
         std::string(kSummary) +
         "\n.SH SYNOPSIS\n.B farfield\\-pagerd\n\\-\\-root DIR [OPTION ...]\n.SH DESCRIPTION\n"
         "Shares paged stores, and files that open in place, below one folder. It never writes "
         "there. Clients name data as\n"
         "far://HOST:PORT/PATH wherever a file name goes. It prints \\(lqlistening on "
         "ADDR:PORT\\(rq when it accepts.\n"
         "SIGTERM ends it after what was begun; SIGHUP reads the configuration and the tokens "
         "again.\n.SH OPTIONS\n" +
         manLines(described()) +
         ".SH EXIT STATUS\n0 ended when it was told to, 1 failed, 2 wrong usage.\n.SH SEE ALSO\n.BR farfield "
         "(1)\n";
}

/// "name = value" lines and "[export NAME]" sections.
void readConfig(PagerdOptions& options) {
  const File file = File::openForReading(options.config);
  if (file.size() > kMostConfigBytes) throw Invalid("is too long").at("file " + options.config);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.readAt(0, std::as_writable_bytes(std::span(text)));
  std::istringstream lines(text);
  std::string line, exported;
  bool inExport = false;
  const auto trimmed = [](std::string part) {
    const auto first = part.find_first_not_of(" \t\r"), last = part.find_last_not_of(" \t\r");
    return first == std::string::npos ? std::string() : part.substr(first, last - first + 1);
  };
  for (int number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    try {
      if (line.front() == '[') {
        if (!line.starts_with("[export ") || line.back() != ']') throw Invalid("a section is [export NAME]");
        exported = trimmed(line.substr(8, line.size() - 9));
        if (exported.empty()) throw Invalid("a section is [export NAME]");
        inExport = true;
        continue;
      }
      const auto equals = line.find('=');
      if (equals == std::string::npos) throw Invalid("a line is NAME = VALUE");
      const std::string name = trimmed(line.substr(0, equals)), value = trimmed(line.substr(equals + 1));
      if (inExport) {
        if (name != "root") throw Invalid("an export has a root and nothing else");
        options.server.exports.push_back({exported, value});
        continue;
      }
      bool known = false;
      for (const Option& option : allOptions())
        if (option.inFile && option.name + 2 == name) {
          option.set(options, value);
          known = true;
        }
      if (!known) throw Invalid("there is no option '" + name + "'", "see --help for their names");
    } catch (Error& error) {
      error.at("line " + std::to_string(number)).at("file " + options.config);
      throw;
    }
  }
}

}  // namespace

PagerdOptions parsePagerd(const std::vector<std::string>& arguments) {
  PagerdOptions options;
  const GivenOptions parsed = parseOptions(described(), arguments, "farfield-pagerd", false);
  if (parsed.asked == "--help") options.text = helpText();
  if (parsed.asked == "--version") options.text = "farfield-pagerd " FARFIELD_VERSION "\n";
  if (parsed.asked == "--man-page") options.text = manPage();
  if (options.text) return options;
  std::vector<std::pair<const Option*, std::string>> given;
  for (const auto& [index, value] : parsed.options) given.emplace_back(&allOptions()[index], value);
  for (const auto& [option, value] : given)
    if (std::string(option->name) == "--config") options.config = value;
  if (!options.config.empty()) readConfig(options);
  for (const auto& [option, value] : given) {
    try {
      option->set(options, value);
    } catch (Error& error) {
      error.at(option->name).at("command line");
      throw;
    }
  }
  if (options.server.exports.empty() && !options.server.upstream)
    throw Invalid("nothing is shared", "give --root DIR, or --upstream URL").at("command line");
  return options;
}

}  // namespace farfield::remote
