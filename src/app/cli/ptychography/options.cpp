// Declares the options of `sluice stem4d ptychography`, and makes settings of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/options.h"

#include <fmt/format.h>

#include "app/cli/ptychography/input.h"
#include "domain/ptychography/settings/fields.h"
#include "domain/ptychography/settings/input_fields.h"
#include "sluice/ptychography_settings.h"

namespace sluice::cli {
namespace {

// What scans and files both have goes from one to the other.
void add_geometry_of_files(Verb const& app, PtychographyCommand& c) {
    for (auto const& field : ptycho::pattern_file_fields())
        if (!config::find_field(ptycho::pattern_fields(), field.name)) app.add_field(field, c.file);
}

void add_start(Verb const& app, PtychographyCommand& c) {
    app->add_option("--positions", c.positions,
                    "an array [frame][2] of rows and columns in pixels of the object, as .npy: "
                    "instead of the raster");
    c.probe.add(app);
}

// A setting of a stage or of all: its text waits until the file of settings was read.
template <class T>
void add_setting(Verb const& app, config::Field<T> const& field, std::string& given) {
    bool const flag = field.kind == config::Kind::flag;
    std::string const other = field.text({}) == "true" ? "false" : "true";
    ValueOption option = option_of(field, T{});
    option.read = [&given, field, flag, other,
                   name = option.name](std::string const& text) -> Status {
        T any;
        std::string const value = flag ? other : text;
        SLUICE_CHECK(field.read({name, field.bounds}, value, any));
        given = value;
        return {};
    };
    app.add_value(option);
}

void add_solver(Verb const& app, PtychographyCommand& c) {
    c.add_settings(app);
    app->add_flag("--remove-ramp", c.remove_ramp,
                  "take the phase's ramp off the object's arrays too, and give it to the probe");
    app->add_option("--checkpoint", c.options.checkpoint,
                    "a file that always has the newest state, whole, whatever stops the work");
}

}  // namespace

void PtychographyCommand::add_settings(Verb const& app) {
    auto const of_all = ptycho::option_fields();
    for (char const* const name : {"solver", "iterations", "group", "likelihood", "modes", "slices",
                                   "slice_nm", "probe_from", "object_step", "probe_step", "margin",
                                   "seed", "refine_positions", "fix_probe", "stop_early"}) {
        if (auto const* const field = sluice::config::find_field(of_all, name))
            add_setting(app, *field, given[name]);
        else
            add_setting(app, *sluice::config::find_field(ptycho::stage_fields(), name),
                        given[name]);
    }
    auto whole_pixels = sluice::config::find_field(of_all, "sub_pixel")->called("--whole-pixels");
    whole_pixels.what = "round positions instead of moving the probe by parts of a pixel";
    add_setting(app, whole_pixels, given["sub_pixel"]);
    app->add_option("--config", config,
                    "a TOML file with settings and a [[stage]] for each stage; options of the "
                    "command line are given to all its stages");
    app->add_option("--set", set, "NAME=VALUE: any other setting, of all stages; see below")
        .one_each();
}

void PtychographyCommand::add(Verb const& app) {
    job.add(*app);
    app.add_fields(ptycho::pattern_fields(), patterns);
    add_geometry_of_files(app, *this);
    add_start(app, *this);
    start.add(app);
    add_solver(app, *this);
    app->add_option("--resume", options.resume,
                    "a checkpoint to go on from, with the same bits as without interruption");
    monitor.add(app);
    app->add_flag("--plan", plan, "say what it would take, and do nothing");
    search.add(app);
}

void PtychographyCommand::add_of_stream(Verb const& app) {
    app.add_fields(ptycho::pattern_fields(), patterns);
    add_start(app, *this);
    add_solver(app, *this);
    monitor.add(app);
}

Status PtychographyCommand::prepare() {
    SLUICE_CHECK(read_settings());
    if (options.propagation == stem4d::Propagation::near && !job.disk.empty())
        return Error{Code::invalid_argument,
                     "--disk is the direct beam of far fields (a near field is an image, cut about "
                     "the detector's middle) leave it out"};
    if (!positions.empty()) {
        SLUICE_TRY(patterns.positions, read_positions(positions));
    }
    // One file has all of a result.
    saves_result = std::erase(job.output.formats, "hdf5") > 0;
    return {};
}

Status PtychographyCommand::read_settings() {
    if (!config.empty()) {
        auto const before = options;
        SLUICE_TRY(options, stem4d::read_ptychography(config));
        options.checkpoint = before.checkpoint;
        options.resume = before.resume;
    }
    for (auto const& [name, value] : given)
        if (!value.empty()) SLUICE_CHECK(stem4d::set(options, name, value));
    for (std::string const& text : set) {
        auto const equals = text.find('=');
        if (equals == std::string::npos)
            return Error{
                Code::invalid_argument,
                fmt::format("{0} {1} gives no value; write {0} NAME=VALUE", set_name, text)};
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
