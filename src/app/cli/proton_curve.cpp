// Depth curves out of text files.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "base/file.h"

namespace sluice::cli {
namespace {

// Digits on both sides of a comma that is not what separates: beside it are semicolons, tabs or
// spaces, or all numbers of a line without any point are cut in two.
bool has_decimal_commas(std::string const& line) {
    auto const digit = [&](std::size_t i) {
        return i < line.size() && std::isdigit(static_cast<unsigned char>(line[i]));
    };
    if (line.find_first_of("#\"") != line.npos) return false;
    int between = 0, others = 0;
    bool letters = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        auto const c = static_cast<unsigned char>(line[i]);
        if (c == ',' && i > 0 && digit(i - 1) && digit(i + 1)) ++between;
        bool const gap = c == ';' || c == '\t' || c == ' ';
        if (gap && i > 0 && digit(i - 1)) {
            std::size_t const next = line.find_first_not_of("; \t", i);
            others += next != line.npos && (digit(next) || line[next] == '-' || line[next] == '+');
        }
        letters = letters || (std::isalpha(c) && c != 'e' && c != 'E');
    }
    if (letters || between == 0) return false;
    bool const points = line.find('.') != line.npos;
    if (others > 0) return !points || between > 1;
    return !points && between == 3;
}

}  // namespace

Result<proton::DepthCurve> read_curve(std::string const& path) {
    auto const bytes = read_file(path, 64 << 20);
    if (!bytes && bytes.error().code == Code::not_found)
        return Error{Code::not_found, "cannot be read; give depths in mm and doses", path};
    if (!bytes) return bytes.error();
    std::istringstream file({reinterpret_cast<char const*>(bytes->data()), bytes->size()});
    proton::DepthCurve curve;
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
        std::replace(line.begin(), line.end(), ';', ' ');
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
