#pragma once
// TLS 1.3 for connections of pages: a server's certificate, made on its first start if none is given, and the
// client's side, which identifies a server by the fingerprint of its certificate or by the system's
// authorities.

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

namespace farfield::remote {

struct TlsContext;

/// Makes a key and a self-signed certificate (ECDSA P-256, ten years) if there are none: PEM files, the key
/// readable by its owner only. Throws Io.
void makeCertificate(const std::filesystem::path& certificate, const std::filesystem::path& key);

/// Throws NotFound, Invalid (not a certificate and its key).
std::shared_ptr<TlsContext> serverTls(const std::filesystem::path& certificate,
                                      const std::filesystem::path& key);
/// SHA-256 of the certificate in a PEM file, "ab:cd:…". Throws as serverTls.
std::string fingerprintOf(const std::filesystem::path& certificate);

/// The fingerprint of the certificate that a server presents, trusted or not. Waits some seconds at most.
/// Throws NotFound (no such host), Io (no server there, or no TLS 1.3), Cancelled.
std::string fingerprintShownBy(const std::string& host, int port, const std::stop_token& stop = {});

/// With `anyCertificate` the caller compares the fingerprint; else the system's authorities must have signed
/// it.
std::shared_ptr<TlsContext> clientTls(bool anyCertificate);

}  // namespace farfield::remote
