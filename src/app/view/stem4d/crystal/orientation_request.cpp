// Reads requests about orientations; what would need memory without bounds is refused.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/orientation_request.h"

#include <algorithm>

#include "app/view/stem4d/crystal/option_tables.h"
#include "domain/orientation/library/fields.h"
#include "domain/orientation/match/fields.h"

namespace sluice::app {
namespace {

constexpr std::size_t most_crystals = 64;
// A library within these takes at most a gigabyte a phase, of the least symmetry.
constexpr double least_zone_step = 0.5, most_frequency = 2, least_match_width = 0.05;

char const* const scales[] = {"automatic", "file", "step", "crystal"};

Status check_library_size(stem4d::LibraryOptions const& o) {
    if (o.zone_step < least_zone_step || o.most_frequency > most_frequency ||
        o.match_width < least_match_width)
        return wrong_field(
            "library",
            fmt::format("the page may ask for zones {:g} degrees apart, frequencies up to {:g} and "
                        "widths from {:g}; `sluice stem4d orientation` takes any",
                        least_zone_step, most_frequency, least_match_width));
    return {};
}

Result<std::vector<index>> crystals_of(Fields const& fields) {
    std::vector<index> numbers;
    auto const it = fields.find("crystals");
    if (it == fields.end()) return numbers;
    if (!it->is_array() || it->size() > most_crystals)
        return wrong_field("crystals",
                           fmt::format("must be a list of at most {} numbers", most_crystals));
    for (Fields const& one : *it) {
        SLUICE_TRY(auto const number, whole_of(one, "crystals", 0, most_crystals - 1));
        if (std::ranges::find(numbers, number) != numbers.end())
            return wrong_field("crystals", "must name each crystal once");
        numbers.push_back(number);
    }
    return numbers;
}

Result<stem4d::Point> center_of(Fields const& value) {
    if (!value.is_array() || value.size() != 2)
        return wrong_field("center", "must be [row, column]");
    SLUICE_TRY(double const row, number_of(value[0], "center"));
    SLUICE_TRY(double const col, number_of(value[1], "center"));
    return stem4d::Point{row, col};
}

Result<stem4d::Rotation> turn_of(Fields const& value) {
    stem4d::Rotation turn;
    if (!value.is_object()) return wrong_field("rotation", "must be degrees with transpose");
    SLUICE_TRY(turn.degrees, number_field(value, "degrees"));
    auto const it = value.find("transpose");
    if (it == value.end()) return turn;
    if (!it->is_boolean()) return wrong_field("transpose", "must be true or false");
    turn.transpose = it->get<bool>();
    return turn;
}

Result<ScaleWish> scale_wish_of(Fields const& fields) {
    ScaleWish wish;
    auto const it = fields.find("calibration");
    if (it == fields.end()) return wish;
    if (!it->is_object()) return wrong_field("calibration", "must be an object");
    if (it->contains("by")) {
        SLUICE_TRY(std::string const word, text_field(*it, "by", max_word));
        auto const found = std::ranges::find(scales, word);
        if (found == std::end(scales))
            return wrong_field("by", "must be automatic, file, step or crystal");
        wish.by = static_cast<ScaleBy>(found - std::begin(scales));
    }
    if (auto const step = it->find("step_mrad"); step != it->end()) {
        SLUICE_TRY(wish.step_mrad, number_of(*step, "step_mrad"));
        if (wish.step_mrad < 0) return wrong_field("step_mrad", "must not be negative");
    }
    if (auto const center = it->find("center"); center != it->end()) {
        SLUICE_TRY(wish.center, center_of(*center));
    }
    if (auto const turn = it->find("rotation"); turn != it->end()) {
        SLUICE_TRY(wish.rotation, turn_of(*turn));
    }
    return wish;
}

Json echo(ScaleWish const& wish) {
    Json j{{"by", scales[static_cast<std::size_t>(wish.by)]}, {"step_mrad", wish.step_mrad}};
    if (wish.center) j["center"] = {wish.center->row, wish.center->col};
    if (wish.rotation)
        j["rotation"] = {{"degrees", wish.rotation->degrees},
                         {"transpose", wish.rotation->transpose}};
    return j;
}

}  // namespace

Result<OrientationRequest> orientation_request_of(Fields const& fields) {
    OrientationRequest r;
    SLUICE_TRY(r.disks, disk_wish_of(fields));
    SLUICE_CHECK(read_table(fields, "library", stem4d::library_fields(), r.library, no_others));
    SLUICE_CHECK(check_library_size(r.library));
    SLUICE_CHECK(read_table(fields, "match", stem4d::match_fields(), r.match, no_others));
    if (r.match.grains > 1)
        return wrong_field("match",
                           "'grains' must be 1 (the page shows one crystal of a pattern); "
                           "`sluice stem4d orientation` finds more");
    SLUICE_TRY(r.crystals, crystals_of(fields));
    SLUICE_TRY(r.scale, scale_wish_of(fields));
    return r;
}

Json echo(OrientationRequest const& request) {
    return {{"disks", echo(request.disks)},
            {"library", table_json(request.library, stem4d::library_fields())},
            {"match", table_json(request.match, stem4d::match_fields())},
            {"crystals", request.crystals},
            {"calibration", echo(request.scale)}};
}

}  // namespace sluice::app
