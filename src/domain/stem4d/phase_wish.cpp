// What is asked for about phase contrast, in words, before a scan is there.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/phase_wish.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace sluice::stem4d {
namespace {

// Nothing, or phase contrast with a rotation that is found or given.
Result<std::optional<PhaseOptions>> parse(PhaseWish const& wish) {
    PhaseOptions options{.periodic = wish.periodic};
    options.descan = wish.descan.value_or(options.descan);
    std::string const text = wish.rotation.value_or("none");
    if (text == "none") {
        if (!wish.periodic && !wish.descan) return std::optional<PhaseOptions>{};
        return Error{Code::invalid_argument,
                     fmt::format("{} has no effect (it is about icom) ask for that with --rotation",
                                 wish.periodic ? "--periodic" : "--descan")};
    }
    if (text == "auto" || text == "file") return std::optional{options};
    Rotation rotation;
    int length = 0;
    std::sscanf(text.c_str(), "%lf%n", &rotation.degrees, &length);
    std::string const rest = text.substr(static_cast<std::size_t>(length));
    rotation.transpose = rest == ",transpose";
    if (length == 0 || !std::isfinite(rotation.degrees) || !(rest.empty() || rotation.transpose))
        return Error{Code::invalid_argument,
                     fmt::format("--rotation '{}' is not a rotation; give auto, file, none, or "
                                 "degrees with "
                                 "or without ',transpose', as in -12.5,transpose",
                                 text)};
    options.rotation = rotation;
    return std::optional{options};
}

}  // namespace

Status check(PhaseWish const& wish) {
    SLUICE_TRY([[maybe_unused]] auto const options, parse(wish));
    return {};
}

Result<std::optional<PhaseOptions>> phase_options(Scan const& scan, PhaseWish const& wish) {
    SLUICE_TRY(std::optional<PhaseOptions> options, parse(wish));
    auto const& turn = scan.dataset().detector_turn;
    if (wish.rotation == "file" && !turn)
        return Error{Code::invalid_argument,
                     "the file says no rotation of the detector (py4DSTEM's calibration would) "
                     "give --rotation auto or degrees",
                     scan.dataset().path};
    if (!turn || (wish.rotation && wish.rotation != "file")) return options;
    if (!options) options.emplace();
    options->rotation = Rotation{.degrees = turn->degrees, .transpose = turn->transpose};
    return options;
}

}  // namespace sluice::stem4d
