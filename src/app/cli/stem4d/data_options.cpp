// Reads the options of commands that read data.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/data_options.h"

#include <fmt/format.h>

#include "device/isa.h"
#include "format/fields.h"
#include "format/npy/plane.h"
#include "store/fields.h"

namespace sluice::cli {

void DataOptions::add(Verb const& app, bool needs_paths) {
    Option const its = app.add_option(
        "paths", paths, "acquisitions: master files, folders of them, or synthetic:stem4d");
    if (needs_paths) its.required();
    app.add_fields(open_fields(), series.open);
    app.add_flag("--skip-bad", series.skip_bad,
                 "leave out members of a series that differ or are incomplete");
    app.add_fields(load_fields(), load);
    app.add_option("--mask", mask, "NPY file of detector shape: not 0 leaves the pixel out");
    app.add_flag_callback(
        "--stream", [this] { load.residency = Residency::stream; },
        "do not load: read the files for every analysis");
}

void DataOptions::add_reading(Verb const& app) {
    app.add_fields(open_fields(), series.open);
    app.add_fields(load_fields(), load);
    app.add_option("--mask", mask, "NPY file of detector shape: not 0 leaves the pixel out");
}

void DataOptions::add_detector_step(Verb const& app) {
    app.add_field(detector_step_field(), load);
}

namespace {

template <class T>
void add_names(config::Fields<T> fields, std::vector<std::string>& names) {
    T const usual{};
    for (auto const& f : fields) names.push_back(option_of(f, usual).name);
}

}  // namespace

std::vector<std::string> DataOptions::names_of_scans() {
    std::vector<std::string> names = {"--skip-bad", "--mask", "--stream"};
    add_names(open_fields(), names);
    add_names(load_fields(), names);
    return names;
}

CommonUse DataOptions::use() {
    return {
        .threads = applies(),
        .device = applies(),
        .json = applies(),
        .memory_limit = applies("memory to use at most, as in 500M or 4G [60 % of what is free]")};
}

Result<OpenOptions> DataOptions::open_options() const {
    SLUICE_CHECK(check_isa_wish());
    return series.open;
}

Result<Series> DataOptions::open() const {
    SLUICE_CHECK(check_isa_wish());
    return open_series(paths, series);
}

Result<LoadOptions> DataOptions::load_options(index members) const {
    LoadOptions o = load;
    o.share = members;
    o.memory = common.memory_limit;
    if (!mask.empty()) {
        SLUICE_TRY(Array<float> const plane, npy::load_plane(mask));
        o.user_mask.shape = plane.shape;
        for (float v : plane.values) o.user_mask.values.push_back(v != 0);
    }
    // Loading is the processor's work whatever device the analysis runs on.
    SLUICE_TRY(Device const chosen, common.chosen_device());
    o.device = chosen.host(common.threads);
    return o;
}

Status DataOptions::expect_processor() const {
    SLUICE_TRY(Device const chosen, common.chosen_device());
    if (!chosen.remote()) return {};
    return Error{Code::invalid_argument,
                 fmt::format("--device {} (loading is the processor's work) give cpu, or an "
                             "instruction set as cpu:avx2",
                             common.device)};
}

}  // namespace sluice::cli
