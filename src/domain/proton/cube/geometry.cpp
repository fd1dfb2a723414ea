// From the patient to the gantry and back (IEC 61217).
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/cube/geometry.h"

#include <fmt/format.h>

#include <cmath>

namespace sluice::proton::cube {
namespace {

constexpr double degree = 0.017453292519943295;

Turn product(Turn const& a, Turn const& b) {
    Turn c{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
    return c;
}

// DICOM's axes go to the left, the back and the head. The table's go to the right of who looks at
// the gantry, to the gantry, and up.
Result<Turn> on_table(std::string const& position) {
    if (position == "HFS") return Turn{{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    if (position == "HFP") return Turn{{{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}};
    if (position == "FFS") return Turn{{{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}}};
    if (position == "FFP") return Turn{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    return Error{Code::unsupported,
                 fmt::format("the patient lies as '{}' (0018,5100), and a dose is computed for "
                             "HFS, HFP, FFS and FFP; give patient_position if the plan is wrong",
                             position)};
}

}  // namespace

Place3 turned(Turn const& by, Place3 const& p) {
    Place3 q{};
    for (std::size_t i = 0; i < 3; ++i) q[i] = by[i][0] * p[0] + by[i][1] * p[1] + by[i][2] * p[2];
    return q;
}

Turn transposed(Turn const& t) {
    Turn u{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) u[i][j] = t[j][i];
    return u;
}

Place3 Frame::to_gantry(Place3 const& p) const {
    return turned(turn, {p[0] - isocentre[0], p[1] - isocentre[1], p[2] - isocentre[2]});
}

Place3 Frame::to_patient(Place3 const& g) const {
    Place3 p = turned(transposed(turn), g);
    for (std::size_t i = 0; i < 3; ++i) p[i] += isocentre[i];
    return p;
}

Result<Frame> frame_of(IonBeam const& beam, std::string const& position) {
    SLUICE_TRY(Turn const table, on_table(position));
    double const c = std::cos(beam.couch * degree), s = std::sin(beam.couch * degree);
    // The table turns about the vertical, anticlockwise seen from above.
    Turn const couch{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    double const g = std::cos(beam.gantry * degree), h = std::sin(beam.gantry * degree);
    Turn const gantry{{{g, 0, -h}, {0, 1, 0}, {h, 0, g}}};
    return Frame{beam.isocentre, beam.source, product(gantry, product(couch, table))};
}

}  // namespace sluice::proton::cube
