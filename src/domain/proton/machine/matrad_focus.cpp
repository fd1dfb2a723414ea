// The widths of matRad's beams as moments.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/machine/focus.h"
#include "domain/proton/machine/matrad.h"

namespace sluice::proton {
namespace {

using Numbers = std::vector<double>;

// As matRad takes it: the first one that is wider than the table says.
Result<std::size_t> focus_row(MatRecord const& focus, std::size_t rows, MatFacts const& facts) {
    if (!facts.least_fwhm || !focus.find("SisFWHMAtIso")) return std::size_t{0};
    SLUICE_TRY(Numbers const fwhm, focus.numbers("SisFWHMAtIso"));
    for (std::size_t i = 0; i < std::min(rows, fwhm.size()); ++i)
        if (fwhm[i] > *facts.least_fwhm) return i;
    return focus.wrong("SisFWHMAtIso",
                       fmt::format("has no width above the {:g} mm of the table of widths in meta; "
                                   "correct one of them",
                                   *facts.least_fwhm));
}

// Column by column, `rows` in each.
Numbers row_of(mat::Value const& v, std::size_t row) {
    auto const rows = static_cast<std::size_t>(v.sides[0]);
    Numbers out;
    for (std::size_t i = std::min(row, rows - 1); i < v.numbers.size(); i += rows)
        out.push_back(v.numbers[i]);
    return out;
}

// Near the way from the nozzle to behind the isocentre, if that leaves enough to see a parabola.
void keep_near(double plane, Numbers& z, Numbers& sigma) {
    constexpr std::size_t enough = 3;
    auto const near = [plane](double v) { return v >= 0 && v <= 2 * plane; };
    if (std::ranges::count_if(z, near) < static_cast<std::ptrdiff_t>(enough)) return;
    Numbers kept_z, kept_sigma;
    for (std::size_t i = 0; i < z.size(); ++i) {
        if (!near(z[i])) continue;
        kept_z.push_back(z[i]);
        kept_sigma.push_back(sigma[i]);
    }
    z = std::move(kept_z);
    sigma = std::move(kept_sigma);
}

Status check_widths(MatRecord const& record, Numbers const& dist, Numbers const& sigma) {
    if (sigma.empty() || dist.size() != sigma.size())
        return record.wrong("sigma", fmt::format("has {} widths for {} distances; give as many",
                                                 sigma.size(), dist.size()));
    for (std::size_t i = 0; i < dist.size(); ++i) {
        if (!(std::abs(dist[i]) <= 1e6) || (i > 0 && dist[i] <= dist[i - 1]))
            return record.wrong(
                "dist", fmt::format("has {} mm at place {}; distances ascend", dist[i], i + 1));
        if (!(sigma[i] > 0 && sigma[i] <= 1000))
            return record.wrong("sigma", fmt::format("has {} mm at place {}; give more than 0, at "
                                                     "most 1000",
                                                     sigma[i], i + 1));
    }
    return {};
}

}  // namespace

Result<SpotGaussian> read_focus(MatRecord const& record, double energy, MatFacts& facts) {
    SLUICE_TRY(mat::Value const* const dist, record.array("dist"));
    SLUICE_TRY(mat::Value const* const sigma, record.array("sigma"));
    // A row for each focus; a column is one focus, written the other way.
    auto const rows = static_cast<std::size_t>(sigma->sides[1] == 1 ? 1 : sigma->sides[0]);
    SLUICE_TRY(std::size_t const row, focus_row(record, rows, facts));
    facts.foci = std::max(facts.foci, static_cast<index>(rows));
    Numbers z = dist->sides[1] == 1 ? dist->numbers : row_of(*dist, row);
    Numbers widths = rows == 1 ? sigma->numbers : row_of(*sigma, row);
    SLUICE_CHECK(check_widths(record, z, widths));
    for (double& v : z) v -= facts.source - facts.plane;
    keep_near(facts.plane, z, widths);
    facts.from = facts.plane - z.front();
    facts.to = facts.plane - z.back();
    Focus const f = focus_of(z, widths);
    if (std::abs(f.residual) > std::abs(facts.residual)) {
        facts.residual = f.residual;
        facts.residual_at = facts.plane - f.residual_at;
        facts.residual_energy = energy;
    }
    facts.emittance = facts.emittance || record.find("emittance") != nullptr;
    return SpotGaussian{.sigma = {f.sigma, f.sigma},
                        .divergence = {f.divergence, f.divergence},
                        .covariance = {f.covariance, f.covariance}};
}

}  // namespace sluice::proton
