// calibrate: origins, distortion and pixel size, as far as disks and a crystal determine them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/crystal/calibrate/check.h"
#include "domain/crystal/calibrate/radii.h"

namespace sluice::stem4d {
namespace {

// Rings of theory that are tried; powders show ten or twenty.
constexpr std::size_t many_rings = 40, most_rings = 60;
constexpr double most_frequency = 8;  // 1/ångström

using Notes = std::vector<std::string>;

void append(Notes& to, Notes const& from) {
    to.insert(to.end(), from.begin(), from.end());
}

Result<std::vector<KnownRing>> rings_of(CalibrateOptions const& o) {
    if (!o.cell) return known_rings(o.spacings);
    std::vector<KnownRing> rings;
    for (double g = 1 / std::max({o.cell->a, o.cell->b, o.cell->c, 0.5});
         rings.size() < many_rings && g <= most_frequency; g *= 1.4) {
        SLUICE_TRY(rings, known_rings(*o.cell, g));
    }
    rings.resize(std::min(rings.size(), most_rings));
    return rings;
}

// A lattice that at least half of the patterns with disks have.
std::optional<LatticeFit> lattice_of(BraggVectors const& v, Options const& run, Notes& notes) {
    Notes found;
    auto const basis = find_basis(v, &found);
    if (!basis) {
        notes.push_back("no lattice: " + basis.error().message);
        return {};
    }
    auto fit = fit_lattice(v, *basis, {}, run);
    if (!fit) {
        notes.push_back("no lattice: " + fit.error().message);
        return {};
    }
    append(notes, found);
    append(notes, fit->notes);
    return std::move(*fit);
}

double share_fitted(LatticeFit const& fit) {
    auto const all = std::ranges::count_if(
        fit.reason, [](LatticeReason r) { return r != LatticeReason::no_disks; });
    auto const fitted = std::ranges::count(fit.reason, LatticeReason::fitted);
    return all > 0 ? static_cast<double>(fitted) / static_cast<double>(all) : 0;
}

class Work {
  public:
    Work(BraggVectors const& v, CalibrateOptions const& o, Options const& run)
        : v_(v), o_(o), run_(run) {}

    Result<Calibrated> operator()() {
        SLUICE_CHECK(check());
        SLUICE_CHECK(origins());
        SLUICE_CHECK(shape());
        Calibration& c = out_.calibration;
        c.scan_shape = v_.scan_shape, c.detector_shape = v_.detector_shape;
        return std::move(out_);
    }

  private:
    Status check() const {
        SLUICE_CHECK(check_vectors(v_));
        SLUICE_CHECK(crystal::check_size_options(o_.size));
        if (o_.cell) SLUICE_CHECK(check_cell(*o_.cell));
        for (double d : o_.spacings)
            if (!(d > 0) || !std::isfinite(d))
                return Error{Code::invalid_argument,
                             fmt::format("a spacing of {:g} Å is none; give numbers above 0", d)};
        if (o_.cell && !o_.spacings.empty())
            return Error{Code::invalid_argument,
                         "a crystal and spacings are given (each says what is known) give one"};
        if (o_.measured && o_.measured->scan_shape != v_.scan_shape)
            return Error{
                Code::invalid_argument,
                "the origins are of another scan than the disks; measure them on this one"};
        return {};
    }
    Status origins() {
        Notes& notes = out_.calibration.notes;
        if (o_.measured) {
            out_.origins = *o_.measured;
        } else {
            SLUICE_TRY(out_.origins, measure_origins(v_, o_.origins));
        }
        append(notes, out_.origins.notes);
        SLUICE_TRY(out_.calibration.origins, fit_origins(out_.origins, o_.surface));
        append(notes, out_.calibration.origins->notes);
        return {};
    }
    bool known() const { return o_.cell || !o_.spacings.empty(); }
    void take(SizeFit fit) {
        Calibration& c = out_.calibration;
        c.pixel_size = fit.pixel_size, c.pixel_size_error = fit.error;
        if (o_.size.distortion != DistortionModel::none) c.distortion = fit.distortion;
        c.lattice = fit.lattice;
        c.crystal = o_.cell ? o_.cell->name : fmt::format("{} spacings", o_.spacings.size());
        if (o_.cell) append(c.notes, o_.cell->notes);
        append(c.notes, fit.notes);
        out_.size = std::move(fit);
    }
    Status shape() {
        Notes& notes = out_.calibration.notes;
        if (o_.pattern != CrystalPattern::rings) {
            Notes about;
            auto const lattice = lattice_of(v_, run_, about);
            bool const enough = lattice && share_fitted(*lattice) >= 0.5;
            if (enough || o_.pattern == CrystalPattern::lattice) {
                append(notes, about);
                if (lattice) return by_lattice(*lattice);
                return Error{Code::invalid_argument,
                             about.back() + " (the pattern is said to be a lattice)"};
            }
            if (lattice)
                notes.push_back(fmt::format(
                    "the patterns are taken as rings: a lattice fits {:.0f} % of them, and half "
                    "would do",
                    100 * share_fitted(*lattice)));
            else
                append(notes, about);
        }
        return by_rings();
    }
    Status by_lattice(LatticeFit const& lattice) {
        if (!known()) {
            out_.calibration.notes.emplace_back(
                "the crystal is not known: neither pixel size nor distortion follow from its "
                "lattice; give --crystal or --spacings");
            return {};
        }
        if (o_.cell) {
            SLUICE_TRY(SizeFit fit, match_lattice(lattice, *o_.cell, o_.size));
            take(std::move(fit));
            return {};
        }
        SLUICE_TRY(auto const rings, rings_of(o_));
        SLUICE_TRY(SizeFit fit, match_rings(lattice, v_, rings, o_.size));
        take(std::move(fit));
        return {};
    }
    Status by_rings() {
        OriginFit const& fitted = *out_.calibration.origins;
        if (known()) {
            SLUICE_TRY(auto const rings, rings_of(o_));
            SLUICE_TRY(SizeFit fit, match_rings(v_, fitted, rings, o_.size));
            take(std::move(fit));
            return {};
        }
        Notes& notes = out_.calibration.notes;
        if (o_.size.distortion == DistortionModel::none) return {};
        FoundRings rings{.rings = o_.rings, .rough = {}};
        if (rings.rings.empty()) rings = find_rings(v_, fitted);
        if (rings.rings.empty()) {
            notes.emplace_back(
                "no ring stands out and no crystal is known: the distortion is not "
                "determined");
            return {};
        }
        SLUICE_TRY(out_.ellipse, fit_ellipse(v_, fitted, rings, o_.size.distortion));
        out_.calibration.distortion = out_.ellipse->distortion;
        append(notes, out_.ellipse->notes);
        notes.push_back(crystal::describe(out_.ellipse->distortion, o_.size.distortion));
        return {};
    }

    BraggVectors const& v_;
    CalibrateOptions const& o_;
    Options const& run_;
    Calibrated out_;
};

}  // namespace

Result<Calibrated> calibrate(BraggVectors const& vectors, CalibrateOptions const& options,
                             Options const& run) {
    SLUICE_CHECK(refuse_references(run.references, "calibrations are of disks that were"));
    return Work(vectors, options, run)();
}

Result<std::vector<double>> radial_histogram(BraggVectors const& vectors,
                                             Calibration const& calibration, double bin) {
    if (!(bin >= 1e-3) || !std::isfinite(bin))
        return Error{Code::invalid_argument,
                     fmt::format("bins of {:g} px (0.001 and more can be); give wider ones", bin)};
    SLUICE_TRY(CalibratedVectors const c, apply_calibration(vectors, calibration));
    Point const center = calibration.center();
    std::vector<double> bins;
    double const most = 2 * std::hypot(static_cast<double>(vectors.detector_shape[0]),
                                       static_cast<double>(vectors.detector_shape[1]));
    for (std::size_t j = 0; j < c.vectors.row.size(); ++j) {
        double const r = std::hypot(static_cast<double>(c.vectors.row[j]) - center.row,
                                    static_cast<double>(c.vectors.col[j]) - center.col);
        if (!(r < most)) continue;
        auto const i = static_cast<std::size_t>(r / bin);
        if (i >= bins.size()) bins.resize(i + 1);
        ++bins[i];
    }
    return bins;
}

}  // namespace sluice::stem4d
