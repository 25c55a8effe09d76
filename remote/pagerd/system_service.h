#pragma once
// Communication with a service manager: systemd's notifications and inherited sockets (sd_notify(3),
// sd_listen_fds(3)), without its library.

#include <string>

namespace farfield::remote {

/// "READY=1", "STOPPING=1", "RELOADING=1"; does nothing without a service manager.
void tellServiceManager(const std::string& state) noexcept;
/// The inherited listening socket, or -1.
int handedOverSocket() noexcept;

}  // namespace farfield::remote
