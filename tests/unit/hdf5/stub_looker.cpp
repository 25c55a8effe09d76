// Stands for farfield-hdf5, and does what the file it is asked about is named after: "LOG|WORD". It writes a letter to LOG for each job: n in
// a process that is new, k in one that was kept. Whether one ends as by a damaged file must not depend on what a library does.

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "plugins/hdf5/look_job.h"
#include "plugins/hdf5/look_link.h"

using namespace farfield::hdf5;
using Kind = LookMessage::Kind;

namespace {

void die(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

std::string answerTo(const LookJob& job) {
  switch (job.kind) {
    case LookKind::Head:
      return encoded(Head{});
    case LookKind::Has:
      return encoded(true);
    case LookKind::Contents:
      return encoded(Contents{});
    case LookKind::Places:
      return encoded(std::vector<std::int64_t>(3 * static_cast<std::size_t>(job.most), 7));
    case LookKind::Values:
      return std::string(static_cast<std::size_t>(mostAnswerBytes(job)), '\x05');
    default:
      return encoded(std::vector<double>{});
  }
}

/// False: nothing more can be asked.
bool serve(LookLink& link, bool isKept) {
  LookMessage message;
  std::string text;
  if (!link.receive(message) || message.kind != Kind::Job || !link.receiveText(message.bytes, text))
    return false;
  const LookJob job = decodedJob(text);
  const std::size_t bar = job.name.rfind('|');
  std::ofstream(job.name.substr(0, bar), std::ios::app) << (isKept ? 'k' : 'n');
  std::string word = job.name.substr(bar + 1);
  if (word.ends_with(" if kept")) word = isKept ? word.substr(0, word.size() - 8) : "answer";
  const bool isOfValues = job.kind == LookKind::Places || job.kind == LookKind::Values;
  if (word == "crash" || (word == "crash at values" && isOfValues)) die(SIGSEGV);
  if (word == "take long") die(SIGPROF);  // as its timer would
  if (word == "be killed") die(SIGKILL);
  LookFailure failure;
  if (word == "take all") failure.kind = LookFailure::Kind::NoMemory;
  if (word == "refuse") failure = {LookFailure::Kind::Unsupported, {}, "is refused", {}};
  if (word == "take all" || word == "refuse") return link.send(Kind::Failure, encoded(failure));
  if (word == "say less" && isOfValues) return link.send(Kind::Answer, encoded(std::vector<double>{}));
  if (word == "promise") return link.send({.kind = Kind::Answer, .bytes = mostAnswerBytes(job) + 1});
  return link.send(Kind::Answer, answerTo(job));
}

}  // namespace

int main(int, char** arguments) {
  const std::string name = std::filesystem::path(arguments[0]).filename();
  if (name == "ends") return 0;
  LookLink link(0);
  const std::uint64_t version = name == "older" ? lookVersion("0.0.1", kLookLayout) : kLookVersion;
  if (name != "mute" && !link.send({.kind = Kind::Hello, .offset = version})) return 1;
  for (bool isKept = false; serve(link, isKept); isKept = true) {
  }
  return 0;
}
