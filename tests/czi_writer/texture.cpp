// A texture like tissue, out of smooth noise of several sizes; a function of the coordinates.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "czi_writer/pixels.h"

namespace sluice::test {
namespace {

std::uint32_t hash(index x, index y, std::uint32_t seed) {
    auto h =
        static_cast<std::uint32_t>(x) * 0x9e3779b1U ^ static_cast<std::uint32_t>(y) * 0x85ebca77U;
    h ^= seed * 0xc2b2ae3dU;
    h = (h ^ h >> 15) * 0x2c1b3c6dU;
    h = (h ^ h >> 12) * 0x297a2d39U;
    return h ^ h >> 15;
}

float unit(std::uint32_t h) {
    return static_cast<float>(h >> 8) * (1.0F / (1 << 24));
}

float smooth(float t) {
    return t * t * (3 - 2 * t);
}

/// A row of the picture: every `step`-th pixel from x on.
struct Row {
    index x = 0, y = 0, step = 1, size = 0;
};

/// Adds noise whose grid has cells of 2^bits pixels; it lies in 0 .. amplitude.
void add_noise(Row const& row, int bits, std::uint32_t seed, float amplitude, float* out) {
    index const cell = index{1} << bits, cy = row.y >> bits;
    float const down = smooth(static_cast<float>(row.y - cy * cell) / static_cast<float>(cell));
    auto const knot = [&](index cx) {
        float const a = unit(hash(cx, cy, seed)), b = unit(hash(cx, cy + 1, seed));
        return amplitude * (a + (b - a) * down);
    };
    index at = (row.x >> bits) - 1;
    float left = 0, right = 0;
    for (index i = 0; i < row.size; ++i) {
        index const x = row.x + i * row.step;
        if (index const cx = x >> bits; cx != at) {
            left = cx == at + 1 && i > 0 ? right : knot(cx);
            right = knot(cx + 1);
            at = cx;
        }
        float const t = static_cast<float>(x - at * cell) / static_cast<float>(cell);
        out[i] += left + (right - left) * smooth(t);
    }
}

float between(float low, float high, float v) {
    return smooth(std::clamp((v - low) / (high - low), 0.0F, 1.0F));
}

/// What there is along a row, each 0 .. 1.
struct Fields {
    std::vector<float> tissue, fibre, nuclei;

    Fields(Row const& row, std::uint32_t seed)
        : tissue(static_cast<std::size_t>(row.size)), fibre(tissue), nuclei(tissue) {
        add_noise(row, 11, seed, 0.6F, tissue.data());
        add_noise(row, 8, seed + 1, 0.4F, tissue.data());
        add_noise(row, 6, seed + 2, 0.45F, fibre.data());
        add_noise(row, 3, seed + 3, 0.3F, fibre.data());
        add_noise(row, 1, seed + 6, 0.25F, fibre.data());
        add_noise(row, 5, seed + 4, 0.8F, nuclei.data());
        add_noise(row, 4, seed + 5, 0.2F, nuclei.data());
        for (std::size_t i = 0; i < tissue.size(); ++i) {
            tissue[i] = between(0.35F, 0.5F, tissue[i]);
            nuclei[i] = tissue[i] * between(0.52F, 0.66F, nuclei[i]);
        }
    }
};

constexpr float glass[4] = {0.955F, 0.95F, 0.96F, 1}, eosin[4] = {0.88F, 0.6F, 0.75F, 1},
                haematoxylin[4] = {0.36F, 0.23F, 0.55F, 1};

float colour(Fields const& f, std::size_t i, std::size_t s) {
    float const stain = f.tissue[i] * (0.3F + 0.7F * f.fibre[i]);
    float const v = glass[s] + (eosin[s] - glass[s]) * stain;
    return v + (haematoxylin[s] - v) * f.nuclei[i] * (0.6F + 0.4F * f.fibre[i]);
}

float glow(Fields const& f, std::size_t i) {
    return 0.03F + 0.12F * f.tissue[i] * f.fibre[i] +
           0.6F * f.nuclei[i] * (0.5F + 0.5F * f.fibre[i]);
}

/// What 1 stands for, and how far the noise of the camera goes.
struct Range {
    float white = 1, noise = 0;
};

Range range_of(slide::PixelType type) {
    Kind const kind = kind_of(type);
    if (kind.sample_bytes == 1) return {255, 6};
    if (kind.sample_bytes == 2) return {kind.samples == 1 ? 16383.0F : 65535.0F, 40};
    return {1, 0.002F};
}

void paint_row(Tile const& tile, Row const& row, slide::PlaneIndex const& at, std::uint32_t seed,
               std::byte* out) {
    Kind const kind = kind_of(tile.pixel_type);
    Range const range = range_of(tile.pixel_type);
    seed += 1000 * static_cast<std::uint32_t>(at[slide::C]) +
            17 * static_cast<std::uint32_t>(at[slide::T]);
    Fields const fields(row, seed);
    float const tile_light =
        tile.m == slide::none ? 1 : 1 + 0.02F * static_cast<float>(tile.m * 7 % 5 - 2);
    float const light = range.white * tile_light / (1 + 0.1F * static_cast<float>(at[slide::Z]));
    for (std::size_t i = 0; i < fields.tissue.size(); ++i)
        for (std::size_t s = 0; s < static_cast<std::size_t>(kind.samples); ++s) {
            float const pure = kind.samples == 1 ? glow(fields, i) : colour(fields, i, s);
            index const x = row.x + static_cast<index>(i) * row.step;
            // The sum of two is nearer to a camera's noise than one.
            std::uint32_t const h = hash(x, row.y, seed + 99 + static_cast<std::uint32_t>(s));
            float const noise = static_cast<float>((h & 0xffff) + (h >> 16)) / 65536.0F - 1;
            float v = s == 3 ? range.white : pure * light + range.noise * noise;
            if (kind.sample_bytes <= 2) v = std::clamp(v, 0.0F, range.white);
            put_sample(out, tile.pixel_type, v);
            out += kind.sample_bytes;
        }
}

}  // namespace

Painter texture(unsigned seed) {
    return [seed](Tile const& tile, std::span<std::byte> out) {
        index const step = std::max<index>(1, tile.rect.width / tile.width());
        index const down = std::max<index>(1, tile.rect.height / tile.height());
        auto const bytes =
            static_cast<std::size_t>(tile.width() * kind_of(tile.pixel_type).bytes());
        for (index y = 0; y < tile.height(); ++y)
            paint_row(tile, {tile.rect.x, tile.rect.y + y * down, step, tile.width()}, tile.at,
                      seed, out.data() + static_cast<std::size_t>(y) * bytes);
    };
}

}  // namespace sluice::test
