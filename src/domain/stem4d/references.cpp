// Dark and gain references: whether they fit a scan, and what is said of them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "format/npy/plane.h"
#include "sluice/stem4d_references.h"
#include "store/plan.h"

namespace sluice::stem4d {
namespace {

Status check_shape(Array<float> const& reference, store::Plan const& plan, char const* what,
                   std::string const& file) {
    if (reference.size() == 0) return {};
    auto const& shape = reference.shape;
    if (shape == std::vector<index>{plan.stored.rows, plan.stored.cols} &&
        std::ssize(reference.values) == plan.stored.rows * plan.stored.cols)
        return {};
    std::string const its = shape.size() == 2 ? fmt::format("{}x{} pixels", shape[0], shape[1])
                                              : fmt::format("{} axes", shape.size());
    return Error{Code::invalid_argument,
                 fmt::format("the {} reference has {} (the full, unbinned detector has {}x{}); "
                             "give one of that shape",
                             what, its, plan.stored.rows, plan.stored.cols),
                 file};
}

Status check_bins(store::Plan const& plan) {
    if (plan.det_bin == 1 && plan.scan_bin == 1) return {};
    return Error{
        Code::invalid_argument,
        fmt::format("dark and gain references are of single pixels and frames (the scan was "
                    "loaded with det_bin {} and scan_bin {}, whose sums cannot be corrected); "
                    "load it with bins of 1",
                    plan.det_bin, plan.scan_bin)};
}

/// Calls f(stored pixel, row, col of the full detector) for each pixel of the scan that counts.
template <class F>
void for_each_counting(store::Plan const& plan, F const& f) {
    for (index r = 0; r < plan.rows; ++r)
        for (index c = 0; c < plan.cols; ++c) {
            if (!plan.bad.empty() && plan.bad[static_cast<std::size_t>(r * plan.cols + c)])
                continue;
            index const row = plan.detector_region.row + r, col = plan.detector_region.col + c;
            f(static_cast<std::size_t>(row * plan.stored.cols + col), row, col);
        }
}

template <class Good>
Status check_values(Array<float> const& reference, store::Plan const& plan, char const* what,
                    char const* expected, std::string const& file, Good const& good) {
    if (reference.size() == 0) return {};
    index wrong = 0;
    std::string first;
    for_each_counting(plan, [&](std::size_t at, index row, index col) {
        float const v = reference.values[at];
        if (good(v)) return;
        if (wrong++ == 0) first = fmt::format("{:g} at row {}, column {}", v, row, col);
    });
    if (wrong == 0) return {};
    return Error{
        Code::invalid_argument,
        fmt::format("the {} reference has a wrong value in {} that {}, the first {} ({} is "
                    "needed); correct the reference, or leave the pixels out by a mask",
                    what, plural(wrong, "pixel"), wrong == 1 ? "counts" : "count", first, expected),
        file};
}

}  // namespace

Result<References> load_references(std::string const& dark_file, std::string const& gain_file) {
    References out{.dark_file = dark_file, .gain_file = gain_file};
    for (auto const& [file, to] : {std::pair(&dark_file, &out.dark), {&gain_file, &out.gain}}) {
        if (file->empty()) continue;
        SLUICE_TRY(*to, npy::load_plane(*file));
        // An array without elements would count as none.
        if (to->size() == 0)
            return Error{Code::invalid_argument,
                         "the reference has no pixel (one of its extents is 0); give one of the "
                         "full detector's shape",
                         *file};
    }
    return out;
}

Status check_references(Scan const& scan, References const& references) {
    if (!references.any()) return {};
    store::Plan const& plan = scan.plan();
    auto const& [dark, gain, dark_file, gain_file] = references;
    SLUICE_CHECK(check_shape(dark, plan, "dark", dark_file));
    SLUICE_CHECK(check_shape(gain, plan, "gain", gain_file));
    SLUICE_CHECK(check_bins(plan));
    SLUICE_CHECK(check_values(dark, plan, "dark", "a finite number", dark_file,
                              [](float v) { return std::isfinite(v); }));
    SLUICE_CHECK(check_values(gain, plan, "gain", "a finite number from 0 on", gain_file,
                              [](float v) { return std::isfinite(v) && v >= 0; }));
    if (report_of(scan, references).most_gain > 0) return {};
    return Error{Code::invalid_argument,
                 "the gain reference leaves out every pixel (a gain of 0 does); give one with "
                 "pixels that count",
                 gain_file};
}

Status refuse_references(References const& references, std::string_view what) {
    if (!references.any()) return {};
    return Error{Code::unsupported,
                 fmt::format("{} found in frames as they were read (dark and gain references are "
                             "given); leave the references out",
                             what)};
}

ReferenceReport report_of(Scan const& scan, References const& references) {
    ReferenceReport out;
    if (references.gain.size() == 0) return out;
    bool first = true;
    for_each_counting(scan.plan(), [&](std::size_t at, index, index) {
        auto const g = static_cast<double>(references.gain.values[at]);
        out.least_gain = first ? g : std::min(out.least_gain, g);
        out.most_gain = first ? g : std::max(out.most_gain, g);
        out.without_gain += g == 0;
        first = false;
    });
    return out;
}

std::string describe(Scan const& scan, References const& references) {
    auto const name = [](char const* what, std::string const& file) {
        return file.empty() ? std::string(what) : fmt::format("{} ({})", what, file);
    };
    std::string out;
    if (references.dark.size() > 0)
        out = name("the dark reference", references.dark_file) + " was subtracted";
    if (references.gain.size() == 0) return out;
    ReferenceReport const r = report_of(scan, references);
    if (!out.empty()) out += ", and ";
    out += fmt::format("{} multiplied values by {:.4g} to {:.4g}",
                       name("the gain reference", references.gain_file), r.least_gain, r.most_gain);
    if (r.without_gain > 0)
        out += fmt::format("; its gain of 0 leaves {} out", plural(r.without_gain, "pixel"));
    return out;
}

}  // namespace sluice::stem4d
