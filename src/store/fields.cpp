// The table of LoadOptions.
// SPDX-License-Identifier: Apache-2.0
#include "store/fields.h"

#include <charconv>

#include "store/words.h"

namespace sluice {

namespace {

using config::field;
using config::Shown;

bool read_bound(std::string_view text, index& out) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} && end == text.data() + text.size() && out >= 0 &&
           out <= index{1} << 40;
}

// "10:42"
bool read_range(std::string_view text, index& first, index& last) {
    auto const colon = text.find(':');
    return colon != std::string_view::npos && read_bound(text.substr(0, colon), first) &&
           read_bound(text.substr(colon + 1), last);
}

Status read_det_bin(Shown const& shown, std::string_view text, index& out) {
    if (text == "auto") {
        out = 0;
        return {};
    }
    if (config::read_value({shown.name, {.least = 1}}, text, out)) return {};
    return Error{Code::invalid_argument,
                 fmt::format("{} '{}' (must be a whole number from 1, or auto)", shown.name, text)};
}
std::string det_bin_text(index bin) {
    return bin == 0 ? "auto" : config::value_text(bin);
}

constexpr config::Field<LoadOptions> of_load[] = {
    field<&LoadOptions::scan_region>("scan_region",
                                     "only these scan points: ROW:ROW,COL:COL, half open"),
    field<&LoadOptions::detector_region>("detector_region", "only these pixels: ROW:ROW,COL:COL"),
    config::custom_field<&LoadOptions::det_bin, read_det_bin, det_bin_text>(
        "det_bin", "detector binning, or auto for the smallest that fits"),
    field<&LoadOptions::scan_bin>("scan_bin", "scan binning"),
    field<&LoadOptions::scan_step>("scan_step", "read one scan point of NxN: a fast overview"),
    field<&LoadOptions::bin_mode>("bin_mode", "sum (exact counts) or mean (over valid pixels)"),
    field<&LoadOptions::bin_edge>(
        "bin_edge", "of the detector: floor (drop what does not fill a bin) or partial"),
    field<&LoadOptions::pixel_mask>("pixel_mask", "do not use the file's own mask"),
    field<&LoadOptions::hot_pixels>("hot_pixels", "look for hot pixels and leave them out"),
    field<&LoadOptions::layout>(
        "layout",
        "of the scan in memory; auto: planes (lines in the viewer) or dense, by its content"),
    field<&LoadOptions::tables>("tables",
                                "of sums, for answers at once: auto, all (at load) or none"),
    field<&LoadOptions::tables_file>("tables_file",
                                     "the file that `sluice stem4d tables` made [beside the scan]"),
};

}  // namespace

Status read_value(Shown const& shown, std::string_view text, Region& out) {
    auto const comma = text.find(',');
    index v[4] = {};
    if (comma == std::string_view::npos || !read_range(text.substr(0, comma), v[0], v[1]) ||
        !read_range(text.substr(comma + 1), v[2], v[3]))
        return Error{
            Code::invalid_argument,
            fmt::format("{} '{}' (not a region); write first and one past the last row and "
                        "column, as in 10:42,0:64",
                        shown.name, text)};
    out = {v[0], v[2], v[1] - v[0], v[3] - v[2]};
    return {};
}

std::string value_text(Region const& r) {
    return fmt::format("{}:{},{}:{}", r.row, r.row + r.rows, r.col, r.col + r.cols);
}

config::Fields<LoadOptions> load_fields() {
    return of_load;
}

config::Field<LoadOptions> const& detector_step_field() {
    static constexpr auto step = field<&LoadOptions::detector_step_mrad>(
        "detector_step_mrad", "angle of a detector pixel as loaded, in mrad [the file's]",
        config::positive);
    return step;
}

}  // namespace sluice
