#include "remote/client/remote_boxes.h"

#include <algorithm>
#include <deque>

#include "core/base/error.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/page_nodes.h"

namespace farfield::remote {
namespace {

constexpr std::int64_t kPartBytes = 1 << 20;
constexpr std::size_t kPartsAtATime = 8;

struct Part {
  IndexBox box;
  std::shared_ptr<Link::Call> call;
};

/// Planes, and rows of them where a plane is large; a row that is larger is cut, too.
Index3 partSize(const Index3& size, std::int64_t nodeBytes) {
  Index3 part;
  part[0] = std::clamp<std::int64_t>(kPartBytes / nodeBytes, 1, size[0]);
  part[1] = std::clamp<std::int64_t>(kPartBytes / (part[0] * nodeBytes), 1, size[1]);
  part[2] = std::clamp<std::int64_t>(kPartBytes / (part[0] * part[1] * nodeBytes), 1, size[2]);
  return part;
}

}  // namespace

void RemoteBoxes::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                       std::span<std::byte> out) const {
  Link& link = *m_set->links.front();
  const std::int64_t nodeBytes = description().arrays[array].nodeBytes();
  const Index3 part = partSize(box.size, nodeBytes);
  std::deque<Part> onTheirWay;
  const auto finishOne = [&] {
    const Part done = std::move(onTheirWay.front());
    onTheirWay.pop_front();
    const std::vector<Bytes> answer = link.finish(done.call, m_stop);
    const std::span<const std::byte> body = answer.front();
    const auto bytes = static_cast<std::size_t>(product(done.box.size) * nodeBytes);
    if (body.size() != kValuesHeadBytes + bytes)
      throw Protocol("the server sends another number of values than was asked for").at(m_set->url);
    const std::span<const std::byte> values = body.subspan(kValuesHeadBytes);
    if (paging::checksum(values) != load<std::uint64_t>(body.data()))
      throw Corrupt("values were changed on their way", "try again").at(m_set->url);
    Index3 to;
    for (std::size_t a = 0; a < 3; ++a) to[a] = done.box.first[a] - box.first[a];
    paging::copyNodes(values.data(), done.box.size, {0, 0, 0}, out.data(), box.size, to, done.box.size,
                      nodeBytes);
  };
  for (std::int64_t k = 0; k < box.size[2]; k += part[2])
    for (std::int64_t j = 0; j < box.size[1]; j += part[1])
      for (std::int64_t i = 0; i < box.size[0]; i += part[0]) {
        if (onTheirWay.size() == kPartsAtATime) finishOne();
        IndexBox its{{box.first[0] + i, box.first[1] + j, box.first[2] + k},
                     {std::min(part[0], box.size[0] - i), std::min(part[1], box.size[1] - j),
                      std::min(part[2], box.size[2] - k)}};
        ValuesRequest request;
        request.array = array;
        request.start = {step, its.first[2], its.first[1], its.first[0]};
        request.count = {1, its.size[2], its.size[1], its.size[0]};
        onTheirWay.push_back({its, link.begin(MessageType::Values, bytesOf(request), true)});
      }
  while (!onTheirWay.empty()) finishOne();
}

}  // namespace farfield::remote
