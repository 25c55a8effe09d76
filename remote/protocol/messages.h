#pragma once
// The messages of the paging protocol and their bytes; docs/dev/protocol.md has the tables. One parser for
// both sides: what is written here is read here. All parse functions throw Protocol if the bytes are not such
// a message.

#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "remote/protocol/bytes.h"

namespace farfield::remote {

/// Bits of Hello::features and Welcome::features. Both sides ignore unknown bits.
constexpr std::uint64_t kKnowsParts = 1;    ///< striped sets, and the message Parts
constexpr std::uint64_t kKnowsChoices = 2;  ///< Opened::choices, which are sent to nobody else
constexpr std::uint64_t kKnowsGrowth = 4;   ///< Opened::earlier, in the same way
/// Failed of a server behind the one that is asked; to nobody else it is sent as any other Io.
constexpr std::uint64_t kKnowsNoAnswer = 8;
constexpr std::uint64_t kFeatures = kKnowsParts | kKnowsChoices | kKnowsGrowth | kKnowsNoAnswer;

/// The first message of a connection.
struct Hello {
  std::uint16_t leastVersion = 1, mostVersion = 1;
  std::uint64_t features = kFeatures;
  std::string token;   ///< empty: none
  std::string client;  ///< the client's name, for logs
};

struct Welcome {
  std::uint16_t version = 1;
  std::uint64_t features = kFeatures;
  std::uint64_t serverId = 0;   ///< different after each start of the server
  std::uint32_t mostPages = 0;  ///< most pages requested and not yet answered
  std::string server;           ///< its name and version
};

struct ListRequest {
  std::string path;  ///< below the root, with '/'; empty: the root
};

enum class EntryKind : std::uint8_t { Folder = 0, File = 1, Store = 2 };

struct ListEntry {
  EntryKind kind = EntryKind::File;
  std::uint64_t bytes = 0;
  std::string name;
  std::string solution;  ///< a file beside it that is probably its solution; may be empty
};

/// Part of the answer to a List; the last part has `more` false.
struct Listing {
  bool more = false;
  std::vector<ListEntry> entries;
};

/// An option of OpenRequestMessage that no reader has: the number of a level of detail that the server makes of data in
/// place. Stores have the option "level".
constexpr const char* kMadeLevel = "@level";

struct OpenRequestMessage {
  std::vector<std::string> sources, solutions;
  std::string reader;
  std::vector<std::pair<std::string, std::string>> options;
  bool forConversion = false;
};

struct ArrayFacts {
  std::uint64_t mostStoredBytes = 0;
  /// Least and greatest value of each component over the whole array; empty: unknown.
  std::vector<std::array<double, 2>> ranges;
};

/// An option that the data can be opened with instead; core/fields/functions/reading_choices.h says what its parts mean.
struct OpenChoice {
  std::string option, title;
  std::vector<std::pair<std::string, std::string>> values;  ///< of the option, and for people
  std::uint32_t now = 0, byDefault = 0;
  std::optional<std::uint32_t> atFirst = {};
};
constexpr std::size_t kMostChoices = 64, kMostChoiceValues = 4096;

constexpr std::size_t kMostEarlier = 1024;

struct Opened {
  std::uint32_t handle = 0;
  std::uint64_t identity = 0;  ///< of the files in their present state: equal identity means equal bytes
  /// Of a store that has grown: its identities before, at most kMostEarlier. Their pages are among its own under the same numbers.
  std::vector<std::uint64_t> earlier;
  std::uint64_t fileBytes = 0;  ///< of all files together
  bool isStore = false;
  bool hasBoxes = false;   ///< boxes of values are read without decoding pages
  bool isStriped = false;  ///< some pages may not be on this server; Parts says which are
  std::vector<ArrayFacts> arrays;
  std::vector<std::string> explanation;
  std::string description;          ///< of the data set, as JSON (core/paging/store/catalog.h)
  std::vector<OpenChoice> choices;  ///< at most kMostChoices of at most kMostChoiceValues
};

/// What a page is needed for: a task waits for it, what is shown needs it next, a guess.
enum class Urgency : std::uint8_t { Demand = 0, Soon = 1, Prefetch = 2 };
constexpr int kUrgencyCount = 3;

struct PageName {
  std::uint32_t array = 0;
  std::uint64_t page = 0;
};

/// Page n of it is answered with the frame's sequence number + n, by a Page or a Failed.
struct ReadRequest {
  std::uint32_t handle = 0;
  Urgency urgency = Urgency::Demand;
  std::vector<PageName> pages;
};

/// Precedes the stored bytes of a page.
struct PageHead {
  std::uint8_t codec = 0;
  bool padded = false;
  std::uint64_t checksum = 0;
};
constexpr std::size_t kPageHeadBytes = 16;

/// For a Cancel, or for a Hurry, which changes their urgency.
struct Sequences {
  std::vector<std::uint64_t> numbers;
  Urgency urgency = Urgency::Demand;  ///< 0 in a Cancel
};

struct IndexRequest {
  std::uint32_t handle = 0, array = 0;
  std::uint64_t first = 0;
  std::uint32_t count = 0;
};
constexpr std::uint32_t kMostIndexRecords = 4096;

struct IndexRecord {
  std::uint64_t storedBytes = 0;
  bool hasRanges = false, hasNonFinite = false;
  std::vector<std::array<double, 2>> ranges;  ///< one per component
};

struct IndexRecords {
  std::uint32_t components = 0;
  std::vector<IndexRecord> records;
};

/// Element (step, k, j, i) of the answer is that of the array at start + n·stride; components fastest, then
/// i, j, k.
struct ValuesRequest {
  std::uint32_t handle = 0, array = 0;
  std::array<std::int64_t, 4> start{}, count{}, stride{1, 1, 1, 1};
};
constexpr std::uint64_t kMostValueBytes = 8 << 20;
constexpr std::size_t kValuesHeadBytes = 8;  ///< the checksum before the values

/// The answer to a Parts: which parts of a striped set are on this server. Part k has the pages whose number leaves the
/// rest k when divided by the number of parts. What is not striped has one part.
struct PartsReply {
  struct Part {
    bool isHere = false;
    std::string name;  ///< of its file
  };
  std::vector<Part> parts;  ///< at least one
};
constexpr std::uint32_t kMostPartsSaid = 1024;

struct PageRange {
  std::uint32_t array = 0;
  std::uint64_t first = 0, count = 0;
};

struct PreloadRequest {
  std::uint32_t handle = 0;
  std::vector<PageRange> ranges;
};

/// An error as it is sent.
struct Failed {
  std::uint16_t kind = 0;
  std::string place, message, action;
};

Bytes bytesOf(const Hello& message);
Bytes bytesOf(const Welcome& message);
Bytes bytesOf(const ListRequest& message);
Bytes bytesOf(const Listing& message);
Bytes bytesOf(const OpenRequestMessage& message);
Bytes bytesOf(const Opened& message);
Bytes bytesOf(const ReadRequest& message);
Bytes bytesOf(const Sequences& message);
Bytes bytesOf(const IndexRequest& message);
Bytes bytesOf(const IndexRecords& message);
Bytes bytesOf(const ValuesRequest& message);
Bytes bytesOf(const PreloadRequest& message);
Bytes bytesOf(const PartsReply& message);
Bytes bytesOf(const Failed& message);
std::array<std::byte, kPageHeadBytes> bytesOf(const PageHead& head);
/// Of a Close or a Parts.
Bytes bytesOfHandle(std::uint32_t handle);
/// Of a StatisticsReply (JSON) or a Goodbye (why).
Bytes bytesOfText(const std::string& text);

Hello parseHello(std::span<const std::byte> body);
Welcome parseWelcome(std::span<const std::byte> body);
ListRequest parseListRequest(std::span<const std::byte> body);
Listing parseListing(std::span<const std::byte> body);
OpenRequestMessage parseOpenRequest(std::span<const std::byte> body);
Opened parseOpened(std::span<const std::byte> body);
ReadRequest parseReadRequest(std::span<const std::byte> body);
/// Exactly kPageHeadBytes.
PageHead parsePageHead(std::span<const std::byte> head);
Sequences parseSequences(std::span<const std::byte> body);
IndexRequest parseIndexRequest(std::span<const std::byte> body);
IndexRecords parseIndexRecords(std::span<const std::byte> body);
ValuesRequest parseValuesRequest(std::span<const std::byte> body);
PreloadRequest parsePreloadRequest(std::span<const std::byte> body);
PartsReply parsePartsReply(std::span<const std::byte> body);
Failed parseFailed(std::span<const std::byte> body);
std::uint32_t parseHandle(std::span<const std::byte> body);
std::string parseText(std::span<const std::byte> body);

/// `error` as it is sent to who has these features; other exceptions become Io.
Failed failedFrom(const std::exception_ptr& error, std::uint64_t features = kFeatures);
/// The error that was sent, with its type. The server of a NoAnswer is the place that was sent.
std::exception_ptr errorFrom(const Failed& failed);

}  // namespace farfield::remote
