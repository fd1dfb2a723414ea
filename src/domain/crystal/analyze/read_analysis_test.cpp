// Plans out of TOML: what they become, and errors that name the line and the nearest key.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "sluice/save.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::stem4d {
namespace {

AnalysisConfig good(std::string const& text, std::string const& folder = {}) {
    auto const read = parse_analysis(text, "plan.toml", folder);
    EXPECT_TRUE(read) << read.error().text();
    return read ? *read : AnalysisConfig{};
}

std::string bad(std::string const& text) {
    auto const read = parse_analysis(text, "plan.toml");
    return read ? std::string("not refused") : read.error().text();
}

TEST(ReadAnalysis, TablesBecomeParts) {
    AnalysisConfig const c = good(R"(
scan = ["data/scan.h5", "synthetic:stem4d", "/far/scan.h5"]
disk = "48:47.5:9"
[open]
allow_incomplete = true
[load]
det_bin = 2
stream = true
scan_region = "0:4,0:8"
[virtual_image.bright]
detector = "bf"
mean = true
[virtual_image.rings]
detector = ["adf", "far=rectangle:rows=1..2,cols=3..4"]
[diffraction_pattern]
kind = ["mean", "max"]
[center_of_mass.all]
rotation = -12.5
descan = "plane"
[center_of_mass.inner]
within = "disk:r=40"
[disks]
template_radius = "8,1.2"
least_score = 16
most_disks = 20
)",
                                  "there");
    EXPECT_EQ(c.scan,
              (std::vector<std::string>{"there/data/scan.h5", "synthetic:stem4d", "/far/scan.h5"}));
    EXPECT_EQ(c.plan.disk->radius, 9);
    EXPECT_TRUE(c.open.allow_incomplete);
    EXPECT_TRUE(c.says_how_to_load);
    EXPECT_EQ(c.load.det_bin, 2);
    EXPECT_EQ(c.load.residency, Residency::stream);
    EXPECT_EQ(c.load.scan_region->cols, 8);
    ASSERT_EQ(c.plan.images.size(), 2u);
    EXPECT_EQ(c.plan.images[0].detectors.at(0).name, "bright");
    EXPECT_TRUE(c.plan.images[0].mean);
    EXPECT_EQ(c.plan.images[1].detectors.at(0).name, "rings_adf");
    EXPECT_EQ(c.plan.images[1].detectors.at(1).name, "rings_far");
    EXPECT_EQ(c.plan.images[1].detectors.at(1).to.col, 4);
    EXPECT_EQ(c.plan.patterns.at(0).kinds, (std::vector{Pattern::mean, Pattern::max}));
    EXPECT_EQ(c.plan.moments.at(0).rotation, "-12.5");
    EXPECT_EQ(c.plan.moments.at(0).descan, Descan::plane);
    EXPECT_EQ(c.plan.moments.at(1).within->outer, 40);
    EXPECT_EQ(c.plan.disks.at(0).probe->radius, 8);
    EXPECT_EQ(c.plan.disks.at(0).probe->edge_width, 1.2);
    EXPECT_EQ(c.plan.disks.at(0).options.least_score, 16);
    EXPECT_EQ(c.plan.disks.at(0).options.most_disks, 20);
}

TEST(ReadAnalysis, OneTableOfAKindNeedsNoKey) {
    AnalysisConfig const c = good("[virtual_image]\n[center_of_mass]\n[diffraction_pattern]\n");
    EXPECT_EQ(c.plan.images.at(0).detectors.at(0).name, "bf");
    EXPECT_EQ(c.plan.patterns.at(0).kinds.at(0), Pattern::mean);
    EXPECT_FALSE(c.says_how_to_load);
    EXPECT_TRUE(c.scan.empty());
}

TEST(ReadAnalysis, ATableWithoutANameIsAPartBesideNamedOnes) {
    AnalysisConfig const c = good(R"(
[diffraction_pattern.spot]
kind = "sum"
[diffraction_pattern]
kind = "max"
[center_of_mass.inner]
within = "disk:r=3"
 [ center_of_mass ] # all
[virtual_image.only]
)");
    ASSERT_EQ(c.plan.patterns.size(), 2u);
    EXPECT_EQ(c.plan.patterns[0].name, "");
    EXPECT_EQ(c.plan.patterns[0].kinds.at(0), Pattern::max);
    EXPECT_EQ(c.plan.patterns[1].name, "spot");
    ASSERT_EQ(c.plan.moments.size(), 2u) << "an empty table is a part, too";
    EXPECT_FALSE(c.plan.moments[0].within);
    EXPECT_EQ(c.plan.moments[1].name, "inner");
    ASSERT_EQ(c.plan.images.size(), 1u) << "nobody wrote [virtual_image]";
    EXPECT_EQ(bad("[disks]\nleast_scor = 3\n[disks.few]\nmost_disks = 4\n"),
              "plan.toml: line 2: there is no key 'disks.least_scor'; did you mean 'least_score'?");
}

TEST(ReadAnalysis, AKeyOfEarlierFilesIsReadAndSaid) {
    AnalysisConfig const c = good("[disks.few]\nmost = 4\n", "");
    EXPECT_EQ(c.plan.disks.at(0).options.most_disks, 4);
    EXPECT_EQ(c.notes, (std::vector<std::string>{
                           "plan.toml:2: 'disks.few.most' is called most_disks now; it is read as "
                           "that"}));
    EXPECT_TRUE(good("[disks]\nmost_disks = 4\n", "").notes.empty());
    EXPECT_NE(bad("[disks]\nmost = 3\nmost_disks = 4\n").find("give one of them"),
              std::string::npos);
    EXPECT_NE(bad("[disks]\nmost = 0\n").find("disks.most_disks"), std::string::npos);
}

TEST(ReadAnalysis, FilesAreInItsFolder) {
    std::string const folder = testing::TempDir() + "plan_files";
    std::filesystem::create_directories(folder);
    Array<std::uint8_t> plane{{4, 6}, std::vector<std::uint8_t>(24, 1)};
    ASSERT_TRUE(save_npy(folder + "/plane.npy", plane));
    ASSERT_TRUE(save_template(folder + "/probe.json", synthetic_template(5).value()));
    AnalysisConfig const c = good(R"([load]
mask = "plane.npy"
[virtual_image]
detector = ["ring=mask:plane.npy", "weights:plane.npy"]
[diffraction_pattern]
where = "plane.npy"
[disks]
template = "probe.json"
)",
                                  folder);
    EXPECT_EQ(c.load.user_mask.values.size(), 24u);
    EXPECT_EQ(c.mask, folder + "/plane.npy");
    EXPECT_EQ(c.plan.images.at(0).detectors.at(0).name, "ring");
    EXPECT_EQ(c.plan.images.at(0).detectors.at(1).name, "weights:plane.npy");
    EXPECT_EQ(c.plan.patterns.at(0).where.values.size(), 24u);
    EXPECT_EQ(c.plan.disks.at(0).probe->radius, 5);
}

TEST(ReadAnalysis, ErrorsNameTheLineAndTheNearestKey) {
    EXPECT_EQ(bad("scan = \"a\"\n[virtual_image.bf]\ndetectr = \"bf\"\n"),
              "plan.toml: line 3: there is no key 'virtual_image.bf.detectr'; did you mean "
              "'detector'?");
    EXPECT_EQ(bad("[virtual_images]\n"),
              "plan.toml: line 1: there is no key 'virtual_images'; did you mean 'virtual_image'?");
    EXPECT_EQ(bad("[disks]\n\nleast_scor = 3\n"),
              "plan.toml: line 3: there is no key 'disks.least_scor'; did you mean 'least_score'?");
    EXPECT_EQ(bad("[load]\ndet_bins = 2\n[disks]\n"),
              "plan.toml: line 2: there is no key 'load.det_bins'; did you mean 'det_bin'?");
    EXPECT_NE(bad("[virtual_image]\ndetector = \"blob:r=3\"\n").find("plan.toml: line 1: "),
              std::string::npos);
    EXPECT_NE(bad("[diffraction_pattern]\nkind = \"median\"\n").find("line 2"), std::string::npos);
    EXPECT_NE(bad("[disks]\nleast_snr = -1\n").find("line 2"), std::string::npos);
    EXPECT_NE(bad("[center_of_mass]\nrotation = \"left\"\n").find("'left'"), std::string::npos);
    EXPECT_NE(bad("[disks]\ntemplate_radius = 8\nvacuum = \"v.h5\"\n").find("exclude"),
              std::string::npos);
    EXPECT_NE(bad("[diffraction_pattern]\nat = \"1:1\"\nwhere = \"w.npy\"\n").find("exclude"),
              std::string::npos);
    EXPECT_NE(bad("scan = 3\n[disks]\n").find("line 1: scan is the path"), std::string::npos);
    EXPECT_NE(bad("disk = 3\n[disks]\n").find("line 1: "), std::string::npos);
    EXPECT_NE(bad("virtual_image = \"bf\"\n").find("begin it with [virtual_image]"),
              std::string::npos);
    EXPECT_NE(bad("scan = \"a\"\n").find("asks for nothing"), std::string::npos);
    EXPECT_NE(bad("[virtual_image\n").find("line 1: is not TOML"), std::string::npos);
    EXPECT_NE(bad("[virtual_image.com_row]\n[center_of_mass]\n").find("'com_row'"),
              std::string::npos);
}

TEST(ReadAnalysis, TheExampleIsOne) {
    AnalysisConfig const c = good(std::string(example_analysis()));
    EXPECT_EQ(c.plan.images.size(), 2u);
    EXPECT_EQ(c.plan.patterns.size(), 1u);
    // What it shows as comments is right, too.
    std::string text;
    std::string_view rest = example_analysis();
    int line = 0;
    while (!rest.empty()) {
        std::string one(rest.substr(0, rest.find('\n')));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        if (++line > 3 && one.starts_with("# ")) one = one.substr(2);
        text += one + "\n";
    }
    AnalysisConfig const all = good(text);
    EXPECT_EQ(all.plan.disks.size(), 1u);
    EXPECT_EQ(all.load.residency, Residency::stream);
    EXPECT_TRUE(all.plan.disk);
}

}  // namespace
}  // namespace sluice::stem4d
