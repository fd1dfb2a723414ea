// Shares the rows among threads, in pieces that do not depend on how many there are.
// SPDX-License-Identifier: Apache-2.0
#include "nn/normalise.h"

#include <algorithm>
#include <cmath>

#include "device/past_caches.h"
#include "device/per_isa.h"
#include "device/workers.h"
#include "nn/normalise_kernels.h"
#include "nn/tallies.h"

namespace sluice::nn {

SLUICE_PER_ISA(NormaliseKernels, normalise_kernels)

namespace {

constexpr index tally_rows = 8 * block_rows;

NormaliseKernels const& kernels_for(Device const& device) {
    return table_for(device, reference_normalise(), normalise_kernels);
}

int threads_of(Device const& device) {
    return device.kind() == Device::Kind::reference ? 1 : device.threads();
}

template <class T>
Rows<T> part(Rows<T> x, index first, index rows) {
    return {x.row(first), std::min(rows, x.rows - first), x.channels, x.stride};
}

// work(first row, rows, scratch, tally) tallies some rows.
template <class Work>
Moments gather(Device const& device, index rows, index channels, Work const& work) {
    index const piece = device.kind() == Device::Kind::reference ? rows : tally_rows;
    index const pieces = (rows + piece - 1) / piece;
    int const threads = threads_of(device);
    Tallies tallies(pieces, channels);
    std::vector<index> counts(static_cast<std::size_t>(pieces), piece);
    counts.back() = rows - (pieces - 1) * piece;
    index const room = tally_scratch(channels);
    std::vector<float> scratch(static_cast<std::size_t>(room * threads));
    parallel_for(pieces, threads, 1, [&](index i, int worker) {
        work(i * piece, piece, scratch.data() + room * worker, tallies.at(i));
    });
    return tallies.moments(counts);
}

// Whether y is larger than the caches and its rows consist of whole cache lines.
template <class From, class To>
bool goes_past_caches(Rows<From const> x, Rows<To> y) {
    auto const whole = [](auto bytes) { return static_cast<std::size_t>(bytes) % 64 == 0; };
    auto const size = static_cast<index>(sizeof(To));
    return static_cast<std::size_t>(y.rows * y.channels * size) >= past_caches_from &&
           whole(y.channels * size) && whole(y.stride * size) &&
           whole(reinterpret_cast<std::uintptr_t>(y.data)) &&
           static_cast<void const*>(x.data) != static_cast<void const*>(y.data);
}

}  // namespace

// The reference has one tally, which it computes exactly.
Moments joined(std::vector<double> const& mean, std::vector<double> const& squares, index rows,
               index piece, index channels) {
    auto const width = static_cast<std::size_t>(channels);
    Moments all{{mean.begin(), mean.begin() + channels},
                {squares.begin(), squares.begin() + channels}};
    for (index first = piece; first < rows; first += piece) {
        auto const own = static_cast<double>(std::min(piece, rows - first));
        double const share = own / (static_cast<double>(first) + own);
        double const weight = static_cast<double>(first) * share;
        std::size_t const at = static_cast<std::size_t>(first / piece) * width;
        for (std::size_t c = 0; c < width; ++c) {
            double const apart = mean[at + c] - all.mean[c];
            all.mean[c] += apart * share;
            all.variance[c] += squares[at + c] + apart * apart * weight;
        }
    }
    for (double& v : all.variance) v = std::max(0.0, v / static_cast<double>(rows));
    return all;
}

template <class T>
Moments moments(Device const& device, Rows<T const> x) {
    auto const tally = kernels_for(device).template tally<T>();
    return gather(device, x.rows, x.channels,
                  [&](index first, index rows, float* scratch, Tally out) {
                      tally(part(x, first, rows), scratch, out);
                  });
}

template <class T>
Moments add(Device const& device, Rows<T const> a, Rows<T const> b, Rows<T> sum) {
    auto const add = kernels_for(device).template add<T>();
    return gather(
        device, a.rows, a.channels, [&](index first, index rows, float* scratch, Tally out) {
            add(part(a, first, rows), part(b, first, rows), part(sum, first, rows), scratch, out);
        });
}

Affine normalising(Moments const& moments, std::span<float const> gamma,
                   std::span<float const> beta, double epsilon) {
    Affine affine;
    for (std::size_t c = 0; c < moments.mean.size(); ++c) {
        double const scale =
            static_cast<double>(gamma[c]) / std::sqrt(moments.variance[c] + epsilon);
        affine.scale.push_back(static_cast<float>(scale));
        affine.shift.push_back(
            static_cast<float>(static_cast<double>(beta[c]) - moments.mean[c] * scale));
    }
    return affine;
}

template <class From, class To>
void normalise_activate(Device const& device, Rows<From const> x, Affine const& affine,
                        Activation activation, Rows<To> y) {
    auto const normalise = kernels_for(device).template normalise<From, To>();
    bool const past = goes_past_caches(x, y);
    index const piece = std::max<index>(1, (index{1} << 16) / x.channels);
    parallel_for((x.rows + piece - 1) / piece, threads_of(device), 1, [&](index i, int) {
        normalise(part(x, i * piece, piece), affine.scale.data(), affine.shift.data(), activation,
                  part(y, i * piece, piece), past);
        if (past) past_caches_done();
    });
}

template Moments moments<float>(Device const&, Rows<float const>);
template Moments moments<Bf16>(Device const&, Rows<Bf16 const>);
template Moments add<float>(Device const&, Rows<float const>, Rows<float const>, Rows<float>);
template Moments add<Bf16>(Device const&, Rows<Bf16 const>, Rows<Bf16 const>, Rows<Bf16>);
template void normalise_activate<float, float>(Device const&, Rows<float const>, Affine const&,
                                               Activation, Rows<float>);
template void normalise_activate<float, Bf16>(Device const&, Rows<float const>, Affine const&,
                                              Activation, Rows<Bf16>);
template void normalise_activate<Bf16, float>(Device const&, Rows<Bf16 const>, Affine const&,
                                              Activation, Rows<float>);
template void normalise_activate<Bf16, Bf16>(Device const&, Rows<Bf16 const>, Affine const&,
                                             Activation, Rows<Bf16>);

}  // namespace sluice::nn
