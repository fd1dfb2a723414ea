// The members of the description of a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/described.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "format/calibration.h"
#include "format/scan_shape.h"

namespace sluice {
namespace {

using json = nlohmann::ordered_json;

struct Number {
    char const* name;
    double Dataset::*member;
    char const* what;
};
constexpr Number numbers[] = {
    {"energy_kv", &Dataset::energy_kv, "energy"},
    {"semiangle_mrad", &Dataset::semiangle_mrad, "angle"},
    {"scan_step_nm", &Dataset::scan_step_nm, "scan step"},
    {"detector_step_mrad", &Dataset::detector_step_mrad, "detector step"},
    {"detector_step_per_nm", &Dataset::detector_step_per_nm, "detector step"},
    {"detector_pixel_um", &Dataset::detector_pixel_um, "pixel size"},
    {"camera_length_mm", &Dataset::camera_length_mm, "camera length"},
    {"dwell_s", &Dataset::dwell_s, "dwell time"},
};

// Masks are short lists of [bits, row * columns + column]: few pixels are bad.
json mask_of(Dataset const& d) {
    json list = json::array();
    for (std::size_t i = 0; i < d.pixel_mask.size(); ++i)
        if (d.pixel_mask[i] != 0) list.push_back({d.pixel_mask[i], i});
    return list;
}

// The members are checked one by one: files of others may hold anything.
class Taking {
  public:
    Taking(json const& j, Dataset& d) : j_(j), d_(d) {}

    void numbers_and_turn() {
        for (Number const& n : numbers) {
            json const* const v = member(n.name);
            if (!v) continue;
            double const value = v->is_number() ? v->get<double>() : 0;
            d_.*n.member = positive_or_noted(value, n.what, place(n.name), d_.notes);
        }
        json const* const turn = member("detector_turn");
        if (!turn) return;
        json const degrees = turn->is_object() ? turn->value("degrees", json()) : json();
        json const transpose = turn->is_object() ? turn->value("transpose", json()) : json();
        if (!degrees.is_number() || !transpose.is_boolean() ||
            !std::isfinite(degrees.get<double>()))
            return odd("detector_turn");
        d_.detector_turn = DetectorTurn{degrees.get<double>(), transpose.get<bool>()};
    }

    void counts() {
        if (json const* const v = member("saturation")) {
            if (v->is_number_unsigned())
                d_.saturation = v->get<std::uint64_t>();
            else
                odd("saturation");
        }
        if (json const* const v = member("sentinel")) {
            if (v->is_boolean())
                d_.sentinel = v->get<bool>();
            else
                odd("sentinel");
        }
        if (json const* const list = member("pixel_mask")) mask(*list);
        if (json const* const list = member("missing_runs")) missing(*list);
    }

    void metadata() {
        json const* const list = member("metadata");
        if (!list) return;
        if (!list->is_array()) return odd("metadata");
        constexpr std::size_t most = 1000;
        for (json const& f : *list) {
            if (d_.metadata.size() >= most) break;
            if (!f.is_array() || f.size() != 3 || !f[0].is_string() || !f[1].is_string() ||
                !f[2].is_string())
                return odd("metadata");
            d_.metadata.push_back(
                {f[0].get<std::string>(), f[1].get<std::string>(), f[2].get<std::string>()});
        }
    }

  private:
    json const* member(char const* name) const {
        auto const at = j_.find(name);
        return at == j_.end() ? nullptr : &*at;
    }
    static std::string place(char const* name) { return fmt::format("'{}' of the file", name); }
    void odd(char const* name) {
        d_.notes.push_back(place(name) + " is not understood, and left out");
    }
    // Whole numbers of a list, both below a limit.
    static bool pair(json const& v, std::uint64_t most_first, std::uint64_t most_second) {
        return v.is_array() && v.size() == 2 && v[0].is_number_unsigned() &&
               v[1].is_number_unsigned() && v[0].get<std::uint64_t>() <= most_first &&
               v[1].get<std::uint64_t>() <= most_second;
    }
    void mask(json const& list) {
        auto const pixels = static_cast<std::uint64_t>(d_.pixels());
        if (!list.is_array() || pixels == 0) return odd("pixel_mask");
        std::vector<std::uint32_t> mask(pixels);
        for (json const& v : list) {
            if (!pair(v, UINT32_MAX, pixels - 1)) return odd("pixel_mask");
            mask[v[1].get<std::size_t>()] = v[0].get<std::uint32_t>();
        }
        d_.pixel_mask = std::move(mask);
    }
    void missing(json const& list) {
        auto const frames = static_cast<std::uint64_t>(d_.frames);
        if (!list.is_array()) return odd("missing_runs");
        std::vector<FrameRun> runs;
        for (json const& v : list) {
            if (!pair(v, frames, frames)) return odd("missing_runs");
            FrameRun const run{v[0].get<index>(), v[1].get<index>()};
            bool const after = runs.empty() || runs.back().first + runs.back().count <= run.first;
            if (!after || run.count > d_.frames - run.first) return odd("missing_runs");
            runs.push_back(run);
        }
        d_.missing_runs = std::move(runs);
        d_.missing = frames_in(d_.missing_runs);
    }

    json const& j_;
    Dataset& d_;
};

}  // namespace

std::string described(Dataset const& d) {
    json j = json::object();
    for (Number const& n : numbers)
        if (d.*n.member > 0) j[n.name] = d.*n.member;
    if (d.detector_turn)
        j["detector_turn"] = {{"degrees", d.detector_turn->degrees},
                              {"transpose", d.detector_turn->transpose}};
    if (d.saturation) j["saturation"] = *d.saturation;
    if (d.sentinel) j["sentinel"] = true;
    if (!d.pixel_mask.empty()) j["pixel_mask"] = mask_of(d);
    for (FrameRun const& run : d.missing_runs) j["missing_runs"].push_back({run.first, run.count});
    for (MetaField const& f : d.metadata) j["metadata"].push_back({f.name, f.value, f.unit});
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

void take_description(std::string const& text, Dataset& into) {
    json const j = json::parse(text, nullptr, false);
    if (!j.is_object()) {
        into.notes.emplace_back("the description of the scan is no JSON object, and left out");
        return;
    }
    Taking taking(j, into);
    taking.numbers_and_turn();
    taking.counts();
    taking.metadata();
}

}  // namespace sluice
