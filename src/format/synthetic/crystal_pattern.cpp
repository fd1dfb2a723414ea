// Drawing disks and background, each integrated over its pixels.
// SPDX-License-Identifier: Apache-2.0
#include "format/synthetic/crystal_pattern.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "format/synthetic/random.h"

namespace sluice::synthetic {
namespace {

// A pixel is the mean over so many points along each side.
constexpr int points = 3;
// Edges reach so many widths: what is beyond is below 1e-17.
constexpr double edge_reach = 10;
constexpr std::uint32_t stopped = 0x100;

/// [row][col] of mean counts.
struct Plane {
    index rows, cols;
    std::vector<double>& values;

    /// Adds the mean of f(row, col) over each pixel within `reach` of a place.
    template <class F>
    void add(double row, double col, double reach, F&& f) const {
        auto const from = [&](double x) {
            return static_cast<index>(std::floor(std::max(0.0, x - reach)));
        };
        auto const to = [&](double x, index side) {
            return std::min(side - 1, static_cast<index>(std::ceil(x + reach)));
        };
        for (index r = from(row); r <= to(row, rows); ++r)
            for (index c = from(col); c <= to(col, cols); ++c) {
                double sum = 0;
                for (int i = 0; i < points; ++i)
                    for (int j = 0; j < points; ++j)
                        sum += f(std::hypot(static_cast<double>(r) + offset(i) - row,
                                            static_cast<double>(c) + offset(j) - col));
                values[static_cast<std::size_t>(r * cols + c)] += sum / (points * points);
            }
    }
    static double offset(int i) { return (i + 0.5) / points - 0.5; }
};

}  // namespace

CrystalSimulator::CrystalSimulator(CrystalOptions const& options)
    : options_(options), bad_(bad_pixels(options.common)) {
    if (options_.stop > 0) add_stop();
}

void CrystalSimulator::add_stop() {
    index const rows = options().detector[0], cols = options().detector[1];
    bad_.mask.resize(static_cast<std::size_t>(options().pixels()));
    for (index r = 0; r < rows; ++r)
        for (index c = 0; c < cols; ++c) {
            double const y = static_cast<double>(r) - static_cast<double>(rows - 1) / 2;
            double const x = static_cast<double>(c) - static_cast<double>(cols - 1) / 2;
            bool const bar = y > 0 && std::fabs(x) <= options_.stop / 2;
            if (std::hypot(y, x) > options_.stop && !bar) continue;
            auto const at = static_cast<std::size_t>(r * cols + c);
            if (bad_.mask[at] == 0) bad_.at.push_back(at);
            bad_.mask[at] |= stopped;
        }
}

std::vector<double> CrystalSimulator::expected(index frame) const {
    SyntheticOptions const& o = options();
    index const row = frame / o.scan[1], col = frame % o.scan[1];
    std::vector<double> values(static_cast<std::size_t>(o.pixels()));
    Plane const plane{o.detector[0], o.detector[1], values};
    CrystalTruth const truth = crystal_truth(options_, row, col);
    double const width = options_.background_width;
    double const peak = o.dose * options_.background / (2 * std::numbers::pi * width * width);
    double const everywhere = static_cast<double>(o.detector[0] + o.detector[1]);
    if (peak > 0)
        plane.add(truth.origin[0], truth.origin[1], everywhere, [&](double r) {
            double const q = 1 + r * r / (width * width);
            return peak / (q * std::sqrt(q));
        });
    double const radius = options_.radius(), edge = options_.edge;
    for (CrystalDisk const& d : crystal_disks(options_, row, col))
        plane.add(d.row, d.col, radius + edge_reach * edge,
                  [&](double r) { return d.height / (1 + std::exp(4 * (r - radius) / edge)); });
    for (std::size_t const at : bad_.at)
        if (bad_.mask[at] & stopped) values[at] = 0;
    return values;
}

void CrystalSimulator::counts(index frame, std::span<std::uint32_t> out) const {
    std::vector<double> const mean = expected(frame);
    expects(out.size() == mean.size());
    Uniform uniform(frame_key(options().seed, static_cast<std::uint64_t>(frame)));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(poisson(mean[i], uniform), ~std::uint32_t{0}));
}

void CrystalSimulator::values(index frame, std::span<std::uint32_t> scratch,
                              std::span<std::byte> out) const {
    expects(static_cast<index>(out.size()) == options().pixels() * size_of(options().dtype));
    counts(frame, scratch);
    store_counts(options(), bad_, scratch, out);
}

}  // namespace sluice::synthetic
