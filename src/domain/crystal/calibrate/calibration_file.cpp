// Calibrations as JSON.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "domain/crystal/calibrate/check.h"
#include "domain/crystal/calibrate/words.h"
#include "sluice/calibration_text.h"

namespace sluice::stem4d {
namespace {

using CalibrationJson = nlohmann::ordered_json;

constexpr std::uint64_t most_calibration_bytes = 4 << 20;
constexpr std::string_view calibration_kind = "crystal calibration";
constexpr index longest_side = 1 << 24;

CalibrationJson json_of(OriginFit const& o) {
    return {{"surface", config::word_of(o.surface)},
            {"order", o.order},
            {"row", o.row},
            {"col", o.col},
            {"covariance", o.covariance},
            {"sigma_row", o.sigma_row},
            {"sigma_col", o.sigma_col},
            {"used", o.used},
            {"left_out", o.left_out}};
}

CalibrationJson json_of(Distortion const& d) {
    return {{"along", d.along},
            {"across", d.across},
            {"covariance", d.covariance},
            {"ratio", d.ratio()},
            {"ratio_error", d.ratio_error()},
            {"angle_degrees", d.angle_degrees()},
            {"angle_error_degrees", d.angle_error_degrees()}};
}

/// Reads members of one object, and says what is wrong with them.
class CalibrationReader {
  public:
    CalibrationReader(CalibrationJson const& j, std::string const& path, std::string prefix = {})
        : j_(j), path_(path), prefix_(std::move(prefix)) {}

    Error wrong(std::string const& key, std::string_view why) const {
        return {
            Code::corrupt,
            fmt::format("'{}{}' {} (this is a calibration as save_calibration() writes it) mend "
                        "the file, or calibrate anew",
                        prefix_, key, why),
            path_};
    }
    bool has(std::string const& key) const { return j_.contains(key) && !j_[key].is_null(); }
    Result<double> number(std::string const& key) const {
        if (!has(key)) return wrong(key, "is missing");
        if (!j_[key].is_number()) return wrong(key, "is no number");
        auto const v = j_[key].get<double>();
        if (!(std::abs(v) <= 1e15)) return wrong(key, "is beyond 1e15");
        return v;
    }
    /// Above 0.
    Result<double> length(std::string const& key) const {
        SLUICE_TRY(double const v, number(key));
        if (!(v > 0)) return wrong(key, "is not above 0");
        return v;
    }
    Result<std::vector<double>> numbers(std::string const& key, std::size_t most) const {
        std::vector<double> all;
        if (!has(key)) return wrong(key, "is missing");
        if (!j_[key].is_array() || j_[key].size() > most)
            return wrong(key, fmt::format("is no list of up to {} numbers", most));
        for (CalibrationJson const& v : j_[key]) {
            if (!v.is_number()) return wrong(key, "has an entry that is no number");
            all.push_back(v.get<double>());
            if (!(std::abs(all.back()) <= 1e15)) return wrong(key, "has an entry beyond 1e15");
        }
        return all;
    }
    Result<std::array<index, 2>> shape(std::string const& key) const {
        SLUICE_TRY(auto const all, numbers(key, 2));
        if (all.size() != 2) return wrong(key, "is no pair of rows and columns");
        for (double v : all)
            if (!(v >= 1 && v <= static_cast<double>(longest_side) && v == std::floor(v)))
                return wrong(key, "has a side that no scan or detector has");
        return std::array{static_cast<index>(all[0]), static_cast<index>(all[1])};
    }
    Result<std::string> text(std::string const& key) const {
        if (!has(key)) return std::string();
        if (!j_[key].is_string()) return wrong(key, "is no text");
        return j_[key].get<std::string>();
    }
    Result<bool> flag(std::string const& key) const {
        if (!has(key) || !j_[key].is_boolean()) return wrong(key, "is neither true nor false");
        return j_[key].get<bool>();
    }
    Result<CalibrationReader> inner(std::string const& key) const {
        if (!j_[key].is_object()) return wrong(key, "is no object");
        return CalibrationReader(j_[key], path_, prefix_ + key + ".");
    }
    CalibrationJson const& json() const { return j_; }

  private:
    CalibrationJson const& j_;
    std::string const& path_;
    std::string prefix_;
};

Result<OriginFit> read_origins(CalibrationReader const& r, std::array<index, 2> scan) {
    OriginFit o;
    o.scan_shape = scan;
    SLUICE_TRY(std::string const word, r.text("surface"));
    auto const surface = config::read_word<OriginSurface>("surface", word);
    if (!surface) return r.wrong("surface", "is none of mean, plane, parabola, bezier");
    o.surface = *surface;
    SLUICE_TRY(double const order, r.number("order"));
    if (!(order >= 1 && order <= 6 && order == std::floor(order)))
        return r.wrong("order", "is none of 1 to 6");
    o.order = static_cast<int>(order);
    constexpr std::size_t most = 49;
    SLUICE_TRY(o.row, r.numbers("row", most));
    SLUICE_TRY(o.col, r.numbers("col", most));
    SLUICE_TRY(o.covariance, r.numbers("covariance", most * most));
    SLUICE_TRY(o.sigma_row, r.number("sigma_row"));
    SLUICE_TRY(o.sigma_col, r.number("sigma_col"));
    SLUICE_TRY(double const used, r.number("used"));
    SLUICE_TRY(double const left_out, r.number("left_out"));
    o.used = static_cast<index>(used), o.left_out = static_cast<index>(left_out);
    if (!crystal::check_origin_fit(o)) return r.wrong("row", "does not fit the surface");
    return o;
}

Result<Distortion> read_distortion(CalibrationReader const& r) {
    Distortion d;
    SLUICE_TRY(d.along, r.number("along"));
    SLUICE_TRY(d.across, r.number("across"));
    if (!(std::hypot(d.along, d.across) < 1)) return r.wrong("along", "is no small distortion");
    SLUICE_TRY(auto const covariance, r.numbers("covariance", 3));
    if (covariance.size() != 3) return r.wrong("covariance", "has no three numbers");
    std::ranges::copy(covariance, d.covariance.begin());
    return d;
}

Result<LatticeSpacings> read_lattice(CalibrationReader const& r) {
    LatticeSpacings s;
    SLUICE_TRY(s.a, r.length("a"));
    SLUICE_TRY(s.b, r.length("b"));
    SLUICE_TRY(s.angle_degrees, r.length("angle_degrees"));
    SLUICE_TRY(s.pixel_size, r.length("pixel_size"));
    if (!(s.angle_degrees < 180)) return r.wrong("angle_degrees", "is not below 180");
    return s;
}

Result<Rotation> read_rotation(CalibrationReader const& r) {
    Rotation out;
    SLUICE_TRY(out.degrees, r.number("degrees"));
    SLUICE_TRY(out.transpose, r.flag("transpose"));
    return out;
}

Status read_texts(CalibrationReader const& r, Calibration& c) {
    SLUICE_TRY(c.crystal, r.text("crystal"));
    if (r.has("notes")) {
        if (!r.json()["notes"].is_array()) return r.wrong("notes", "is no list");
        for (CalibrationJson const& note : r.json()["notes"]) {
            if (!note.is_string()) return r.wrong("notes", "has an entry that is no text");
            c.notes.push_back(note.get<std::string>());
        }
    }
    if (!r.has("provenance")) return {};
    if (!r.json()["provenance"].is_array()) return r.wrong("provenance", "is no list");
    for (CalibrationJson const& field : r.json()["provenance"]) {
        if (!field.is_array() || field.size() != 2 || !field[0].is_string() ||
            !field[1].is_string())
            return r.wrong("provenance", "has an entry that is no pair of texts");
        c.provenance.add(field[0].get<std::string>(), field[1].get<std::string>());
    }
    return {};
}

Result<Calibration> read(CalibrationReader const& r) {
    Calibration c;
    SLUICE_TRY(c.scan_shape, r.shape("scan_shape"));
    SLUICE_TRY(c.detector_shape, r.shape("detector_shape"));
    if (r.has("origins")) {
        SLUICE_TRY(CalibrationReader const inner, r.inner("origins"));
        SLUICE_TRY(c.origins, read_origins(inner, c.scan_shape));
    }
    if (r.has("distortion")) {
        SLUICE_TRY(CalibrationReader const inner, r.inner("distortion"));
        SLUICE_TRY(c.distortion, read_distortion(inner));
    }
    if (r.has("pixel_size")) {
        SLUICE_TRY(c.pixel_size, r.length("pixel_size"));
        SLUICE_TRY(c.pixel_size_error, r.number("pixel_size_error"));
    }
    if (r.has("lattice")) {
        SLUICE_TRY(CalibrationReader const inner, r.inner("lattice"));
        SLUICE_TRY(c.lattice, read_lattice(inner));
    }
    if (r.has("rotation")) {
        SLUICE_TRY(CalibrationReader const inner, r.inner("rotation"));
        SLUICE_TRY(c.rotation, read_rotation(inner));
    }
    SLUICE_CHECK(read_texts(r, c));
    return c;
}

}  // namespace

std::string calibration_text(Calibration const& c) {
    CalibrationJson j = {
        {"kind", calibration_kind},
        {"version", 1},
        {"conventions",
         "places are (row, col) in pixels of the full detector; the correction exp((along, "
         "across), (across, -along)) takes a place about its pattern's origin to the "
         "undistorted one; pixel sizes are in 1/angstrom"},
        {"scan_shape", c.scan_shape},
        {"detector_shape", c.detector_shape}};
    if (c.origins) j["origins"] = json_of(*c.origins);
    if (c.distortion) j["distortion"] = json_of(*c.distortion);
    if (c.pixel_size > 0) {
        j["pixel_size"] = c.pixel_size;
        j["pixel_size_error"] = c.pixel_size_error;
        auto const m = c.distortion.value_or(Distortion{}).correction();
        j["pixel_sizes"] = {c.pixel_size * m[0], c.pixel_size * m[2]};
    }
    if (c.lattice)
        j["lattice"] = {{"a", c.lattice->a},
                        {"b", c.lattice->b},
                        {"angle_degrees", c.lattice->angle_degrees},
                        {"pixel_size", c.lattice->pixel_size}};
    if (c.rotation)
        j["rotation"] = {{"degrees", c.rotation->degrees}, {"transpose", c.rotation->transpose}};
    j["crystal"] = c.crystal;
    j["notes"] = c.notes;
    j["provenance"] = CalibrationJson::array();
    for (auto const& [name, value] : c.provenance.fields)
        j["provenance"].push_back(CalibrationJson::array({name, value}));
    return j.dump(2, ' ', false, CalibrationJson::error_handler_t::replace) + "\n";
}

Result<Calibration> parse_calibration(std::string_view text, std::string const& name) {
    CalibrationJson const j = CalibrationJson::parse(text, nullptr, false);
    if (j.is_discarded() || !j.is_object() || !j.contains("kind") || j["kind"] != calibration_kind)
        return Error{Code::corrupt,
                     "is no calibration (it is no JSON object of that kind) give a file that "
                     "`sluice stem4d calibrate` or save_calibration() wrote",
                     name};
    return read(CalibrationReader(j, name));
}

Status save_calibration(std::string const& path, Calibration const& c) {
    return save_text(path, calibration_text(c));
}

Result<Calibration> load_calibration(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, most_calibration_bytes));
    return parse_calibration({reinterpret_cast<char const*>(bytes.data()), bytes.size()}, path);
}

}  // namespace sluice::stem4d
