#include "remote/slabd/ranks.h"

#include <mpi.h>

#include <chrono>
#include <vector>

namespace farfield::remote {

Ranks::Ranks(int& count, char**& words) {
  int provided = 0;
  MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  m_own = static_cast<std::uint32_t>(number);
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  m_count = static_cast<std::uint32_t>(number);
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &number);
  m_here = static_cast<std::uint32_t>(number);
  MPI_Comm_free(&here);
}

bool Ranks::allWell(bool isWell, bool& isToSay) const {
  int firstBad = isWell ? static_cast<int>(m_count) : static_cast<int>(m_own);
  MPI_Allreduce(MPI_IN_PLACE, &firstBad, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  isToSay = firstBad == static_cast<int>(m_own);
  return firstBad == static_cast<int>(m_count);
}

std::string Ranks::fromFirst(const std::string& text) const {
  unsigned long bytes = text.size();
  MPI_Bcast(&bytes, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
  std::string same(text);
  same.resize(bytes);
  MPI_Bcast(same.data(), static_cast<int>(bytes), MPI_CHAR, 0, MPI_COMM_WORLD);
  return same;
}

std::vector<std::string> Ranks::fromAll(const std::string& text) const {
  constexpr std::size_t kMost = 512;
  std::string own = text.substr(0, kMost - 1);
  own.resize(kMost, '\0');
  std::string all(kMost * m_count, '\0');
  MPI_Allgather(own.data(), kMost, MPI_CHAR, all.data(), kMost, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::uint32_t n = 0; n < m_count; ++n) texts.emplace_back(all.c_str() + kMost * n);
  return texts;
}

std::int64_t Ranks::clockOfFirst(std::int64_t& roundTrip) const {
  constexpr int kRounds = 32;
  const auto now = [] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  roundTrip = 0;
  std::int64_t offset = 0;
  for (int other = 1; other < static_cast<int>(m_count); ++other) {
    const bool isFirst = m_own == 0;
    if (!isFirst && m_own != static_cast<std::uint32_t>(other)) continue;
    for (int round = 0; round < kRounds; ++round) {
      std::int64_t shown = 0;
      if (isFirst) {
        MPI_Recv(&shown, 1, MPI_INT64_T, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        shown = now();
        MPI_Send(&shown, 1, MPI_INT64_T, other, 0, MPI_COMM_WORLD);
        continue;
      }
      const std::int64_t before = now();
      MPI_Send(&shown, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
      MPI_Recv(&shown, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const std::int64_t took = now() - before;
      if (round > 0 && took >= roundTrip) continue;
      roundTrip = took;
      offset = shown - (before + took / 2);
    }
  }
  return offset;
}

std::string Ranks::machineName() const {
  std::vector<char> name(MPI_MAX_PROCESSOR_NAME + 1);
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

void Ranks::finish() const {
  MPI_Finalize();
}

}  // namespace farfield::remote
