// Declares the options of `sluice stem4d ptychography`, and makes settings of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/ptychography_settings.h"

namespace sluice::cli {
namespace {

void add_geometry(Verb const& app, PtychographyCommand& c) {
    app->add_option("--energy", c.patterns.kilovolts, "of the electrons, in kV [the file's]")
        .check(positive());
    app->add_option("--wavelength-nm", c.patterns.wavelength_nm,
                    "instead of --energy, as of X-rays [the file's]")
        .check(positive());
    app->add_option("--detector-pixel-um", c.patterns.detector_pixel_um,
                    "of near fields (--set propagation=near), instead of the angle: the side of a "
                    "detector pixel as loaded, in um [the file's]")
        .check(positive());
    app->add_option("--scan-step-nm", c.patterns.scan_step_nm,
                    "distance of two scan points as loaded, in nm [the file's]")
        .check(positive());
    app->add_option("--rotation", c.patterns.rotation_degrees,
                    "of the detector against the scan, in degrees, as `center-of-mass --rotation "
                    "auto` finds it [the file's, else 0]");
    app->add_flag("--transpose", c.transpose,
                  "the detector's rows and columns are exchanged before the rotation");
    app->add_flag("--flip-rows", c.file.flip_rows,
                  "of a file of patterns: positions go the other way along rows");
    app->add_flag("--flip-cols", c.file.flip_cols, "the same along columns");
    app->add_option("--positions", c.positions,
                    "an array [frame][2] of rows and columns in pixels of the object, as .npy: "
                    "instead of the raster");
    app->add_option("--size", c.patterns.size,
                    "side of the patterns [the smallest of 64, 128, 192 and 256 that holds the "
                    "detector, else its own]")
        .check(in_range(8, 4096));
    c.probe.add(app);
    c.start.add(app);
}

void add_solver(Verb const& app, PtychographyCommand& c) {
    // What a setting's option says behind what the setting is.
    constexpr std::pair<char const*, char const*> options[] = {
        {"solver", "[lsqml]"},
        {"iterations", "[20]"},
        {"group",
         "[a fiftieth of the patterns for epie, rpie and mpie, else a fifth; for lsqml 100 or a "
         "hundredth at most]"},
        {"likelihood", "[auto]"},
        {"modes", "[1]"},
        {"slices", "[1]"},
        {"slice_nm", ""},
        {"probe_from", "[2]"},
        {"object_step", ""},
        {"probe_step", ""},
        {"margin", "[8]"},
        {"seed", "[0]"}};
    auto const what_is = [](std::string const& name) {
        for (auto const& setting : stem4d::ptychography_settings())
            if (setting.name == name) return setting.what;
        return std::string();
    };
    for (auto const& [name, usual] : options) {
        std::string option = name;
        std::replace(option.begin(), option.end(), '_', '-');
        app->add_option("--" + option, c.given[name], what_is(name) + " " + usual);
    }
    app->add_flag("--refine-positions", c.refine_positions, what_is("refine_positions"));
    app->add_flag("--whole-pixels", c.whole_pixels,
                  "round positions instead of moving the probe by parts of a pixel");
    app->add_flag("--fix-probe", c.fix_probe, what_is("fix_probe"));
    app->add_flag("--stop-early", c.stop_early, what_is("stop_early"));
    app->add_option("--config", c.config,
                    "a TOML file with settings and a [[stage]] for each stage; options of the "
                    "command line are given to all its stages");
    app->add_option("--set", c.set, "NAME=VALUE: any other setting, of all stages; see below")
        .one_each();
    app->add_flag("--remove-ramp", c.remove_ramp,
                  "take the phase's ramp off the object's arrays too, and give it to the probe");
    app->add_option("--checkpoint", c.options.checkpoint,
                    "a file that always has the newest state, whole, whatever stops the work");
    app->add_option("--resume", c.options.resume,
                    "a checkpoint to go on from, with the same bits as without interruption");
    c.monitor.add(app);
    app->add_flag("--plan", c.plan, "say what it would take, and do nothing");
}

}  // namespace

void PtychographyCommand::add(Verb const& app) {
    job.add(*app);
    add_geometry(app, *this);
    add_solver(app, *this);
    search.add(app);
}

Status PtychographyCommand::read_settings() {
    if (!config.empty()) {
        auto const before = options;
        SLUICE_TRY(options, stem4d::read_ptychography(config));
        options.checkpoint = before.checkpoint;
        options.resume = before.resume;
    }
    if (refine_positions) given["refine_positions"] = "true";
    if (fix_probe) given["fix_probe"] = "true";
    if (stop_early) given["stop_early"] = "true";
    if (whole_pixels) given["sub_pixel"] = "false";
    for (auto const& [name, value] : given)
        if (!value.empty()) SLUICE_CHECK(stem4d::set(options, name, value));
    for (std::string const& text : set) {
        auto const equals = text.find('=');
        if (equals == std::string::npos)
            return Error{Code::invalid_argument,
                         fmt::format("--set {} gives no value; write --set NAME=VALUE", text)};
        SLUICE_CHECK(stem4d::set(options, text.substr(0, equals), text.substr(equals + 1)));
    }
    if (options.memory_limit == 0) options.memory_limit = job.data.common.memory_limit;
    return {};
}

std::string settings_help() {
    std::string text = "\n\nSettings, for --set and TOML files (*: of a stage):\n";
    for (auto const& setting : stem4d::ptychography_settings())
        text +=
            fmt::format("  {}{:<24}{}\n", setting.of_stage ? '*' : ' ', setting.name, setting.what);
    return text;
}

}  // namespace sluice::cli
