// Bunge's angles of orientations, and back.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/orientation/vectors.h"
#include "sluice/orientation.h"

namespace sluice::stem4d {
namespace {

// From where on phi1 and phi2 turn about the same axis.
constexpr double same_axis = 1e-9;

double within_circle(double degrees) {
    double const turned = std::fmod(degrees, 360);
    double const positive = turned < 0 ? turned + 360 : turned;
    return positive >= 360 ? 0 : positive;
}

}  // namespace

// Turning the frame about its axes turns vectors the other way: g = Z(-phi2) X(-Phi) Z(-phi1).
Orientation orientation_of(EulerAngles const& degrees) {
    double const half = orient::degree / 2;
    double const sum = (degrees[0] + degrees[2]) * half,
                 difference = (degrees[0] - degrees[2]) * half;
    double const c = std::cos(degrees[1] * half), s = std::sin(degrees[1] * half);
    return {c * std::cos(sum), -s * std::cos(difference), -s * std::sin(difference),
            -c * std::sin(sum)};
}

EulerAngles euler_of(Orientation const& g) {
    double const along = std::hypot(g.w, g.z), across = std::hypot(g.x, g.y);
    double const sum = std::atan2(-g.z, g.w) / orient::degree;
    double const difference = std::atan2(-g.y, -g.x) / orient::degree;
    if (across < same_axis * along) return {within_circle(2 * sum), 0, 0};
    if (along < same_axis * across) return {within_circle(2 * difference), 180, 0};
    return {within_circle(sum + difference), 2 * std::atan2(across, along) / orient::degree,
            within_circle(sum - difference)};
}

}  // namespace sluice::stem4d
