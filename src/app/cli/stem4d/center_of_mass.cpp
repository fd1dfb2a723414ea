// `sluice stem4d center-of-mass`.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/cli/stem4d/command.h"
#include "app/cli/stem4d/job.h"
#include "domain/stem4d/words.h"

namespace sluice::cli {
namespace {

struct Command {
    Stem4dJob job;
    std::string mask;
    std::optional<std::string> rotation;
    bool periodic = false;
    std::optional<stem4d::Descan> descan;
};

// What --rotation asks for: nothing, or phase contrast with a rotation that is found or given.
Result<std::optional<stem4d::PhaseOptions>> parse_rotation(std::optional<std::string> const& asked,
                                                           bool periodic,
                                                           std::optional<stem4d::Descan> descan) {
    stem4d::PhaseOptions options{.periodic = periodic};
    options.descan = descan.value_or(options.descan);
    std::string const text = asked.value_or("none");
    if (text == "none") {
        if (!periodic && !descan) return std::optional<stem4d::PhaseOptions>{};
        return Error{Code::invalid_argument,
                     fmt::format("{} has no effect (it is about icom) ask for that with --rotation",
                                 periodic ? "--periodic" : "--descan")};
    }
    if (text == "auto" || text == "file") return std::optional{options};
    stem4d::Rotation rotation;
    int length = 0;
    std::sscanf(text.c_str(), "%lf%n", &rotation.degrees, &length);
    std::string const rest = text.substr(static_cast<std::size_t>(length));
    rotation.transpose = rest == ",transpose";
    if (length == 0 || !std::isfinite(rotation.degrees) || !(rest.empty() || rotation.transpose))
        return Error{Code::invalid_argument,
                     fmt::format("--rotation '{}' is not a rotation; give auto, file, none, or "
                                 "degrees with "
                                 "or without ',transpose', as in -12.5,transpose",
                                 text)};
    options.rotation = rotation;
    return std::optional{options};
}

// One map of the result, and the value that is drawn from in both directions.
struct Part {
    ScanMap const* map;
    std::optional<double> middle = {};
};

std::vector<Part> parts_of(stem4d::CenterOfMass const& com) {
    std::vector<Part> parts;
    for (ScanMap const* map : com.maps()) parts.push_back({map});
    parts[0].middle = com.reference.row, parts[1].middle = com.reference.col;
    return parts;
}

std::vector<Part> parts_of(stem4d::PhaseContrast const& phase) {
    std::vector<Part> parts;
    for (ScanMap const* map : phase.maps())
        parts.push_back({map, map == &phase.icom ? std::optional<double>{} : 0});
    return parts;
}

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

// The images of a series grow member by member.
struct Images {
    std::vector<ResultImage> images = {};
    std::vector<std::optional<figure::Limits>> limits = {};

    Status add(std::vector<Part> const& parts, Scan const& scan, index member,
               OutputOptions const& options) {
        images.resize(parts.size());
        limits.resize(parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            Part const& part = parts[i];
            ResultImage& image = images[i];
            image.style = style_of(scan, false, options);
            if (part.middle) image.style.map = figure::Map::balance;
            // A series has one pair of limits for all members: its first one's.
            if (part.middle && member == 0) limits[i] = limits_about(*part.middle, *part.map);
            if (part.middle) image.style.limits = limits[i];
            SLUICE_CHECK(stem4d::append_map(image.map, *part.map, member));
        }
        return {};
    }
};

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

// What is done with a scan: where nothing is asked for, the rotation that its file says is used.
Result<std::optional<stem4d::PhaseOptions>> options_for(
    Scan const& scan, std::optional<std::string> const& asked,
    std::optional<stem4d::PhaseOptions> options) {
    auto const& turn = scan.dataset().detector_turn;
    if (asked == "file" && !turn)
        return Error{Code::invalid_argument,
                     "the file says no rotation of the detector (py4DSTEM's calibration would) "
                     "give --rotation auto or degrees",
                     scan.dataset().path};
    if (!turn || (asked && asked != "file")) return options;
    if (!options) options.emplace();
    options->rotation = stem4d::Rotation{.degrees = turn->degrees, .transpose = turn->transpose};
    return options;
}

void add_notes(stem4d::PhaseContrast const& phase, index member, JobReport& r) {
    bool const series = r.json["series"].get<index>() > 1;
    for (std::string const& note : phase.notes)
        r.notes.push_back(series ? fmt::format("member {}: {}", member + 1, note) : note);
}

Status run(Command& c) {
    std::optional<stem4d::Detector> mask;
    if (!c.mask.empty()) {
        SLUICE_TRY(mask, stem4d::parse_detector(c.mask));
    }
    SLUICE_TRY(auto const phase_options, parse_rotation(c.rotation, c.periodic, c.descan));
    Images images;
    bool turned = false;
    SLUICE_TRY(
        JobReport report,
        for_each_scan(
            c.job,
            [&](Scan const& scan, stem4d::Options const& options, index member,
                JobReport& r) -> Status {
                SLUICE_TRY(auto const com, stem4d::center_of_mass(scan, mask, options));
                std::vector<Part> parts = parts_of(com);
                r.json["reference"].push_back(
                    {{"row", com.reference.row}, {"col", com.reference.col}});
                r.notes.insert(r.notes.end(), com.notes.begin(), com.notes.end());
                if (com.disk) r.add(*com.disk, member);
                r.notes.push_back(
                    "centres of mass are (row, column) on the full, unbinned detector, in its "
                    "pixels; NaN where a frame has no counts");
                auto const figure = [&](char const* name, Array<double> const& row,
                                        Array<double> const& col, stem4d::Point middle,
                                        char const* title) {
                    auto const endings = c.job.output.pictures();
                    if (endings.empty()) return;
                    r.figures.push_back(
                        {figure_path(c.job, name, member, r.json["series"].get<index>()), endings,
                         draw_wheel(row, col, middle, title, scan, c.job.output),
                         provenance_of(scan, com.notes)});
                };
                figure("com", com.row, com.col, com.reference, "centre of mass");
                stem4d::PhaseContrast phase;
                SLUICE_TRY(auto const how, options_for(scan, c.rotation, phase_options));
                if (member > 0 && how.has_value() != turned)
                    return unlike_others(scan, how.has_value());
                turned = how.has_value();
                if (how) {
                    SLUICE_TRY(phase, stem4d::phase_contrast(com, *how));
                    if (auto note = note_of_file(scan, phase.rotation); !note.empty())
                        r.notes.push_back(std::move(note));
                    for (Part const& part : parts_of(phase)) parts.push_back(part);
                    r.json["rotation"].push_back(json_of(phase.rotation));
                    add_notes(phase, member, r);
                    if (!phase.rotation.determined())
                        fmt::print(stderr, "sluice: warning: {}\n", phase.notes.front());
                    figure("com_rotated", phase.row, phase.col, {}, "centre of mass, rotated");
                }
                return images.add(parts, scan, member, c.job.output);
            }));
    return finish(c.job, "center_of_mass", images.images, report);
}

}  // namespace

void add_center_of_mass(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("center-of-mass", "first moments of every frame");
    auto const c = std::make_shared<Command>();
    c->job.add(*app);
    app->add_option(
        "--within", c->mask,
        "take it over this detector only, as in disk:r=40, in pixels of the full, unbinned "
        "detector, or disk:r=20mrad [everything]");
    app->add_option("--rotation", c->rotation,
                    "of the detector against the scan: auto finds it, DEGREES or "
                    "DEGREES,transpose give it, file takes what the file says; adds the turned "
                    "field, divergence, curl and icom [file, where it says one, else none]");
    app->add_flag("--periodic", c->periodic,
                  "the scan repeats at its edges: icom is exact there; without it nothing is "
                  "assumed beyond the edges");
    app->add_word("--descan", c->descan,
                  "what is subtracted before: mean, or plane, the part that is linear in the scan "
                  "position [mean]");
    app->footer(
        "Examples:\n"
        "  sluice stem4d center-of-mass scan_master.h5 --out com\n"
        "  sluice stem4d center-of-mass scan_master.h5 --rotation auto --descan plane --out com\n"
        "  sluice stem4d center-of-mass scan_master.h5 --within disk:r=40 --out com --format "
        "hdf5,png");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
