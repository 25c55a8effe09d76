#pragma once
// Processes to which the kernel refuses some system calls, as it refuses io_uring in many containers.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace farfield::test {

/// From now on `calls` of this process fail with `error`. False where the kernel has no filters.
inline bool refuseCalls(std::initializer_list<unsigned> calls, unsigned error) {
  std::vector<sock_filter> code{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const unsigned call : calls) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

inline bool refuseIoUring() {
  return refuseCalls({SYS_io_uring_setup}, EPERM);
}

/// What `run` returns in a child process after `refuse`; 77 where the kernel has no filters, -1 after a crash.
template <class Run>
int statusInChild(bool (*refuse)(), const Run& run) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(refuse() ? run() : 77);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace farfield::test
