// Checks on scans: decoding, virtual detectors, moments and patterns; disks; reconstructions.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domain/crystal/detect/scan_setup.h"
#include "sluice/disks.h"
#include "sluice/ptychography.h"
#include "sluice/stem4d.h"
#include "validation/check.h"

namespace sluice::validation {
namespace {

stem4d::Options on(Device const& device) {
    stem4d::Options run;
    run.device = device;
    return run;
}

// Decoded by the instruction set itself; what is remote gets what this processor decodes.
Result<Scan> loaded(Dataset const& dataset, Layout layout, Device const& device) {
    LoadOptions load;
    load.layout = layout;
    load.device = device.host();
    load.residency = Residency::memory;
    // Of large scans a square in the middle.
    constexpr index edge = 12;
    Region square{0, 0, std::min(edge, dataset.scan[0]), std::min(edge, dataset.scan[1])};
    square.row = (dataset.scan[0] - square.rows) / 2;
    square.col = (dataset.scan[1] - square.cols) / 2;
    load.scan_region = square;
    // So that kernels answer, and not sums beside the planes.
    load.tables = Tables::none;
    return Scan::load(dataset, load);
}

std::vector<stem4d::Detector> detectors(Dataset const& d) {
    auto const rows = static_cast<double>(d.rows), cols = static_cast<double>(d.cols);
    stem4d::Detector half{.name = "half"};
    half.shape = stem4d::Detector::Shape::rectangle;
    half.to = {rows / 2, cols};
    stem4d::Detector weights{.name = "weights"};
    weights.shape = stem4d::Detector::Shape::weights;
    weights.from = {rows, cols};
    for (index i = 0; i < d.rows * d.cols; ++i)
        weights.pixels.push_back(static_cast<float>(i * 7919 % 1000) / 250 - 1);
    return {half, weights};
}

void append(std::vector<double> const& values, Numbers& to) {
    to.insert(to.end(), values.begin(), values.end());
}

Result<Numbers> images(Dataset const& dataset, Layout layout, Device const& device) {
    SLUICE_TRY(Scan const scan, loaded(dataset, layout, device));
    SLUICE_TRY(auto const made, stem4d::virtual_image(scan, detectors(dataset), on(device)));
    return Numbers(made.values.values.begin(), made.values.values.end());
}

Result<Numbers> moments(Dataset const& dataset, Layout layout, Device const& device) {
    SLUICE_TRY(Scan const scan, loaded(dataset, layout, device));
    SLUICE_TRY(auto const made, stem4d::center_of_mass(scan, {}, on(device)));
    Numbers all;
    append(made.row.values, all);
    append(made.col.values, all);
    return all;
}

Result<Numbers> patterns(Dataset const& dataset, Layout layout, Device const& device) {
    SLUICE_TRY(Scan const scan, loaded(dataset, layout, device));
    Numbers all;
    for (auto const kind :
         {stem4d::Pattern::sum, stem4d::Pattern::max, stem4d::Pattern::variance}) {
        SLUICE_TRY(auto const made, stem4d::diffraction_pattern(scan, kind, {}, on(device)));
        append(made.values.values, all);
    }
    return all;
}

// Places of all disks, and their heights over the largest of all.
Result<Numbers> disks(Dataset const& dataset, Device const& device) {
    SLUICE_TRY(Scan const scan, loaded(dataset, Layout::automatic, device));
    // All devices search with one setup.
    auto const run = on(Device::cpu(1, Isa::baseline));
    SLUICE_TRY(auto const fitted, stem4d::fit_template(scan, {}, run));
    SLUICE_TRY(auto const setup, stem4d::plan_disks(scan, fitted.probe, {}, run));
    SLUICE_TRY(auto const found, stem4d::find_disks(scan, setup, on(device)));
    SLUICE_TRY(auto const map, stem4d::vector_map(found));
    return map.values;
}

Result<Numbers> reconstruction(Dataset const& dataset, Device const& device) {
    SLUICE_TRY(Scan const scan, loaded(dataset, Layout::automatic, Device::cpu(1, Isa::baseline)));
    stem4d::PatternsOptions how;
    how.size = 64;
    how.kilovolts = 300;
    how.detector_step_mrad = 0.5;
    how.scan_step_nm = 0.05;
    SLUICE_TRY(auto patterns, stem4d::patterns_of(scan, how));
    stem4d::PtychographyOptions options;
    options.device = device;
    options.stages[0].iterations = 3;
    SLUICE_TRY(auto const made, stem4d::ptychography(std::move(patterns), options));
    Numbers all;
    for (auto const& v : made.object.values) {
        all.push_back(static_cast<double>(v.real()));
        all.push_back(static_cast<double>(v.imag()));
    }
    return all;
}

}  // namespace

void add_stem4d(Dataset const& dataset, std::string const& data, std::vector<Check>& to) {
    char const* const exact = "sums of whole numbers are exact";
    for (Layout const layout : {Layout::planes, Layout::lines, Layout::dense}) {
        if (layout != Layout::dense && dataset.dtype == DType::f32) continue;
        std::string const form = layout == Layout::planes  ? "bit planes"
                                 : layout == Layout::lines ? "lines"
                                                           : "plain values";
        auto const add = [&](std::string const& what, double tolerance, char const* why,
                             Result<Numbers> (*make)(Dataset const&, Layout, Device const&)) {
            to.push_back(
                {"stem4d", what + " on " + form, data, tolerance, why,
                 [dataset, layout, make](Device const& d) { return make(dataset, layout, d); }});
        };
        add("virtual images", 1e-12, "weights are summed in another order", images);
        add("centre of mass", 0, exact, moments);
        add("sum, maximum and variance", 0, exact, patterns);
    }
}

void add_crystal(Dataset const& dataset, std::string const& data, std::vector<Check>& to) {
    to.push_back({"crystal", "map of all disks", data, 1e-3,
                  "fits in float end near the same place: a thousandth of the brightest pixel",
                  [dataset](Device const& d) { return disks(dataset, d); }, false});
}

void add_ptychography(Dataset const& dataset, std::string const& data, std::vector<Check>& to) {
    to.push_back({"ptychography", "three iterations", data, 1e-4,
                  "float32 and transforms of another order: rounding, grown by three iterations",
                  [dataset](Device const& d) { return reconstruction(dataset, d); }});
}

}  // namespace sluice::validation
