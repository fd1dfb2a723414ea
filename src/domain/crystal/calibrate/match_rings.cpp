// match_rings: the pixel size and the distortion that make all rings those of a crystal.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/calibrate/check.h"
#include "domain/crystal/calibrate/lattice_mean.h"
#include "domain/crystal/calibrate/ring_fit.h"
#include "domain/crystal/calibrate/robust.h"
#include "domain/crystal/calibrate/scale.h"

namespace sluice::stem4d {
namespace {

using crystal::RingDisk;
using crystal::RingFit;
using crystal::Scale;

// The part of a radius that the maximum of a ring's histogram may be wrong by.
constexpr double blur_of_rings = 0.008;

Status check_known(std::span<KnownRing const> known) {
    if (known.empty())
        return Error{Code::invalid_argument, "no spacing is known; give spacings or a crystal"};
    for (KnownRing const& k : known)
        if (!(k.frequency > 0) || !std::isfinite(k.frequency))
            return Error{
                Code::invalid_argument,
                fmt::format("a ring of {:g} 1/Å is none; give numbers above 0", k.frequency)};
    if (!std::ranges::is_sorted(known, {}, &KnownRing::frequency))
        return Error{Code::invalid_argument, "the known rings are not sorted; sort them"};
    return {};
}

// Rings of the right crystal miss theory by up to 0.5 % where neighbours among them run into each
// other; those of another one by 0.9 % and more, since they are looked for within 2.4 %.
constexpr double usual_misfit = 0.007;

// Where more sizes than these are as likely, the best one is a guess.
constexpr std::size_t most_alternatives = 3;

Status refuse_guess(Scale const& scale, std::size_t rings) {
    std::vector<double> sizes{scale.pixel_size};
    for (auto const& a : scale.alternatives) sizes.push_back(a.pixel_size);
    if (scale.alternatives.size() <= most_alternatives) return {};
    auto const [low, high] = std::ranges::minmax(sizes);
    return Error{
        Code::invalid_argument,
        fmt::format("{} pixel sizes explain the {} rings about as well, from {:.4g} to {:.4g} 1/Å "
                    "(the crystal has a ring for any radius, or it is not the one of the scan) "
                    "state about which size it is (--stated-pixel-size), give the spacings of "
                    "these rings, or another crystal",
                    sizes.size(), rings, low, high)};
}

// The error grows with what the rings miss theory by; it is told where that is much.
void judge_misfit(SizeFit& out) {
    if (out.rings.size() < 3) return;
    double squares = 0;
    for (auto const& r : out.rings) squares += r.off * r.off;
    auto const n = static_cast<double>(out.rings.size());
    double const misfit = std::sqrt(squares / (n - 1));
    out.error = std::max(out.error, out.pixel_size * misfit / std::sqrt(n));
    if (misfit > usual_misfit)
        out.notes.push_back(fmt::format(
            "doubtful: the rings miss those of the crystal by {:.1f} %, where half of that "
            "is usual: it is another crystal, or there are several",
            100 * misfit));
}

// Rings of theory up to the last that was recognised, and how many of them nobody
// saw. What is nearer than the blur is one ring.
void judge_missing(std::span<KnownRing const> known, SizeFit& out) {
    if (out.rings.size() < 3) return;
    SizeFit::Match const last = std::ranges::max(out.rings, {}, &SizeFit::Match::frequency);
    index all = 0, missing = 0;
    double before = 0;
    for (KnownRing const& k : known) {
        if (k.frequency > last.frequency) break;
        if (k.frequency < before * (1 + 3 * blur_of_rings)) continue;
        before = k.frequency;
        ++all;
        missing += std::ranges::none_of(out.rings, [&](SizeFit::Match const& r) {
            return std::abs(r.frequency / k.frequency - 1) < 3 * blur_of_rings;
        });
    }
    if (2 * missing >= all)
        out.notes.push_back(
            fmt::format("{} of the crystal's {} rings up to {} were not seen: they are weak or run "
                        "into others, or it is another crystal, of another pixel size",
                        missing, all, last.name));
}

// What is known of the rings that were recognised, and the disks on them.
struct Recognised {
    std::vector<RingDisk> disks;
    std::vector<double> frequencies;  // [ring]
    std::vector<std::string> names;
};

SizeFit size_of(RingFit const& fit, Recognised const& on, SizeOptions const& options) {
    SizeFit out;
    out.pixel_size = std::exp(-fit.logs[0]);
    out.error = out.pixel_size * std::sqrt(fit.log_variances[0]);
    out.distortion = fit.distortion;
    auto const c = fit.distortion.correction();
    for (std::size_t k = 0; k < on.frequencies.size(); ++k) {
        double sum = 0, weights = 0;
        index n = 0;
        for (std::size_t i = 0; i < on.disks.size(); ++i) {
            RingDisk const& d = on.disks[i];
            if (d.ring != k || !(fit.weights[i] > 0)) continue;
            sum += fit.weights[i] *
                   std::hypot(c[0] * d.row + c[1] * d.col, c[1] * d.row + c[2] * d.col);
            weights += fit.weights[i], ++n;
        }
        if (n == 0) continue;
        double const radius = sum / weights;
        out.rings.push_back({radius, on.frequencies[k], on.names[k], n,
                             radius * out.pixel_size / on.frequencies[k] - 1});
    }
    out.notes.push_back(crystal::describe(out.distortion, options.distortion));
    if (out.rings.size() == 1)
        out.notes.push_back(
            fmt::format("one ring, {}, alone decides the pixel size", out.rings.front().name));
    return out;
}

void add_scale(Scale const& scale, std::span<double const> radii, double last,
               SizeOptions const& options, SizeFit& out) {
    out.alternatives = scale.alternatives;
    for (std::size_t i = 0; i < radii.size(); ++i)
        // Of what lies beyond the last ring that is known nothing is said.
        if (scale.rings[i] < 0 && radii[i] * scale.pixel_size < last * 1.02)
            out.unmatched.push_back(fmt::format("{:.2f} px", radii[i]));
    for (auto const& a : out.alternatives)
        out.notes.push_back(
            fmt::format("ambiguous: the rings are explained nearly as well where "
                        "{}, with pixels of {:.6g} 1/Å",
                        a.name, a.pixel_size));
    if (!out.unmatched.empty())
        out.notes.push_back(
            fmt::format("{} of {} rings are none of the crystal's; they take no part",
                        out.unmatched.size(), radii.size()));
    crystal::add_stated(options.stated, out.pixel_size, out.error, out.notes);
}

}  // namespace

Result<SizeFit> match_rings(BraggVectors const& vectors, OriginFit const& origins,
                            std::span<KnownRing const> known, SizeOptions const& options) {
    SLUICE_CHECK(crystal::check_pair(vectors, origins));
    SLUICE_CHECK(crystal::check_size_options(options));
    SLUICE_CHECK(check_known(known));
    FoundRings const found = find_rings(vectors, origins);
    std::vector<Ring> const& rings = found.rings;
    auto const measured = crystal::disks_on(vectors, origins, found);
    auto const [rr, rc, cc] = found.rough.correction();
    std::vector<double> radii;
    for (std::size_t k = 0; k < rings.size(); ++k) {
        std::vector<double> of;
        for (RingDisk const& d : measured)
            if (d.ring == k)
                of.push_back(std::hypot(rr * d.row + rc * d.col, rc * d.row + cc * d.col));
        radii.push_back(crystal::middle_of(std::move(of)));
    }
    SLUICE_TRY(Scale const scale, crystal::scale_of(radii, known, blur_of_rings, options.stated));
    SLUICE_CHECK(refuse_guess(scale, radii.size()));
    Recognised on;
    FoundRings taken{.rings = {}, .rough = found.rough};
    for (std::size_t k = 0; k < rings.size(); ++k) {
        if (scale.rings[k] < 0) continue;
        KnownRing const& theory = known[static_cast<std::size_t>(scale.rings[k])];
        taken.rings.push_back(rings[k]);
        on.frequencies.push_back(theory.frequency), on.names.push_back(theory.name);
    }
    on.disks = crystal::disks_on(vectors, origins, taken);
    SLUICE_TRY(RingFit const fit, crystal::fit_rings(on.disks, taken.rings.size(), on.frequencies,
                                                     options.distortion));
    SizeFit out = size_of(fit, on, options);
    out.notes.insert(out.notes.begin(),
                     fmt::format("the pixel size is that of {} rings and {} disks together; {} "
                                 "disks take no part",
                                 out.rings.size(), fit.used, fit.left_out));
    judge_misfit(out);
    judge_missing(known, out);
    add_scale(scale, radii, known.back().frequency, options, out);
    return out;
}

namespace {

struct Spot {
    int h, k;
    double radius;
    std::size_t known;
};

// Points of the lattice that disks lie on, one of each pair of opposites.
std::vector<Spot> spots_of(crystal::LatticeMean const& mean, BraggVectors const& vectors,
                           LatticeFit const& lattice) {
    std::vector<Spot> spots;
    for (auto const& [hk, patterns] : crystal::occupied(vectors, lattice)) {
        if (5 * patterns < mean.patterns) continue;
        auto const d = mean.at(hk[0], hk[1]);
        spots.push_back({hk[0], hk[1], crystal::length_of(d), 0});
    }
    std::ranges::stable_sort(spots, {}, &Spot::radius);
    return spots;
}

std::vector<RingDisk> disks_of(std::span<Spot const> spots, std::array<double, 4> const& numbers) {
    std::vector<RingDisk> out;
    for (Spot const& s : spots)
        out.push_back({s.h * numbers[0] + s.k * numbers[2], s.h * numbers[1] + s.k * numbers[3], 0,
                       0, 0, s.known});
    return out;
}

}  // namespace

Result<SizeFit> match_rings(LatticeFit const& lattice, BraggVectors const& vectors,
                            std::span<KnownRing const> known, SizeOptions const& options) {
    SLUICE_CHECK(crystal::check_size_options(options));
    SLUICE_CHECK(check_known(known));
    SLUICE_CHECK(check_vectors(vectors));
    SLUICE_TRY(crystal::LatticeMean const mean, crystal::mean_of(lattice));
    std::vector<Spot> spots = spots_of(mean, vectors, lattice);
    std::vector<double> radii;
    for (Spot const& s : spots)
        if (radii.empty() || s.radius > radii.back() * (1 + options.tolerance / 2))
            radii.push_back(s.radius);
    SLUICE_TRY(Scale const scale,
               crystal::scale_of(radii, known, options.tolerance / 2, options.stated));
    Recognised on;
    for (KnownRing const& k : known)
        on.frequencies.push_back(k.frequency), on.names.push_back(k.name);
    std::vector<Spot> taken;
    for (Spot s : spots) {
        double nearest = 1.5 * options.tolerance;
        for (std::size_t k = 0; k < known.size(); ++k)
            if (double const x =
                    std::abs(std::log(s.radius * scale.pixel_size / known[k].frequency));
                x < nearest)
                nearest = x, s.known = k;
        if (nearest < 1.5 * options.tolerance) taken.push_back(s);
    }
    on.disks = disks_of(taken, mean.numbers);
    SLUICE_TRY(RingFit const fit,
               crystal::fit_rings(on.disks, known.size(), on.frequencies, options.distortion));
    SizeFit out = size_of(fit, on, options);
    // The spots are sums of two vectors: the errors are those of the vectors.
    std::array<double, 4> by_size{};
    std::array<std::array<double, 4>, 2> by_shape{};
    for (std::size_t i = 0; i < 4; ++i) {
        double const h = 1e-4 * (std::abs(mean.numbers[i]) + 1);
        auto high = mean.numbers, low = mean.numbers;
        high[i] += h, low[i] -= h;
        SLUICE_TRY(auto const more, crystal::fit_rings(disks_of(taken, high), known.size(),
                                                       on.frequencies, options.distortion));
        SLUICE_TRY(auto const less, crystal::fit_rings(disks_of(taken, low), known.size(),
                                                       on.frequencies, options.distortion));
        by_size[i] = (std::exp(-more.logs[0]) - std::exp(-less.logs[0])) / (2 * h);
        by_shape[0][i] = (more.distortion.along - less.distortion.along) / (2 * h);
        by_shape[1][i] = (more.distortion.across - less.distortion.across) / (2 * h);
    }
    out.error = std::sqrt(mean.carried(by_size, by_size));
    out.distortion.covariance = {mean.carried(by_shape[0], by_shape[0]),
                                 mean.carried(by_shape[1], by_shape[1]),
                                 mean.carried(by_shape[0], by_shape[1])};
    out.notes.front() = crystal::describe(out.distortion, options.distortion);
    out.notes.insert(out.notes.begin(),
                     fmt::format("the pixel size is that of {} points of one crystal's lattice, as "
                                 "{} patterns have it, against rings",
                                 taken.size(), mean.patterns));
    add_scale(scale, radii, known.back().frequency, options, out);
    return out;
}

}  // namespace sluice::stem4d
