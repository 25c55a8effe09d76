#pragma once
// The side that looks: the whole of the program farfield-hdf5, which has one thread and no file.

namespace farfield::hdf5 {

/// Does the jobs that come over `socket`, one after the other, until its other end is closed. A job that takes longer than it may ends the
/// process (SIGPROF).
void serveLooks(int socket);

}  // namespace farfield::hdf5
