// Numbers of other programs and of measurements, out of tests/data/proton.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sluice/proton.h"
#include "test_data.h"

namespace sluice::proton {

/// The columns of a text, one after the other.
template <std::size_t Count>
std::array<std::vector<double>, Count> table(std::string const& name) {
    std::array<std::vector<double>, Count> out;
    std::ifstream file(SLUICE_TEST_DATA "/proton/" + name);
    std::string line;
    while (std::getline(file, line)) {
        if (line.starts_with("#")) continue;
        std::istringstream words(line);
        for (auto& column : out) words >> column.emplace_back();
    }
    return out;
}

struct TopasBeam {
    double energy = 0, spread = 0;  ///< MeV
    DepthCurve curve;               ///< MeV cm2/g
};

inline std::vector<TopasBeam> topas_beams() {
    std::vector<TopasBeam> out;
    std::ifstream file(SLUICE_TEST_DATA "/proton/topas_depth_dose.txt");
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        if (line.starts_with("#")) continue;
        if (line.starts_with("beam")) {
            std::string beam;
            TopasBeam& b = out.emplace_back();
            words >> beam >> b.energy >> b.spread;
            continue;
        }
        double depth = 0, dose = 0;
        words >> depth >> dose;
        out.back().curve.depth.push_back(depth);
        out.back().curve.dose.push_back(dose);
    }
    return out;
}

}  // namespace sluice::proton
