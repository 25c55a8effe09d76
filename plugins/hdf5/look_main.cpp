// farfield-hdf5: looks into HDF5 files for a program whose end by a damaged file would be a loss (docs/decisions/0364). It is started by
// that program alone, with a socket as its input.

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>

#include "plugins/hdf5/look_job.h"
#include "plugins/hdf5/look_server.h"

namespace {

void limit(int resource, rlim_t most) {
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY || most < now.rlim_max ? most : now.rlim_max;
  ::setrlimit(resource, &now);
}

}  // namespace

int main() {
  struct stat input {};
  if (::fstat(0, &input) != 0 || !S_ISSOCK(input.st_mode)) {
    std::fputs("farfield-hdf5 is started by farfield, to look into HDF5 files\n", stderr);
    return 2;
  }
  // what the other program had open besides is none of its business, and would stay open with it
  ::syscall(SYS_close_range, 3U, ~0U, 0U);
  limit(RLIMIT_CORE, 0);
#ifndef FARFIELD_SANITIZED  // sanitizers take terabytes of addresses
  limit(RLIMIT_AS, farfield::hdf5::kMostLookMemory);
#endif
  farfield::hdf5::serveLooks(0);
  ::_exit(0);
}
