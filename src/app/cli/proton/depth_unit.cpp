// The unit of depths that a curve's header tells.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/depth_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace sluice::cli {
namespace {

struct Unit {
    std::string_view name;
    double mm;
};
constexpr std::array<Unit, 14> units = {{{"mm", 1},
                                         {"millimeter", 1},
                                         {"millimetre", 1},
                                         {"cm", 10},
                                         {"centimeter", 10},
                                         {"centimetre", 10},
                                         {"m", 1000},
                                         {"meter", 1000},
                                         {"metre", 1000},
                                         {"um", 1e-3},
                                         {"micron", 1e-3},
                                         {"in", 25.4},
                                         {"inch", 25.4},
                                         {"inches", 25.4}}};
constexpr std::array<std::string_view, 15> depths = {
    "depth", "depths", "z",   "x",     "y",     "pos",       "position", "distance",
    "wet",   "wepl",   "weq", "range", "tiefe", "thickness", "d"};

bool is_depth(std::string_view word) {
    return std::ranges::find(depths, word) != depths.end();
}

Unit const* unit_of(std::string_view word) {
    auto const found = std::ranges::find_if(
        units, [&](Unit const& u) { return word == u.name || word == std::string(u.name) + "s"; });
    return found == units.end() ? nullptr : &*found;
}

// The first column's words in small letters; "g/cm2" and "g/cm^2" are words.
std::vector<std::string> words_of(std::string const& header) {
    std::size_t const begin = header.find_first_not_of("# \t%\"'");
    if (begin == std::string::npos) return {};
    std::string const first = header.substr(begin, header.find_first_of(",;\t", begin) - begin);
    std::vector<std::string> words(1);
    for (char const c : first) {
        auto const u = static_cast<unsigned char>(c);
        if (std::isalnum(u) || c == '/' || c == '^')
            words.back() += static_cast<char>(std::tolower(u));
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

// "depthcm" and "depth/cm" are a depth and its unit.
void split_first(std::vector<std::string>& words) {
    for (std::string_view const depth : depths) {
        std::string const& first = words.front();
        if (depth.size() < 3 && first.find('/') != depth.size()) continue;
        if (!first.starts_with(depth) || first.size() == depth.size()) continue;
        std::string rest = first.substr(depth.size());
        if (rest.front() == '/') rest.erase(0, 1);
        if (!unit_of(rest)) continue;
        words.front() = depth;
        words.insert(words.begin() + 1, rest);
        return;
    }
}

}  // namespace

Result<std::optional<double>> depth_unit(std::string const& header) {
    std::vector<std::string> words = words_of(header);
    if (words.empty()) return std::optional<double>();
    split_first(words);
    if (words.size() == 1 && words[0] != "in")
        if (Unit const* const alone = unit_of(words[0])) return std::optional(alone->mm);
    if (!is_depth(words[0])) return std::optional<double>();
    for (std::size_t i = 1; i < words.size(); ++i) {
        // "g/cm2", "g cm-2", "mg cm^-2".
        bool const mass = words[i] == "g" || words[i] == "mg" || words[i] == "kg";
        bool const areal = words[i].starts_with("g/") || words[i].starts_with("mg/") ||
                           words[i].starts_with("kg/") ||
                           (mass && i + 1 < words.size() && words[i + 1].find('m') < 2);
        if (areal)
            return Error{Code::unsupported,
                         fmt::format("'{}' has depths in mass per area; divide them by the density "
                                     "and write mm",
                                     header)};
        // "depth in cm": a word that is a unit only where no other one follows.
        bool const preposition = words[i] == "in" && i + 1 < words.size();
        if (Unit const* const unit = preposition ? nullptr : unit_of(words[i]))
            return std::optional(unit->mm);
        // The next column, where spaces are between columns.
        if (words[i] == "dose" || words[i] == "energy" || words[i] == "let") break;
    }
    return std::optional<double>();
}

}  // namespace sluice::cli
