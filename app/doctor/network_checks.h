#pragma once
// The network, as far as a paging program needs it: listening on this machine, and a URL.

#include <chrono>
#include <string>

#include "app/doctor/check.h"

namespace farfield::doctor {

/// Listens on 127.0.0.1 at a port that the system chooses, and reaches it.
Finding checkLoopback();

/// Whether the server behind an http or https URL answers, and honours requests for a range of bytes. Asks
/// for 16 bytes and takes no more, whatever comes.
Finding checkHttp(const std::string& url, std::chrono::milliseconds timeout);

}  // namespace farfield::doctor
