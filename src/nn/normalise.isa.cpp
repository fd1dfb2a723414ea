// Normalising a few rows, for one instruction set. Numbers are added in the same order on each.
// SPDX-License-Identifier: Apache-2.0
#include "device/line.h"
#include "nn/activation_lanes.h"
#include "nn/normalise_kernels.h"

namespace sluice::nn::SLUICE_ISA {
namespace {

using namespace sluice::SLUICE_ISA;

// of(row, channel, count) is a register; adds all rows to `sum`, eight at a time.
template <class Of>
[[gnu::always_inline]] inline void add_rows(index rows, index channels, float* sum, Of const& of) {
    index r = 0;
    for (; r + 8 <= rows; r += 8)
        each_register(channels, [&](index c, index n) {
            Floats const low =
                (of(r, c, n) + of(r + 1, c, n)) + (of(r + 2, c, n) + of(r + 3, c, n));
            Floats const high =
                (of(r + 4, c, n) + of(r + 5, c, n)) + (of(r + 6, c, n) + of(r + 7, c, n));
            save(load(sum + c) + (low + high), sum + c);
        });
    for (; r < rows; ++r)
        each_register(channels,
                      [&](index c, index n) { save(load(sum + c) + of(r, c, n), sum + c); });
}

// The distances from a mean that float can hold, and their squares.
template <class T>
void add_distances(Rows<T const> x, float const* mean, float* sum, float* squares) {
    index r = 0;
    for (; r + 4 <= x.rows; r += 4)
        each_register(x.channels, [&](index c, index n) {
            Floats const m = load(mean + c);
            Floats const a = load_at(x.row(r) + c, n) - m, b = load_at(x.row(r + 1) + c, n) - m;
            Floats const d = load_at(x.row(r + 2) + c, n) - m, e = load_at(x.row(r + 3) + c, n) - m;
            save(load(sum + c) + ((a + b) + (d + e)), sum + c);
            save(load(squares + c) + ((a * a + b * b) + (d * d + e * e)), squares + c);
        });
    for (; r < x.rows; ++r)
        each_register(x.channels, [&](index c, index n) {
            Floats const d = load_at(x.row(r) + c, n) - load(mean + c);
            save(load(sum + c) + d, sum + c);
            save(load(squares + c) + d * d, squares + c);
        });
}

// Joins a block with the rows before it (Chan, Golub and LeVeque 1983). What the float mean misses
// is the mean of the distances from it.
void join(index before, index rows, index channels, float const* mean, float const* sum,
          float const* squares, Tally out) {
    auto const n = static_cast<double>(rows), all = static_cast<double>(before + rows);
    double const part = n / all, weight = static_cast<double>(before) * part, each = 1 / n;
    for (index c = 0; c < channels; ++c) {
        auto const d = static_cast<double>(sum[c]), off = d * each;
        double const own_mean = static_cast<double>(mean[c]) + off;
        double const own_squares = static_cast<double>(squares[c]) - d * off;
        double const apart = own_mean - out.mean[c];
        out.mean[c] += apart * part;
        out.squares[c] += own_squares + apart * apart * weight;
    }
}

// read(row, channel, count) brings a register and may do more; it is called once for each.
template <class T, class Read>
[[gnu::always_inline]] inline void tally_with(Rows<T const> x, float* scratch, Tally out,
                                              Read const& read) {
    index const width = (x.channels + 15) / 16 * 16;
    float *const mean = scratch, *const sum = mean + width, *const squares = sum + width;
    for (index c = 0; c < x.channels; ++c) out.mean[c] = out.squares[c] = 0;
    for (index first = 0; first < x.rows; first += block_rows) {
        index const rows = x.rows - first < block_rows ? x.rows - first : block_rows;
        for (index i = 0; i < 3 * width; ++i) scratch[i] = 0;
        add_rows(rows, x.channels, mean,
                 [&](index r, index c, index n) { return read(first + r, c, n); });
        for (index c = 0; c < x.channels; ++c) mean[c] /= static_cast<float>(rows);
        // Second reading: the block is in a cache.
        add_distances<T>({x.row(first), rows, x.channels, x.stride}, mean, sum, squares);
        join(first, rows, x.channels, mean, sum, squares, out);
    }
}

template <class T>
void tally(Rows<T const> x, float* scratch, Tally out) {
    tally_with(x, scratch, out,
               [&](index r, index c, index n) { return load_at(x.row(r) + c, n); });
}

template <class T>
void add(Rows<T const> a, Rows<T const> b, Rows<T> y, float* scratch, Tally out) {
    tally_with<T>(y, scratch, out, [&](index r, index c, index n) {
        Floats const sum = load_at(a.row(r) + c, n) + load_at(b.row(r) + c, n);
        save_at(sum, y.row(r) + c, n);
        return load_at(y.row(r) + c, n);
    });
}

template <Activation::Kind kind, class From>
[[gnu::always_inline]] inline Floats result(From const* x, float const* scale, float const* shift,
                                            float alpha, index n) {
    return activate<kind>(load_at(x, n) * load_at(scale, n) + load_at(shift, n), alpha);
}

template <Activation::Kind kind, class From, class To>
void row_past_caches(From const* x, float const* scale, float const* shift, float alpha, To* y,
                     index channels) {
    constexpr index at_once = line_bytes / static_cast<index>(sizeof(To));
    for (index c = 0; c < channels; c += at_once) {
        To part[at_once];
        for (index i = 0; i < at_once; i += lanes)
            save(result<kind>(x + c + i, scale + c + i, shift + c + i, alpha, lanes), part + i);
        Line line;
        std::memcpy(&line, part, sizeof line);
        store_past_caches(line, reinterpret_cast<std::byte*>(y + c));
    }
}

template <Activation::Kind kind, class From, class To>
void normalise_as(Rows<From const> x, float const* scale, float const* shift, float alpha,
                  Rows<To> y, bool past_caches) {
    for (index r = 0; r < x.rows; ++r) {
        From const* const from = x.row(r);
        To* const to = y.row(r);
        if (past_caches)
            row_past_caches<kind>(from, scale, shift, alpha, to, x.channels);
        else
            each_register(x.channels, [&](index c, index n) {
                save_at(result<kind>(from + c, scale + c, shift + c, alpha, n), to + c, n);
            });
    }
}

template <class From, class To>
void normalise(Rows<From const> x, float const* scale, float const* shift, Activation activation,
               Rows<To> y, bool past_caches) {
    using enum Activation::Kind;
    switch (activation.kind) {
        case identity:
            return normalise_as<identity>(x, scale, shift, 0, y, past_caches);
        case relu:
            return normalise_as<relu>(x, scale, shift, 0, y, past_caches);
        case elu:
            return normalise_as<elu>(x, scale, shift, activation.alpha, y, past_caches);
        case gelu:
            return normalise_as<gelu>(x, scale, shift, 0, y, past_caches);
    }
}

}  // namespace

NormaliseKernels normalise_kernels() {
    return {tally<float>,
            tally<Bf16>,
            add<float>,
            add<Bf16>,
            normalise<float, float>,
            normalise<float, Bf16>,
            normalise<Bf16, float>,
            normalise<Bf16, Bf16>};
}

}  // namespace sluice::nn::SLUICE_ISA
