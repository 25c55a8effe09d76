#include "remote/protocol/messages.h"

#include <cmath>

#include "core/base/no_answer.h"
#include "remote/protocol/frame.h"

namespace farfield::remote {
namespace {

constexpr std::array<char, 8> kMagic = {'F', 'a', 'r', 'P', 'a', 'g', 'e', 's'};
constexpr std::size_t kMostPath = 4096, kMostWord = 1024, kMostLine = 16 << 10;
constexpr std::size_t kMostNames = 1 << 16;
constexpr std::uint8_t kPadded = 1;
constexpr std::uint8_t kIsStore = 1, kHasBoxes = 2, kIsStriped = 4, kHasGrown = 8;
constexpr std::uint32_t kHasRanges = 1, kHasNonFinite = 2;
constexpr std::uint32_t kMostComponents = 4096;
constexpr std::uint32_t kNoValue = 0xffffffff;  ///< of a choice

Bytes writtenBy(const auto& write) {
  Bytes bytes;
  ByteWriter out(bytes);
  write(out);
  return bytes;
}

void writeTexts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.number(static_cast<std::uint32_t>(texts.size()));
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> readTexts(ByteReader& in, std::size_t mostBytes) {
  const std::uint32_t count = in.count(sizeof(std::uint32_t));
  if (count > kMostNames) throw Protocol("a message has too many names");
  std::vector<std::string> texts;
  for (std::uint32_t n = 0; n < count; ++n) texts.push_back(in.text(mostBytes));
  return texts;
}

void writeRanges(ByteWriter& out, const std::vector<std::array<double, 2>>& ranges) {
  for (const auto& range : ranges) {
    out.number(range[0]);
    out.number(range[1]);
  }
}

std::vector<std::array<double, 2>> readRanges(ByteReader& in, std::uint32_t count) {
  std::vector<std::array<double, 2>> ranges(count);
  for (auto& range : ranges)
    for (double& end : range) end = in.number<double>();
  return ranges;
}

/// A number that is 0 or 1.
bool readFlag(ByteReader& in) {
  const auto value = in.number<std::uint8_t>();
  if (value > 1) throw Protocol("a flag is neither 0 nor 1");
  return value == 1;
}

Urgency readUrgency(ByteReader& in) {
  const auto value = in.number<std::uint8_t>();
  if (value >= kUrgencyCount) throw Protocol("a request has an unknown urgency");
  return static_cast<Urgency>(value);
}

enum : std::uint16_t {
  kNotFound = 1,
  kCorrupt = 2,
  kIo = 3,
  kProtocol = 4,
  kInvalid = 5,
  kUnsupported = 6,
  kOverBudget = 7,
  kCancelled = 8,
  kNoAnswer = 9
};

template <class Kind>
std::exception_ptr made(const Failed& failed) {
  Kind error(failed.message, failed.action);
  if (!failed.place.empty()) error.at(failed.place);
  return std::make_exception_ptr(error);
}

/// Text from another machine is shown on a terminal: one line, of limited length.
std::string oneLine(std::string text, std::size_t most) {
  if (text.size() > most) text.resize(most);
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = ' ';
  return text;
}

void writeChoices(ByteWriter& out, const std::vector<OpenChoice>& choices) {
  out.number(static_cast<std::uint32_t>(choices.size()));
  for (const OpenChoice& choice : choices) {
    out.text(choice.option);
    out.text(choice.title);
    out.number(static_cast<std::uint32_t>(choice.values.size()));
    for (const auto& [value, text] : choice.values) {
      out.text(value);
      out.text(text);
    }
    for (const std::uint32_t which : {choice.now, choice.byDefault, choice.atFirst.value_or(kNoValue)})
      out.number(which);
  }
}

std::uint32_t readCount(ByteReader& in, std::size_t recordBytes, std::size_t most) {
  const std::uint32_t count = in.count(recordBytes);
  if (count == 0 || count > most) throw Protocol("a message lists nothing, or too much");
  return count;
}

std::vector<OpenChoice> readChoices(ByteReader& in) {
  std::vector<OpenChoice> choices(readCount(in, 24, kMostChoices));
  for (OpenChoice& choice : choices) {
    choice.option = in.text(kMostLine);
    choice.title = oneLine(in.text(kMostLine), kMostLine);
    choice.values.resize(readCount(in, 8, kMostChoiceValues));
    for (auto& [value, text] : choice.values) {
      value = in.text(kMostLine);
      text = oneLine(in.text(kMostLine), kMostLine);
    }
    const auto checked = [&](std::uint32_t which) {
      if (which >= choice.values.size()) throw Protocol("a choice names a value that it does not have");
      return which;
    };
    choice.now = checked(in.number<std::uint32_t>());
    choice.byDefault = checked(in.number<std::uint32_t>());
    const auto atFirst = in.number<std::uint32_t>();
    if (atFirst != kNoValue) choice.atFirst = checked(atFirst);
  }
  return choices;
}

}  // namespace

Bytes bytesOf(const Hello& message) {
  return writtenBy([&](ByteWriter& out) {
    out.raw(std::as_bytes(std::span(kMagic)));
    out.number(message.leastVersion);
    out.number(message.mostVersion);
    out.number(std::uint32_t{0});
    out.number(message.features);
    out.text(message.token);
    out.text(message.client);
  });
}

Hello parseHello(std::span<const std::byte> body) {
  ByteReader in(body);
  const auto magic = in.raw(kMagic.size());
  if (!std::equal(magic.begin(), magic.end(), std::as_bytes(std::span(kMagic)).begin()))
    throw Protocol("a client does not speak the paging protocol");
  Hello message;
  message.leastVersion = in.number<std::uint16_t>();
  message.mostVersion = in.number<std::uint16_t>();
  in.number<std::uint32_t>();
  message.features = in.number<std::uint64_t>();
  message.token = in.text(kMostWord);
  message.client = oneLine(in.text(kMostWord), kMostWord);
  // later versions may have more
  if (message.mostVersion <= 1) in.end();
  return message;
}

Bytes bytesOf(const Welcome& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.version);
    out.number(std::uint16_t{0});
    out.number(message.mostPages);
    out.number(message.features);
    out.number(message.serverId);
    out.text(message.server);
  });
}

Welcome parseWelcome(std::span<const std::byte> body) {
  ByteReader in(body);
  Welcome message;
  message.version = in.number<std::uint16_t>();
  in.number<std::uint16_t>();
  message.mostPages = in.number<std::uint32_t>();
  message.features = in.number<std::uint64_t>();
  message.serverId = in.number<std::uint64_t>();
  message.server = oneLine(in.text(kMostWord), kMostWord);
  in.end();
  if (message.mostPages == 0) throw Protocol("the server takes no requests");
  return message;
}

Bytes bytesOf(const ListRequest& message) {
  return writtenBy([&](ByteWriter& out) { out.text(message.path); });
}

ListRequest parseListRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  ListRequest message{in.text(kMostPath)};
  in.end();
  return message;
}

Bytes bytesOf(const Listing& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(static_cast<std::uint8_t>(message.more));
    out.number(static_cast<std::uint32_t>(message.entries.size()));
    for (const ListEntry& entry : message.entries) {
      out.number(static_cast<std::uint8_t>(entry.kind));
      out.number(entry.bytes);
      out.text(entry.name);
      out.text(entry.solution);
    }
  });
}

Listing parseListing(std::span<const std::byte> body) {
  ByteReader in(body);
  Listing message;
  message.more = readFlag(in);
  const std::uint32_t count = in.count(17);
  for (std::uint32_t n = 0; n < count; ++n) {
    ListEntry entry;
    const auto kind = in.number<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(EntryKind::Store)) throw Protocol("a list has an unknown entry");
    entry.kind = static_cast<EntryKind>(kind);
    entry.bytes = in.number<std::uint64_t>();
    entry.name = in.text(kMostPath);
    entry.solution = in.text(kMostPath);
    message.entries.push_back(std::move(entry));
  }
  in.end();
  return message;
}

Bytes bytesOf(const OpenRequestMessage& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(static_cast<std::uint8_t>(message.forConversion));
    writeTexts(out, message.sources);
    writeTexts(out, message.solutions);
    out.text(message.reader);
    out.number(static_cast<std::uint32_t>(message.options.size()));
    for (const auto& [key, value] : message.options) {
      out.text(key);
      out.text(value);
    }
  });
}

OpenRequestMessage parseOpenRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  OpenRequestMessage message;
  message.forConversion = readFlag(in);
  message.sources = readTexts(in, kMostPath);
  message.solutions = readTexts(in, kMostPath);
  message.reader = in.text(kMostWord);
  const std::uint32_t count = in.count(8);
  for (std::uint32_t n = 0; n < count; ++n) {
    std::string key = in.text(kMostWord);
    message.options.emplace_back(std::move(key), in.text(kMostLine));
  }
  in.end();
  return message;
}

Bytes bytesOf(const Opened& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.handle);
    out.number(static_cast<std::uint8_t>(
        (message.isStore ? kIsStore : 0) | (message.hasBoxes ? kHasBoxes : 0) |
        (message.isStriped ? kIsStriped : 0) | (message.earlier.empty() ? 0 : kHasGrown)));
    out.number(message.identity);
    out.number(message.fileBytes);
    out.number(static_cast<std::uint32_t>(message.arrays.size()));
    for (const ArrayFacts& array : message.arrays) {
      out.number(array.mostStoredBytes);
      out.number(static_cast<std::uint32_t>(array.ranges.size()));
      writeRanges(out, array.ranges);
    }
    writeTexts(out, message.explanation);
    out.text(message.description);
    if (!message.earlier.empty()) {
      out.number(static_cast<std::uint32_t>(message.earlier.size()));
      for (const std::uint64_t identity : message.earlier) out.number(identity);
    }
    if (!message.choices.empty()) writeChoices(out, message.choices);
  });
}

Opened parseOpened(std::span<const std::byte> body) {
  ByteReader in(body);
  Opened message;
  message.handle = in.number<std::uint32_t>();
  const auto flags = in.number<std::uint8_t>();
  message.isStore = flags & kIsStore;
  message.hasBoxes = flags & kHasBoxes;
  message.isStriped = flags & kIsStriped;
  message.identity = in.number<std::uint64_t>();
  message.fileBytes = in.number<std::uint64_t>();
  const std::uint32_t arrays = in.count(12);
  for (std::uint32_t n = 0; n < arrays; ++n) {
    ArrayFacts facts;
    facts.mostStoredBytes = in.number<std::uint64_t>();
    facts.ranges = readRanges(in, in.count(16));
    message.arrays.push_back(std::move(facts));
  }
  for (std::string& line : readTexts(in, kMostLine)) message.explanation.push_back(oneLine(line, kMostLine));
  message.description = in.text(kMostDescriptionBytes);
  if (flags & kHasGrown) {
    message.earlier.resize(readCount(in, 8, kMostEarlier));
    for (std::uint64_t& identity : message.earlier) identity = in.number<std::uint64_t>();
  }
  if (in.left() > 0) message.choices = readChoices(in);
  in.end();
  return message;
}

Bytes bytesOf(const ReadRequest& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.handle);
    out.number(static_cast<std::uint8_t>(message.urgency));
    out.number(static_cast<std::uint32_t>(message.pages.size()));
    for (const PageName& page : message.pages) {
      out.number(page.array);
      out.number(page.page);
    }
  });
}

ReadRequest parseReadRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  ReadRequest message;
  message.handle = in.number<std::uint32_t>();
  message.urgency = readUrgency(in);
  const std::uint32_t count = in.count(12);
  message.pages.resize(count);
  for (PageName& page : message.pages) {
    page.array = in.number<std::uint32_t>();
    page.page = in.number<std::uint64_t>();
  }
  in.end();
  return message;
}

std::array<std::byte, kPageHeadBytes> bytesOf(const PageHead& head) {
  std::array<std::byte, kPageHeadBytes> bytes{};
  bytes[0] = static_cast<std::byte>(head.codec);
  bytes[1] = static_cast<std::byte>(head.padded ? kPadded : 0);
  store(bytes.data() + 8, head.checksum);
  return bytes;
}

PageHead parsePageHead(std::span<const std::byte> bytes) {
  if (bytes.size() < kPageHeadBytes) throw Protocol("a page is too short");
  PageHead head;
  head.codec = static_cast<std::uint8_t>(bytes[0]);
  const auto flags = static_cast<std::uint8_t>(bytes[1]);
  if (head.codec > 3 || flags > kPadded) throw Protocol("a page is stored in a way that is not known");
  head.padded = flags & kPadded;
  head.checksum = load<std::uint64_t>(bytes.data() + 8);
  return head;
}

Bytes bytesOf(const Sequences& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(static_cast<std::uint8_t>(message.urgency));
    out.number(static_cast<std::uint32_t>(message.numbers.size()));
    for (const std::uint64_t number : message.numbers) out.number(number);
  });
}

Sequences parseSequences(std::span<const std::byte> body) {
  ByteReader in(body);
  Sequences message;
  message.urgency = readUrgency(in);
  message.numbers.resize(in.count(8));
  for (std::uint64_t& number : message.numbers) number = in.number<std::uint64_t>();
  in.end();
  return message;
}

Bytes bytesOf(const IndexRequest& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.handle);
    out.number(message.array);
    out.number(message.first);
    out.number(message.count);
  });
}

IndexRequest parseIndexRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  IndexRequest message;
  message.handle = in.number<std::uint32_t>();
  message.array = in.number<std::uint32_t>();
  message.first = in.number<std::uint64_t>();
  message.count = in.number<std::uint32_t>();
  in.end();
  if (message.count > kMostIndexRecords) throw Protocol("more index records are asked for than a reply has");
  return message;
}

Bytes bytesOf(const IndexRecords& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.components);
    out.number(static_cast<std::uint32_t>(message.records.size()));
    for (const IndexRecord& record : message.records) {
      out.number(record.storedBytes);
      out.number((record.hasRanges ? kHasRanges : 0) | (record.hasNonFinite ? kHasNonFinite : 0));
      if (record.hasRanges) writeRanges(out, record.ranges);
    }
  });
}

IndexRecords parseIndexRecords(std::span<const std::byte> body) {
  ByteReader in(body);
  IndexRecords message;
  message.components = in.number<std::uint32_t>();
  const std::uint32_t count = in.count(12);
  if (count > kMostIndexRecords || message.components > kMostComponents)
    throw Protocol("a reply has more index records than there can be");
  for (std::uint32_t n = 0; n < count; ++n) {
    IndexRecord record;
    record.storedBytes = in.number<std::uint64_t>();
    const auto flags = in.number<std::uint32_t>();
    record.hasRanges = flags & kHasRanges;
    record.hasNonFinite = flags & kHasNonFinite;
    if (record.hasRanges) {
      const std::span<const std::byte> bytes = in.raw(std::size_t{16} * message.components);
      ByteReader ranges(bytes);
      record.ranges = readRanges(ranges, message.components);
    }
    message.records.push_back(std::move(record));
  }
  in.end();
  return message;
}

Bytes bytesOf(const ValuesRequest& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.handle);
    out.number(message.array);
    for (const auto* numbers : {&message.start, &message.count, &message.stride})
      for (const std::int64_t number : *numbers) out.number(number);
  });
}

ValuesRequest parseValuesRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  ValuesRequest message;
  message.handle = in.number<std::uint32_t>();
  message.array = in.number<std::uint32_t>();
  for (auto* numbers : {&message.start, &message.count, &message.stride})
    for (std::int64_t& number : *numbers) number = in.number<std::int64_t>();
  in.end();
  return message;
}

Bytes bytesOf(const PreloadRequest& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.handle);
    out.number(static_cast<std::uint32_t>(message.ranges.size()));
    for (const PageRange& range : message.ranges) {
      out.number(range.array);
      out.number(range.first);
      out.number(range.count);
    }
  });
}

PreloadRequest parsePreloadRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  PreloadRequest message;
  message.handle = in.number<std::uint32_t>();
  message.ranges.resize(in.count(20));
  for (PageRange& range : message.ranges) {
    range.array = in.number<std::uint32_t>();
    range.first = in.number<std::uint64_t>();
    range.count = in.number<std::uint64_t>();
  }
  in.end();
  return message;
}

Bytes bytesOf(const Failed& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(message.kind);
    out.text(oneLine(message.place, kMostLine));
    out.text(oneLine(message.message, kMostLine));
    out.text(oneLine(message.action, kMostLine));
  });
}

Failed parseFailed(std::span<const std::byte> body) {
  ByteReader in(body);
  Failed message;
  message.kind = in.number<std::uint16_t>();
  for (std::string* text : {&message.place, &message.message, &message.action})
    *text = oneLine(in.text(kMostLine), kMostLine);
  in.end();
  return message;
}

Bytes bytesOf(const PartsReply& message) {
  return writtenBy([&](ByteWriter& out) {
    out.number(static_cast<std::uint32_t>(message.parts.size()));
    for (const PartsReply::Part& part : message.parts) {
      out.number(static_cast<std::uint8_t>(part.isHere));
      out.text(part.name);
    }
  });
}

PartsReply parsePartsReply(std::span<const std::byte> body) {
  ByteReader in(body);
  PartsReply message;
  const std::uint32_t count = in.count(5);
  if (count == 0 || count > kMostPartsSaid)
    throw Protocol("a set has another number of parts than one can have");
  for (std::uint32_t n = 0; n < count; ++n) {
    PartsReply::Part part;
    part.isHere = readFlag(in);
    part.name = oneLine(in.text(kMostLine), kMostLine);
    message.parts.push_back(std::move(part));
  }
  in.end();
  return message;
}

Bytes bytesOfHandle(std::uint32_t handle) {
  return writtenBy([&](ByteWriter& out) { out.number(handle); });
}

std::uint32_t parseHandle(std::span<const std::byte> body) {
  ByteReader in(body);
  const auto handle = in.number<std::uint32_t>();
  in.end();
  return handle;
}

Bytes bytesOfText(const std::string& text) {
  return writtenBy([&](ByteWriter& out) { out.text(text); });
}

std::string parseText(std::span<const std::byte> body) {
  ByteReader in(body);
  std::string text = in.text(1 << 20);
  in.end();
  return text;
}

Failed failedFrom(const std::exception_ptr& error, std::uint64_t features) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    Failed failed{kIo, known.place(), known.message(), known.action()};
    if (dynamic_cast<const NotFound*>(&known)) failed.kind = kNotFound;
    if (dynamic_cast<const Corrupt*>(&known)) failed.kind = kCorrupt;
    if (dynamic_cast<const Protocol*>(&known)) failed.kind = kProtocol;
    if (dynamic_cast<const Invalid*>(&known)) failed.kind = kInvalid;
    if (dynamic_cast<const Unsupported*>(&known)) failed.kind = kUnsupported;
    if (dynamic_cast<const OverBudget*>(&known)) failed.kind = kOverBudget;
    if (dynamic_cast<const Cancelled*>(&known)) failed.kind = kCancelled;
    if (dynamic_cast<const NoAnswer*>(&known) && (features & kKnowsNoAnswer)) failed.kind = kNoAnswer;
    return failed;
  } catch (const std::exception& other) {
    return {kIo, "", other.what(), ""};
  }
}

std::exception_ptr errorFrom(const Failed& failed) {
  switch (failed.kind) {
    case kNotFound:
      return made<NotFound>(failed);
    case kCorrupt:
      return made<Corrupt>(failed);
    case kProtocol:
      return made<Protocol>(failed);
    case kInvalid:
      return made<Invalid>(failed);
    case kUnsupported:
      return made<Unsupported>(failed);
    case kCancelled:
      return std::make_exception_ptr(Cancelled());
    case kNoAnswer:
      return std::make_exception_ptr(NoAnswer(failed.place, failed.message, failed.action));
    // the budget of another machine does not depend on this one's options
    default:
      return made<Io>(failed);
  }
}

}  // namespace farfield::remote
