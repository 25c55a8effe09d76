#pragma once
// One client's connection from beginning to end: lets it in, takes its requests, sends the answers. All input
// is checked; the memory for a client's answers is bounded, and a client that sends more than it reads waits
// in the network.

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include <asio/steady_timer.hpp>

#include "remote/protocol/frame.h"
#include "remote/server/access.h"
#include "remote/server/exports.h"
#include "remote/server/page_desk.h"
#include "remote/server/set_table.h"
#include "remote/server/upstream.h"
#include "remote/wire/wire.h"

namespace farfield::remote {

/// Shared by all sessions of a server; outlives them. The members that a reload replaces are copied under the
/// mutex.
struct ServerParts {
  PageDesk& desk;
  SetTable& sets;
  /// For work that waits: opening, listing, values.
  RunElsewhere run;
  std::function<void(const std::string&)> log;  ///< a line of key=value
  std::function<std::string()> statistics;      ///< JSON
  std::uint64_t serverId = 0;
  std::mutex mutex;
  std::shared_ptr<const Access> access;
  std::shared_ptr<const Exports> exports;
  /// Instead of folders; null: none.
  std::shared_ptr<Upstream> upstream;
  std::stop_token ending;  ///< of the server
  std::atomic<std::uint64_t> sessions{0}, accepted{0}, refused{0};
};

class Session final : public PageClient, public std::enable_shared_from_this<Session> {
 public:
  /// `peer`: the other side's address, for logs. The wire's executor is a strand.
  Session(std::unique_ptr<Wire> wire, ServerParts& parts, std::string peer);
  ~Session();
  void start();
  /// Says goodbye and closes; from any thread.
  void stop(const std::string& why);

  void pagesReady(std::span<ReadyPage> pages) noexcept override;
  void pageFailed(std::uint64_t sequence, std::exception_ptr error) noexcept override;

 private:
  struct Out {
    Bytes bytes;           ///< a whole frame
    PageBlobPointer page;  ///< or a page, to be sent under this number
    std::uint64_t sequence = 0;
  };

  void shakeHands();
  void sayThatItIsTls();
  void readMore();
  /// Until it is busy. True if there is no frame left and more may come.
  bool takeFrames();
  void onFrame(const FrameBuffer::Frame& frame);
  void onHello(const FrameBuffer::Frame& frame);
  void onList(std::uint64_t sequence, const ListRequest& request);
  void onOpen(std::uint64_t sequence, const OpenRequestMessage& request);
  void onRead(std::uint64_t sequence, const ReadRequest& request);
  void onIndex(std::uint64_t sequence, const IndexRequest& request);
  void onValues(std::uint64_t sequence, const ValuesRequest& request);
  void onPreload(std::uint64_t sequence, const PreloadRequest& request);
  void onClose(std::uint64_t sequence, std::uint32_t handle);
  void onParts(std::uint64_t sequence, std::uint32_t handle);
  /// Runs `work` on another thread; an error becomes the answer.
  void elsewhere(std::uint64_t sequence, std::function<void()> work);
  std::shared_ptr<ServedSet> setOf(std::uint32_t handle);
  std::shared_ptr<ServedSet> openSetFor(const OpenRequestMessage& request, const Exports& exports);

  void send(MessageType type, std::uint64_t sequence, std::span<const std::byte> body);
  void sendFailed(std::uint64_t sequence, const std::exception_ptr& error);
  void put(Out out);
  void flushLater();
  void gather(std::vector<asio::const_buffer>& buffers);
  void flush();
  void wrote(std::error_code error);
  void watch();
  void end(const std::string& why);
  void linger();
  void discard();
  bool isBusy() const;

  std::unique_ptr<Wire> m_wire;
  ServerParts& m_parts;
  std::string m_peer, m_name = "?";
  asio::steady_timer m_timer;
  // Used on the strand only.
  FrameBuffer m_in{kMostHelloBytes};
  bool m_isIn = false, m_reading = false, m_writing = false, m_ended = false, m_closing = false,
       m_lingering = false;
  std::chrono::steady_clock::time_point m_lastRead, m_writeBegan;
  std::vector<Out> m_onTheirWay;                    ///< whose memory is being written from
  std::uint64_t m_pageBytes = 0, m_otherBytes = 0;  ///< that are being written
  std::unique_ptr<std::byte[]>
      m_gathered;  ///< small pages and what stands before large ones, to be written together
  PageDesk::ClientId m_client = 0;
  std::shared_ptr<const Exports> m_exports;
  std::uint64_t m_features = 0;  ///< of the client
  std::stop_source m_left;       ///< nobody waits for its answers any more
  // Shared with the threads that answer.
  mutable std::mutex m_mutex;
  std::map<std::uint32_t, std::shared_ptr<ServedSet>> m_sets;
  std::uint32_t m_nextHandle = 1;
  std::deque<Out> m_out;
  std::uint64_t m_answerBytes = 0;  ///< of m_out and on their way, without pages
  int m_jobs = 0;
  bool m_flushing = false;
};

}  // namespace farfield::remote
