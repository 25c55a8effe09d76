#pragma once
// A CGNS file as a tree of nodes with a name, a label and data, on HDF5: the mapping of "CGNS HDF5 Reference" (SIDS-to-HDF5), in
// which a node is a group, its label an attribute and its data a dataset; or on ADF, listed in the same way (adf_file.h). Words of the standard (zone, base, family, …) mean here
// what they mean there: CGNS Standard Interface Data Structures (SIDS).

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/arrays/placed_array.h"
#include "plugins/cgns/adf_file.h"
#include "plugins/hdf5/hdf5_reader.h"

namespace farfield::cgns {

struct Node {
  std::string name, label;
  const hdf5::Dataset* data = nullptr;  ///< null: it has none
  bool isLink = false;                  ///< to another file; it is not followed
  std::vector<const Node*> children;    ///< by name

  /// The child of that name, or the first with that label; null if there is none.
  const Node* child(const std::string& name) const;
  const Node* labelled(const char* label) const;
  std::vector<const Node*> all(const char* label) const;
  bool hasNumbers() const { return data && data->why.empty() && !data->dims.empty(); }
};

/// Whether an HDF5 file is one of CGNS. Takes the file's mutex.
bool isCgns(const hdf5::File& file);

/// Holds the file open. Not copyable; nodes point into it.
class Tree {
 public:
  /// Throws Unsupported if it has more objects than are looked at. Sorts children by the order in which programs number them.
  Tree(hdf5::OpenedHdf5 opened, std::shared_ptr<chunks::ChunkCaches> caches, MemoryAccount& account);
  Tree(AdfFile file, MemoryAccount& account);
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const Node& root() const { return *m_root; }
  MemoryAccount& account() const { return m_account; }
  /// The bytes of a node's numbers.
  std::shared_ptr<const arrays::ByteSource> bytes(const Node& node) const;
  /// A few numbers, or letters: at most 65,536. Throws Corrupt (more, or none).
  std::vector<double> numbers(const Node& node) const;
  std::vector<std::int64_t> integers(const Node& node) const;
  /// Its letters; empty if it has none.
  std::string text(const Node* node) const;
  /// Of a table of letters its rows, without the blanks behind them.
  std::vector<std::string> texts(const Node& node) const;

 private:
  using BytesOf = std::function<std::shared_ptr<const arrays::ByteSource>(const hdf5::Dataset&)>;
  Tree(hdf5::Contents contents, BytesOf bytesOf, std::uint64_t openBytes, MemoryAccount& account);

  hdf5::Contents m_contents;
  BytesOf m_bytesOf;
  MemoryAccount& m_account;
  MemoryClaim m_claim;
  std::map<std::string, Node> m_nodes;  ///< by path
  const Node* m_root = nullptr;
  mutable std::map<const Node*, std::shared_ptr<const arrays::ByteSource>> m_bytes;
};

}  // namespace farfield::cgns
