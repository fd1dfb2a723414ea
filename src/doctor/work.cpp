// Decoding and transforming on one thread and on all.
// SPDX-License-Identifier: Apache-2.0
#include "doctor/work.h"

#include <cmath>

#include "base/splitmix.h"
#include "codec/bitshuffle/bitshuffle.h"
#include "device/share_out.h"
#include "fft/fft.h"

namespace sluice::doctor {
namespace {

constexpr index edge = 192, disk_radius = 20;
constexpr int value_bytes = 2;

// Few counts everywhere, more in the disk in the middle.
std::vector<std::byte> frame_of_counts() {
    std::vector<std::byte> values(edge * edge * value_bytes);
    for (index y = 0; y < edge; ++y)
        for (index x = 0; x < edge; ++x) {
            index const dy = y - edge / 2, dx = x - edge / 2, i = y * edge + x;
            std::uint64_t const chance =
                splitmix::mix(static_cast<std::uint64_t>(i) * splitmix::golden);
            bool const inside = dy * dy + dx * dx < disk_radius * disk_radius;
            std::uint64_t const count = inside ? chance % 9 : chance % 32 == 0;
            values[static_cast<std::size_t>(i * value_bytes)] = static_cast<std::byte>(count);
        }
    return values;
}

// Planes of one frame, as loading a scan makes them.
Status decode(std::vector<std::byte> const& chunk, Isa isa, std::vector<std::byte>& planes) {
    SLUICE_TRY(auto walk,
               codec::BlockWalk::begin(chunk, codec::Compression::lz4, edge * edge, value_bytes));
    while (!walk.done()) {
        SLUICE_TRY(codec::ShuffledBlock const block, walk.next());
        SLUICE_TRY([[maybe_unused]] auto const found,
                   codec::decode_planes(block, codec::Compression::lz4, isa, walk.end(),
                                        8 * value_bytes, planes.data()));
    }
    return {};
}

// Rounds whose first error counts.
template <class Work>
Result<OneAndAll> measured(double amount, int threads, int rounds, double most_s,
                           Work const& work) {
    Status status;
    OneAndAll const rates = one_and_all(
        amount, threads, rounds,
        [&](int n) {
            if (Status done = work(n); !done && status) status = std::move(done);
        },
        most_s);
    SLUICE_CHECK(status);
    return rates;
}

}  // namespace

Result<OneAndAll> measure_decoding(int threads, int frames, int rounds, double most_s) {
    std::vector<std::byte> const chunk =
        codec::encode_bitshuffle_lz4(frame_of_counts(), value_bytes);
    auto const block = static_cast<std::size_t>(codec::default_block_elements(value_bytes));
    std::vector<std::vector<std::byte>> planes(
        static_cast<std::size_t>(threads),
        std::vector<std::byte>(block * value_bytes + codec::planes_slack));
    Isa const isa = chosen_isa();
    double const bytes = static_cast<double>(edge * edge * value_bytes) * frames;
    return measured(bytes, threads, rounds, most_s, [&](int n) {
        return share_out(index{frames} * n, n, [&](index, int worker) {
            return decode(chunk, isa, planes[static_cast<std::size_t>(worker)]);
        });
    });
}

Result<OneAndAll> measure_fft(int threads, int pairs, int rounds, double most_s) {
    constexpr index side = 256, size = side * side;
    SLUICE_TRY(auto const plan, fft::Plan<float>::make({{side, side}}));
    std::vector<std::vector<fft::Complex<float>>> data(
        static_cast<std::size_t>(threads), std::vector<fft::Complex<float>>(size, {1, 0}));
    // There and back: forward alone would grow beyond what floats hold.
    double const flop = 2 * 5.0 * size * std::log2(static_cast<double>(size)) * pairs;
    return measured(flop, threads, rounds, most_s, [&](int n) {
        return share_out(index{pairs} * n, n, [&](index, int worker) -> Status {
            auto& of_worker = data[static_cast<std::size_t>(worker)];
            SLUICE_CHECK(plan.forward(of_worker));
            return plan.inverse(of_worker);
        });
    });
}

}  // namespace sluice::doctor
