#include "remote/slabd/splice.h"

#include <algorithm>
#include <utility>

namespace farfield::remote {

void Splice::start(Bytes toOne, Bytes toOther) {
  m_rooms = {std::move(toOne), std::move(toOther)};
  for (const std::size_t to : {0, 1}) {
    const std::size_t bytes = m_rooms[to].size();
    m_rooms[to].resize(std::max(bytes, kRoomBytes));
    if (bytes > 0)
      write(to, bytes);
    else
      read(1 - to);
  }
}

void Splice::read(std::size_t from) {
  if (m_ended) return;
  Bytes& room = m_rooms[1 - from];
  m_wires[from]->readSome(asio::buffer(room.data(), room.size()),
                          [self = shared_from_this(), from](std::error_code error, std::size_t bytes) {
                            if (error) return self->close();
                            self->write(1 - from, bytes);
                          });
}

void Splice::write(std::size_t to, std::size_t bytes) {
  if (m_ended) return;
  const asio::const_buffer buffer(m_rooms[to].data(), bytes);
  m_wires[to]->write({&buffer, 1}, [self = shared_from_this(), to](std::error_code error, std::size_t) {
    if (error) return self->close();
    self->read(1 - to);
  });
}

void Splice::close() {
  if (std::exchange(m_ended, true)) return;
  for (const auto& wire : m_wires) wire->close();
}

}  // namespace farfield::remote
