// Every electron takes 62 random bits: 18 + 18 for a point in the unit disk, 16 to choose between
// disk and background, 10 to choose the disk.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/pattern.h"

#include <algorithm>
#include <cmath>

#include "format/synthetic/random.h"
#include "format/synthetic/specimen.h"

namespace sluice {
namespace {

using namespace synthetic;

// Of the diffuse electrons, those spread evenly; the others crowd around the direct beam.
constexpr double flat_share = 0.6;
constexpr double halo_width = 1.3;                      // in disk radii
constexpr double ring_inner = 0.52, ring_outer = 0.97;  // high angles, of half the smaller side
constexpr double spot_spacing = 2.25;                   // in disk radii

struct Hit {
    float y, x;  // in the unit disk
    std::uint64_t bits;
};

/// The next candidates that fall into the unit disk; about 79 of 100 do.
template <std::size_t N>
std::size_t draw(std::uint64_t& counter, std::array<Hit, N>& hits) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < N; ++i) {
        counter += golden;
        std::uint64_t const bits = mix(counter);
        auto const iy = static_cast<std::int32_t>(bits & 0x3ffff) - 0x20000;
        auto const ix = static_cast<std::int32_t>(bits >> 18 & 0x3ffff) - 0x20000;
        float const y = (static_cast<float>(iy) + 0.5f) * 0x1p-17f;
        float const x = (static_cast<float>(ix) + 0.5f) * 0x1p-17f;
        hits[n] = {y, x, bits};
        n += static_cast<std::size_t>(y * y + x * x < 1);
    }
    return n;
}

/// Everything about a frame that its electrons share.
struct Frame {
    std::uint32_t rows, cols;
    float height, width;             // the same
    std::uint32_t flat, halo, ring;  // cumulative shares, of 65536
    float radius, y, x;              // of the direct beam
    float halo_radius, ring_from, ring_area;
    std::uint32_t* counts;

    bool put(float py, float px) const {
        if (!(py >= 0 && px >= 0 && py < height && px < width)) return false;
        ++counts[static_cast<std::size_t>(py) * cols + static_cast<std::size_t>(px)];
        return true;
    }
    void put_anywhere(Hit const& hit) const {
        std::uint64_t const more = mix(hit.bits + golden);
        std::uint64_t const row = (more >> 32) * rows >> 32, col = (more & 0xffffffff) * cols >> 32;
        ++counts[row * cols + col];
    }
    /// Lorentzian-like: the share beyond r falls as 1/r.
    void put_halo(Hit const& hit) const {
        float const s = hit.y * hit.y + hit.x * hit.x;
        float const r = halo_radius * std::sqrt((1 / (s * s) - 1) / s);
        if (!put(y + r * hit.y, x + r * hit.x)) put_anywhere(hit);
    }
    void put_ring(Hit const& hit) const {
        float const s = hit.y * hit.y + hit.x * hit.x;
        float const r = std::sqrt((ring_from + ring_area * s) / s);
        if (!put(y + r * hit.y, x + r * hit.x)) put_anywhere(hit);
    }
};

}  // namespace

Simulator::Simulator(SyntheticOptions const& options)
    : options_(options), bad_(bad_pixels(options)) {
    spots_[0] = make_spots(0);
    spots_[1] = make_spots(grain_angle);
}

// A square reciprocal lattice, out to where a whole disk still fits on the detector; without room
// for any the direct beam keeps the electrons.
Simulator::Spots Simulator::make_spots(double angle) const {
    double const radius = options_.radius(), spacing = spot_spacing * radius;
    double const half =
        static_cast<double>(std::min(options_.detector[0], options_.detector[1])) / 2;
    double const room = half - 1.2 * radius - options_.wobble;
    double const c = std::cos(angle), n = std::sin(angle);
    float const cy = static_cast<float>(options_.detector[0]) / 2;
    float const cx = static_cast<float>(options_.detector[1]) / 2;
    std::vector<Spot> centres;
    std::vector<double> weights;
    double sum = 0;
    int const reach = std::min(8, static_cast<int>(std::max(0.0, 1.5 * half / spacing)));
    for (int h = -reach; h <= reach; ++h)
        for (int k = -reach; k <= reach; ++k) {
            double const y = spacing * (c * h + n * k), x = spacing * (c * k - n * h);
            if ((h == 0 && k == 0) || std::max(std::fabs(y), std::fabs(x)) > room) continue;
            centres.push_back({cy + static_cast<float>(y), cx + static_cast<float>(x)});
            weights.push_back(std::exp(-0.45 * (h * h + k * k)) * ((h + k) % 2 == 0 ? 1.0 : 0.6));
            sum += weights.back();
        }
    Spots spots;
    spots.fill({cy, cx});
    double const of_disks = options_.diffuse < 1 ? options_.bragg / (1 - options_.diffuse) : 0;
    double filled = 0;
    std::size_t entry = 0;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        filled += of_disks * spot_entries * weights[i] / sum;
        for (; entry < spot_entries && static_cast<double>(entry) + 0.5 < filled; ++entry)
            spots[entry] = centres[i];
    }
    return spots;
}

void Simulator::counts(index frame, std::span<std::uint32_t> out) const {
    expects(static_cast<index>(out.size()) == options_.pixels());
    std::ranges::fill(out, 0u);
    Specimen const s = specimen_at(options_, frame / options_.scan[1], frame % options_.scan[1]);
    std::uint64_t counter = frame_key(options_.seed, static_cast<std::uint64_t>(frame));
    Uniform uniform(mix(~counter));
    std::uint64_t left = poisson(options_.dose * s.thickness, uniform);

    auto const shares = [](double share) {
        return static_cast<std::uint32_t>(std::lround(std::clamp(share, 0.0, 1.0) * 65536));
    };
    auto const half = static_cast<float>(std::min(options_.detector[0], options_.detector[1])) / 2;
    auto const ring_from = half * static_cast<float>(ring_inner);
    auto const ring_to = half * static_cast<float>(ring_outer);
    Frame const f{
        .rows = static_cast<std::uint32_t>(options_.detector[0]),
        .cols = static_cast<std::uint32_t>(options_.detector[1]),
        .height = static_cast<float>(options_.detector[0]),
        .width = static_cast<float>(options_.detector[1]),
        .flat = shares(options_.diffuse * flat_share),
        .halo = shares(options_.diffuse),
        .ring = shares(options_.diffuse + (1 - options_.diffuse) * s.high_angle),
        .radius = static_cast<float>(options_.radius()),
        .y = static_cast<float>(options_.detector[0]) / 2 + static_cast<float>(s.shift_y),
        .x = static_cast<float>(options_.detector[1]) / 2 + static_cast<float>(s.shift_x),
        .halo_radius = static_cast<float>(halo_width * options_.radius()),
        .ring_from = ring_from * ring_from,
        .ring_area = ring_to * ring_to - ring_from * ring_from,
        .counts = out.data(),
    };
    Spots const& spots = spots_[static_cast<std::size_t>(s.grain)];
    auto const dy = static_cast<float>(s.shift_y), dx = static_cast<float>(s.shift_x);
    std::array<Hit, 256> hits;
    while (left > 0) {
        std::size_t const n = std::min<std::size_t>(draw(counter, hits), left);
        left -= n;
        for (Hit const& hit : std::span(hits).first(n)) {
            auto const choice = static_cast<std::uint32_t>(hit.bits >> 36 & 0xffff);
            if (choice >= f.ring) {
                Spot const& spot = spots[hit.bits >> 52 & (spot_entries - 1)];
                if (!f.put(spot.y + dy + f.radius * hit.y, spot.x + dx + f.radius * hit.x))
                    f.put_anywhere(hit);
            } else if (choice < f.flat) {
                f.put_anywhere(hit);
            } else if (choice < f.halo) {
                f.put_halo(hit);
            } else {
                f.put_ring(hit);
            }
        }
    }
}

void Simulator::values(index frame, std::span<std::uint32_t> scratch,
                       std::span<std::byte> out) const {
    expects(static_cast<index>(out.size()) == options_.pixels() * size_of(options_.dtype));
    counts(frame, scratch);
    store_counts(options_, bad_, scratch, out);
}

void simulate_frame(SyntheticOptions const& options, index frame, std::span<std::uint32_t> counts) {
    Simulator(options).counts(frame, counts);
}

}  // namespace sluice
