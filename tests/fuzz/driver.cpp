// A main() for fuzz targets where there is no libFuzzer: runs the target on every file of a corpus, then on
// files that were changed at random. It does not see which code runs and finds less for it, but it needs no
// other compiler, and the same seed does the same again. What fails is left in a file crash-SEED-RUN.
//
//   fuzz_NAME FOLDER|FILE … [-runs=N] [-seed=N] [-max_len=N]

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

// For the signal handler.
const Input* g_current = nullptr;
char g_crashName[64];

void keepInput(int signal) {
  const int file = ::open(g_crashName, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (file >= 0 && g_current && ::write(file, g_current->data(), g_current->size()) >= 0) ::fsync(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

class Mutator {
 public:
  Mutator(std::vector<Input> corpus, std::uint64_t seed, std::size_t most)
      : m_corpus(std::move(corpus)), m_random(seed), m_most(most) {}

  Input next() {
    Input input = m_corpus[below(m_corpus.size())];
    for (std::uint64_t changes = 1 + below(6); changes > 0; --changes) change(input);
    if (input.size() > m_most) input.resize(m_most);
    return input;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return m_random() % n; }
  std::size_t place(const Input& input) { return static_cast<std::size_t>(below(input.size() + 1)); }

  void change(Input& input) {
    const std::size_t at = place(input);
    const auto from = input.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t left = input.size() - at;
    switch (below(9)) {
      case 0:
        if (left > 0) input[at] ^= static_cast<std::uint8_t>(1u << below(8));
        break;
      case 1:
        if (left > 0) input[at] = static_cast<std::uint8_t>(below(256));
        break;
      case 2:
        input.erase(from, from + static_cast<std::ptrdiff_t>(below(std::min<std::size_t>(left, 16) + 1)));
        break;
      case 3:
        input.insert(from, static_cast<std::size_t>(below(16)), static_cast<std::uint8_t>(below(256)));
        break;
      case 4: {  // a part of another
        const Input& other = m_corpus[below(m_corpus.size())];
        if (other.empty()) break;
        const std::size_t begin = static_cast<std::size_t>(below(other.size()));
        const std::size_t count =
            static_cast<std::size_t>(below(std::min<std::size_t>(other.size() - begin, 64) + 1));
        input.insert(from, other.begin() + static_cast<std::ptrdiff_t>(begin),
                     other.begin() + static_cast<std::ptrdiff_t>(begin + count));
        break;
      }
      case 5:
        input.resize(at);
        break;
      case 6: {  // numbers that programs stumble over
        constexpr std::uint32_t kNumbers[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000,
                                              0xfffffff7, 0x01000000, 12,         0x0c000000, 65536};
        const std::uint32_t number = kNumbers[below(std::size(kNumbers))];
        if (left >= 4) std::memcpy(&input[at], &number, 4);
        break;
      }
      case 7: {  // a digit, or a sign that means something in text
        constexpr char kLetters[] = "0123456789.-+*eE\"'{}[](),:/\\ \n$#";
        if (left > 0) input[at] = static_cast<std::uint8_t>(kLetters[below(sizeof kLetters - 1)]);
        break;
      }
      default:  // twice
        if (left > 0 && input.size() < m_most) {
          const Input copy(from, from + static_cast<std::ptrdiff_t>(std::min<std::size_t>(left, 32)));
          input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), copy.begin(), copy.end());
        }
    }
  }

  std::vector<Input> m_corpus;
  std::mt19937_64 m_random;
  std::size_t m_most;
};

void addFile(const std::filesystem::path& path, std::vector<Input>& corpus) {
  std::ifstream stream(path, std::ios::binary);
  corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t runs = 0, seed = 1, most = 4096;
  std::vector<Input> corpus;
  for (int n = 1; n < count; ++n) {
    const std::string word = words[n];
    const auto option = [&](const char* name, std::uint64_t& value) {
      if (word.starts_with(name)) value = std::strtoull(word.c_str() + std::strlen(name), nullptr, 10);
      return word.starts_with(name);
    };
    if (option("-runs=", runs) || option("-seed=", seed) || option("-max_len=", most) || word[0] == '-')
      continue;
    if (!std::filesystem::is_directory(word)) {
      addFile(word, corpus);
      continue;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(word)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) addFile(file, corpus);
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "no corpus\n");
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, keepInput);
  const auto run = [&](const Input& input, std::uint64_t number) {
    std::snprintf(g_crashName, sizeof g_crashName, "crash-%llu-%llu", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(number));
    g_current = &input;
    LLVMFuzzerTestOneInput(input.data(), input.size());
  };
  for (std::size_t n = 0; n < corpus.size(); ++n) run(corpus[n], n);
  Mutator mutator(corpus, seed, static_cast<std::size_t>(most));
  for (std::uint64_t n = 0; n < runs; ++n) run(mutator.next(), corpus.size() + n);
  std::printf("%llu runs\n", static_cast<unsigned long long>(corpus.size() + runs));
  return 0;
}
