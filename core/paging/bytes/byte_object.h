#pragma once
// The byte layer: ranges of the bytes of named objects (files of this machine, what a URL names) for whoever
// reads pages, indices or boxes of nodes. Above it nobody knows a path's file, a descriptor or a connection.
//
// What a back end has to bring, which tests/contract/byte_store_contract.h holds each to:
//
//   ByteStore::open     finds an object by its name. What it is then, is its *generation*.
//   ByteObject          readSomeAt() waits for bytes. An answer that is known to come from another generation
//                       than the object's is an error (throwChanged()), never bytes. A back end
//                       that gets the generation with every answer (an ETag) compares every one; files are
//                       compared while they are read, every few milliseconds, and by checkUnchanged().
//   checkUnchanged      asks once more. Whoever has read calls it at the end, before results are given out.
//   makeEngine          optional: many ranges on their way at a time without a thread for each
//                       (read_engine.h). Without, threads call readSomeAt().
//
// All else is done once for all of them by RangeReader (range_reader.h): many ranges at once with completion
// callbacks, priorities, cancelling, limits on memory and depth, merging of neighbours, and reading alone
// what failed together.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace farfield::paging {

class ReadEngine;
struct EngineOptions;

/// What an object was when it was opened. Two of one object are equal where nothing that its store can see
/// has changed.
struct Generation {
  std::uint64_t bytes = 0;  ///< its size
  std::string tag;  ///< of files device, inode and time of the last change; elsewhere an ETag or the like
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

  /// Reads out.size() bytes at `offset`; returns how many there were: fewer at the end of the object, or, from
  /// `enough` on, where more would cost another operation. Waits. Throws Io, Corrupt (changed), which do not
  /// name the object.
  virtual std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out,
                                 std::size_t enough) const = 0;
  /// The same; errors name the object.
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out) const;
  /// Reads exactly out.size() bytes. Throws Corrupt at the end of the object, too. Errors name the object.
  void readAt(std::uint64_t offset, std::span<std::byte> out) const;
  /// A hint that these bytes are read next.
  virtual void expect(std::uint64_t /*offset*/, std::uint64_t /*bytes*/) const noexcept {}

  /// Compares what the object is now with generation(). Throws Corrupt, naming it, where it has changed; Io, NotFound.
  virtual void checkUnchanged() const = 0;
  /// What the server that has it calls itself; empty for what is on this machine.
  virtual std::string server() const { return {}; }
  /// How ranges of `objects`, which are all of this kind and this one among them, are read.
  virtual std::unique_ptr<ReadEngine> makeEngine(const ByteObjects& objects,
                                                 const EngineOptions& options) const;

 protected:
  /// Throws what an object that has changed is answered with, without its name.
  [[noreturn]] static void throwChanged();

 private:
  const std::string m_name;
  const Generation m_generation;
};

/// A back end. Thread-safe.
class ByteStore {
 public:
  virtual ~ByteStore() = default;
  /// `name` as the user wrote it, scheme included. Throws NotFound, Io, Invalid (a name that it cannot have).
  virtual std::shared_ptr<const ByteObject> open(const std::string& name) const = 0;
};

/// The back ends by scheme, as the composition root lists them. Filled before it is shared.
class ByteStores {
 public:
  /// Files of this machine: plain names and "file:///…".
  ByteStores();
  /// "https", "s3", …
  void add(const std::string& scheme, std::shared_ptr<const ByteStore> store) {
    m_stores[scheme] = std::move(store);
  }
  /// Whether open() knows the scheme.
  bool knows(const std::string& name) const { return m_stores.contains(schemeOf(name)); }
  /// Throws Unsupported where the scheme is unknown, and what the back end throws.
  std::shared_ptr<const ByteObject> open(const std::string& name) const;
  /// Empty for a plain name.
  static std::string schemeOf(const std::string& name);

 private:
  std::map<std::string, std::shared_ptr<const ByteStore>> m_stores;
};

}  // namespace farfield::paging
