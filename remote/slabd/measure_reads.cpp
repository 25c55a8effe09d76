// farfield-measure-reads: how ranks best read a step of which each needs a part, from one file that all share. The ways of Yu and
// Ma, "I/O strategies for parallel rendering of large time-varying volume data" (2004): one collective read of parts by file views,
// independent reads of equal contiguous pieces that the ranks then give each other parts of, and independent reads of parts with the
// gaps between them (data sieving) or without. Prints JSON; not installed.

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Sizes = std::array<int, 3>;  // k, j, i: the last is fastest
constexpr int kRounds = 7;

struct Part {
  Sizes from{}, size{};
  std::size_t values() const {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
  }
};

/// Of a rank, cut across an axis.
Part partOf(const Sizes& all, int axis, int rank, int ranks) {
  Part part{{}, all};
  const auto a = static_cast<std::size_t>(axis);
  part.from[a] = static_cast<int>(std::int64_t{all[a]} * rank / ranks);
  part.size[a] = static_cast<int>(std::int64_t{all[a]} * (rank + 1) / ranks) - part.from[a];
  return part;
}

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::fprintf(stderr, "farfield-measure-reads: %s: %.*s\n", what, length, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// A box of `all` in memory or in a file, to be freed.
MPI_Datatype boxType(const Sizes& all, const Part& part) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_create_subarray(3, all.data(), part.size.data(), part.from.data(), MPI_ORDER_C, MPI_FLOAT,
                                 &type),
        "a type");
  check(MPI_Type_commit(&type), "a type");
  return type;
}

class File {
 public:
  File(const char* path, const std::vector<std::pair<const char*, const char*>>& hints) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    for (const auto& [key, value] : hints) MPI_Info_set(info, key, value);
    check(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, info, &m_file), "the file");
    MPI_Info_free(&info);
  }
  ~File() { MPI_File_close(&m_file); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  MPI_File get() const { return m_file; }

 private:
  MPI_File m_file = MPI_FILE_NULL;
};

struct Job {
  const char* path;
  Sizes all;
  int step, axis, rank, ranks;
  Part part;
  MPI_Offset offset() const { return MPI_Offset{4} * step * all[0] * all[1] * all[2]; }
};

using Read = std::function<void(const Job& job, std::vector<float>& values)>;

/// By a file view of the part.
void byView(const Job& job, std::vector<float>& values, bool collective,
            const std::vector<std::pair<const char*, const char*>>& hints) {
  const File file(job.path, hints);
  MPI_Datatype type = boxType(job.all, job.part);
  check(MPI_File_set_view(file.get(), job.offset(), MPI_FLOAT, type, "native", MPI_INFO_NULL), "a view");
  const int count = static_cast<int>(values.size());
  check(collective ? MPI_File_read_all(file.get(), values.data(), count, MPI_FLOAT, MPI_STATUS_IGNORE)
                   : MPI_File_read(file.get(), values.data(), count, MPI_FLOAT, MPI_STATUS_IGNORE),
        "reading");
  MPI_Type_free(&type);
}

/// Each rank reads planes that follow each other in the file; then all give each other what belongs to their parts.
void contiguous(const Job& job, std::vector<float>& values) {
  const Part own = partOf(job.all, 0, job.rank, job.ranks);
  std::vector<float> read(own.values());
  {
    const File file(job.path, {});
    const MPI_Offset at = job.offset() + MPI_Offset{4} * own.from[0] * job.all[1] * job.all[2];
    check(MPI_File_read_at(file.get(), at, read.data(), static_cast<int>(read.size()), MPI_FLOAT,
                           MPI_STATUS_IGNORE),
          "reading");
  }
  const auto count = static_cast<std::size_t>(job.ranks);
  std::vector<MPI_Datatype> send(count, MPI_FLOAT), receive(count, MPI_FLOAT);
  std::vector<int> sent(count), received(count), zeros(count);
  for (int other = 0; other < job.ranks; ++other) {
    const auto n = static_cast<std::size_t>(other);
    // what `from` has read of the part `to`, in the memory of a box that begins at `base`
    const auto common = [](const Part& from, const Part& to, const Sizes& base) {
      Part part;
      for (std::size_t a = 0; a < 3; ++a) {
        const int low = std::max(from.from[a], to.from[a]);
        part.size[a] = std::max(0, std::min(from.from[a] + from.size[a], to.from[a] + to.size[a]) - low);
        part.from[a] = low - base[a];
      }
      return part;
    };
    const Part out = common(own, partOf(job.all, job.axis, other, job.ranks), own.from);
    const Part in = common(partOf(job.all, 0, other, job.ranks), job.part, job.part.from);
    if (out.values() > 0) send[n] = boxType(own.size, out), sent[n] = 1;
    if (in.values() > 0) receive[n] = boxType(job.part.size, in), received[n] = 1;
  }
  check(MPI_Alltoallw(read.data(), sent.data(), zeros.data(), send.data(), values.data(), received.data(),
                      zeros.data(), receive.data(), MPI_COMM_WORLD),
        "giving each other parts");
  for (std::size_t n = 0; n < count; ++n) {
    if (sent[n]) MPI_Type_free(&send[n]);
    if (received[n]) MPI_Type_free(&receive[n]);
  }
}

struct Way {
  const char* name;
  Read read;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"collective",
       [](const Job& job, std::vector<float>& values) {
         byView(job, values, true, {{"romio_cb_read", "enable"}});
       }},
      {"contiguous, then exchanged", contiguous},
      {"sieved",
       [](const Job& job, std::vector<float>& values) {
         byView(job, values, false, {{"romio_ds_read", "enable"}, {"ind_rd_buffer_size", "4194304"}});
       }},
      {"piece by piece", [](const Job& job, std::vector<float>& values) {
         byView(job, values, false, {{"romio_ds_read", "disable"}});
       }}};
  return all;
}

/// What is read comes from the disk again.
void forget(const char* path) {
  const int file = ::open(path, O_RDONLY);
  if (file < 0) return;
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Job job{nullptr, {}, 0, 0, rank, ranks, {}};
  int steps = 0;
  if (count != 6 || (steps = std::atoi(words[5])) < 1 ||
      std::any_of(words + 2, words + 5, [](const char* word) { return std::atoi(word) < 1; })) {
    if (rank == 0)
      std::fputs(
          "usage: mpirun -n N farfield-measure-reads FILE NI NJ NK STEPS (32-bit numbers, i fastest)\n",
          stderr);
    MPI_Finalize();
    return 2;
  }
  job.path = words[1];
  job.all = {std::atoi(words[4]), std::atoi(words[3]), std::atoi(words[2])};
  if (rank == 0)
    std::printf("{\"ranks\": %d, \"nodes\": [%s, %s, %s], \"results\": [", ranks, words[2], words[3],
                words[4]);
  bool first = true;
  for (const bool cold : {false, true})
    for (job.axis = 0; job.axis < 3; ++job.axis) {
      job.part = partOf(job.all, job.axis, rank, ranks);
      std::vector<std::vector<double>> seconds(ways().size());
      std::vector<double> sums(ways().size());
      // by turns, so that other load affects all of them
      for (int round = 0; round < kRounds; ++round)
        for (std::size_t way = 0; way < ways().size(); ++way) {
          job.step = round % steps;
          std::vector<float> values(job.part.values());
          if (cold && rank == 0) forget(job.path);
          MPI_Barrier(MPI_COMM_WORLD);
          const double began = MPI_Wtime();
          ways()[way].read(job, values);
          MPI_Barrier(MPI_COMM_WORLD);
          seconds[way].push_back(MPI_Wtime() - began);
          double own = std::accumulate(values.begin(), values.end(), 0.0), all = 0;
          MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          // of its part: a wrong one would have another sum
          double weighted = 0, weightedAll = 0;
          for (std::size_t n = 0; n < values.size(); n += 101)
            weighted += static_cast<double>(n % 997) * values[n];
          MPI_Allreduce(&weighted, &weightedAll, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
          sums[way] += all + weightedAll;
        }
      for (std::size_t way = 0; way < ways().size() && rank == 0; ++way) {
        std::printf(
            "%s\n  {\"across\": \"%c\", \"cold\": %s, \"way\": \"%s\", \"seconds\": %.4f, \"equal\": %s}",
            first ? "" : ",", "kji"[job.axis], cold ? "true" : "false", ways()[way].name,
            median(seconds[way]), sums[way] == sums[0] ? "true" : "false");
        first = false;
      }
    }
  if (rank == 0) std::printf("\n]}\n");
  MPI_Finalize();
  return 0;
}
