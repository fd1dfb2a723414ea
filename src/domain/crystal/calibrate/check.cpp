// Checks of what callers give, and sentences about what was found.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/calibrate/check.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/crystal/calibrate/surface.h"
#include "sluice/optics.h"

namespace sluice::crystal {
namespace {

Error not_taken(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

// Which mistake of the voltage makes the factor, within one per cent.
std::string mistaken_voltage(double factor) {
    constexpr double usual[] = {60, 80, 100, 120, 200, 300};
    for (double is : usual)
        for (double was : usual) {
            double const ratio =
                optics::electron_wavelength_nm(was) / optics::electron_wavelength_nm(is);
            if (is != was && std::abs(factor / ratio - 1) < 0.01)
                return fmt::format(" (a voltage of {:g} kV that is stated as {:g} kV makes {:.3f})",
                                   is, was, ratio);
        }
    return "";
}

}  // namespace

Status check_origin_fit(stem4d::OriginFit const& o) {
    if (o.scan_shape[0] < 1 || o.scan_shape[1] < 1) return not_taken("the surface is of no scan");
    if (o.order < 1 || o.order > 6)
        return not_taken(fmt::format("the surface has the order {} (1 to 6 can be)", o.order));
    std::size_t const n = Surface(o.surface, o.order, o.scan_shape).size();
    if (o.row.size() != n || o.col.size() != n || o.covariance.size() != n * n)
        return not_taken(
            fmt::format("the surface has {} and {} coefficients (it takes {}); take it "
                        "from fit_origins",
                        o.row.size(), o.col.size(), n));
    for (auto const* all : {&o.row, &o.col, &o.covariance})
        for (double v : *all)
            if (!std::isfinite(v))
                return not_taken("the surface has a coefficient that is not finite");
    return {};
}

Status check_pair(stem4d::BraggVectors const& v, stem4d::OriginFit const& o) {
    SLUICE_CHECK(check_vectors(v));
    SLUICE_CHECK(check_origin_fit(o));
    if (v.scan_shape != o.scan_shape)
        return not_taken(
            fmt::format("the origins are of a scan of {}x{} points and the disks of one of "
                        "{}x{}; take those of one scan",
                        o.scan_shape[0], o.scan_shape[1], v.scan_shape[0], v.scan_shape[1]));
    return {};
}

Status check_size_options(stem4d::SizeOptions const& o) {
    if (!(o.stated >= 0) || !std::isfinite(o.stated))
        return not_taken(fmt::format("a stated pixel size of {:g} 1/Å (it is above 0)", o.stated));
    if (!(o.tolerance > 0 && o.tolerance <= 0.3))
        return not_taken(fmt::format("a tolerance of {:g} (a part of the length: 0 to 0.3 can be)",
                                     o.tolerance));
    if (o.most_zone < 1 || o.most_zone > 8)
        return not_taken(fmt::format("zones of indices up to {} (1 to 8 can be)", o.most_zone));
    if (o.zone && *o.zone == stem4d::Indices{})
        return not_taken("the zone [0 0 0] is no direction; give another one");
    return {};
}

void add_stated(double stated, double found, double error, std::vector<std::string>& notes) {
    if (!(stated > 0)) return;
    double const factor = found / stated;
    if (std::abs(factor - 1) <= std::max(0.01, 3 * error / stated)) {
        notes.push_back(
            fmt::format("the stated pixel size, {:.6g} 1/Å, agrees: the measured one is "
                        "{:.4f} of it",
                        stated, factor));
        return;
    }
    notes.push_back(fmt::format(
        "the stated pixel size, {:.6g} 1/Å, does not agree: all spacings that are read with it are "
        "too large by the common factor {:.4f}{}; check the voltage and the camera length",
        stated, factor, mistaken_voltage(factor)));
}

std::string describe(stem4d::Distortion const& d, stem4d::DistortionModel model) {
    if (model == stem4d::DistortionModel::none) return "no distortion was fitted";
    bool const seen = d.ratio() - 1 > 2 * d.ratio_error();
    return fmt::format(
        "distortion: rings are longer by {:.5f} ± {:.5f} along {:.2f} ± {:.2f} degrees from the "
        "row "
        "axis to the column axis{}{}",
        d.ratio(), d.ratio_error(), d.angle_degrees(), d.angle_error_degrees(),
        model == stem4d::DistortionModel::rectangular ? ", as pixels with unequal sides make them"
                                                      : "",
        seen ? "" : "; that is no more than its error");
}

}  // namespace sluice::crystal
