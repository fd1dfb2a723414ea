// Tables of two columns: what a value of an image is.
// SPDX-License-Identifier: Apache-2.0
#include "domain/proton/config/hu_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/file.h"

namespace sluice::proton {
namespace {

constexpr std::string_view between = " \t\r,";

// The number that `text` begins with, which is then taken off it.
bool take(std::string_view& text, double& out) {
    text.remove_prefix(std::min(text.find_first_not_of(between), text.size()));
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc{} || !std::isfinite(out)) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return text.empty() || between.find(text[0]) != text.npos;
}

}  // namespace

double HuTable::at(double x) const {
    if (x <= hu.front()) return value.front();
    auto const above = std::upper_bound(hu.begin(), hu.end(), x) - hu.begin();
    auto const i = std::min(static_cast<std::size_t>(above), hu.size() - 1);
    double const slope = (value[i] - value[i - 1]) / (hu[i] - hu[i - 1]);
    return std::max(0.0, value[i - 1] + slope * (x - hu[i - 1]));
}

HuTable const& default_stopping_table() {
    static HuTable const table{"matRad's default table",
                               {-1024, -999, -90, -45, 0, 100, 350, 3000},
                               {0.001, 0.001, 0.95, 0.99, 1, 1.095, 1.199, 2.505}};
    return table;
}

HuTable const& default_density_table() {
    static HuTable const table{
        "MCsquare's default table",
        {-1000, -739, -628, -97, -52, 0, 14, 70, 213, 220, 588, 1046, 1565},
        {0.001, 0.28, 0.4, 0.942, 0.977, 1, 1.053, 1.097, 1.143, 1.154, 1.335, 1.56, 1.825}};
    return table;
}

Result<HuTable> parse_hu_table(std::string_view text, std::string const& name) {
    HuTable t;
    for (int number = 1; !text.empty(); ++number) {
        std::size_t const end = std::min(text.find('\n'), text.size());
        std::string_view const line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string_view rest = line.substr(0, line.find('#'));
        if (rest.find_first_not_of(between) == rest.npos) continue;
        double hu = 0, value = 0;
        bool const good = take(rest, hu) && take(rest, value) &&
                          rest.find_first_not_of(between) == rest.npos && std::abs(hu) <= 1e5 &&
                          value >= 0 && value <= 30 && (t.hu.empty() || hu > t.hu.back());
        if (!good)
            return Error{
                Code::corrupt,
                fmt::format(
                    "line {}: '{}' is not an HU (above the line before) and a value from 0 to 30",
                    number, line),
                name};
        t.hu.push_back(hu);
        t.value.push_back(value);
    }
    if (t.hu.size() < 2)
        return Error{Code::corrupt, "has less than two lines of an HU and a value", name};
    t.name = std::filesystem::path(name).filename();
    return t;
}

Result<HuTable> read_hu_table(std::string const& path) {
    SLUICE_TRY(std::vector<std::byte> const bytes, read_file(path, 1 << 20));
    return parse_hu_table({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path);
}

}  // namespace sluice::proton
