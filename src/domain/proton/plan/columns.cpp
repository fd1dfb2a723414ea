// What the columns of a list of spots mean.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "domain/proton/plan/list.h"

namespace sluice::proton {
namespace {

// 1e18 protons are more than any beam has.
constexpr double largest = 1e18;

template <class T>
bool read_number(std::string_view text, T& into) {
    auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), into);
    return failed == std::errc() && end == text.data() + text.size();
}

bool number(std::string_view text, double& into) {
    return read_number(text, into) && std::isfinite(into) && std::abs(into) <= largest;
}
bool positive(std::string_view text, double& into) {
    return number(text, into) && into > 0;
}
bool not_negative(std::string_view text, double& into) {
    return number(text, into) && into >= 0;
}
bool whole_number(std::string_view text, int& into, int least) {
    return read_number(text, into) && into >= least && into <= 1'000'000;
}

// What separates columns, lines and parts becomes a space.
std::string word(std::string text) {
    for (char& c : text)
        if (c == ',' || c == ';' || c == ':' || c == '\n' || c == '\r' || c == '#') c = ' ';
    return text;
}

std::string_view next_part(std::string_view& text, char between) {
    std::size_t const end = std::min(text.find(between), text.size());
    std::string_view const part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

// As in "RS1:41.5:210;RS2:20:300": name, water, distance.
bool read_shifters(std::string_view text, PlanLine& line) {
    line.layer.shifters.clear();
    while (!text.empty()) {
        std::string_view one = next_part(text, ';');
        RangeShifter s{std::string(next_part(one, ':'))};
        std::string_view const water = next_part(one, ':');
        if (!positive(water, s.water) || !not_negative(one, s.distance)) return false;
        line.layer.shifters.push_back(std::move(s));
    }
    return true;
}

std::string shifters_text(PlanLine const& line) {
    std::string out;
    for (RangeShifter const& s : line.layer.shifters)
        out += fmt::format("{}{}:{}:{}", out.empty() ? "" : ";", word(s.name), s.water, s.distance);
    return out;
}

bool read_snout(std::string_view text, PlanLine& line) {
    line.beam.snout.reset();
    double at = 0;
    if (text.empty()) return true;
    if (!number(text, at)) return false;
    line.beam.snout = at;
    return true;
}

bool read_position(std::string_view text, PlanLine& line) {
    line.patient_position = text;
    return true;
}

bool is_of(PlanLine const& line, MetersetUnit unit) {
    return line.plan && line.plan->unit == unit;
}

using OneLine = PlanLine;
using Text = std::string_view;

constexpr PlanColumn all_columns[] = {
    {"label", false, [](Text t, OneLine& l) { return l.label = t, true; },
     [](OneLine const& l) { return word(l.label); }},
    {"patient_position", false, read_position, [](OneLine const& l) { return l.patient_position; }},
    {"fractions", false, [](Text t, OneLine& l) { return whole_number(t, l.fractions, 1); },
     [](OneLine const& l) { return fmt::format("{}", l.fractions); }},
    {"beam", false, [](Text t, OneLine& l) { return whole_number(t, l.beam.number, 0); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.number); }},
    {"name", false, [](Text t, OneLine& l) { return l.beam.name = t, true; },
     [](OneLine const& l) { return word(l.beam.name); }},
    {"gantry_deg", true, [](Text t, OneLine& l) { return number(t, l.beam.gantry); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.gantry); }},
    {"couch_deg", false, [](Text t, OneLine& l) { return number(t, l.beam.couch); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.couch); }},
    {"iso_x_mm", true, [](Text t, OneLine& l) { return number(t, l.beam.isocentre[0]); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.isocentre[0]); }},
    {"iso_y_mm", true, [](Text t, OneLine& l) { return number(t, l.beam.isocentre[1]); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.isocentre[1]); }},
    {"iso_z_mm", true, [](Text t, OneLine& l) { return number(t, l.beam.isocentre[2]); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.isocentre[2]); }},
    {"sad_x_mm", false, [](Text t, OneLine& l) { return positive(t, l.beam.source[0]); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.source[0]); }},
    {"sad_y_mm", false, [](Text t, OneLine& l) { return positive(t, l.beam.source[1]); },
     [](OneLine const& l) { return fmt::format("{}", l.beam.source[1]); }},
    {"snout_mm", false, read_snout,
     [](OneLine const& l) {
         return l.beam.snout ? fmt::format("{}", *l.beam.snout) : std::string();
     }},
    {"layer", false, [](Text t, OneLine& l) { return read_number(t, l.layer_number); },
     [](OneLine const& l) { return fmt::format("{}", l.layer_number); }},
    {"energy_MeV", true, [](Text t, OneLine& l) { return positive(t, l.layer.energy); },
     [](OneLine const& l) { return fmt::format("{}", l.layer.energy); }},
    {"fwhm_x_mm", false, [](Text t, OneLine& l) { return not_negative(t, l.layer.fwhm[0]); },
     [](OneLine const& l) { return fmt::format("{}", l.layer.fwhm[0]); }},
    {"fwhm_y_mm", false, [](Text t, OneLine& l) { return not_negative(t, l.layer.fwhm[1]); },
     [](OneLine const& l) { return fmt::format("{}", l.layer.fwhm[1]); }},
    {"paintings", false, [](Text t, OneLine& l) { return whole_number(t, l.layer.paintings, 1); },
     [](OneLine const& l) { return fmt::format("{}", l.layer.paintings); }},
    {"shifters", false, read_shifters, shifters_text},
    {"x_mm", true, [](Text t, OneLine& l) { return number(t, l.spot.x); },
     [](OneLine const& l) { return fmt::format("{}", l.spot.x); }},
    {"y_mm", true, [](Text t, OneLine& l) { return number(t, l.spot.y); },
     [](OneLine const& l) { return fmt::format("{}", l.spot.y); }},
    // One of the two.
    {"mu", false, [](Text t, OneLine& l) { return not_negative(t, l.spot.meterset); },
     [](OneLine const& l) {
         return is_of(l, MetersetUnit::mu) ? fmt::format("{}", l.spot.meterset) : std::string();
     }},
    {"protons", false, [](Text t, OneLine& l) { return not_negative(t, l.spot.meterset); },
     [](OneLine const& l) {
         return is_of(l, MetersetUnit::protons) ? fmt::format("{}", l.spot.meterset)
                                                : std::string();
     }},
};

}  // namespace

std::span<PlanColumn const> plan_columns() {
    return all_columns;
}

}  // namespace sluice::proton
