// Ranks by MPI. Sums are made here and not by MPI_Allreduce, which may add in any order.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/communicator.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "ranks/mpi/load.h"
#include "ranks/slices.h"

namespace sluice {

namespace {

// Bytes of a call to MPI, whose counts are int; the pieces of one stay in the cache.
constexpr index piece = index{4} << 20;
constexpr std::size_t small = 4096;

// Counts and offsets in bytes of n numbers' slices.
struct Slices {
    Slices(index n, int ranks, index size) {
        for (int r = 0; r < ranks; ++r) {
            index const begin = slice_begin(n, r, ranks), end = slice_begin(n, r + 1, ranks);
            offsets.push_back(static_cast<int>(begin * size));
            counts.push_back(static_cast<int>((end - begin) * size));
        }
    }
    std::vector<int> counts = {}, offsets = {};
};

class Mpi final : public Communicator {
  public:
    Mpi(MpiCalls const& calls, int rank, int ranks) : calls_(calls), rank_(rank), ranks_(ranks) {}

    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }
    void all_reduce_sum(std::span<float> values) override { sum(values); }
    void all_reduce_sum(std::span<double> values) override { sum(values); }

    void broadcast(std::span<std::byte> bytes, int from) override {
        for (; !bytes.empty(); bytes = bytes.subspan(next(bytes)))
            calls_.broadcast(bytes.data(), static_cast<int>(next(bytes)), from);
    }

    void all_gather(std::span<std::byte const> mine, std::span<std::byte> all) override {
        expects(all.size() == mine.size() * static_cast<std::size_t>(ranks_) &&
                std::ssize(all) <= 256 * piece);
        Slices const slices(std::ssize(all), ranks_, 1);
        if (mine.empty()) return;
        std::memcpy(all.data() + static_cast<std::size_t>(rank_) * mine.size(), mine.data(),
                    mine.size());
        calls_.spread(all.data(), slices.counts.data(), slices.offsets.data());
    }

    void barrier() override { calls_.barrier(); }

    void abort(int exit_code) override {
        calls_.abort(exit_code);
        std::_Exit(exit_code);
    }

  private:
    static std::size_t next(std::span<std::byte> bytes) {
        return std::min(bytes.size(), static_cast<std::size_t>(piece));
    }

    template <class T>
    void sum(std::span<T> values) {
        constexpr auto most = static_cast<std::size_t>(piece) / sizeof(T);
        for (; values.size() > most; values = values.subspan(most)) sum_piece(values.first(most));
        if (values.size() * sizeof(T) <= small)
            sum_small(values);
        else
            sum_piece(values);
    }

    // Each rank adds up all values: one call less, where calls cost more than bytes.
    template <class T>
    void sum_small(std::span<T> values) {
        room_.resize(values.size_bytes() * static_cast<std::size_t>(ranks_));
        all_gather(std::as_bytes(values), room_);
        add(values);
    }

    // Sums up into values what each rank gave; room_ has that rank by rank.
    template <class T>
    void add(std::span<T> values) {
        auto const* from = reinterpret_cast<T const*>(room_.data());
        for (int r = 0; r < ranks_; ++r, from += values.size())
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = r == 0 ? from[i] : values[i] + from[i];
    }

    // Each rank adds up its slice of the values, then sends it to the others.
    template <class T>
    void sum_piece(std::span<T> values) {
        constexpr index size = sizeof(T);
        index const n = std::ssize(values);
        Slices const slices(n, ranks_, size);
        auto const me = static_cast<std::size_t>(rank_);
        auto const own = static_cast<std::size_t>(slices.counts[me]) / sizeof(T);
        // From each rank its values of this rank's slice.
        std::vector<int> counts(static_cast<std::size_t>(ranks_), slices.counts[me]), offsets;
        for (int r = 0; r < ranks_; ++r) offsets.push_back(r * slices.counts[me]);
        room_.resize(own * static_cast<std::size_t>(ranks_) * sizeof(T));
        calls_.exchange(values.data(), slices.counts.data(), slices.offsets.data(), room_.data(),
                        counts.data(), offsets.data());
        add(values.subspan(static_cast<std::size_t>(slices.offsets[me]) / sizeof(T), own));
        calls_.spread(values.data(), slices.counts.data(), slices.offsets.data());
    }

    MpiCalls const& calls_;
    int rank_, ranks_;
    std::vector<std::byte> room_ = {};
};

bool many(char const* variable) {
    char const* const text = std::getenv(variable);
    return text && std::atol(text) > 1;
}

}  // namespace

bool started_by_mpi() {
    return many("OMPI_COMM_WORLD_SIZE") || many("PMI_SIZE");  // Open MPI; MPICH and its kin
}

Result<std::unique_ptr<Communicator>> mpi_communicator() {
    SLUICE_TRY(MpiCalls const* const calls, load_mpi());
    int rank = 0, ranks = 1;
    if (char const* const wrong = calls->start(&rank, &ranks))
        return Error{Code::unavailable, std::string("the ranks of mpirun cannot be joined (") +
                                            wrong + ") run without mpirun"};
    return std::unique_ptr<Communicator>(std::make_unique<Mpi>(*calls, rank, ranks));
}

}  // namespace sluice
