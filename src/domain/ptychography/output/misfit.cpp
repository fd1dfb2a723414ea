// Shapes, places and shares of a result, compared with each other.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/output/misfit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sluice/ptychography_file.h"

namespace sluice::ptycho {

namespace {

using stem4d::Position;
using stem4d::PtychographyResult;
using Shape = std::vector<index>;
using Found = std::optional<Misfit>;

template <class T>
Found differs(char const* name, Array<T> const& array, Shape const& wanted) {
    index count = 1;
    for (index const side : array.shape) count *= side;
    if (array.shape == wanted && array.size() == count) return {};
    return Misfit{name, fmt::format("has the shape {}, and the other arrays need {}",
                                    fmt::join(array.shape, "x"), fmt::join(wanted, "x"))};
}

template <class T>
Found empty(char const* name, Array<T> const& array) {
    bool const none = array.shape.size() != 3 || array.values.empty();
    return none ? Found(Misfit{name, "has no pixels"}) : Found();
}

Found waves(PtychographyResult const& r) {
    if (auto found = empty("object", r.object)) return found;
    if (auto found = empty("probe", r.probe)) return found;
    index const side = r.probe.shape[2];
    if (auto found = differs("probe", r.probe, {r.probe.shape[0], side, side})) return found;
    if (auto found = differs("object", r.object, r.object.shape)) return found;
    if (side > std::min(r.object.shape[1], r.object.shape[2]))
        return Misfit{"probe", "is larger than the object"};
    if (r.opr_modes.shape.empty()) return {};
    return differs("opr_modes", r.opr_modes, {r.opr_modes.shape[0], side, side});
}

Found places(PtychographyResult const& r) {
    double const side = static_cast<double>(r.probe.shape[2]);
    double const rows = static_cast<double>(r.object.shape[1]) - side;
    double const cols = static_cast<double>(r.object.shape[2]) - side;
    // Windows move by parts of a pixel.
    auto const lies = [&](Position const& p) {
        return p.row > -1 && p.col > -1 && p.row < rows + 1 && p.col < cols + 1;
    };
    auto const finite = [](Position const& p) {
        return std::isfinite(p.row) && std::isfinite(p.col);
    };
    if (!std::ranges::all_of(r.positions, lies))
        return Misfit{"positions", "lie outside of the object"};
    for (auto const& [name, of] : {std::pair("started", &r.started), {"descan", &r.descan}}) {
        if (!of->empty() && of->size() != r.positions.size())
            return Misfit{name, fmt::format("has {} entries, and there are {} positions",
                                            of->size(), r.positions.size())};
        if (!std::ranges::all_of(*of, finite)) return Misfit{name, "has NaN or infinite values"};
    }
    return {};
}

Found refined(PtychographyResult const& r) {
    index const modes = r.opr_modes.shape.empty() ? 0 : r.opr_modes.shape[0];
    if (!r.opr_weights.shape.empty())
        if (auto found =
                differs("opr_weights", r.opr_weights, {std::ssize(r.positions), 1 + modes}))
            return found;
    if (r.background.shape.empty()) return {};
    index const side = r.background.shape.back();
    return differs("background", r.background, {side, side});
}

Found numbers(PtychographyResult const& r) {
    if (std::ssize(r.mode_powers) != r.probe.shape[0])
        return Misfit{"mode_powers", fmt::format("has {} numbers, and there are {} modes",
                                                 r.mode_powers.size(), r.probe.shape[0])};
    if (!std::ranges::all_of(r.mode_powers, [](double p) { return p >= 0 && p <= 1; }))
        return Misfit{"mode_powers", "has values outside of 0 to 1"};
    constexpr index most_stages = 1000000;
    for (auto const& round : r.rounds)
        if (round.stage < 0 || round.stage >= most_stages)
            return Misfit{"rounds/stage", "has an invalid stage number"};
    for (auto const& [name, number] : {std::pair("pixel_nm", r.pixel_nm),
                                       {"slice_nm", r.slice_nm},
                                       {"probe_power", r.probe_power},
                                       {"poisson_floor", r.floor}})
        if (!(number >= 0 && number < 1e18)) return Misfit{name, "is out of range"};
    return {};
}

}  // namespace

std::optional<Misfit> misfit_of(PtychographyResult const& result) {
    for (auto const look : {waves, places, refined, numbers})
        if (auto found = look(result)) return found;
    return {};
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Status check_result(PtychographyResult const& result) {
    auto const found = ptycho::misfit_of(result);
    if (!found) return {};
    return Error{
        Code::invalid_argument,
        fmt::format(
            "the result's {} {} (no reconstruction gives such a result) give it as it was made",
            found->name, found->problem)};
}

}  // namespace sluice::stem4d
