#pragma once
// The options of farfield-slabd. An option is declared once; --help and the man page are made from that.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace farfield::remote {

struct SlabdOptions {
  std::vector<std::string> sources, solutions;
  std::string reader;
  std::map<std::string, std::string> readerOptions;
  std::string listen = "127.0.0.1:4790";
  std::filesystem::path tokenFile, tlsCertificate, tlsKey;
  std::string steps = "all";
  std::uint32_t slabs = 0;                ///< 0: by the ranks
  std::optional<std::string> inputRanks;  ///< a number, or "auto"
  std::uint32_t inputTogether = 1;        ///< so many share a step
  bool quantize = false;
  double enhance = 0;  ///< what changed since the step before, added so many times
  std::uint64_t memoryBytes = std::uint64_t{1} << 30;  ///< per rank
  int processors = 0;                                  ///< per rank; 0: an equal share of the machine's
  std::string engine = "auto";  ///< "cpu", "opencl", "auto": an accelerator where there is one
  std::filesystem::path trace;
  bool quiet = false, verbose = false;
  std::optional<std::string>
      text;  ///< output requested instead of rendering: --help, --version, the man page
};

/// Throws Invalid (place "command line").
SlabdOptions parseSlabd(const std::vector<std::string>& arguments);

}  // namespace farfield::remote
