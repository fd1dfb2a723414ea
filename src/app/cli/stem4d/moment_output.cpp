// Centres of mass and phase contrast as results.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/moment_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/shell/terminal.h"
#include "sluice/stem4d_analyze.h"
#include "sluice/stem4d_ricom.h"

namespace sluice::cli {
namespace {

// A field as one picture: hue is direction, brightness is length.
figure::Drawing draw_wheel(Array<double> const& rows, Array<double> const& cols,
                           stem4d::Point middle, char const* title, Scan const& scan,
                           OutputOptions const& options) {
    auto const shape = scan.scan_shape();
    Array<float> row{{shape[0], shape[1]}, {}}, col = row;
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
        row.values.push_back(static_cast<float>(rows.values[i] - middle.row));
        col.values.push_back(static_cast<float>(cols.values[i] - middle.col));
    }
    figure::Style style = style_of(scan, false, options);
    style.title = title;
    style.unit = "px";
    return figure::colour_wheel(view<2>(std::as_const(row)), view<2>(std::as_const(col)), style);
}

// Drawn from the reference, far enough for all but two in a thousand, saved as it is.
std::optional<figure::Limits> limits_about(double middle, Array<double> const& values) {
    std::vector<double> away;
    for (double v : values.values)
        if (v == v) away.push_back(std::abs(v - middle));
    if (away.empty()) return {};
    auto const at = away.begin() + std::ssize(away) * 998 / 1000;
    std::nth_element(away.begin(), at, away.end());
    if (*at == 0) return {};
    return figure::Limits{middle - *at, middle + *at};
}

Json json_of(stem4d::Rotation const& rotation) {
    return {{"degrees", rotation.degrees},
            {"transpose", rotation.transpose},
            {"curl_over_divergence", rotation.curl_over_divergence},
            {"error_degrees", rotation.error_degrees ? Json(*rotation.error_degrees) : Json()},
            {"determined", rotation.determined()},
            {"angle_known", rotation.angle_known},
            {"transpose_known", rotation.transpose_known},
            {"sign_known", rotation.sign_known},
            {"by_chance", rotation.by_chance}};
}

// What the file says of the rotation that is used; empty: nothing.
std::string note_of_file(Scan const& scan, stem4d::Rotation const& used) {
    auto const& said = scan.dataset().detector_turn;
    if (!said) return {};
    if (said->degrees == used.degrees && said->transpose == used.transpose)
        return "the rotation is the file's (--rotation auto finds it, none leaves it out)";
    return fmt::format("the file says a rotation of {}, which is not used", text_of(*said));
}

// Images of a series are stacked, so that what is made of one member is made of all.
Error unlike_others(Scan const& scan, bool says) {
    return {Code::invalid_argument,
            fmt::format("says {} rotation of the detector, unlike the members before it; give "
                        "--rotation auto, none or degrees",
                        says ? "a" : "no"),
            scan.dataset().path};
}

}  // namespace

Status check_ricom(index kernel, bool phase) {
    if (kernel == 0 || phase) return {};
    return Error{Code::invalid_argument,
                 "--ricom has no effect (it integrates the turned field) ask for that with "
                 "--rotation"};
}

std::vector<MomentOutput::Part> MomentOutput::parts_of(stem4d::CenterOfMass const& com) {
    std::vector<Part> parts;
    for (ScanMap const* map : com.maps()) parts.push_back({map});
    parts[0].middle = com.reference.row, parts[1].middle = com.reference.col;
    return parts;
}

std::vector<MomentOutput::Part> MomentOutput::parts_of(stem4d::PhaseContrast const& phase) {
    std::vector<Part> parts;
    for (ScanMap const* map : phase.maps())
        parts.push_back({map, map == &phase.icom ? std::optional<double>{} : 0});
    return parts;
}

Status MomentOutput::add_maps(std::vector<Part> const& parts, Scan const& scan, index member) {
    images_.resize(parts.size());
    limits_.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Part const& part = parts[i];
        ResultImage& image = images_[i];
        image.style = style_of(scan, false, job_.output);
        if (part.middle) image.style.map = figure::Map::balance;
        // A series has one pair of limits for all members: its first one's.
        if (part.middle && member == 0) limits_[i] = limits_about(*part.middle, *part.map);
        if (part.middle) image.style.limits = limits_[i];
        SLUICE_CHECK(stem4d::append_map(image.map, *part.map, member));
        image.map.name = stem4d::name_in(part_, part.map->name);
    }
    return {};
}

void MomentOutput::draw(char const* name, Array<double> const& row, Array<double> const& col,
                        stem4d::Point middle, char const* title, Scan const& scan, index member,
                        stem4d::CenterOfMass const& com, JobReport& r) const {
    auto const endings = job_.output.pictures();
    if (endings.empty()) return;
    r.figures.push_back({figure_path(job_, file_name_of(stem4d::name_in(part_, name)), member,
                                     r.json["series"].get<index>()),
                         endings, draw_wheel(row, col, middle, title, scan, job_.output),
                         provenance_of(scan, com.notes)});
}

void MomentOutput::tell(stem4d::PhaseContrast const& phase, Scan const& scan, index member,
                        Json& json, JobReport& r) const {
    if (auto note = note_of_file(scan, phase.rotation); !note.empty())
        r.notes.push_back(std::move(note));
    json["rotation"].push_back(json_of(phase.rotation));
    bool const series = r.json["series"].get<index>() > 1;
    std::string const begin = part_.empty() ? "" : part_ + ": ";
    for (std::string const& note : phase.notes)
        r.notes.push_back(begin + (series ? fmt::format("member {}: {}", member + 1, note) : note));
    if (!phase.rotation.determined())
        say(stderr, "sluice: warning: {}{}\n", begin, phase.notes.front());
}

Status MomentOutput::add(stem4d::CenterOfMass const& com,
                         std::optional<stem4d::PhaseContrast> const& phase, Scan const& scan,
                         index member, Json& json, JobReport& r) {
    if (member > 0 && phase.has_value() != turned_) return unlike_others(scan, phase.has_value());
    turned_ = phase.has_value();
    SLUICE_CHECK(check_ricom(ricom_, turned_));
    ScanMap near;
    json["reference"].push_back({{"row", com.reference.row}, {"col", com.reference.col}});
    r.notes.insert(r.notes.end(), com.notes.begin(), com.notes.end());
    r.notes.push_back(
        "centres of mass are (row, column) on the full, unbinned detector, in its "
        "pixels; NaN where a frame has no counts");
    draw("com", com.row, com.col, com.reference, "centre of mass", scan, member, com, r);
    std::vector<Part> parts = parts_of(com);
    if (phase) {
        tell(*phase, scan, member, json, r);
        for (Part const& part : parts_of(*phase)) parts.push_back(part);
        if (ricom_ > 0) {
            SLUICE_TRY(Array<double> values, stem4d::ricom(phase->row, phase->col, ricom_));
            near = make_map("ricom", phase->icom.unit, std::move(values), Missing::not_measured);
            near.reason = phase->row.reason;
            parts.push_back({&near});
            r.notes.push_back(
                fmt::format("ricom integrates over points within {} rows and columns", ricom_));
        }
        draw("com_rotated", phase->row, phase->col, {}, "centre of mass, rotated", scan, member,
             com, r);
    }
    return add_maps(parts, scan, member);
}

}  // namespace sluice::cli
