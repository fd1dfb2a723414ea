// Frames of scans as patterns: what was not measured takes no part, in memory and streamed.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "property/stem4d_test.h"
#include "sluice/optics.h"
#include "sluice/ptychography_file.h"

namespace sluice::stem4d {
namespace {

std::string text(std::vector<std::string> const& notes) {
    std::string all;
    for (auto const& n : notes) all += n + "\n";
    return all;
}

// Scans of floats, in memory and streamed; frame 3 is NaN, and no file holds frame 5.
TEST(NotMeasured, ScansBecomePatternsWithoutIt) {
    constexpr index side = 8, pixels = side * side;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Counts c{4, 4, side, side, std::vector<double>(16 * pixels, 3)};
    for (index q = 0; q < pixels; ++q) c.at(3, q / side, q % side) = nan;
    c.at(6, 1, 1) = -2;
    for (bool const stream : {false, true}) {
        Dataset d = make_dataset(c, DType::f32, Encoding::values);
        d.missing = 1, d.missing_runs = {{5, 1}};
        LoadOptions load;
        if (stream) load.residency = Residency::stream;
        auto const scan = Scan::load(d, load);
        ASSERT_TRUE(scan);
        std::vector<std::string> notes;
        auto const p = patterns_of(
            *scan, {.size = side, .kilovolts = 300, .detector_step_mrad = 1, .scan_step_nm = 0.1},
            &notes);
        ASSERT_TRUE(p) << p.error().text();
        EXPECT_EQ(p->count(), 14);
        EXPECT_TRUE(p->bad.empty());
        for (float const v : std::get<std::vector<float>>(p->counts)) EXPECT_GE(v, 0);
        EXPECT_NE(text(notes).find("1 count is below 0"), std::string::npos) << text(notes);
        EXPECT_NE(text(notes).find("1 pattern was not measured at all"), std::string::npos);
        // What the scan says of NaN is told once, of the patterns.
        EXPECT_NE(text(notes).find("64 counts were not measured (NaN"), std::string::npos);
        EXPECT_EQ(text(notes).find("NaN or infinite values"), std::string::npos) << text(notes);
        EXPECT_NE(text(notes).find("1 of 16 scan points were not measured"), std::string::npos);
    }
}

// Patterns take the energy that the file states, unless another is given.
TEST(PatternsOf, TheFilesEnergyIsTaken) {
    Counts const c{4, 4, 8, 8, std::vector<double>(16 * 64, 3)};
    Dataset d = make_dataset(c, DType::u16, Encoding::values);
    PatternsOptions const options{.size = 8, .detector_step_mrad = 1, .scan_step_nm = 0.1};
    auto const wavelength = [&](PatternsOptions const& how, std::vector<std::string>& notes) {
        auto const scan = Scan::load(d, {});
        auto const p = patterns_of(*scan, how, &notes);
        if (!p) notes = {p.error().text()};
        return p ? p->wavelength_nm : 0;
    };
    std::vector<std::string> notes;
    EXPECT_EQ(wavelength(options, notes), 0);
    EXPECT_NE(text(notes).find("energy is not known"), std::string::npos);
    d.energy_kv = 200;
    notes.clear();
    EXPECT_EQ(wavelength(options, notes), optics::electron_wavelength_nm(200));
    EXPECT_NE(text(notes).find("the electrons' energy comes from the file: 200 kV"),
              std::string::npos);
    PatternsOptions given = options;
    given.kilovolts = 80;
    notes.clear();
    EXPECT_EQ(wavelength(given, notes), optics::electron_wavelength_nm(80));
    EXPECT_NE(text(notes).find("is 80 kV, as given; the file states 200 kV"), std::string::npos);
    given.kilovolts = 201;
    notes.clear();
    EXPECT_EQ(wavelength(given, notes), optics::electron_wavelength_nm(201));
    EXPECT_EQ(text(notes).find("kV"), std::string::npos) << text(notes);
    d.energy_kv = 0.2;
    EXPECT_EQ(wavelength(options, notes), 0);
    EXPECT_NE(text(notes).find("states an energy of 0.2 kV"), std::string::npos) << text(notes);
}

}  // namespace
}  // namespace sluice::stem4d
