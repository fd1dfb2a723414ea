// From the patient to the gantry and back (IEC 61217).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "sluice/proton_plan.h"

namespace sluice::proton::cube {

using Place3 = std::array<double, 3>;
using Turn = std::array<Place3, 3>;

Place3 turned(Turn const& by, Place3 const& p);
Turn transposed(Turn const& t);

/// A beam's coordinates: x and y across it, z against it, from the isocentre.
struct Frame {
    Place3 isocentre{};
    std::array<double, 2> source{};  ///< distances of the virtual sources
    Turn turn{};  ///< of places in the patient, less the isocentre, to the gantry

    Place3 to_gantry(Place3 const& patient) const;
    Place3 to_patient(Place3 const& gantry) const;
    /// How much farther apart rays are at z than at the isocentre, along x or y.
    double spread(int axis, double z) const {
        double const s = source[static_cast<std::size_t>(axis)];
        return (s - z) / s;
    }
};

/// `position`: HFS, HFP, FFS or FFP; others are an error.
Result<Frame> frame_of(IonBeam const& beam, std::string const& position);

}  // namespace sluice::proton::cube
