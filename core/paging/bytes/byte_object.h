#pragma once
// The byte layer: reading ranges of bytes of named objects (local files, what a URL names). Code above it
// knows no file descriptor, path or connection.
//
// What a back end provides (tests/contract/byte_store_contract.h tests each):
//
//   ByteStore::open     finds an object by its name, and records its *generation*: what it was when it was opened.
//   ByteObject          readSomeAt() waits for bytes. Bytes of another generation are an error
//                       (throwChanged()), never returned. A back end that gets the generation with every
//                       answer (an ETag) compares each; files are compared every few milliseconds while
//                       they are read, and by checkUnchanged().
//   checkUnchanged      compares once more. Readers call it at the end, before results are given out.
//   makeEngine          optional: many ranges on their way at a time without a thread for each
//                       (read_engine.h). Without it, threads call readSomeAt().
//
// RangeReader (range_reader.h) does the rest for all of them: many ranges at once with completion callbacks,
// priorities, cancelling, limits on memory and depth, merging of neighbours, and repeating each part of a
// failed merged read by itself.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace farfield::paging {

class ReadEngine;
struct EngineOptions;

/// What an object was when it was opened. Equal for one object if nothing has changed that its store can see.
struct Generation {
  std::uint64_t bytes = 0;  ///< its size
  std::string tag;          ///< files: device, inode and time of the last change; else an ETag or the like
  bool operator==(const Generation&) const = default;
};

class ByteObject;
using ByteObjects = std::vector<std::shared_ptr<const ByteObject>>;

/// Thread-safe.
class ByteObject {
 public:
  /// `name` for messages: "file /data/x.farfield", "https://host/x".
  ByteObject(std::string name, Generation generation)
      : m_name(std::move(name)), m_generation(std::move(generation)) {}
  virtual ~ByteObject() = default;
  const std::string& name() const { return m_name; }
  const Generation& generation() const { return m_generation; }
  std::uint64_t size() const { return m_generation.bytes; }

  /// Reads out.size() bytes at `offset`; returns how many it got: fewer at the end of the object, or if at
  /// least `enough` are there and more would need another operation. Waits. Throws Io, Corrupt (changed),
  /// without the object's name.
  virtual std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out,
                                 std::size_t enough) const = 0;
  /// The same; errors name the object.
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out) const;
  /// Reads exactly out.size() bytes. Throws Corrupt at the end of the object. Errors name the object.
  void readAt(std::uint64_t offset, std::span<std::byte> out) const;
  /// A hint that these bytes are read next.
  virtual void expect(std::uint64_t /*offset*/, std::uint64_t /*bytes*/) const noexcept {}

  /// Throws Corrupt, naming the object, if it is not what generation() says; also Io, NotFound.
  virtual void checkUnchanged() const = 0;
  /// The name that the server gives itself; empty for local objects.
  virtual std::string server() const { return {}; }
  /// Makes an engine that reads `objects`, all of this kind, this one among them.
  virtual std::unique_ptr<ReadEngine> makeEngine(const ByteObjects& objects,
                                                 const EngineOptions& options) const;

 protected:
  /// Throws the error for an object that has changed, without its name.
  [[noreturn]] static void throwChanged();

 private:
  const std::string m_name;
  const Generation m_generation;
};

/// A back end. Thread-safe.
class ByteStore {
 public:
  virtual ~ByteStore() = default;
  /// `name` as the user wrote it, with its scheme. Throws NotFound, Io, Invalid (not a possible name).
  virtual std::shared_ptr<const ByteObject> open(const std::string& name) const = 0;
};

/// The back ends by scheme, listed by the composition root. Filled before it is shared.
class ByteStores {
 public:
  /// Local files: plain names and "file:///…".
  ByteStores();
  /// "https", "s3", …
  void add(const std::string& scheme, std::shared_ptr<const ByteStore> store) {
    m_stores[scheme] = std::move(store);
  }
  /// Whether open() knows the scheme.
  bool knows(const std::string& name) const { return m_stores.contains(schemeOf(name)); }
  /// Throws Unsupported for an unknown scheme, and what the back end throws.
  std::shared_ptr<const ByteObject> open(const std::string& name) const;
  /// Empty for a plain name.
  static std::string schemeOf(const std::string& name);

 private:
  std::map<std::string, std::shared_ptr<const ByteStore>> m_stores;
};

}  // namespace farfield::paging
