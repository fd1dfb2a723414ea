// Pictures of an orientation map: colours of inverse pole figures, pole figures.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/orientation_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace sluice::cli {
namespace {

using stem4d::OrientationMap;
using stem4d::Vector3;

constexpr Vector3 sample_axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

bool is_there(OrientationMap const& map, std::int32_t phase) {
    for (std::size_t p = 0; p < map.reason.size(); ++p)
        if (map.reason[p] == stem4d::OrientationReason::indexed && map.phase[p] == phase)
            return true;
    return false;
}

}  // namespace

void OrientationPictures::add(Verb const& app) {
    app.add_option("--pole-figure", planes, "planes H,K,L whose normals are drawn; repeat it")
        ->one_each();
    app.add_flag("--inverse-pole-figures", inverse,
                 "draw which directions of the crystals lie along the sample's x, y and z");
    app.add_option("--boundary-degrees", boundary_degrees,
                   "lines in the map of colours where neighbours differ by so much; 0: none")
        ->check(in_range(0.0, 180.0))
        ->capture_default_str();
}

Status OrientationPictures::read() {
    hkl_.clear();
    for (std::string const& text : planes) {
        stem4d::Indices n{};
        char rest = 0;
        bool const read =
            std::sscanf(text.c_str(), "%d,%d,%d%c", &n[0], &n[1], &n[2], &rest) == 3 &&
            std::ranges::all_of(n, [](int i) { return std::abs(i) <= 1000; });
        if (!read || n == stem4d::Indices{})
            return Error{Code::invalid_argument,
                         fmt::format("--pole-figure cannot be '{}'; it is three whole numbers that "
                                     "are not all 0, as in 1,1,1",
                                     text)};
        hkl_.push_back(n);
    }
    return {};
}

Status OrientationPictures::save(std::string const& stem, std::vector<std::string> const& endings,
                                 OrientationMap const& map, std::vector<std::string>& files) const {
    for (std::string const& ending : endings) {
        files.push_back(stem + ending);
        SLUICE_CHECK(
            stem4d::save_ipf_map(files.back(), map, {.boundary_degrees = boundary_degrees}));
        SLUICE_CHECK(save_poles(stem.substr(0, stem.rfind('/') + 1), ending, map, files));
    }
    return {};
}

Status OrientationPictures::save_poles(std::string const& folder, std::string const& ending,
                                       OrientationMap const& map,
                                       std::vector<std::string>& files) const {
    for (std::int32_t phase = 0; phase < std::ssize(map.phases); ++phase) {
        if (!is_there(map, phase)) continue;
        std::string const end =
            (map.phases.size() > 1 ? fmt::format("_{}", phase + 1) : "") + ending;
        if (!hkl_.empty()) {
            files.push_back(folder + "pole_figures" + end);
            SLUICE_CHECK(stem4d::save_pole_figures(files.back(), map, hkl_, {.phase = phase}));
        }
        if (inverse) {
            files.push_back(folder + "inverse_pole_figures" + end);
            SLUICE_CHECK(stem4d::save_inverse_pole_figures(files.back(), map, sample_axes,
                                                           {.phase = phase}));
        }
    }
    return {};
}

}  // namespace sluice::cli
