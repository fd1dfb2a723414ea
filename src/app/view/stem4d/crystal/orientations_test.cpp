// Tests of orientations over the viewer's socket: the library's map, its patterns, words for what
// is missing, and an end on demand.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/view/stem4d/crystal/test_gold.h"
#include "sluice/orientation_figures.h"

namespace sluice::app {
namespace {

class OrientationsTest : public GoldTest {
  protected:
    Reply answer(ScanPage& page, std::uint64_t id, std::vector<std::string>* tasks = nullptr) {
        return page.until([&](Json const& h) {
            if (tasks && h["op"] == "progress" && h.contains("task")) tasks->push_back(h["task"]);
            return h["op"] != "progress" && h.contains("id") && h["id"] == id;
        });
    }
    stem4d::OrientationMap librarys(stem4d::CalibratedVectors* calibrated = nullptr) const {
        Scan const scan = Scan::load(open(path_).value()).value();
        auto const probe = stem4d::fit_template(scan).value().probe;
        auto const vectors =
            stem4d::find_disks(scan, stem4d::plan_disks(scan, probe).value()).value();
        stem4d::Calibration c;
        c.scan_shape = vectors.scan_shape, c.detector_shape = vectors.detector_shape;
        c.pixel_size = gold_pixel;
        c.origins = stem4d::fit_origins(stem4d::measure_origins(vectors).value()).value();
        auto const cells = orient::load_phases(std::array{cif_}).value().cells;
        library_.emplace(
            stem4d::OrientationLibrary::build(cells, {.kilovolts = 300, .zone_step = 2}).value());
        auto const made = stem4d::apply_calibration(vectors, c).value();
        if (calibrated) *calibrated = made;
        return stem4d::orientation(made, *library_).value();
    }
    mutable std::optional<stem4d::OrientationLibrary> library_;
};

TEST_F(OrientationsTest, TheMapIsTheLibrarys) {
    start();
    ScanPage page(port());
    EXPECT_EQ(page.hello["crystals"][0]["name"], "Gold");
    EXPECT_EQ(page.hello["calibrated"], false);
    page.dataset_in("ready");
    std::vector<std::string> tasks;
    Reply const reply = answer(page, page.ask("orientation", "orientation", asked()), &tasks);
    ASSERT_EQ(reply.header["op"], "orientation") << reply.header.dump();
    for (char const* task : {"library", "finding disks", "orientations"})
        EXPECT_NE(std::ranges::find(tasks, task), tasks.end()) << task;
    auto const map = librarys();
    auto const colors = reply.values(0), phase = reply.values(1), reason = reply.values(2),
               probability = reply.values(3), euler = reply.values(5);
    index const points = gold_rows * gold_cols;
    EXPECT_GE(stem4d::indexed_patterns(map), points - 3);
    EXPECT_EQ(reply.header["indexed"], stem4d::indexed_patterns(map));
    constexpr stem4d::Vector3 along[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    for (std::size_t d = 0; d < 3; ++d) {
        auto const picture = stem4d::ipf_colors(map, along[d]).value();
        for (std::size_t i = 0; i < picture.rgb.size(); ++i)
            ASSERT_EQ(colors[d * picture.rgb.size() + i], picture.rgb[i]);
    }
    for (std::size_t p = 0; p < static_cast<std::size_t>(points); ++p) {
        bool const indexed = map.reason[p] == stem4d::OrientationReason::indexed;
        EXPECT_EQ(phase[p], indexed ? 1 : 0);
        EXPECT_EQ(reason[p], static_cast<double>(map.reason[p]));
        if (map.phase[p] >= 0) {
            EXPECT_EQ(probability[p], map.probability[p]);
        }
        EXPECT_EQ(std::isnan(euler[3 * p]), !indexed);
        if (indexed) {
            EXPECT_EQ(euler[3 * p + 1], static_cast<float>(euler_of(map.orientation[p])[1]));
        }
        if (indexed) {
            auto const& truth = gold_grains[p % gold_cols < gold_cols / 2 ? 0 : 1];
            EXPECT_LT(stem4d::disorientation(map.orientation[p], stem4d::orientation_of(truth),
                                             map.phases[0].symmetry),
                      2);
        }
    }
    // The last point has no counts, and says so.
    EXPECT_EQ(reason.back(), static_cast<double>(stem4d::OrientationReason::no_disks));
    EXPECT_EQ(reply.values(6).back(), static_cast<double>(stem4d::DiskReason::no_counts));
    EXPECT_EQ(reply.header["calibration"]["by"], "step");
    EXPECT_NEAR(reply.header["calibration"]["pixel_size"], gold_pixel, 1e-9);
    EXPECT_EQ(reply.header["phases"][0]["laue"], "m-3m");
    // A triangle with letters.
    EXPECT_EQ(reply.header["arrays"][7]["name"], "legend 0");
    EXPECT_EQ(reply.header["arrays"][7]["shape"][2], 3);
    // It is remembered.
    std::vector<std::string> again;
    answer(page, page.ask("orientation", "orientation", asked()), &again);
    EXPECT_TRUE(again.empty());
}

TEST_F(OrientationsTest, APatternTellsWhatCompetesForIt) {
    start();
    ScanPage page(port());
    page.dataset_in("ready");
    stem4d::CalibratedVectors vectors;
    librarys(&vectors);
    auto const matcher = stem4d::OrientationMatcher::begin(vectors, *library_).value();
    for (auto const& [row, col] : {std::pair<index, index>{1, 1}, {2, 4}, {3, 5}}) {
        Reply const reply = answer(
            page,
            page.ask("match", "match", asked(fmt::format(R"(,"row":{},"col":{})", row, col))));
        ASSERT_EQ(reply.header["op"], "match") << reply.header.dump();
        auto const want = matcher.of(row, col).value();
        EXPECT_EQ(reply.header["code"], static_cast<int>(want.reason));
        EXPECT_EQ(reply.header["disks"], want.disks);
        auto const& told = reply.header["candidates"];
        ASSERT_EQ(told.size(), std::min<std::size_t>(4, want.candidates.size()));
        if (want.candidates.empty()) {
            EXPECT_EQ(reply.header["disk_reason"], "no counts");
            EXPECT_TRUE(reply.header["probability"].is_null());
            continue;
        }
        EXPECT_EQ(reply.header["probability"].get<float>(), want.probability);
        EXPECT_EQ(told[0]["log_odds"], want.candidates[0].log_odds);
        EXPECT_EQ(told[0]["euler"][0], euler_of(want.candidates[0].orientation)[0]);
        auto const spots = reply.values(0);
        auto const& first = want.candidates[0].spots[0];
        EXPECT_EQ(spots[0], 0);
        EXPECT_EQ(spots[1], static_cast<float>(first.detector.row));
        EXPECT_EQ(spots[3], static_cast<float>(first.theory.intensity));
        EXPECT_EQ(spots[4], first.theory.hkl[0]);
    }
    Reply const none = answer(page, page.ask("match", "match", asked(R"(,"row":4,"col":0)")));
    EXPECT_EQ(none.header["op"], "error");
    EXPECT_NE(none.header["message"].get<std::string>().find("4 rows"), std::string::npos);
}

TEST_F(OrientationsTest, WhatIsMissingIsSaidInWords) {
    start();
    ScanPage page(port());
    page.dataset_in("ready");
    auto const why = [&](std::string const& fields) {
        Reply const reply = answer(page, page.ask("orientation", "orientation", fields));
        EXPECT_EQ(reply.header["op"], "error") << reply.header.dump();
        return reply.header["message"].get<std::string>();
    };
    EXPECT_NE(why("").find("the energy of the electrons is not known"), std::string::npos);
    std::string const energy = R"("library":{"kilovolts":300,"zone_step":5})";
    EXPECT_NE(why(energy + R"(,"calibration":{"by":"step"})").find("under Calibration"),
              std::string::npos);
    EXPECT_NE(why(energy + R"(,"calibration":{"by":"file"})").find("--calibration FILE"),
              std::string::npos);
    EXPECT_NE(why(energy + R"(,"crystals":[3])").find("there is no crystal 3"), std::string::npos);
    // One crystal is the measure itself.
    Reply const reply = answer(page, page.ask("orientation", "orientation", energy));
    ASSERT_EQ(reply.header["op"], "orientation") << reply.header.dump();
    EXPECT_EQ(reply.header["calibration"]["by"], "crystal");
    EXPECT_NEAR(reply.header["calibration"]["pixel_size"], gold_pixel, 0.01 * gold_pixel);
    EXPECT_NE(reply.header["notes"].dump().find("by the crystal itself"), std::string::npos);
}

TEST_F(OrientationsTest, ACalibrationOfTheCommandLineIsTakenFirst) {
    stem4d::CalibratedVectors vectors;
    auto const map = librarys(&vectors);
    calibration_ = vectors.calibration;
    calibration_->pixel_size_error = 1e-5;
    start();
    ScanPage page(port());
    EXPECT_EQ(page.hello["calibrated"], true);
    page.dataset_in("ready");
    std::string const energy = R"("library":{"kilovolts":300,"zone_step":2})";
    Reply const reply = answer(page, page.ask("orientation", "orientation", energy));
    ASSERT_EQ(reply.header["op"], "orientation") << reply.header.dump();
    EXPECT_EQ(reply.header["calibration"]["by"], "file");
    EXPECT_EQ(reply.header["calibration"]["error"], 1e-5);
    EXPECT_EQ(reply.header["indexed"], stem4d::indexed_patterns(map));
}

TEST_F(OrientationsTest, WithoutCrystalsThePageIsToldHowToNameThem) {
    start(false);
    ScanPage page(port());
    page.dataset_in("ready");
    EXPECT_TRUE(page.hello["crystals"].empty());
    Reply const reply = answer(page, page.ask("orientation", "orientation", asked()));
    EXPECT_EQ(reply.header["op"], "error");
    EXPECT_NE(reply.header["message"].get<std::string>().find("--crystal FILE.cif"),
              std::string::npos);
}

TEST_F(OrientationsTest, AStoppedMapIsNotAnsweredAndItsSlotIsFreeAgain) {
    LoadOptions stream;
    stream.residency = Residency::stream;
    start(true, stream);
    ScanPage page(port());
    page.dataset_in("streaming");
    std::uint64_t const first = page.ask("orientation", "orientation", asked());
    page.until([&](Json const& h) { return h["op"] == "progress" && h["slot"] == "orientation"; });
    page.ask("stop", "orientation", "");
    std::uint64_t const second = page.ask("disks", "orientation", R"("row":1,"col":1)");
    Reply const reply = page.until([&](Json const& h) {
        EXPECT_FALSE(h.contains("id") && h["id"] == first) << h.dump();
        return h.contains("id") && h["id"] == second;
    });
    EXPECT_EQ(reply.header["op"], "disks");
}

}  // namespace
}  // namespace sluice::app
