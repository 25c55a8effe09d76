#include "plugins/hdf5/look_job.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "core/base/bytes.h"
#include "core/base/units.h"

namespace farfield::hdf5 {
namespace {

/// Names of a head: all that are asked for are among so many, unless there are more.
constexpr std::size_t kMostNames = 1000, kMostNameBytes = 256 << 10;
constexpr std::uint64_t kMostHeadBytes = 1 << 20;
/// Of 20,000 datasets with all that real files say of each it is a tenth.
constexpr std::uint64_t kMostContentsBytes = 256 << 20;

class Writer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    number(std::uint64_t{text.size()});
    m_bytes.append(text);
  }
  template <class T>
  void numbers(const std::vector<T>& values) {
    number(std::uint64_t{values.size()});
    m_bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  template <class List, class Put>
  void list(const List& list, Put put) {
    number(std::uint64_t{list.size()});
    for (const auto& its : list) put(its);
  }
  std::string take() { return std::move(m_bytes); }

 private:
  std::string m_bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : m_left(bytes) {}

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, next(sizeof value), sizeof value);
    return value;
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  /// One of those up to `last`.
  template <class T>
  T choice(T last) {
    const auto value = number<std::underlying_type_t<T>>();
    if (value > static_cast<std::underlying_type_t<T>>(last)) throw wrongAnswer();
    return static_cast<T>(value);
  }
  std::string text() {
    const auto size = number<std::uint64_t>();
    return std::string(next(size), static_cast<std::size_t>(size));
  }
  template <class T>
  std::vector<T> numbers() {
    const auto count = number<std::uint64_t>();
    if (count > m_left.size() / sizeof(T)) throw wrongAnswer();
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(values.data(), next(count * sizeof(T)), values.size() * sizeof(T));
    return values;
  }
  /// Each takes a byte at least.
  template <class T, class Get>
  std::vector<T> list(Get get) {
    const auto count = number<std::uint64_t>();
    if (count > m_left.size()) throw wrongAnswer();
    std::vector<T> list;
    for (std::uint64_t n = 0; n < count; ++n) list.push_back(get());
    return list;
  }
  void end() const {
    if (!m_left.empty()) throw wrongAnswer();
  }

 private:
  const char* next(std::uint64_t bytes) {
    if (bytes > m_left.size()) throw wrongAnswer();
    const char* const at = m_left.data();
    m_left.remove_prefix(static_cast<std::size_t>(bytes));
    return at;
  }
  std::string_view m_left;
};

void put(Writer& writer, const std::vector<cf::Attribute>& attributes) {
  writer.list(attributes, [&](const cf::Attribute& its) {
    writer.text(its.name);
    writer.text(its.text);
    writer.numbers(its.numbers);
    writer.number(its.isDouble);
    writer.number(its.isReal);
  });
}

std::vector<cf::Attribute> attributesIn(Reader& reader) {
  return reader.list<cf::Attribute>([&] {
    cf::Attribute its;
    its.name = reader.text();
    its.text = reader.text();
    its.numbers = reader.numbers<double>();
    its.isDouble = reader.flag();
    its.isReal = reader.flag();
    return its;
  });
}

void put(Writer& writer, const Dataset& its) {
  writer.text(its.path);
  writer.numbers(its.dims);
  writer.numbers(its.chunks);
  writer.number(its.type);
  for (const bool flag : {its.bigEndian, its.isText, its.isLetters, its.wholeChunksOnly, its.isScale,
                          its.onlyNames, its.grows, its.hasFixedDims})
    writer.number(flag);
  writer.text(its.why);
  writer.number(its.storage);
  for (const std::uint64_t number : {its.offset, its.storedBytes, its.address}) writer.number(number);
  writer.list(its.filters.filters(), [&](const chunks::Filter& filter) {
    writer.number(filter.kind);
    writer.number(filter.elementBytes);
  });
  writer.numbers(its.fill);
  put(writer, its.attributes);
  writer.numbers(its.scales);
}

/// What who reads the dataset relies on.
void check(const Dataset& its) {
  if (its.dims.size() > kMostDims) throw wrongAnswer();
  for (const std::int64_t count : its.dims)
    if (count < 0) throw wrongAnswer();
  for (const std::int64_t count : its.chunks)
    if (count < 0 || (count == 0 && its.why.empty())) throw wrongAnswer();
  const bool isCut = its.storage == Storage::Chunks || its.storage == Storage::Library;
  if (isCut && its.chunks.size() != its.dims.size()) throw wrongAnswer();
  if (!its.scales.empty() && its.scales.size() != its.dims.size()) throw wrongAnswer();
  if (!its.fill.empty() && its.fill.size() != static_cast<std::size_t>(arrays::bytesOf(its.type)))
    throw wrongAnswer();
}

Dataset datasetIn(Reader& reader) {
  Dataset its;
  its.path = reader.text();
  its.dims = reader.numbers<std::int64_t>();
  its.chunks = reader.numbers<std::int64_t>();
  its.type = reader.choice(arrays::NumberType::F64);
  for (bool* const flag : {&its.bigEndian, &its.isText, &its.isLetters, &its.wholeChunksOnly, &its.isScale,
                           &its.onlyNames, &its.grows, &its.hasFixedDims})
    *flag = reader.flag();
  its.why = reader.text();
  its.storage = reader.choice(Storage::None);
  for (std::uint64_t* const number : {&its.offset, &its.storedBytes, &its.address})
    *number = reader.number<std::uint64_t>();
  its.filters = chunks::FilterChain(reader.list<chunks::Filter>([&] {
    chunks::Filter filter;
    filter.kind = reader.choice(chunks::FilterKind::Blosc);
    filter.elementBytes = reader.number<int>();
    if (filter.elementBytes < 1 || filter.elementBytes > 64) throw wrongAnswer();
    return filter;
  }));
  its.fill = reader.numbers<std::byte>();
  its.attributes = attributesIn(reader);
  its.scales = reader.numbers<std::int64_t>();
  check(its);
  return its;
}

template <class T>
std::vector<T> numbersIn(std::string_view bytes) {
  Reader reader(bytes);
  std::vector<T> numbers = reader.numbers<T>();
  reader.end();
  return numbers;
}

template <class T>
std::string numbersAs(const std::vector<T>& numbers) {
  Writer writer;
  writer.numbers(numbers);
  return writer.take();
}

}  // namespace

Protocol wrongAnswer() {
  return Protocol("the program that looks into HDF5 files answers what it must not", "install it again");
}

std::uint64_t mostAnswerBytes(const LookJob& job) {
  constexpr std::uint64_t each = 8;  // of a number, and of how many there are
  switch (job.kind) {
    case LookKind::Head:
      return kMostHeadBytes;
    case LookKind::Has:
      return 1;
    case LookKind::Contents:
      break;
    case LookKind::Records:
      return std::min(kMostContentsBytes,
                      each + each * job.members.size() * std::min(job.most, kMostContentsBytes));
    case LookKind::Record:
      return each + each * job.members.size();
    case LookKind::Places:
      return each + 3 * each * std::min(job.most, kMostContentsBytes);
    case LookKind::Values: {
      std::int64_t bytes = job.elementBytes;
      for (const std::int64_t count : job.chunks) bytes = checkedProduct({bytes, count});
      return static_cast<std::uint64_t>(bytes);
    }
  }
  return kMostContentsBytes;
}

Head headOf(const File& file) {
  Head head{file.sizes(), file.someNames(kMostNames + 1)};
  std::size_t fit = 0;
  for (std::size_t bytes = 0; fit < std::min(head.names.size(), kMostNames); ++fit)
    if ((bytes += head.names[fit].size()) > kMostNameBytes) break;
  head.all = fit == head.names.size();
  head.names.resize(fit);
  return head;
}

LookFailure LookFailure::current() {
  const auto of = [](Kind kind, const Error& error) {
    return LookFailure{kind, error.place(), error.message(), error.action()};
  };
  try {
    throw;
  } catch (const Corrupt& error) {
    return of(Kind::Corrupt, error);
  } catch (const Unsupported& error) {
    return of(Kind::Unsupported, error);
  } catch (const Invalid& error) {
    return of(Kind::Invalid, error);
  } catch (const NotFound& error) {
    return of(Kind::NotFound, error);
  } catch (const Io& error) {
    return of(Kind::Io, error);
  } catch (const OverBudget& error) {
    return of(Kind::OverBudget, error);
  } catch (const Error& error) {
    return of(Kind::Other, error);
  } catch (const std::bad_alloc&) {
    return {Kind::NoMemory, {}, {}, {}};
  } catch (const std::exception& error) {
    return {Kind::Other, {}, error.what(), {}};
  }
}

void LookFailure::raise() const {
  const auto raised = [&](auto error) {
    if (!place.empty()) error.at(place);
    throw error;
  };
  switch (kind) {
    case Kind::Corrupt:
      raised(Corrupt(message, action));
      break;
    case Kind::Unsupported:
      raised(Unsupported(message, action));
      break;
    case Kind::Invalid:
      raised(Invalid(message, action));
      break;
    case Kind::NotFound:
      raised(NotFound(message, action));
      break;
    case Kind::Io:
      raised(Io(message, action));
      break;
    case Kind::OverBudget:
      raised(OverBudget(message, action));
      break;
    case Kind::NoMemory:
      raised(Corrupt(
          "is a damaged HDF5 file: it needs more than " + formatBytes(kMostLookMemory) + " to be looked into",
          "check that the copy is complete, or write it again"));
      break;
    case Kind::Other:
      break;
  }
  Error other(message, action);
  if (!place.empty()) other.at(place);
  throw other;
}

std::string encoded(const LookJob& job) {
  Writer writer;
  writer.number(job.kind);
  writer.text(job.name);
  writer.number(job.generation.bytes);
  writer.text(job.generation.tag);
  writer.number(job.seconds);
  writer.text(job.object);
  writer.text(job.attribute);
  writer.list(job.members, [&](const std::string& name) { writer.text(name); });
  writer.numbers(job.dims);
  writer.numbers(job.chunks);
  writer.number(job.elementBytes);
  writer.number(job.first);
  writer.number(job.most);
  return writer.take();
}

LookJob decodedJob(std::string_view bytes) {
  Reader reader(bytes);
  LookJob job;
  job.kind = reader.choice(LookKind::Values);
  job.name = reader.text();
  job.generation.bytes = reader.number<std::uint64_t>();
  job.generation.tag = reader.text();
  job.seconds = reader.number<unsigned>();
  job.object = reader.text();
  job.attribute = reader.text();
  job.members = reader.list<std::string>([&] { return reader.text(); });
  job.dims = reader.numbers<std::int64_t>();
  job.chunks = reader.numbers<std::int64_t>();
  job.elementBytes = reader.number<int>();
  job.first = reader.number<std::int64_t>();
  job.most = reader.number<std::uint64_t>();
  reader.end();
  return job;
}

std::string encoded(const Head& head) {
  Writer writer;
  writer.number(head.sizes.base);
  writer.number(head.sizes.address);
  writer.number(head.sizes.length);
  writer.number(head.sizes.treeEntries);
  writer.list(head.names, [&](const std::string& name) { writer.text(name); });
  writer.number(head.all);
  return writer.take();
}

Head decodedHead(std::string_view bytes) {
  Reader reader(bytes);
  Head head;
  head.sizes.base = reader.number<std::uint64_t>();
  head.sizes.address = reader.number<int>();
  head.sizes.length = reader.number<int>();
  head.sizes.treeEntries = reader.number<unsigned>();
  head.names = reader.list<std::string>([&] { return reader.text(); });
  head.all = reader.flag();
  reader.end();
  return head;
}

std::string encoded(bool flag) {
  Writer writer;
  writer.number(flag);
  return writer.take();
}

bool decodedFlag(std::string_view bytes) {
  Reader reader(bytes);
  const bool flag = reader.flag();
  reader.end();
  return flag;
}

std::string encoded(const Contents& contents) {
  Writer writer;
  writer.list(contents.groups, [&](const Group& its) {
    writer.text(its.path);
    put(writer, its.attributes);
  });
  writer.list(contents.datasets, [&](const Dataset& its) { put(writer, its); });
  writer.list(contents.unopened, [&](const Unopened& its) {
    writer.text(its.path);
    writer.text(its.why);
  });
  writer.number(contents.all);
  return writer.take();
}

Contents decodedContents(std::string_view bytes) {
  Reader reader(bytes);
  Contents contents;
  contents.groups = reader.list<Group>([&] {
    std::string path = reader.text();
    return Group{std::move(path), attributesIn(reader)};
  });
  contents.datasets = reader.list<Dataset>([&] { return datasetIn(reader); });
  for (const Dataset& its : contents.datasets)
    for (const std::int64_t scale : its.scales)
      if (scale < -1 || scale >= static_cast<std::int64_t>(contents.datasets.size())) throw wrongAnswer();
  contents.unopened = reader.list<Unopened>([&] {
    std::string path = reader.text();
    return Unopened{std::move(path), reader.text()};
  });
  contents.all = reader.flag();
  reader.end();
  return contents;
}

std::string encoded(const LookFailure& failure) {
  Writer writer;
  writer.number(failure.kind);
  for (const std::string* const text : {&failure.place, &failure.message, &failure.action})
    writer.text(*text);
  return writer.take();
}

LookFailure decodedFailure(std::string_view bytes) {
  Reader reader(bytes);
  LookFailure failure;
  failure.kind = reader.choice(LookFailure::Kind::Other);
  for (std::string* const text : {&failure.place, &failure.message, &failure.action}) *text = reader.text();
  reader.end();
  return failure;
}

std::string encoded(const std::vector<std::int64_t>& numbers) {
  return numbersAs(numbers);
}
std::string encoded(const std::vector<double>& numbers) {
  return numbersAs(numbers);
}
std::vector<std::int64_t> decodedIntegers(std::string_view bytes) {
  return numbersIn<std::int64_t>(bytes);
}
std::vector<double> decodedReals(std::string_view bytes) {
  return numbersIn<double>(bytes);
}

}  // namespace farfield::hdf5
