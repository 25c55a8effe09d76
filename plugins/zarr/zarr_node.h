#pragma once
// What Zarr's metadata say (versions 2 and 3: zarr-specs.readthedocs.io), found below a folder or a URL. N5 is read as the
// version before it (github.com/saalfeldlab/n5).

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/cf/cf_file.h"
#include "plugins/chunks/chunk_filters.h"

namespace farfield::zarr {

/// Chunks within the chunks of an array ("shards").
struct Sharding {
  std::vector<std::int64_t> chunks;  ///< extent of one within a shard
  bool indexAtEnd = true;
  bool indexChecked = false;  ///< CRC-32C behind the index
};

struct ArrayNode {
  std::string path;                  ///< below the root, "" for the root itself
  std::vector<std::int64_t> shape;   ///< slowest first, as the metadata say
  std::vector<std::int64_t> chunks;  ///< stored in one object each
  std::vector<int> order;            ///< dimensions as they lie in a chunk, slowest first
  arrays::NumberType type = arrays::NumberType::F32;
  bool bigEndian = false;
  std::string why = {};  ///< not empty: it cannot be read, and why
  chunks::FilterChain filters = {};
  std::optional<Sharding> sharding = {};
  std::vector<std::byte> fill = {};
  std::optional<double> fillNumber = {};
  bool fillIsNone = false;  ///< it stands for no value, as Xarray writes version 2
  std::string prefix = {};  ///< of the keys of chunks: "" or "c/"
  char separator = '.';
  bool isN5 = false;
  std::vector<std::string> names = {};  ///< of the dimensions; may be empty
  std::vector<cf::Attribute> attributes = {};
};

/// A level of an image with several (OME-Zarr).
struct ImageLevel {
  std::string path;
  std::vector<double> scale, translation;  ///< per dimension; may be empty
};

struct Image {
  std::vector<std::string> axes;   ///< names of the dimensions
  std::vector<std::string> types;  ///< "space", "time", "channel", ""
  std::vector<std::string> units;
  std::vector<std::string> channels;  ///< names; may be empty
  std::vector<ImageLevel> levels;     ///< the finest first
};

struct Tree {
  std::vector<ArrayNode> arrays;  ///< by path
  std::vector<cf::Attribute> attributes;
  std::optional<Image> image;
  bool all = true;       ///< false: there is more, left out
  bool isThere = false;  ///< there are metadata of some kind
  std::shared_ptr<const Error> refused =
      {};  ///< of metadata that a server refuses, which it may not have: the first
  std::vector<std::string> withoutAttributes = {};  ///< paths of arrays whose attributes a server refuses
  std::optional<std::string> unlisted = {};         ///< why arrays could not be looked for where they may be
};

/// The text of an object below the root; nothing if there is none. Throws Unsupported if it is too long for metadata, Io.
std::optional<std::string> textAt(const paging::ByteStores& stores, const std::string& root,
                                  const std::string& key);

/// Whether metadata lie at the root, or a server refuses all of them at a name that says that they do. Of web servers only
/// roots are asked for whose URL says that they are of Zarr or N5, and those of which a file of metadata is named.
bool isZarr(const paging::ByteStores& stores, const std::string& root, bool isNamed = false);
/// The folder of a file of metadata, which stands for it where only files can be chosen; others are returned as they are.
std::string folderOf(const std::string& source);

/// Throws Corrupt, Unsupported.
Tree readTree(const paging::ByteStores& stores, const std::string& root);

/// One array's metadata: version 2 (.zarray and .zattrs, which may be empty), 3 (zarr.json) or N5 (attributes.json).
/// Throws Corrupt.
ArrayNode arrayOfVersion2(const std::string& path, const std::string& array, const std::string& attributes);
ArrayNode arrayOfVersion3(const std::string& path, const std::string& text);
ArrayNode arrayOfN5(const std::string& path, const std::string& text);

}  // namespace farfield::zarr
