// Depth curves out of text files.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace sluice::cli {

Result<proton::DepthCurve> read_curve(std::string const& path) {
    std::ifstream file(path);
    if (!file) return Error{Code::not_found, "cannot be read; give depths in mm and doses", path};
    proton::DepthCurve curve;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        std::string first;
        if (!(words >> first) || first[0] == '#' ||
            std::isalpha(static_cast<unsigned char>(first[0])))
            continue;
        std::istringstream again(line);
        double depth = 0, dose = 0;
        if (!(again >> depth >> dose) || !std::isfinite(depth) || !std::isfinite(dose) ||
            (!curve.depth.empty() && depth <= curve.depth.back()))
            return Error{
                Code::corrupt,
                fmt::format("line {}: '{}' is not a depth (deeper than the last) and a dose",
                            number, line),
                path};
        curve.depth.push_back(depth);
        curve.dose.push_back(dose);
    }
    if (curve.depth.size() < 2)
        return Error{Code::corrupt, "has fewer than two lines of a depth and a dose", path};
    return curve;
}

}  // namespace sluice::cli
