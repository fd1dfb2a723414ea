// Correlates, bins and searches patterns, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/detect/detect_kernels.h"
#include "fft/squares/columns.h"
#include "fft/squares/lane_math.h"
#include "fft/squares/rows.h"

namespace sluice::crystal::SLUICE_ISA {
namespace {

using fft::Roots;
using fft::Spot;
using fft::Tile;
using namespace fft::SLUICE_ISA;

template <index N>
void two(Roots const& roots, float* tile, float const* a, float const* b, float const* factors,
         float* out_a, float* out_b) {
    Tile<N> const t{tile};
    rows_forward(
        roots,
        t, [&](index row, index col, Floats & re, Floats & im) __attribute__((always_inline)) {
            re = load(a + row * N + col);
            im = load(b + row * N + col);
        });
    columns(
        roots, t, [&](Spot<N> at, Floats & re, Floats & im) __attribute__((always_inline)) {
            Floats const x = re, by_re = load(factors + at.pair());
            Floats const by_im = load(factors + at.pair() + 16);
            re = fused_less(im, by_im, re * by_re);
            im = fused(im, by_re, x * by_im);
        });
    rows_inverse(
        roots, t,
        [&](index row, index col, Floats const& re, Floats const& im)
            __attribute__((always_inline)) {
                save(re, out_a + row * N + col);
                save(im, out_b + row * N + col);
            });
}

template <index N>
constexpr SquareCorrelation correlation_of() {
    return {N, Tile<N>::floats, two<N>};
}

[[gnu::always_inline]] inline bool any_of(Words const& mask) {
    std::uint64_t parts[register_bytes / 8], all = 0;
    std::memcpy(parts, &mask, sizeof mask);
    for (std::uint64_t part : parts) all |= part;
    return all != 0;
}

// Of the values that a register holds, those above the floor and their neighbours.
[[gnu::always_inline]] inline Words maxima(float const* p, index pitch, Floats const& x,
                                           Words mask) {
    for (index const before : {index{-1}, -pitch - 1, -pitch, -pitch + 1})
        mask = mask & (Words)(x > load(p + before));
    for (index const after : {index{1}, pitch - 1, pitch, pitch + 1})
        mask = mask & (Words)(x >= load(p + after));
    return mask;
}

index peaks(Field field, float floor, Peak* out) {
    index found = 0;
    Floats const least = all_of(floor);
    for (index row = 1; row + 1 < field.rows; ++row)
        for (index col = 1; col + 1 < field.cols; col += lanes) {
            float const* const p = field.values + row * field.pitch + col;
            Floats const x = load(p);
            Words const above = (Words)(x > least);
            if (!any_of(above)) continue;
            Words const mask = maxima(p, field.pitch, x, above);
            if (!any_of(mask)) continue;
            for (index i = 0; i < lanes && col + i + 1 < field.cols; ++i)
                if (mask[i] != 0)
                    out[found++] = {x[i], static_cast<std::int32_t>(row),
                                    static_cast<std::int32_t>(col + i)};
        }
    return found;
}

void halve(float const* from, index from_pitch, float* to, index to_pitch, index rows, index cols) {
    for (index r = 0; r < rows; ++r) {
        float const *const a = from + 2 * r * from_pitch, *const b = a + from_pitch;
        float* const d = to + r * to_pitch;
        for (index c = 0; c < cols; ++c)
            d[c] = (a[2 * c] + a[2 * c + 1]) + (b[2 * c] + b[2 * c + 1]);
    }
}

template <class T>
[[gnu::always_inline]] inline Floats floats_of(T const* from) {
    typedef T Values __attribute__((vector_size(sizeof(T) * lanes)));
    Values v;
    std::memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Floats);
}

/// Facts of many values, a register at a time.
class Facts {
  public:
    [[gnu::always_inline]] explicit Facts(float limit) : limit_(all_of(limit)) {}
    [[gnu::always_inline]] void add(Floats const& v, Floats const& weight) {
        Floats const size = v < Floats{} ? -v : v;
        // Of NaN no comparison holds.
        Words const fine = (Words)(size <= limit_);
        odd_ = odd_ | ~fine;
        most_ = larger(most_, (Floats)((Words)(size * weight) & fine));
    }
    [[gnu::always_inline]] RowFacts all() const {
        RowFacts facts;
        for (index i = 0; i < lanes; ++i)
            facts.most = most_[i] > facts.most ? most_[i] : facts.most;
        facts.odd = any_of(odd_);
        return facts;
    }

  private:
    Floats limit_, most_ = {};
    Words odd_ = {};
};

template <class T>
RowFacts read_row(T const* from, float const* weights, index count, float limit, float* to) {
    Facts facts(limit);
    index i = 0;
    for (; i + lanes <= count; i += lanes) {
        Floats const v = floats_of(from + i);
        save(v, to + i);
        facts.add(v, load(weights + i));
    }
    if (i < count) {
        T rest[lanes] = {};
        float weight[lanes] = {}, out[lanes];
        auto const n = static_cast<std::size_t>(count - i);
        std::memcpy(rest, from + i, n * sizeof(T));
        std::memcpy(weight, weights + i, n * sizeof(float));
        Floats const v = floats_of(rest);
        save(v, out);
        std::memcpy(to + i, out, n * sizeof(float));
        facts.add(v, load(weight));
    }
    return facts.all();
}

}  // namespace

DetectKernels detect_kernels() {
    return {
        {read_row<std::uint8_t>, read_row<std::uint16_t>, read_row<std::uint32_t>, read_row<float>,
         read_row<double>},
        {correlation_of<64>(), correlation_of<128>(), correlation_of<192>(), correlation_of<256>()},
        peaks,
        halve};
}

}  // namespace sluice::crystal::SLUICE_ISA
