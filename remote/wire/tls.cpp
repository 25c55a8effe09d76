#include "remote/wire/tls.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <asio/connect.hpp>
#include <asio/ssl.hpp>
#include <asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "remote/wire/wire.h"

namespace farfield::remote {

struct TlsContext {
  explicit TlsContext(asio::ssl::context::method method) : context(method) {}
  asio::ssl::context context;
};

namespace {

constexpr long kCertificateSeconds = 10L * 365 * 24 * 3600;

template <class T, void (*Free)(T*)>
struct Deleter {
  void operator()(T* pointer) const { Free(pointer); }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509, X509_free>>;
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using Stream = std::unique_ptr<std::FILE, CloseFile>;

std::string hexOf(X509* certificate) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int bytes = 0;
  if (!certificate || X509_digest(certificate, EVP_sha256(), digest, &bytes) != 1) return {};
  std::string text;
  for (unsigned int n = 0; n < bytes; ++n) {
    char two[4];
    std::snprintf(two, sizeof two, "%s%02x", n ? ":" : "", digest[n]);
    text += two;
  }
  return text;
}

void require(bool done, const std::string& what) {
  if (!done) throw Io("a certificate cannot be made: " + what);
}

/// A new file, or null if it exists.
Stream newFile(const std::filesystem::path& path, mode_t mode) {
  const int fd = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);
  if (fd < 0) throw ioError("cannot be made", errno).at("file " + path.string());
  return Stream(::fdopen(fd, "w"));
}

class TlsWire final : public Wire {
 public:
  TlsWire(asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> context, bool isServer,
          const std::string& hostName)
      : m_context(std::move(context)),
        m_stream(std::move(socket), m_context->context),
        m_side(isServer ? asio::ssl::stream_base::server : asio::ssl::stream_base::client) {
    if (isServer || hostName.empty()) return;
    ::SSL_set_tlsext_host_name(m_stream.native_handle(), hostName.c_str());
    if (::SSL_get_verify_mode(m_stream.native_handle()) != SSL_VERIFY_NONE)
      m_stream.set_verify_callback(asio::ssl::host_name_verification(hostName));
  }
  void handshake(Handler handler) override {
    m_stream.async_handshake(m_side,
                             [handler = std::move(handler)](std::error_code error) { handler(error, 0); });
  }
  void readSome(asio::mutable_buffer to, Handler handler) override {
    m_stream.async_read_some(to, std::move(handler));
  }
  void write(std::span<const asio::const_buffer> from, Handler handler) override {
    // one TLS record takes one buffer: small ones are sent together
    m_gathered.clear();
    std::vector<asio::const_buffer> buffers;
    std::size_t total = 0;
    for (const asio::const_buffer& buffer : from) total += buffer.size();
    if (total <= kGatheredBytes) {
      m_gathered.reserve(total);
      for (const asio::const_buffer& buffer : from) {
        const auto* bytes = static_cast<const char*>(buffer.data());
        m_gathered.insert(m_gathered.end(), bytes, bytes + buffer.size());
      }
      buffers.push_back(asio::buffer(m_gathered));
    } else {
      buffers.assign(from.begin(), from.end());
    }
    asio::async_write(m_stream, std::move(buffers), std::move(handler));
  }
  void close() noexcept override {
    std::error_code ignored;
    m_stream.lowest_layer().shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
    m_stream.lowest_layer().close(ignored);
  }
  asio::ip::tcp::socket& socket() override { return m_stream.next_layer(); }
  std::string peerFingerprint() const override {
    auto* const handle = const_cast<asio::ssl::stream<asio::ip::tcp::socket>&>(m_stream).native_handle();
    const Certificate certificate(::SSL_get1_peer_certificate(handle));
    return hexOf(certificate.get());
  }
  bool isTls() const override { return true; }

 private:
  static constexpr std::size_t kGatheredBytes = 1 << 20;
  std::shared_ptr<TlsContext> m_context;
  asio::ssl::stream<asio::ip::tcp::socket> m_stream;
  asio::ssl::stream_base::handshake_type m_side;
  std::vector<char> m_gathered;
};

}  // namespace

void makeCertificate(const std::filesystem::path& certificatePath, const std::filesystem::path& keyPath) {
  if (std::filesystem::exists(certificatePath) && std::filesystem::exists(keyPath)) return;
  const Key key(::EVP_EC_gen("P-256"));
  require(key != nullptr, "no key");
  const Certificate certificate(::X509_new());
  require(certificate != nullptr, "no memory");
  X509* const its = certificate.get();
  std::uint64_t serial = 0;
  ::RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  ::X509_set_version(its, 2);
  ::ASN1_INTEGER_set_uint64(::X509_get_serialNumber(its), serial >> 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(its), -3600);
  ::X509_gmtime_adj(::X509_getm_notAfter(its), kCertificateSeconds);
  ::X509_set_pubkey(its, key.get());
  X509_NAME* const name = ::X509_get_subject_name(its);
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("farfield-pagerd"), -1, -1, 0);
  ::X509_set_issuer_name(its, name);
  require(::X509_sign(its, key.get(), ::EVP_sha256()) > 0, "it cannot be signed");
  std::error_code ignored;
  std::filesystem::remove(certificatePath, ignored);
  std::filesystem::remove(keyPath, ignored);
  const Stream keyFile = newFile(keyPath, 0600);
  require(::PEM_write_PrivateKey(keyFile.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1 &&
              std::fflush(keyFile.get()) == 0,
          "the key cannot be written");
  const Stream certificateFile = newFile(certificatePath, 0644);
  require(::PEM_write_X509(certificateFile.get(), its) == 1 && std::fflush(certificateFile.get()) == 0,
          "it cannot be written");
}

std::shared_ptr<TlsContext> serverTls(const std::filesystem::path& certificate,
                                      const std::filesystem::path& key) {
  // a missing file is reported differently from a wrong one
  File::openForReading(certificate);
  File::openForReading(key);
  auto tls = std::make_shared<TlsContext>(asio::ssl::context::tls_server);
  ::SSL_CTX_set_min_proto_version(tls->context.native_handle(), TLS1_3_VERSION);
  std::error_code error;
  tls->context.use_certificate_chain_file(certificate.string(), error);
  if (error)
    throw Invalid("is not a certificate in PEM form", "see --tls-cert").at("file " + certificate.string());
  tls->context.use_private_key_file(key.string(), asio::ssl::context::pem, error);
  if (error)
    throw Invalid("is not the key of " + certificate.filename().string() + " in PEM form", "see --tls-key")
        .at("file " + key.string());
  return tls;
}

std::string fingerprintOf(const std::filesystem::path& path) {
  const Stream file(std::fopen(path.c_str(), "r"));
  if (!file) throw NotFound("cannot be read").at("file " + path.string());
  const Certificate certificate(::PEM_read_X509(file.get(), nullptr, nullptr, nullptr));
  if (!certificate) throw Invalid("is not a certificate in PEM form").at("file " + path.string());
  return hexOf(certificate.get());
}

std::string fingerprintShownBy(const std::string& host, int port, const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kWithin{10000}, kLook{50};
  asio::io_context io;
  asio::ip::tcp::resolver resolver(io);
  std::error_code failure;
  const auto found = resolver.resolve(host, std::to_string(port), failure);
  if (failure)
    throw NotFound("there is no host of this name: " + failure.message(), "check the name").at(host);
  asio::ip::tcp::socket socket(io);
  std::unique_ptr<Wire> wire;
  std::error_code result = std::make_error_code(std::errc::timed_out);
  asio::async_connect(socket, found, [&](std::error_code error, const asio::ip::tcp::endpoint&) {
    if (error) {
      result = error;
      return;
    }
    wire = makeTlsWire(std::move(socket), clientTls(true), false, host);
    wire->handshake([&](std::error_code ended, std::size_t) { result = ended; });
  });
  const auto until = std::chrono::steady_clock::now() + kWithin;
  while (!io.stopped() && !stop.stop_requested() && std::chrono::steady_clock::now() < until)
    io.run_for(kLook);
  const std::string fingerprint = wire && !result ? wire->peerFingerprint() : std::string();
  if (wire) wire->close();
  std::error_code ignored;
  socket.close(ignored);
  io.restart();
  io.run();
  if (stop.stop_requested()) throw Cancelled();
  if (result)
    throw Io("no certificate was shown: " + result.message(),
             "check host and port, and that the server speaks TLS")
        .at(host + ":" + std::to_string(port));
  return fingerprint;
}

std::shared_ptr<TlsContext> clientTls(bool anyCertificate) {
  auto tls = std::make_shared<TlsContext>(asio::ssl::context::tls_client);
  ::SSL_CTX_set_min_proto_version(tls->context.native_handle(), TLS1_3_VERSION);
  std::error_code ignored;
  if (anyCertificate) {
    tls->context.set_verify_mode(asio::ssl::verify_none, ignored);
  } else {
    tls->context.set_default_verify_paths(ignored);
    tls->context.set_verify_mode(asio::ssl::verify_peer, ignored);
  }
  return tls;
}

std::unique_ptr<Wire> makeTlsWire(asio::ip::tcp::socket socket, std::shared_ptr<TlsContext> context,
                                  bool isServer, const std::string& hostName) {
  return std::make_unique<TlsWire>(std::move(socket), std::move(context), isServer, hostName);
}

}  // namespace farfield::remote
