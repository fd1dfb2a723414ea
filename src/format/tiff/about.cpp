// ImageJ counts channels, slices and frames; tifffile has the array's shape.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/about.h"

#include <algorithm>
#include <charconv>

namespace sluice::tiff {
namespace {

constexpr index most_frames = index{1} << 40;
constexpr std::size_t most_text = 200, most_fields = 16;

// 0: no number of frames.
index count_of(std::string_view s) {
    index n = 0;
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
    return error == std::errc() && end == s.data() + s.size() && n > 0 && n <= most_frames ? n : 0;
}

// Of the sides before a page's those that are more than 1 are the scan's.
void take_sides(std::vector<index> const& sides, std::string from, About& a) {
    std::vector<index> scan;
    index frames = 1;
    for (index const n : sides) {
        if (n < 1 || n > most_frames / frames) return;
        frames *= n;
        if (n > 1) scan.push_back(n);
    }
    a.frames = frames;
    if (scan.size() == 2) a.scan = ScanGrid{scan[0], scan[1]}, a.scan_from = std::move(from);
}

About read_imagej(std::string_view text) {
    About a;
    index images = 0, channels = 1, slices = 1, frames = 1;
    while (!text.empty()) {
        auto const end = text.find('\n');
        std::string_view const line = text.substr(0, end);
        text = end == std::string_view::npos ? "" : text.substr(end + 1);
        auto const equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        std::string_view const key = line.substr(0, equals), value = line.substr(equals + 1);
        if (key == "images") images = count_of(value);
        if (key == "channels") channels = count_of(value);
        if (key == "slices") slices = count_of(value);
        if (key == "frames") frames = count_of(value);
        bool const told =
            key == "ImageJ" || key == "unit" || key == "spacing" || key == "finterval";
        if (told && value.size() <= most_text && a.fields.size() < most_fields)
            a.fields.push_back({std::string(key), std::string(value), ""});
    }
    take_sides({frames, slices, channels}, "ImageJ's frames, slices and channels", a);
    if (images != a.frames) a.frames = images, a.scan.reset();
    a.follow = images > 1;
    return a;
}

// What follows a key, without blanks; empty where there is no such key.
std::string_view after_key(std::string_view text, std::string_view key) {
    auto at = text.find(key);
    if (at == text.npos) return {};
    at = text.find_first_not_of(" :", at + key.size());
    return at == text.npos ? std::string_view() : text.substr(at);
}

// The numbers of "[2, 3, 4]"; empty where it is anything else.
std::vector<index> numbers_in(std::string_view list) {
    std::vector<index> numbers;
    if (!list.starts_with('[')) return {};
    list = list.substr(1, std::min(list.find(']'), list.size()) - 1);
    while (!list.empty()) {
        auto const end = std::min(list.find(','), list.size());
        std::string_view one = list.substr(0, end);
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        numbers.push_back(count_of(one));
        if (numbers.back() == 0) return {};
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return numbers;
}

// tifffile writes one JSON object, of which two members count here.
About read_shaped(std::string_view text, index rows, index cols) {
    About a;
    std::vector<index> sides = numbers_in(after_key(text, "\"shape\""));
    // A last side of 1 is that of samples.
    if (sides.size() > 2 && sides.back() == 1 && cols != 1) sides.pop_back();
    std::size_t const n = sides.size();
    if (n < 2 || sides[n - 2] != rows || sides[n - 1] != cols) return a;
    sides.resize(n - 2);
    take_sides(sides, "the shape in the file's description", a);
    a.follow = after_key(text, "\"truncated\"").starts_with("true");
    return a;
}

}  // namespace

About read_description(std::string_view text, index rows, index cols) {
    if (text.starts_with("ImageJ=")) return read_imagej(text);
    // Nothing of tifffile is long.
    if (text.starts_with("{") && text.size() < 1 << 16) return read_shaped(text, rows, cols);
    return {};
}

}  // namespace sluice::tiff
