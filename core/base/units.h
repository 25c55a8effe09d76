#pragma once
// Numbers with units, as people write and read them.

#include <cstdint>
#include <string>
#include <string_view>

namespace farfield {

/// "200M", "1.5G", "512K", "4096": bytes; K, M, G, T are powers of 1024. Throws Invalid.
std::uint64_t parseBytes(std::string_view text);
/// 209715200 -> "200.0 MiB".
std::string formatBytes(std::uint64_t bytes);
/// 83.4 -> "1 min 23 s"; 0.0123 -> "12 ms"; 4e-5 -> "40 µs".
std::string formatSeconds(double seconds);
/// About six digits, for reading: 4.97750 -> "4.9775", 1234567 -> "1.23457e+06"; "nan", "inf" for those.
std::string formatRounded(double value);
/// The shortest text that reads back as the same double; "nan", "inf" for those.
std::string formatNumber(double value);

}  // namespace farfield
