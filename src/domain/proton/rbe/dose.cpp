// Doses weighted by RBE, element by element.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domain/proton/words.h"
#include "sluice/proton_rbe.h"

namespace sluice::proton {
namespace {

// keV/um: no proton in water has more than 82.
constexpr float highest_let = 100;
constexpr double matters = 1e-3;

Error bad(std::string text) {
    return {Code::invalid_argument, std::move(text)};
}

Status check(RbeOptions const& o) {
    if (!(o.alpha_beta > 0 && std::isfinite(o.alpha_beta)))
        return bad(
            fmt::format("alpha/beta is {}; give Gy above 0, such as 2 of late tissues or "
                        "10 of tumours",
                        o.alpha_beta));
    if (o.fractions < 1)
        return bad(fmt::format("the dose is of {} fractions; give 1 or more", o.fractions));
    if (config::word_of(o.model).empty()) return bad("there is no such model of RBE; give one");
    return {};
}

/// As in "z 3, y 0, x 17": numbers of an element from 0.
std::string element(Volume const& v, std::size_t number) {
    auto rest = static_cast<index>(number);
    std::string text;
    std::size_t const axes = v.image.shape.size();
    for (std::size_t a = axes; a-- > 0; rest /= v.image.shape[a])
        text = fmt::format("{} {}{}{}", "zyx"[a + 3 - axes], rest % v.image.shape[a],
                           text.empty() ? "" : ", ", text);
    return text;
}

Result<float> highest(Volume const& dose) {
    float most = 0;
    for (std::size_t i = 0; i < dose.image.values.size(); ++i) {
        float const d = dose.image.values[i];
        if (!(d >= 0 && std::isfinite(d)))
            return bad(fmt::format("the dose at {} is {} Gy; give finite doses of at least 0",
                                   element(dose, i), d));
        most = std::max(most, d);
    }
    return most;
}

Error untold(Volume const& dose, std::size_t i, float let) {
    return bad(fmt::format(
        "the LET at {} is {} keV/um, where the dose is {:.4g} Gy (above a thousandth of the "
        "highest; protons in water have more than 0 and less than 100) give the dose-averaged LET "
        "in keV/um of all that gets dose",
        element(dose, i), let, dose.image.values[i]));
}

}  // namespace

Status same_grid(Volume const& a, Volume const& b, std::string const& what) {
    if (b.image.values.empty()) return bad(fmt::format("{} is missing; give it", what));
    if (a.image.shape != b.image.shape)
        return bad(fmt::format("{} has {} elements and the dose {}; resample it to the dose's grid",
                               what, fmt::join(b.image.shape, "x"), fmt::join(a.image.shape, "x")));
    constexpr double hundredth = 0.01, parallel = 1e-3;
    auto const differ = [&](char const* name) {
        return bad(
            fmt::format("{} lies elsewhere than the dose: its {} differs; resample it to "
                        "the dose's grid",
                        what, name));
    };
    // How far the last middles lie apart counts, not how far the spacings do.
    for (std::size_t k = 0; k < std::min(a.spacing.size(), b.spacing.size()); ++k) {
        auto const side = static_cast<double>(a.image.shape[a.image.shape.size() - 1 - k]);
        if (!(std::abs(a.spacing[k] - b.spacing[k]) * side <= hundredth * a.spacing[k]))
            return differ("spacing");
    }
    for (std::size_t k = 0; k < std::min(a.origin.size(), b.origin.size()); ++k) {
        double const step = k < a.spacing.size() ? a.spacing[k] : 1;
        if (!(std::abs(a.origin[k] - b.origin[k]) <= hundredth * step)) return differ("origin");
    }
    if (a.spacing.empty() || b.spacing.empty()) return {};
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t c = 0; c < 3; ++c)
            if (!(std::abs(a.direction[k][c] - b.direction[k][c]) <= parallel))
                return differ("direction of axes");
    return {};
}

Result<Volume> rbe_dose(Volume const& dose, Volume const& let, RbeOptions const& options,
                        Volume const* map) {
    SLUICE_CHECK(check(options));
    if (dose.content.starts_with("effective dose"))
        return bad("the dose is weighted by RBE already; give the physical one");
    bool const constant = options.model == RbeModel::constant;
    bool const has_let = !(constant && let.image.values.empty());
    if (has_let) SLUICE_CHECK(same_grid(dose, let, "the LET"));
    if (map) SLUICE_CHECK(same_grid(dose, *map, "the map of alpha/beta"));
    SLUICE_TRY(float const most, highest(dose));
    Volume out{{dose.image.shape, std::vector<float>(dose.image.values.size())},
               dose.spacing,
               dose.origin,
               dose.direction,
               "effective dose, Gy"};
    for (std::size_t i = 0; i < dose.image.values.size(); ++i) {
        float const total = dose.image.values[i];
        if (total == 0) continue;
        double const r = map ? static_cast<double>(map->image.values[i]) : options.alpha_beta;
        if (!(r > 0 && std::isfinite(r)))
            return bad(fmt::format("alpha/beta at {} is {}; give Gy above 0 where there is dose",
                                   element(dose, i), r));
        float const l = has_let ? let.image.values[i] : 0;
        bool const told = l > 0 && l <= highest_let;
        if (has_let && !told && static_cast<double>(total) > matters * static_cast<double>(most))
            return untold(dose, i, l);
        double const d = total;
        double const factor = rbe(told ? options.model : RbeModel::constant, d / options.fractions,
                                  static_cast<double>(l), r);
        out.image.values[i] = static_cast<float>(d * factor);
    }
    return out;
}

}  // namespace sluice::proton
