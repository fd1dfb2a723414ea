// Where the pixels of a readout's chips lie in its images.
// SPDX-License-Identifier: Apache-2.0
#include "format/tpx3/chip_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace sluice::tpx3 {
namespace {

struct Said {
    index chip = 0, row = 0, col = 0;
    bool turned = false;
};

// Before any product: a row of chips is shorter.
constexpr index most_corner = ChipLayout::most_pixels / chip_side;

Error wrong(std::string const& what) {
    return {Code::invalid_argument,
            fmt::format("chip_layout (--chip-layout) {}; give CHIP:ROW:COL of each chip's upper "
                        "left corner, and :180 where it is turned, as 0:0:260,1:260:260:180",
                        what)};
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        std::size_t const end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<index> number(std::string_view text, index most) {
    index value = -1;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > most)
        return {};
    return value;
}

std::optional<Said> read(std::string_view text) {
    auto const parts = split(text, ':');
    if (parts.size() < 3 || parts.size() > 4) return {};
    auto const chip = number(parts[0], 255), row = number(parts[1], most_corner),
               col = number(parts[2], most_corner);
    index const turn = parts.size() == 4 ? number(parts[3], 180).value_or(-1) : 0;
    bool const may_be = turn == 0 || turn == 180;
    if (!chip || !row || !col || !may_be) return {};
    return Said{*chip, *row, *col, turn == 180};
}

Status check(std::vector<Said> const& all, Said const& next) {
    for (Said const& one : all) {
        if (one.chip == next.chip) return wrong(fmt::format("has chip {} twice", one.chip));
        if (std::abs(one.row - next.row) < chip_side && std::abs(one.col - next.col) < chip_side)
            return wrong(fmt::format("has chip {} over chip {} (each is {}x{} pixels)", next.chip,
                                     one.chip, chip_side, chip_side));
    }
    return {};
}

}  // namespace

ChipLayout::ChipLayout() {
    places_.fill({.first = 0, .row_step = static_cast<std::int32_t>(chip_side), .col_step = 1});
}

Result<ChipLayout> ChipLayout::parse(std::string const& text) {
    ChipLayout out;
    if (text.empty()) return out;
    std::vector<Said> all;
    out.said_ = true;
    out.rows_ = out.cols_ = 0;
    for (std::string_view const part : split(text, ',')) {
        auto const one = read(part);
        if (!one) return wrong(fmt::format("has '{}', which places no chip", part));
        SLUICE_CHECK(check(all, *one));
        all.push_back(*one);
        out.rows_ = std::max(out.rows_, one->row + chip_side);
        out.cols_ = std::max(out.cols_, one->col + chip_side);
    }
    if (out.rows_ * out.cols_ > most_pixels)
        return wrong(fmt::format("makes images of {}x{} pixels ({} at most)", out.rows_, out.cols_,
                                 most_pixels));
    out.places_.fill({});
    auto const step = static_cast<std::int32_t>(out.cols_);
    for (Said const& one : all) {
        auto const first = static_cast<std::int32_t>(one.row * out.cols_ + one.col);
        auto const last = static_cast<std::int32_t>((chip_side - 1) * (out.cols_ + 1));
        out.places_[static_cast<std::size_t>(one.chip)] =
            one.turned ? Place{first + last, -step, -1} : Place{first, step, 1};
    }
    return out;
}

std::vector<ChipLayout::Origin> ChipLayout::origins() const {
    std::vector<Origin> all(static_cast<std::size_t>(rows_ * cols_));
    // Without a layout chip 0 speaks for all.
    for (int chip = 0; chip < (said_ ? 256 : 1); ++chip) {
        if (!has(chip)) continue;
        for (index row = 0; row < chip_side; ++row)
            for (index col = 0; col < chip_side; ++col)
                all[pixel(chip, {.row = static_cast<std::uint16_t>(row),
                                 .col = static_cast<std::uint16_t>(col)})] = {chip, row, col};
    }
    return all;
}

std::vector<std::uint32_t> ChipLayout::gaps() const {
    std::vector<std::uint32_t> mask;
    for (Origin const& one : origins()) mask.push_back(one.chip < 0);
    if (std::ranges::find(mask, 1U) == mask.end()) mask.clear();
    return mask;
}

}  // namespace sluice::tpx3
