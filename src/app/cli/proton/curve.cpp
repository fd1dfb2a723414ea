// Depth curves out of text files.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "app/cli/proton/depth_unit.h"
#include "base/file.h"

namespace sluice::cli {
namespace {

// Headers, comments, and nothing at all.
bool is_skipped(std::string const& line) {
    std::size_t const first = line.find_first_not_of(" \t\r\v\f;,");
    return first == line.npos || line[first] == '#' ||
           std::isalpha(static_cast<unsigned char>(line[first]));
}

// A comma between digits is decimal where something else separates numbers, or where a line
// without any point has several.
bool has_decimal_commas(std::string const& text) {
    if (is_skipped(text)) return false;
    std::string const line = text.substr(0, text.find('#'));
    auto const digit = [&](std::size_t i) {
        return i < line.size() && std::isdigit(static_cast<unsigned char>(line[i]));
    };
    int between = 0;
    bool others = line.find_first_of(";\t") != line.npos;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == ',' && digit(i - 1) && digit(i + 1)) ++between;
        if (line[i] != ' ' || !digit(i - 1)) continue;
        std::size_t const next = line.find_first_not_of(' ', i);
        others = others ||
                 (next != line.npos && (digit(next) || line[next] == '-' || line[next] == '+'));
    }
    if (others) return between > 0;
    return between >= 2 && line.find('.') == line.npos;
}

}  // namespace

Result<proton::DepthCurve> read_curve(std::string const& path) {
    auto const bytes = read_file(path, 64 << 20);
    if (!bytes && bytes.error().code == Code::not_found)
        return Error{Code::not_found, "cannot be read; give depths in mm and doses", path};
    if (!bytes) return bytes.error();
    std::istringstream file({reinterpret_cast<char const*>(bytes->data()), bytes->size()});
    proton::DepthCurve curve;
    double to_mm = 1;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (has_decimal_commas(line))
            return Error{Code::unsupported,
                         fmt::format("line {}: '{}' may have decimal commas, and would be read as "
                                     "other numbers; write points, and one comma, semicolon or "
                                     "space between depth and dose, for example with sed "
                                     "'s/,/./g; s/;/ /g'",
                                     number, line),
                         path};
        if (is_skipped(line)) {
            if (!line.empty() && line.back() == '\r') line.pop_back();
            auto const unit = depth_unit(line);
            if (!unit)
                return Error{unit.error().code,
                             fmt::format("line {}: {}", number, unit.error().message), path};
            if (!*unit) continue;
            if (!curve.depth.empty() && **unit != to_mm)
                return Error{Code::corrupt,
                             fmt::format("line {}: '{}' changes the unit of the depths; write one "
                                         "curve to a file",
                                         number, line),
                             path};
            to_mm = **unit;
            continue;
        }
        std::replace(line.begin(), line.end(), ';', ' ');
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        double depth = 0, dose = 0;
        if (!(words >> depth >> dose) || !std::isfinite(depth) || !std::isfinite(dose) ||
            (!curve.depth.empty() && depth * to_mm <= curve.depth.back()))
            return Error{
                Code::corrupt,
                fmt::format("line {}: '{}' is not a depth (deeper than the last) and a dose",
                            number, line),
                path};
        curve.depth.push_back(depth * to_mm);
        curve.dose.push_back(dose);
    }
    if (curve.depth.size() < 2)
        return Error{Code::corrupt, "has fewer than two lines of a depth and a dose", path};
    return curve;
}

}  // namespace sluice::cli
