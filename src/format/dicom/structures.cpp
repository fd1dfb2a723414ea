// RT structure sets (PS3.3 C.8.8.5 and C.8.8.6).
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/structures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "format/dicom/apart_files.h"
#include "format/dicom/grid.h"

namespace sluice {
namespace dicom {
namespace {

// mm: corners of one plane. Coordinates are written with two digits behind the point or more.
constexpr double flat = same_plane;
constexpr int any_number = std::numeric_limits<int>::max();

Result<Contour> read_corners(Values const& v) {
    SLUICE_TRY(std::vector<double> const all, v.numbers(tags::contour_data));
    if (all.empty() || all.size() % 3 != 0)
        return v.error(
            fmt::format("{} has {} numbers (three for each corner belong there) export "
                        "the structures again",
                        name_of(tags::contour_data), all.size()));
    SLUICE_TRY(auto const count, v.number(tags::contour_points));
    std::size_t const corners = all.size() / 3;
    if (count && *count != static_cast<double>(corners))
        return v.error(fmt::format("{} has {} corners and {} is {}; export the structures again",
                                   name_of(tags::contour_data), corners,
                                   name_of(tags::contour_points), *count));
    Contour c(corners);
    for (std::size_t i = 0; i < all.size(); ++i) c[i / 3][i % 3] = all[i];
    return c;
}

// Of a contour without an area any direction is square to it.
bool is_flat(Contour const& c) {
    Vector3 n = double_area(c);
    double const length = std::sqrt(dot(n, n));
    if (length < 1e-3) return true;
    for (double& k : n) k /= length;
    return std::ranges::all_of(
        c, [&](Vector3 const& p) { return std::abs(dot(p, n) - dot(c[0], n)) <= flat; });
}

Status add_contour(Values const& v, Structure& s) {
    SLUICE_TRY(std::string const type, v.needed_text(tags::contour_type));
    SLUICE_TRY(Contour corners, read_corners(v));
    bool const closed = type == "CLOSED_PLANAR" || type == "CLOSEDPLANAR_XOR";
    if (!closed) {
        s.points.push_back(std::move(corners));
        return {};
    }
    if (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
    if (corners.size() < 3) {
        s.points.push_back(std::move(corners));
        return {};
    }
    if (!is_flat(corners))
        return v.error(
            fmt::format("of '{}': the corners are not in one plane; export the "
                        "structures again",
                        s.name));
    s.contours.push_back(std::move(corners));
    return {};
}

Structure* find(StructureSet& set, int number) {
    auto const found = std::ranges::find(set.structures, number, &Structure::number);
    return found == set.structures.end() ? nullptr : &*found;
}

Status read_names(Values const& v, StructureSet& set) {
    for (Values const& item : v.items(tags::structures, "structure")) {
        Structure s;
        SLUICE_TRY(s.number, item.needed_whole(tags::structure_number, 0, any_number));
        s.name = item.text(tags::structure_name);
        if (find(set, s.number))
            return item.wrong(tags::structure_number, "another structure has it, too");
        std::string const frame = item.text(tags::structure_frame);
        if (set.frame_of_reference.empty()) set.frame_of_reference = frame;
        if (!frame.empty() && frame != set.frame_of_reference)
            return item.wrong(tags::structure_frame,
                              "the other structures lie in other coordinates",
                              "export the structures of one series", Code::unsupported);
        set.structures.push_back(std::move(s));
    }
    if (set.structures.empty()) return v.missing(tags::structures);
    return {};
}

Status read_contours(Values const& v, StructureSet& set) {
    for (Values const& item : v.items(tags::structure_contours, "contours of structure")) {
        SLUICE_TRY(int const number, item.needed_whole(tags::ref_structure, 0, any_number));
        Structure* const s = find(set, number);
        if (!s) return item.wrong(tags::ref_structure, "no structure has this number");
        for (Values const& contour : item.items(tags::contours, "contour"))
            SLUICE_CHECK(add_contour(contour, *s));
    }
    for (Values const& item : v.items(tags::observations, "observation")) {
        SLUICE_TRY(auto const number, item.number(tags::ref_structure));
        Structure* const s =
            number ? find(set, static_cast<int>(std::clamp(*number, -1.0, 1e9))) : nullptr;
        if (s && s->type.empty()) s->type = item.text(tags::interpreted_type);
    }
    return {};
}

}  // namespace

Result<StructureSet> read_structures(Dataset const& dataset, std::string const& file) {
    Values const v(dataset, file);
    std::string const sop_class = v.text(tags::sop_class);
    if (sop_class != classes::structures)
        return v.error(
            fmt::format("is {}, not an RT structure set; give one", describe_class(sop_class)),
            Code::unsupported);
    StructureSet set;
    set.label = v.text(tags::structure_label);
    SLUICE_CHECK(read_names(v, set));
    SLUICE_CHECK(read_contours(v, set));
    return set;
}

}  // namespace dicom

Result<StructureSet> load_structures(std::string const& path) {
    SLUICE_TRY(dicom::Dataset const dataset, dicom::read_dataset(path));
    SLUICE_TRY(StructureSet set, dicom::read_structures(dataset, path));
    set.path = path;
    return set;
}

}  // namespace sluice
