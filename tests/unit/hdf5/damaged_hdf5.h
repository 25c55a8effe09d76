#pragma once
// An HDF5 file with texts of any length in an attribute, whose heap is damaged: what the library does with it depends on how.

#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/hdf5/hdf5_maker.h"

namespace farfield::test {

enum class Damage {
  None,
  Crashes,  ///< the library reads far beyond the heap
  Endless   ///< it looks at the same place of the heap again and again
};

inline void writeDamagedHdf5(const std::string& path, Damage damage) {
  {
    Hdf5Maker file(path);
    file.makeNumbered("values", {.dims = {4, 4, 4}});
    const Hid type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, H5T_VARIABLE);
    const hsize_t count = 3;
    const Hid space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Hid texts(H5Acreate2(file.file(), "texts", type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const char* const words[] = {"one", "another", "a third"};
    H5Awrite(texts, type, words);
  }
  std::ifstream in(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  // behind its header a heap has objects: number, uses, four bytes without meaning, size, bytes
  const std::size_t object = bytes.find("GCOL") + 16;
  if (damage == Damage::Crashes) bytes.at(object + 12) = '\x7f';
  if (damage == Damage::Endless) bytes.replace(object, 16, 16, '\0');
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Whether this machine's library ends a process with such a file, or keeps it for ever: a later one may find what is wrong. It is asked in
/// a process of its own, in a program with one thread.
inline bool libraryFailsOn(Damage damage, const std::filesystem::path& folder) {
  const std::string path = (folder / "asked.h5").string();
  writeDamagedHdf5(path, damage);
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) {
    // those of who asks would say that the test has crashed
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE}) ::signal(signal, SIG_DFL);
    const rlimit none{};
    ::setrlimit(RLIMIT_CORE, &none);
    itimerval timer{};
    timer.it_value.tv_sec = 1;  // of processor time, of which it takes a thousandth
    ::setitimer(ITIMER_PROF, &timer, nullptr);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const Hid file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
    const Hid texts(H5Aopen(file, "texts", H5P_DEFAULT), H5Aclose), type(H5Aget_type(texts), H5Tclose);
    char* read[3]{};
    H5Aread(texts, type, read);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  std::filesystem::remove(path);
  return status != 0;
}

#define SKIP_UNLESS_LIBRARY_FAILS(damage)                         \
  do {                                                            \
    if (!farfield::test::libraryFailsOn(damage, m_folder.path())) \
      QSKIP("this HDF5 library finds what is wrong");             \
  } while (false)

}  // namespace farfield::test
