#pragma once
// What a service manager and a server say to each other: systemd's notifications and sockets that it hands over
// (sd_notify(3), sd_listen_fds(3)), without its library.

#include <string>

namespace farfield::remote {

/// "READY=1", "STOPPING=1", "RELOADING=1"; nothing where nobody listens.
void tellServiceManager(const std::string& state) noexcept;
/// The one listening socket that was handed over, or -1.
int handedOverSocket() noexcept;

}  // namespace farfield::remote
