// The volume of a structure: areas of its contours, plane by plane.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "format/dicom/structures.h"

namespace sluice {
namespace dicom {

Vector3 double_area(Contour const& c) {
    Vector3 sum{};
    for (std::size_t i = 0; i < c.size(); ++i) {
        Vector3 const turn = cross(c[i], c[(i + 1) % c.size()]);
        for (std::size_t k = 0; k < 3; ++k) sum[k] += turn[k];
    }
    return sum;
}

namespace {

struct Plane {
    double at = 0;
    std::vector<Contour const*> contours = {};
};

// Unit vector; 0 where no contour has an area. The planes of all are square to that of the largest.
Vector3 normal_of(std::vector<Contour> const& contours) {
    Vector3 n{};
    for (Contour const& c : contours) {
        Vector3 const area = double_area(c);
        if (dot(area, area) > dot(n, n)) n = area;
    }
    double const length = std::sqrt(dot(n, n));
    for (double& k : n) k = length > 0 ? k / length : 0;
    return n;
}

std::vector<Plane> planes_of(std::vector<Contour> const& contours, Vector3 const& n) {
    std::vector<std::pair<double, Contour const*>> all;
    for (Contour const& c : contours) all.emplace_back(dot(c[0], n), &c);
    std::ranges::stable_sort(all, {}, &std::pair<double, Contour const*>::first);
    std::vector<Plane> planes;
    for (auto const& [at, c] : all) {
        if (planes.empty() || at - planes.back().at > same_plane) planes.push_back({at});
        planes.back().contours.push_back(c);
    }
    return planes;
}

// Whether the point is within the contour, seen along the axis that is nearest to `n`.
bool is_inside(Vector3 const& p, Contour const& c, Vector3 const& n) {
    std::size_t through = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(n[k]) > std::abs(n[through])) through = k;
    std::size_t const x = (through + 1) % 3, y = (through + 2) % 3;
    bool inside = false;
    for (std::size_t i = 0, j = c.size() - 1; i < c.size(); j = i++)
        if ((c[i][y] > p[y]) != (c[j][y] > p[y]) &&
            p[x] < (c[j][x] - c[i][x]) * (p[y] - c[i][y]) / (c[j][y] - c[i][y]) + c[i][x])
            inside = !inside;
    return inside;
}

// A contour within an odd number of others is a hole.
double area_of(Plane const& plane, Vector3 const& n) {
    double sum = 0;
    for (Contour const* const c : plane.contours) {
        bool hole = false;
        for (Contour const* const other : plane.contours)
            if (other != c && is_inside(c->front(), *other, n)) hole = !hole;
        double const area = std::abs(dot(double_area(*c), n)) / 2;
        sum += hole ? -area : area;
    }
    return sum;
}

double usual_step(std::vector<Plane> const& planes) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < planes.size(); ++i)
        steps.push_back(planes[i].at - planes[i - 1].at);
    auto const middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

}  // namespace
}  // namespace dicom

double volume_cm3(Structure const& s) {
    dicom::Vector3 const n = dicom::normal_of(s.contours);
    std::vector<dicom::Plane> const planes = dicom::planes_of(s.contours, n);
    if (planes.size() < 2) return 0;
    double mm2 = 0;
    for (dicom::Plane const& p : planes) mm2 += dicom::area_of(p, n);
    constexpr double mm3_in_cm3 = 1000;
    return mm2 * dicom::usual_step(planes) / mm3_in_cm3;
}

}  // namespace sluice
