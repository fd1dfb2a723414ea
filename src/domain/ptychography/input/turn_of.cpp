// The file's rotation is used where the caller gives none; a note names it in either case.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/turn_of.h"

#include <fmt/format.h>

namespace sluice::ptycho {

DetectorTurn turn_of(Scan const& scan, stem4d::PatternsOptions const& options) {
    bool const given = options.rotation_degrees || options.transpose;
    auto const& said = scan.dataset().detector_turn;
    if (!given && said) return *said;
    return {.degrees = options.rotation_degrees.value_or(0),
            .transpose = options.transpose.value_or(false)};
}

std::string note_of_turn(Scan const& scan, stem4d::PatternsOptions const& options) {
    auto const& said = scan.dataset().detector_turn;
    if (!said) return {};
    if (!options.positions.empty())
        return fmt::format(
            "the file states a rotation of {}, which is not used: the given positions lie along "
            "the detector's axes",
            text_of(*said));
    DetectorTurn const used = turn_of(scan, options);
    if (used != *said)
        return fmt::format("the detector is turned by {}, as given; the file states {}",
                           text_of(used), text_of(*said));
    if (used == DetectorTurn{}) return {};
    return fmt::format(
        "the detector is turned by {}, as the file states (--rotation 0 leaves that out)",
        text_of(used));
}

}  // namespace sluice::ptycho
