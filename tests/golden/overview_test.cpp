// One whole job, from simulated frames to the numbers of an overview: did the science change?
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numeric>

#include "sluice/stem4d.h"

namespace sluice::stem4d {
namespace {

struct Number {
    char const* name;
    double value;
    double tolerance;  // relative; 0: counts are whole numbers and exact on every machine
};

// To renew them: run this test, judge why they changed, and copy what it prints.
constexpr Number expected[] = {
    {"total counts", 692305, 0},
    {"pattern, ordered", 35122011, 0},
    {"maxima, ordered", 610970, 0},
    {"variance", 1698.4923480902864, 1e-09},
    {"disk row", 32.101999999999997, 1e-09},
    {"disk column", 36.000999999999998, 1e-09},
    {"disk radius", 7.4589999999999996, 1e-09},
    {"bf", 17930045, 0},
    {"abf", 13045039, 0},
    {"adf", 3632434, 0},
    {"haadf", 10122455, 0},
    {"disk", 19690827, 0},
    {"rectangle", 104206, 0},
    {"centre of mass row", 31.9602633903962, 1e-09},
    {"centre of mass column", 35.90270616992013, 1e-09},
    {"row, ordered", 751950.63997683045, 1e-09},
    {"column, ordered", 843719.47148697649, 1e-09},
    {"magnitude", 400.94354975963779, 1e-09},
};

constexpr char const* job =
    "synthetic:stem4d?scan=24x20&detector=64x72&dose=1500&disk_radius=7.5&wobble=1.2&seed=7&masked="
    "5";

// Differs when values change places, which a sum does not notice.
double ordered_sum(std::vector<double> const& v) {
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * static_cast<double>(i % 101 + 1);
    return sum;
}

double sum_of(std::vector<double> const& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
}

std::vector<Number> numbers_of(Scan const& scan, Options options) {
    std::vector<Number> out;
    auto const sum = diffraction_pattern(scan, Pattern::sum, {}, options).value().values.values;
    auto const most = diffraction_pattern(scan, Pattern::max, {}, options).value().values.values;
    auto const variance =
        diffraction_pattern(scan, Pattern::variance, {}, options).value().values.values;
    out.push_back({"total counts", sum_of(sum), 0});
    out.push_back({"pattern, ordered", ordered_sum(sum), 0});
    out.push_back({"maxima, ordered", ordered_sum(most), 0});
    out.push_back({"variance", sum_of(variance), 1e-9});
    options.disk = find_disk(scan).value();
    out.push_back({"disk row", options.disk->center.row, 1e-9});
    out.push_back({"disk column", options.disk->center.col, 1e-9});
    out.push_back({"disk radius", options.disk->radius, 1e-9});
    std::vector<Detector> detectors;
    for (char const* text : {"bf", "abf", "adf", "haadf", "disk:r=9.5,center=31.5:36",
                             "rectangle:rows=3..40,cols=7..8"})
        detectors.push_back(parse_detector(text).value());
    auto const images = virtual_image(scan, detectors, options).value();
    std::size_t const frames = images.values.values.size() / detectors.size();
    constexpr char const* names[] = {"bf", "abf", "adf", "haadf", "disk", "rectangle"};
    for (std::size_t d = 0; d < detectors.size(); ++d) {
        auto const begin = images.values.values.begin() + static_cast<index>(d * frames);
        out.push_back({names[d], ordered_sum({begin, begin + static_cast<index>(frames)}), 0});
    }
    auto const com = center_of_mass(scan, {}, options).value();
    out.push_back({"centre of mass row", com.reference.row, 1e-9});
    out.push_back({"centre of mass column", com.reference.col, 1e-9});
    out.push_back({"row, ordered", ordered_sum(com.row.values), 1e-9});
    out.push_back({"column, ordered", ordered_sum(com.col.values), 1e-9});
    out.push_back({"magnitude", sum_of(com.magnitude.values), 1e-9});
    return out;
}

void compare(std::vector<Number> const& found) {
    bool good = found.size() == std::size(expected);
    for (std::size_t i = 0; i < found.size() && good; ++i)
        good = std::string_view(found[i].name) == expected[i].name &&
               std::abs(found[i].value - expected[i].value) <=
                   expected[i].tolerance * std::abs(expected[i].value);
    if (good) return;
    std::string table;
    char line[200];
    for (Number const& n : found) {
        std::snprintf(line, sizeof line, "    {\"%s\", %.17g, %g},\n", n.name, n.value,
                      n.tolerance);
        table += line;
    }
    ADD_FAILURE() << "the numbers are now\n" << table;
}

Scan loaded(LoadOptions const& options) {
    auto scan = Scan::load(open(job).value(), options);
    EXPECT_TRUE(scan) << scan.error().text();
    return std::move(*scan);
}

TEST(GoldenOverview, InEveryLayoutAndWhenStreamed) {
    for (Layout layout : {Layout::planes, Layout::dense})
        for (Residency residency : {Residency::memory, Residency::stream}) {
            SCOPED_TRACE(testing::Message() << "layout " << static_cast<int>(layout)
                                            << ", residency " << static_cast<int>(residency));
            LoadOptions o;
            o.layout = layout, o.residency = residency;
            compare(numbers_of(loaded(o), {}));
        }
}

TEST(GoldenOverview, OnEveryDevice) {
    LoadOptions o;
    o.residency = Residency::memory;
    Scan const scan = loaded(o);
    for (char const* name : {"reference", "cpu:baseline", "cpu", "fake", "cuda"}) {
        auto const device = Device::named(name, 3);
        if (!device) continue;  // no GPU; tests/conformance says so
        SCOPED_TRACE(name);
        Options options;
        options.device = *device;
        compare(numbers_of(scan, options));
    }
}

}  // namespace
}  // namespace sluice::stem4d
