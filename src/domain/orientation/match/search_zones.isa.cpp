// Spectra of spots, and the search of zones and azimuths, for one instruction set.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/orientation/match/match_kernels.h"
#include "fft/squares/columns.h"
#include "fft/squares/lane_math.h"
#include "fft/squares/transpose.h"

namespace sluice::orient::SLUICE_ISA {
namespace {

using namespace fft::SLUICE_ISA;

constexpr index block_floats = azimuths * 32 + 64;
constexpr index rows_of_tile = 2 * zones_of_tile;
constexpr float gaussian_reach = 2.5F;  // in widths, where exp(-x^2) is 0.002

// exp(-i f azimuth) of all frequencies, re and then im.
[[gnu::always_inline]] inline void waves(float cos, float sin, float* re, float* im) {
    re[0] = 1, im[0] = 0;
    float step_re = cos, step_im = -sin;
    index done = 1;
    for (; done < lanes; done *= 2) {
        for (index i = 0; i < done; ++i) {
            re[done + i] = re[i] * step_re - im[i] * step_im;
            im[done + i] = re[i] * step_im + im[i] * step_re;
        }
        float const old = step_re;
        step_re = step_re * step_re - step_im * step_im;
        step_im = 2 * old * step_im;
    }
    Floats const by_re = all_of(step_re), by_im = all_of(step_im);
    Floats r = load(re), i = load(im);
    for (index f = lanes; f < most_frequencies; f += lanes) {
        Floats const old = r;
        r = fused_less(i, by_im, r * by_re);
        i = fused(i, by_re, old * by_im);
        save(r, re + f);
        save(i, im + f);
    }
}

// Adds a spot's waves to the rings near it, each [re, im][frequency].
[[gnu::always_inline]] inline void add_spot(PolarView const& polar, float radius, float weight,
                                            float const* re, float const* im, float* rings) {
    index const from = std::max<index>(0, static_cast<index>(radius - gaussian_reach));
    index const to = std::min(polar.rings, static_cast<index>(radius + gaussian_reach));
    if (from >= to) return;
    float const off = radius - static_cast<float>(from + 1);
    float part = weight * __builtin_expf(-off * off), ratio = __builtin_expf(2 * off - 1);
    for (index ring = from; ring < to; ++ring) {
        float* sums = rings + 2 * most_frequencies * ring;
        Floats const by = all_of(part);
        for (index f = 0; f < polar.frequencies_of[ring]; f += lanes) {
            save(fused(by, load(re + f), load(sums + f)), sums + f);
            float* const its = sums + most_frequencies + f;
            save(fused(by, load(im + f), load(its)), its);
        }
        part *= ratio;
        ratio *= 0.13533528323661270F;  // exp(-2)
    }
}

float spectrum(PolarView const& polar, Spots const& spots, float* room, float* out) {
    std::fill_n(room, polar.rings * 2 * most_frequencies, 0.0F);
    float re[most_frequencies], im[most_frequencies];
    for (index j = 0; j < spots.count; ++j) {
        float const x = spots.x[j], y = spots.y[j], r = __builtin_sqrtf(x * x + y * y);
        if (!(r > 0)) continue;
        waves(x / r, y / r, re, im);
        add_spot(polar, r / polar.width, spots.weight[j], re, im, room);
    }
    float squares = 0;
    index term = 0;
    for (index f = 0; f < polar.frequencies; ++f) {
        float of_frequency = 0;
        for (index ring = polar.first_ring[f]; ring < polar.rings; ++ring, ++term) {
            float const smooth = polar.smooth[term];
            float const* sums = room + 2 * most_frequencies * ring + f;
            float const a = sums[0] * smooth, b = sums[most_frequencies] * smooth;
            out[2 * term] = a, out[2 * term + 1] = b;
            of_frequency += a * a + b * b;
        }
        squares += (f == 0 ? 1.0F : 2.0F) * of_frequency;
    }
    float const length = __builtin_sqrtf(squares), by = squares > 0 ? 1 / length : 0;
    for (index i = 0; i < 2 * term; ++i) out[i] *= by;
    std::fill(out + 2 * term, out + polar.spectrum_floats, 0.0F);
    return length;
}

void interleave(float const* const* spectra, index floats, float* out) {
    for (index first = 0; first < lanes_of_patterns; first += lanes)
        for (index i = 0; i < floats; i += lanes) {
            Floats x[lanes];
#pragma GCC unroll 16
            for (index p = 0; p < lanes; ++p) x[p] = load(spectra[first + p] + i);
            transpose(x);
#pragma GCC unroll 16
            for (index p = 0; p < lanes; ++p) save(x[p], out + (i + p) * lanes_of_patterns + first);
        }
}

// Where the passes of the transform look for a frequency: rows of 16 re and 16 im.
constexpr index row_of(index f) {
    return (f % 16 * (azimuths / 16) + f / 16) * 32;
}

// With S1 ... S4 the sums of ac, bd, ad, bc, for a zone a + ib and a pattern c + id, the pattern's
// spectrum is X = (S1 + S2) + i (S3 - S4), and its mirror image's Y = (S1 - S2) + i (S3 + S4).
// X + iY becomes both correlations in one transform, as its real and imaginary part.
[[gnu::always_inline]] inline void put_pair(index f, Floats const& s1, Floats const& s2,
                                            Floats const& s3, Floats const& s4, float* block) {
    Floats const p = s1 + s2, m = s1 - s2, q = s3 + s4, r = s3 - s4;
    float* const to = block + row_of(f);
    save(p - q, to), save(m + r, to + 16);
    if (f == 0) return;
    float* const opposite = block + row_of(azimuths - f);
    save(p + q, opposite), save(m - r, opposite + 16);
}

// The product of one frequency: `zones` of the tile's zones with `lanes` of the patterns.
template <index zones>
[[gnu::always_inline]] inline void product(float const* a, float const* p, index count, index f,
                                           float* room) {
    Floats by_re[2 * zones], by_im[2 * zones];
#pragma GCC unroll 8
    for (index i = 0; i < 2 * zones; ++i) by_re[i] = by_im[i] = Floats{};
    for (index k = 0; k < count; ++k, a += rows_of_tile, p += 2 * lanes_of_patterns) {
        Floats const re = load(p), im = load(p + lanes_of_patterns);
#pragma GCC unroll 8
        for (index i = 0; i < 2 * zones; ++i) {
            Floats const of_zone = all_of(a[i]);
            by_re[i] = fused(of_zone, re, by_re[i]);
            by_im[i] = fused(of_zone, im, by_im[i]);
        }
    }
#pragma GCC unroll 4
    for (index z = 0; z < zones; ++z)
        put_pair(f, by_re[2 * z], by_im[2 * z + 1], by_im[2 * z], by_re[2 * z + 1],
                 room + z * block_floats);
}

// A processor of 32 registers holds the sums of all zones of a tile.
constexpr index zones_at_once = lanes == 16 ? zones_of_tile : zones_of_tile / 2;

void products(SearchJob const& job) {
    index term = 0;
    for (index f = 0; f < job.polar.frequencies; ++f) {
        index const count = job.polar.rings - job.polar.first_ring[f];
        for (index z = 0; z < zones_of_tile; z += zones_at_once)
            for (index lane = 0; lane < lanes_of_patterns; lane += lanes)
                product<zones_at_once>(job.zones + rows_of_tile * term + 2 * z,
                                       job.patterns + 2 * lanes_of_patterns * term + lane, count, f,
                                       job.room + z * block_floats + lane);
        term += count;
    }
    // The transform before left numbers where there are no frequencies.
    for (index z = 0; z < zones_of_tile; ++z)
        for (index f = job.polar.frequencies; f <= azimuths - job.polar.frequencies; ++f)
            std::fill_n(job.room + z * block_floats + row_of(f), 32, 0.0F);
}

typedef Words Mask;

[[gnu::always_inline]] inline void keep_larger(Floats const& value, std::int32_t at, Floats& best,
                                               Words& where) {
    Mask const more = value > best;
    best = more ? value : best;
    where = more ? at - Words{} : where;
}

// The sixteen azimuths m j + c of one c, and what is best of them in each sector.
[[gnu::always_inline]] inline void last_pass(fft::Roots const& roots, float const* block, index c,
                                             index lane, ZoneBest& best) {
    constexpr index m = azimuths / 16, of_sector = 16 / sectors;
    Floats re[16], im[16];
    load_rows(block + 32 * c + lane, m, re, im);
    radix(im, re, ScalarRoots{roots.columns_inverse + 16 * c});
    auto const with = [&](Floats const(&x)[16], index mirror) __attribute__((always_inline)) {
#pragma GCC unroll 4
        for (index s = 0; s < sectors; ++s) {
            float* const to = best.value[s][mirror] + lane;
            std::int32_t* const at = best.azimuth[s][mirror] + lane;
            Floats most = load(to);
            Words where;
            std::memcpy(&where, at, sizeof where);
#pragma GCC unroll 4
            for (index j = s * of_sector; j < (s + 1) * of_sector; ++j)
                keep_larger(x[place<16>(j)], static_cast<std::int32_t>(m * j + c), most, where);
            save(most, to);
            std::memcpy(at, &where, sizeof where);
        }
    };
    with(re, 0);
    with(im, 1);
}

void search(SearchJob const& given) {
    SearchJob const job = given;
    products(job);
    constexpr index m = azimuths / 16;
    fft::Roots const& roots = fft::roots_of_square(azimuths);
    for (index z = 0; z < zones_of_tile; ++z) {
        float* const block = job.room + z * block_floats;
        ZoneBest& best = job.best[z];
        std::fill_n(&best.value[0][0][0], sectors * 2 * lanes_of_patterns, -2.0F);
        std::fill_n(&best.azimuth[0][0][0], sectors * 2 * lanes_of_patterns, 0);
        for (index k = 0; k < 16; ++k)
            for (index lane = 0; lane < lanes_of_patterns; lane += lanes) {
                float* const at = block + 32 * m * k + lane;
                Floats re[m], im[m];
                load_rows(at, 1, re, im);
                columns_leave(re, im, at);
            }
        for (index c = 0; c < m; ++c)
            for (index lane = 0; lane < lanes_of_patterns; lane += lanes)
                last_pass(roots, block, c, lane, best);
    }
}

}  // namespace

MatchKernels match_kernels() {
    return {spectrum, interleave, search};
}

}  // namespace sluice::orient::SLUICE_ISA
