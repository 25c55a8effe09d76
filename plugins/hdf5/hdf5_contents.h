#pragma once
// What an HDF5 file holds: its groups and datasets, how each is stored, and its attributes.

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/cf/cf_file.h"
#include "plugins/chunks/chunk_filters.h"
#include "plugins/hdf5/hdf5_file.h"

namespace farfield::hdf5 {

/// Of a dataset whose numbers are read, at most.
constexpr std::size_t kMostDims = 8;

enum class Storage {
  Row,      ///< in a row in the file
  Chunks,   ///< in chunks that are unpacked here
  Library,  ///< only the library can read it
  None      ///< nothing is stored: all values are the fill value
};

struct Dataset {
  std::string path;                       ///< "/group/name"
  std::vector<std::int64_t> dims;         ///< slowest first; empty: a single number
  std::vector<std::int64_t> chunks = {};  ///< of Chunks and Library: extent of a chunk
  arrays::NumberType type = arrays::NumberType::F32;
  bool bigEndian = false;
  bool isText = false;
  bool isLetters =
      false;  ///< text of single letters, as NetCDF-4 has it: its bytes can be read, whatever `why` says
  std::string why = {};  ///< not empty: its numbers cannot be read, and why
  Storage storage = Storage::None;
  std::uint64_t offset = 0;  ///< of Row: in the file
  chunks::FilterChain filters = {};
  bool wholeChunksOnly = false;  ///< chunks that reach beyond the end are not filtered
  std::vector<std::byte> fill = {};
  std::uint64_t storedBytes =
      0;  ///< at most: of Chunks it is the file's size, because counting them takes reading the whole index
  std::vector<cf::Attribute> attributes = {};
  std::vector<std::int64_t> scales =
      {};                     ///< per dimension: the dataset that is its scale, or -1; may be empty
  bool isScale = false;       ///< gives coordinates along a dimension, or only names one
  bool onlyNames = false;     ///< a scale of NetCDF without coordinates
  bool grows = false;         ///< its first dimension has no limit
  std::uint64_t address = 0;  ///< of its object header, as the file has it; 0: not known
  bool hasFixedDims = false;  ///< no dimension can grow

  const cf::Attribute* find(std::string_view attribute) const {
    return cf::findAttribute(attributes, attribute);
  }
  /// The last part of the path.
  std::string name() const { return path.substr(path.rfind('/') + 1); }
  /// "/group", "" at the root.
  std::string folder() const { return path.substr(0, path.rfind('/')); }
};

struct Group {
  std::string path;  ///< "" for the root
  std::vector<cf::Attribute> attributes;
};

/// A dataset that the library cannot open, and why: of it nothing is known but its path.
struct Unopened {
  std::string path, why;
};

struct Contents {
  std::vector<Group> groups;
  std::vector<Dataset> datasets;        ///< by path
  std::vector<Unopened> unopened = {};  ///< by path
  bool all = true;                      ///< false: there is more, left out

  const Group* group(const std::string& path) const;
  const Dataset* dataset(const std::string& path) const;
};

/// Links to other places of the file are not followed twice, links to other files not at all. What another process says of it is claimed
/// from `account`, and `claim` holds it from then on. Throws Corrupt, OverBudget, what Outside::look() throws.
Contents contentsOf(File& file, MemoryAccount& account, MemoryClaim& claim);
/// The same, found in this process whatever it ends. Throws Corrupt.
Contents contentsHere(File& file);

}  // namespace farfield::hdf5
