// Fits the blurred edge of a disk to a radial profile.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/disk_width.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace sluice::stem4d {
namespace {

constexpr int sectors = 16;
constexpr double reach = 1.5;  // in radii: beyond it are halos and other disks
// Wider edges are smooth humps: Gaussians have 0.6 of their radius, others 0.5 and more. Detectors
// blur by a pixel.
constexpr double widest = 0.47, pixel_blur = 1;

// Sums over what of rings is on the detector.
struct Ring {
    double radius = 0, sum = 0, weight = 0;
};
using Profile = std::vector<Ring>;

struct Band {
    double mean = 0, weight = 0;
};

Band band_of(Profile const& profile, double from, double to) {
    double sum = 0, weight = 0;
    for (Ring const& ring : profile)
        if (ring.radius >= from && ring.radius <= to) sum += ring.sum, weight += ring.weight;
    return {weight > 0 ? sum / weight : 0, weight};
}

// The profile in one of the sectors; weights are in pixels.
Profile profile_of(Image const& image, Disk const& d, int sector) {
    double const step = std::max(0.25, d.radius / 24), last = reach * d.radius + 1;
    auto const rays = static_cast<int>(std::clamp(d.radius, 3.0, 24.0));
    Profile out;
    for (double r = step / 2; r <= last; r += step) {
        Ring ring{r, 0, 0};
        double const pixels = 2 * std::numbers::pi * r * step / (sectors * rays);
        for (int i = 0; i < rays; ++i) {
            double const angle =
                2 * std::numbers::pi * (sector + (i + 0.5) / rays) / static_cast<double>(sectors);
            double const row = d.center.row + r * std::sin(angle),
                         col = d.center.col + r * std::cos(angle);
            if (!image.holds(row, col)) continue;
            ring.sum += pixels * bilinear(image, row, col);
            ring.weight += pixels;
        }
        out.push_back(ring);
    }
    return out;
}

// Sectors whose inside is not hidden and whose outside is not another disk's, added up. Of those
// that differ by chance none is left out, for that would choose steep profiles out of noise.
Profile clear_profile(Image const& image, Disk const& d) {
    std::array<Profile, sectors> parts;
    std::array<Band, sectors> inside, outside;
    std::vector<double> inner, outer;
    for (int s = 0; s < sectors; ++s) {
        auto const i = static_cast<std::size_t>(s);
        parts[i] = profile_of(image, d, s);
        inside[i] = band_of(parts[i], 0.2 * d.radius, 0.8 * d.radius);
        outside[i] = band_of(parts[i], 1.1 * d.radius, reach * d.radius + 1);
        if (inside[i].weight > 0) inner.push_back(inside[i].mean);
        if (outside[i].weight > 0) outer.push_back(outside[i].mean);
    }
    double const plateau = quantile(inner, 0.6), ground = quantile(outer, 0.2);
    double const half = (plateau - ground) / 2;
    auto const chance = [&](Band const& b) {
        return 3 * std::sqrt(image.grain * std::max(b.mean, 0.0) / std::max(b.weight, 0.5));
    };
    Profile out = parts[0];
    for (Ring& ring : out) ring.sum = ring.weight = 0;
    for (std::size_t i = 0; i < sectors; ++i) {
        if (inside[i].mean < plateau - half - chance(inside[i])) continue;
        if (outside[i].weight > 0 && outside[i].mean > ground + 0.3 * half + chance(outside[i]))
            continue;
        for (std::size_t k = 0; k < out.size(); ++k)
            out[k].sum += parts[i][k].sum, out[k].weight += parts[i][k].weight;
    }
    return out;
}

// What is left of a profile's squares beside ground + height * edge, the best of both chosen; an
// edge that rises outwards does not count.
double misfit(Profile const& profile, double radius, double width) {
    double n = 0, e1 = 0, e2 = 0, p1 = 0, p2 = 0, ep = 0;
    for (Ring const& ring : profile) {
        if (!(ring.weight > 0)) continue;
        double const e = std::erfc((ring.radius - radius) / (std::numbers::sqrt2 * width)) / 2;
        double const p = ring.sum / ring.weight, w = ring.weight;
        n += w, e1 += w * e, e2 += w * e * e, p1 += w * p, p2 += w * p * p, ep += w * e * p;
    }
    double const spread = e2 - e1 * e1 / n, shared = ep - e1 * p1 / n, all = p2 - p1 * p1 / n;
    return spread > 0 && shared > 0 ? all - shared * shared / spread : all;
}

// Pixels integrate (1/12), and between them values are interpolated (1/6 in the mean).
double without_pixels(double width) {
    return std::sqrt(std::max(0.0, width * width - 0.25));
}

// How much the profile rises and falls inside of a disk, over its height and beyond chance: a hump
// within a ring, whose outer side is as sharp as an edge, has no plateau.
double unevenness_of(Profile const& profile, Disk const& d, double grain) {
    double low = 1e300, high = -1e300;
    std::vector<double> inside;
    for (double from = 0.15; from < 0.7; from += 0.1) {
        Band const b = band_of(profile, from * d.radius, (from + 0.1) * d.radius);
        if (!(b.weight > 0)) continue;
        double const chance = 2 * std::sqrt(grain * std::max(b.mean, 0.0) / b.weight);
        low = std::min(low, b.mean + chance), high = std::max(high, b.mean - chance);
        inside.push_back(b.mean);
    }
    Band const outside = band_of(profile, 1.2 * d.radius, reach * d.radius + 1);
    double const height = quantile(inside, 0.5) - (outside.weight > 0 ? outside.mean : 0);
    return height > 0 ? std::max(0.0, high - low) / height : 0;
}

}  // namespace

EdgeWidth edge_width(Image const& image, Disk const& disk) {
    Profile const profile = clear_profile(image, disk);
    double constexpr none = std::numeric_limits<double>::infinity();
    double sharp = none, smooth = none, least = none;
    EdgeWidth out;
    for (double r = 0.6 * disk.radius; r <= 1.4 * disk.radius; r += disk.radius / 32)
        for (double part = 0.03; part < 1.1; part *= 1.12) {
            double const left = misfit(profile, r, part * r);
            double const width = without_pixels(part * r);
            bool const here = std::abs(r / disk.radius - 1) < 0.2;
            bool const wide = width > std::max(widest * r, pixel_blur);
            double& kind = here && !wide ? sharp : smooth;
            kind = std::min(kind, left);
            if (left < least) least = left, out.part = width / r;
        }
    out.unevenness = unevenness_of(profile, disk, image.grain);
    double const one = image.grain * std::max(1e-300, band_of(profile, 0, disk.radius).mean);
    out.evidence = smooth < none && sharp < none ? (smooth - sharp) / one
                   : smooth < none               ? -1
                                                 : none;
    return out;
}

}  // namespace sluice::stem4d
