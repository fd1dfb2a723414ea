// Causes that lie in the positions: how the detector lies against the scan, and their unit.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "domain/ptychography/judge/causes/causes.h"
#include "domain/ptychography/nearest.h"

namespace sluice::ptycho {

namespace {

bool near(Turn const& a, Turn const& b) {
    double squares = 0;
    for (std::size_t i = 0; i < 4; ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    return squares < 2 * 2 * 0.05 * 0.05;  // some 3 degrees: two columns move by that
}

TriedCause cause_of(Turn const& m, bool far) {
    TriedCause tried{.turn = m};
    if (far && near(m, {-1, 0, 0, -1})) {
        tried.name = "defocus sign";
        tried.advice =
            "give a defocus (and other aberrations) of the other sign, or turn the positions by "
            "180 degrees, which has the same effect";
        return tried;
    }
    bool const exchanged = m[0] * m[3] - m[1] * m[2] < 0;
    // The rotation that remains after rows and columns were exchanged.
    double const s = exchanged ? m[3] : m[2], c = exchanged ? m[2] : m[0];
    double const degrees = std::round(std::atan2(s, c) * 1800 / std::numbers::pi) / 10 + 0.0;
    tried.name = exchanged ? "transpose" : "rotation";
    tried.advice = fmt::format("{}turn the positions by {:g} degrees from rows to columns",
                               exchanged ? "exchange rows and columns of the positions, and " : "",
                               -degrees + 0.0);
    if (exchanged && degrees == 0) tried.advice = "exchange rows and columns of the positions";
    return tried;
}

}  // namespace

std::vector<Cause> other_orientations(Patterns const& patterns,
                                      PtychographyOptions const& options) {
    // Without a probe that is given, a turn's opposite is its twin in a far field: one of the two
    // will do. A near field has no twins, and the middle of an image tells no angle.
    bool const far = options.propagation == stem4d::Propagation::far;
    bool const twins = far && options.probe.empty();
    std::vector<Turn> turns = {{1, 0, 0, 1}};
    auto const add = [&](Turn const& m) {
        if (std::ranges::any_of(turns, [&](Turn const& t) {
                return near(t, m) || (twins && near(t, opposite(m)));
            }))
            return;
        turns.push_back(m);
    };
    for (Turn const& m :
         {Turn{-1, 0, 0, -1}, Turn{0, 1, 1, 0}, Turn{0, -1, -1, 0}, Turn{0, -1, 1, 0},
          Turn{0, 1, -1, 0}, Turn{1, 0, 0, -1}, Turn{-1, 0, 0, 1}})
        add(m);
    if (far)
        for (Turn const& m : turns_without_curl(patterns)) add(m);
    std::vector<Cause> causes;
    for (std::size_t i = 1; i < turns.size(); ++i)
        causes.push_back({.tried = cause_of(turns[i], far)});
    return causes;
}

std::vector<Cause> other_units(Patterns const& patterns) {
    struct Unit {
        double by;
        char const* words;
    };
    double const pixel = patterns.pixel_nm;
    std::vector<Unit> units = {{10, "ten times as far apart (Å for nm?)"},
                               {0.1, "a tenth as far apart (nm for Å?)"}};
    if (pixel > 0)
        for (auto const& [nm, words] : {std::pair(1.0, "they look like nm: divide by the pixel"),
                                        std::pair(0.1, "they look like Å: divide by the pixel"),
                                        std::pair(1e3, "they look like µm: divide by the pixel"),
                                        std::pair(1e-3, "they look like pm: divide by the pixel")})
            units.push_back({nm / pixel, words});
    double const nearest = median_nearest(patterns.positions);
    std::vector<Cause> causes;
    for (Unit const& unit : units) {
        double const step = nearest * unit.by;
        bool const told = unit.by > 0.8 && unit.by < 1.25;
        if (told || !(step > 0.3 && step < 0.25 * static_cast<double>(patterns.size))) continue;
        Cause cause;
        cause.tried.name = "unit of positions";
        cause.tried.advice =
            fmt::format("multiply the positions by {:.4g} ({})", unit.by, unit.words);
        cause.tried.turn = {unit.by, 0, 0, unit.by};
        causes.push_back(std::move(cause));
    }
    return causes;
}

}  // namespace sluice::ptycho
