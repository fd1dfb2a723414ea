// Winograd's convolution of a block of tiles, for one instruction set: F(4x4, 3x3) with the points
// 0, 5/8, -5/8, 3/2, -3/2 and infinity, which lose 4 dB to the direct sum, where the usual 1 and 2
// lose 10 dB.
// SPDX-License-Identifier: Apache-2.0
#include "nn/activation_lanes.h"
#include "nn/winograd_kernels.h"

namespace sluice::nn::SLUICE_ISA {
namespace {

constexpr float a1 = 0.625f, b1 = 1.5f;
constexpr float a2 = a1 * a1, b2 = b1 * b1;

// Of a product: as many registers as there are, less two for the weights and one for the image.
constexpr index panel = 2 * lanes;
#if defined(__AVX512F__)
constexpr index most_rows = 14;
#else
constexpr index most_rows = 6;
#endif

// The transform of six numbers of the image, in place.
[[gnu::always_inline]] inline void transform_image(Floats (&d)[6]) {
    Floats const even_a = fused(-b2, d[2], d[4]), odd_a = fused(-b2, d[1], d[3]) * a1;
    Floats const even_b = fused(-a2, d[2], d[4]), odd_b = fused(-a2, d[1], d[3]) * b1;
    d[0] = fused(a2 * b2, d[0], fused(-(a2 + b2), d[2], d[4]));
    d[5] = fused(a2 * b2, d[1], fused(-(a2 + b2), d[3], d[5]));
    d[1] = even_a + odd_a;
    d[2] = even_a - odd_a;
    d[3] = even_b + odd_b;
    d[4] = even_b - odd_b;
}

// Of three weights.
[[gnu::always_inline]] inline void transform_weights(Floats const& g0, Floats const& g1,
                                                     Floats const& g2, Floats (&u)[6]) {
    constexpr float na = 1 / (2 * a2 * (a2 - b2)), nb = 1 / (2 * b2 * (b2 - a2));
    Floats const even_a = fused(a2, g2, g0) * na, odd_a = g1 * (a1 * na);
    Floats const even_b = fused(b2, g2, g0) * nb, odd_b = g1 * (b1 * nb);
    u[0] = g0 * (1 / (a2 * b2));
    u[1] = even_a + odd_a;
    u[2] = even_a - odd_a;
    u[3] = even_b + odd_b;
    u[4] = even_b - odd_b;
    u[5] = g2;
}

[[gnu::always_inline]] inline void transform_result(Floats const (&m)[6], Floats (&y)[4]) {
    Floats const sum_a = m[1] + m[2], apart_a = m[1] - m[2];
    Floats const sum_b = m[3] + m[4], apart_b = m[3] - m[4];
    y[0] = m[0] + (sum_a + sum_b);
    y[1] = fused(a1, apart_a, b1 * apart_b);
    y[2] = fused(a2, sum_a, b2 * sum_b);
    y[3] = m[5] + fused(a1 * a2, apart_a, (b1 * b2) * apart_b);
}

void weights(float const* from, index in, index place, float* to) {
    for (index k = 0; k < in; ++k)
        for (index r = 0; r < panel; r += lanes) {
            float const* const g = from + k * 9 * weights_across + r;
            float* const u = to + k * panel + r;
            // So many streams are written that the processor does not foresee this one.
            if (r % 16 == 0)
                for (index i = 0; i < 9; ++i) __builtin_prefetch(g + (4 * 9 + i) * weights_across);
            Floats rows[6][3];
            for (index x = 0; x < 3; ++x) {
                Floats column[6];
                auto const at = [&](index y) { return load(g + (y * 3 + x) * weights_across); };
                transform_weights(at(0), at(1), at(2), column);
                for (index y = 0; y < 6; ++y) rows[y][x] = column[y];
            }
            for (index y = 0; y < 6; ++y) {
                Floats row[6];
                transform_weights(rows[y][0], rows[y][1], rows[y][2], row);
                for (index x = 0; x < 6; ++x) save(row[x], u + (y * 6 + x) * place);
            }
        }
}

// The pixels of the tiles and their margin; pixels outside of the image are zero.
template <Activation::Kind kind, class T>
void activate_patch(Rows<T const> x, index first, index n, float const* scale, float const* shift,
                    float alpha, TileBlock const& b, float* patch) {
    index const rows = b.down * tile_side + 2, columns = b.across * tile_side + 2;
    for (index i = 0; i < rows; ++i) {
        index const down = b.top + i - 1;
        bool const inside = down >= 0 && down < b.height;
        for (index j = 0; j < columns; ++j) {
            float* const to = patch + (i * columns + j) * chunk_channels;
            index const along = b.left + j - 1;
            if (!inside || along < 0 || along >= b.width) {
                for (index c = 0; c < n; c += lanes) save(Floats{}, to + c);
                continue;
            }
            T const* const from = x.row(down * b.width + along) + first;
            // The row below comes from memory while this one is computed.
            T const* const below = from + b.width * x.stride;
            for (index c = 0; c < n; c += 64 / static_cast<index>(sizeof(T)))
                __builtin_prefetch(below + c);
            each_register(n, [&](index c, index some) {
                save(activate<kind>(load_at(from + c, some) * load_at(scale + c, some) +
                                        load_at(shift + c, some),
                                    alpha),
                     to + c);
            });
        }
    }
}

void transform_patch(float const* patch, index n, TileBlock const& b, Places to) {
    index const columns = b.across * tile_side + 2;
    for (index t = 0; t < b.tiles(); ++t) {
        index const i = t / b.across * tile_side, j = t % b.across * tile_side;
        float const* const corner = patch + (i * columns + j) * chunk_channels;
        each_register(n, [&](index c, index some) {
            Floats rows[6][6];
            for (index x = 0; x < 6; ++x) {
                Floats column[6];
                for (index y = 0; y < 6; ++y)
                    column[y] = load(corner + (y * columns + x) * chunk_channels + c);
                transform_image(column);
                for (index y = 0; y < 6; ++y) rows[y][x] = column[y];
            }
            float* const out = to.data + t * to.tile + c;
            for (index y = 0; y < 6; ++y) {
                transform_image(rows[y]);
                for (index x = 0; x < 6; ++x)
                    save_at(rows[y][x], out + (y * 6 + x) * to.place, some);
            }
        });
    }
}

template <class T>
void image(Rows<T const> x, index first, index n, float const* scale, float const* shift,
           Activation activation, TileBlock const& block, float* patch, Places to) {
    using enum Activation::Kind;
    float const alpha = activation.alpha;
    switch (activation.kind) {
        case identity:
            activate_patch<identity>(x, first, n, scale, shift, alpha, block, patch);
            break;
        case relu:
            activate_patch<relu>(x, first, n, scale, shift, alpha, block, patch);
            break;
        case elu:
            activate_patch<elu>(x, first, n, scale, shift, alpha, block, patch);
            break;
        case gelu:
            activate_patch<gelu>(x, first, n, scale, shift, alpha, block, patch);
            break;
    }
    transform_patch(patch, n, block, to);
}

// Some rows of one place's product, a panel wide, all in registers.
template <index rows>
void multiply_rows(float const* image, index tile, index n, float const* weights, bool adds,
                   float* products, index step) {
    constexpr index across = panel / lanes;
    Floats sum[rows][across] = {};
    if (adds)
#pragma GCC unroll 16
        for (index r = 0; r < rows; ++r)
#pragma GCC unroll 2
            for (index p = 0; p < across; ++p) sum[r][p] = load(products + r * step + p * lanes);
    for (index k = 0; k < n; ++k) {
        Floats w[across];
#pragma GCC unroll 2
        for (index p = 0; p < across; ++p) w[p] = load(weights + k * panel + p * lanes);
#pragma GCC unroll 16
        for (index r = 0; r < rows; ++r) {
            // Less zero and not plus it, which is an instruction: it changes -0.
            Floats const v = image[r * tile + k] - Floats{};
#pragma GCC unroll 2
            for (index p = 0; p < across; ++p) sum[r][p] = fused(v, w[p], sum[r][p]);
        }
    }
#pragma GCC unroll 16
    for (index r = 0; r < rows; ++r)
#pragma GCC unroll 2
        for (index p = 0; p < across; ++p) save(sum[r][p], products + r * step + p * lanes);
}

using MultiplyRows = void (*)(float const*, index, index, float const*, bool, float*, index);

template <index... rows>
struct ByRows {
    static constexpr MultiplyRows table[] = {multiply_rows<rows>...};
};
using OfRows = ByRows<1, 2, 3, 4, 5, 6
#if defined(__AVX512F__)
                      ,
                      7, 8, 9, 10, 11, 12, 13, 14
#endif
                      >;

void multiply(Places image, index n, index tiles, float const* weights, index place, bool adds,
              Places products) {
    index const groups = (tiles + most_rows - 1) / most_rows;
    for (index p = 0; p < tile_places; ++p)
        for (index g = 0; g < groups; ++g) {
            index const first = tiles * g / groups, rows = tiles * (g + 1) / groups - first;
            OfRows::table[rows - 1](image.data + p * image.place + first * image.tile, image.tile,
                                    n, weights + p * place, adds,
                                    products.data + p * products.place + first * products.tile,
                                    products.tile);
        }
}

// Joins the tally of a tile, `count` numbers of each channel, with that of the tiles before.
void join(index before, index count, Floats const& mean, Floats const& squares, index n,
          Tally tally) {
    float m[lanes], s[lanes];
    save(mean, m);
    save(squares, s);
    double const part = static_cast<double>(count) / static_cast<double>(before + count);
    double const weight = static_cast<double>(before) * part;
    for (index c = 0; c < n; ++c) {
        double const apart = static_cast<double>(m[c]) - tally.mean[c];
        tally.mean[c] += apart * part;
        tally.squares[c] += static_cast<double>(s[c]) + apart * apart * weight;
    }
}

// The pixels of a tile that are in the image.
struct Spot {
    index top, left, high, wide;

    Spot(TileBlock const& b, index tile)
        : top(b.top + tile / b.across * tile_side),
          left(b.left + tile % b.across * tile_side),
          high(b.height - top < tile_side ? b.height - top : tile_side),
          wide(b.width - left < tile_side ? b.width - left : tile_side) {}

    // work(y, x, the pixel's number in the image)
    template <class Work>
    [[gnu::always_inline]] void each(index width, Work const& work) const {
        for (index y = 0; y < high; ++y)
            for (index x = 0; x < wide; ++x) work(y, x, (top + y) * width + left + x);
    }
};

[[gnu::always_inline]] inline void transform_tile(float const* from, index place,
                                                  Floats (&all)[4][4]) {
    Floats half[4][6];
    for (index x = 0; x < 6; ++x) {
        Floats column[6], out[4];
        for (index y = 0; y < 6; ++y) column[y] = load(from + (y * 6 + x) * place);
        transform_result(column, out);
        for (index y = 0; y < 4; ++y) half[y][x] = out[y];
    }
    for (index y = 0; y < 4; ++y) transform_result(half[y], all[y]);
}

// n channels of all tiles, a register wide.
template <class T>
void result_lane(Places products, TileBlock const& b, index n, bool adds, Rows<T> to, Tally tally) {
    index counted = 0;
    for (index i = 0; tally.mean && i < n; ++i) tally.mean[i] = tally.squares[i] = 0;
    for (index t = 0; t < b.tiles(); ++t) {
        // The addends come from memory while three other tiles are computed.
        if (adds && t + 3 < b.tiles())
            Spot(b, t + 3).each(b.width,
                                [&](index, index, index at) { __builtin_prefetch(to.row(at)); });
        Floats all[4][4];
        transform_tile(products.data + t * products.tile, products.place, all);
        Spot const spot(b, t);
        Floats sum{};
        spot.each(b.width, [&](index y, index x, index at) {
            if (adds) all[y][x] += load_at(to.row(at), n);
            all[y][x] = as_stored<T>(all[y][x]);
            save_at(all[y][x], to.row(at), n);
            sum += all[y][x];
        });
        if (!tally.mean) continue;
        index const count = spot.high * spot.wide;
        Floats const mean = sum * (1 / static_cast<float>(count));
        Floats squares{};
        spot.each(b.width, [&](index y, index x, index) {
            Floats const d = all[y][x] - mean;
            squares += d * d;
        });
        join(counted, count, mean, squares, n, tally);
        counted += count;
    }
}

template <class T>
void result(Places products, TileBlock const& b, index channels, bool adds, Rows<T> to,
            Tally tally) {
    for (index c = 0; c < channels; c += lanes) {
        index const n = channels - c < lanes ? channels - c : lanes;
        result_lane<T>({products.data + c, products.place, products.tile}, b, n, adds,
                       {to.data + c, to.rows, n, to.stride},
                       tally.mean ? Tally{tally.mean + c, tally.squares + c} : tally);
    }
}

}  // namespace

WinogradKernels winograd_kernels() {
    return {panel, weights, image<float>, image<Bf16>, multiply, result<float>, result<Bf16>};
}

}  // namespace sluice::nn::SLUICE_ISA
