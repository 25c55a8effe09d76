#include "app/slab_data.h"

#include <sstream>

#include "core/base/error.h"
#include "core/session/kinds/slabs/slabs_run.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::app {
namespace {

class SlabData final : public fields::OpenData {
 public:
  /// The description of the renderer's data is claimed from `account`.
  SlabData(const std::string& url, const remote::VolumeFacts& facts, MemoryAccount& account)
      : m_claim(account.claim(Purpose::Index, 2 * std::uint64_t{facts.dataBytes} + facts.data.size(),
                              "what a renderer says of its data")) {
    m_description.format = "slabs";
    m_description.times = facts.times;
    m_description.attributes[session::kRendererAttribute] = url;
    std::string& functions = m_description.attributes[session::kRendererFunctions];
    for (const std::string& function : facts.functions)
      functions += (functions.empty() ? "" : "\n") + function;
    if (std::string data = remote::dataOf(facts); !data.empty())
      m_description.attributes[session::kRendererData] = std::move(data);
    if (!facts.name.empty()) m_description.attributes[session::kRendererFile] = facts.name;
    std::ostringstream ranges;
    ranges.precision(17);
    for (const remote::FunctionRange& its : facts.ranges)
      ranges << its.range[0] << ' ' << its.range[1] << ' ' << its.isWhole << ' ' << its.function << '\n';
    m_description.attributes[session::kRendererRanges] = ranges.str();
    paging::BlockDescription block;
    block.kind = paging::GridKind::Regular;
    block.dims = facts.nodes;
    block.bounds = facts.bounds;
    block.origin = facts.bounds.min;
    for (int a = 0; a < 3; ++a)
      block.spacing[a] = (facts.bounds.max[a] - facts.bounds.min[a]) /
                         static_cast<double>(facts.nodes[static_cast<std::size_t>(a)] - 1);
    m_description.blocks.push_back(block);
    m_explanation = {"rendered by " + url};
    for (const std::string& function : facts.functions) m_explanation.push_back("can show " + function);
  }

  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t largestStoredBytes() const override { return 0; }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount&,
                                                               const fields::SourceOptions&) const override {
    return {};
  }
  std::vector<std::string> explanation() const override { return m_explanation; }

 private:
  MemoryClaim m_claim;
  paging::DatasetDescription m_description;
  std::vector<std::string> m_explanation;
};

}  // namespace

bool SlabDataReader::recognizes(const std::string& source) const {
  return remote::isSlabUrl(source);
}

std::unique_ptr<fields::OpenData> SlabDataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string& url = request.sources.front();
  if (request.sources.size() > 1 || !request.solutions.empty())
    throw Invalid("a renderer has its data itself", "name it alone, and the data where it is started")
        .at(url);
  if (request.forConversion)
    throw Unsupported("a renderer gives pictures, not values", "name the data themselves").at(url);
  const remote::SlabViewer viewer(url, request.stop.stop_possible() ? request.stop : m_stop);
  return std::make_unique<SlabData>(url, viewer.facts(), account);
}

}  // namespace farfield::app
