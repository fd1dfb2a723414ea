// Tests of what may be asked about scans, and of what is told when it may not.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/request.h"

#include <gtest/gtest.h>

#include "app/view/envelope.h"

namespace sluice::app {
namespace {

Result<ScanRequest> parse(std::string const& text) {
    auto const read = read_request(text);
    if (auto const* bad = std::get_if<BadRequest>(&read))
        return Error{Code::invalid_argument, bad->message};
    auto const& [envelope, fields] = std::get<RawRequest>(read);
    return parse_scan_request(envelope.op, fields);
}

ScanRequest good(std::string const& text) {
    return parse(text).value();
}

std::string why(std::string const& text) {
    auto const parsed = parse(text);
    EXPECT_FALSE(parsed) << text;
    return parsed ? "" : parsed.error().message;
}

std::string image(std::string const& fields) {
    return R"({"op":"image","id":1,"slot":"s","dataset":"d1",)" + fields + "}";
}

TEST(ScanRequest, ReadsAnImage) {
    ScanRequest const r = good(image(
        R"("mode":"mean","detectors":[{"shape":"annulus","center":[1.5,2],"inner":3,"outer":4}])"));
    auto const& what = std::get<ImageRequest>(r.what);
    EXPECT_EQ(what.mode, Mode::mean);
    ASSERT_EQ(what.detectors.size(), 1U);
    EXPECT_EQ(what.detectors[0].shape, stem4d::Detector::Shape::annulus);
    EXPECT_EQ(what.detectors[0].center->row, 1.5);
    EXPECT_EQ(what.detectors[0].inner, 3);
    EXPECT_EQ(what.detectors[0].outer, 4);
}

TEST(ScanRequest, ReadsEveryMode) {
    char const* const names[] = {"com_row",    "com_col", "com_magnitude", "com_vector",
                                 "divergence", "curl",    "icom"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
        ScanRequest const r = good(image(R"("mode":")" + std::string(names[i]) +
                                         R"(","rotation":{"degrees":30,"transpose":true})"));
        auto const& what = std::get<ImageRequest>(r.what);
        EXPECT_EQ(what.mode, static_cast<Mode>(i + 2));
        EXPECT_EQ(what.rotation.kind, RotationWish::Kind::given);
        EXPECT_EQ(what.rotation.degrees, 30);
        EXPECT_TRUE(what.rotation.transpose);
    }
}

TEST(ScanRequest, ReadsFramesAndRegions) {
    ScanRequest const f = good(R"({"op":"frame","id":0,"slot":"","dataset":"d","row":3,"col":4})");
    EXPECT_EQ(std::get<FrameRequest>(f.what).row, 3);
    EXPECT_EQ(std::get<FrameRequest>(f.what).col, 4);
    ScanRequest const r = good(
        R"({"op":"region","id":0,"slot":"","dataset":"d","kind":"max",
            "region":{"shape":"rectangle","from":[0,1],"to":[2,3]}})");
    EXPECT_EQ(std::get<PatternRequest>(r.what).kind, stem4d::Pattern::max);
    EXPECT_EQ(std::get<PatternRequest>(r.what).region->to.col, 3);
}

TEST(ScanRequest, SaysWhichFieldIsWrong) {
    EXPECT_NE(why("no json").find("JSON"), std::string::npos);
    EXPECT_NE(why("[]").find("JSON"), std::string::npos);
    EXPECT_NE(why(R"({"id":-1})").find("'id'"), std::string::npos);
    EXPECT_NE(why(R"({"id":1,"slot":5})").find("'slot'"), std::string::npos);
    EXPECT_NE(why(R"({"id":1,"slot":"s","op":"open","dataset":"d"})").find("'open'"),
              std::string::npos);
    EXPECT_NE(why(image(R"("mode":"blur")")).find("'blur'"), std::string::npos);
    EXPECT_NE(why(image(R"("mode":"sum")")).find("'detectors'"), std::string::npos);
    EXPECT_NE(why(image(R"("mode":"sum","detectors":{})")).find("'detectors'"), std::string::npos);
    EXPECT_NE(why(image(R"("mode":"icom","rotation":{})")).find("'rotation'"), std::string::npos);
    EXPECT_NE(
        why(R"({"op":"frame","id":1,"slot":"","dataset":"d","row":-1,"col":0})").find("'row'"),
        std::string::npos);
    EXPECT_NE(
        why(R"({"op":"frame","id":1,"slot":"","dataset":"d","row":0.5,"col":0})").find("'row'"),
        std::string::npos);
}

TEST(ScanRequest, RefusesShapesThatAreNone) {
    auto const shape = [](std::string const& text) {
        return why(image(R"("mode":"sum","detectors":[)" + text + "]"));
    };
    EXPECT_NE(shape(R"({"shape":"blob","center":[1,2],"outer":1})").find("'blob'"),
              std::string::npos);
    EXPECT_NE(shape(R"({"shape":"disk","outer":1})").find("'center'"), std::string::npos);
    EXPECT_NE(shape(R"({"shape":"disk","center":[1],"outer":1})").find("'center'"),
              std::string::npos);
    EXPECT_NE(shape(R"({"shape":"disk","center":[1,2],"outer":-1})").find("'outer'"),
              std::string::npos);
    EXPECT_NE(shape(R"({"shape":"disk","center":[1,1e9],"outer":1})").find("'center'"),
              std::string::npos);
    EXPECT_NE(shape(R"({"shape":"annulus","center":[1,2],"inner":5,"outer":1})").find("'inner'"),
              std::string::npos);
    EXPECT_NE(shape(R"({"shape":"polygon","corners":[[0,0],[1,1]]})").find("'corners'"),
              std::string::npos);
    // A page may not name a file of the server's machine.
    EXPECT_NE(
        shape(R"({"shape":"mask","file":"/etc/passwd","center":[0,0],"outer":1})").find("'mask'"),
        std::string::npos);
}

TEST(ScanRequest, LimitsHowMuchIsAsked) {
    std::string many;
    for (std::size_t i = 0; i <= max_detectors; ++i)
        many += std::string(i ? "," : "") + R"({"shape":"point","center":[0,0]})";
    EXPECT_NE(why(image(R"("mode":"sum","detectors":[)" + many + "]")).find("at most"),
              std::string::npos);
    EXPECT_NE(why(image(R"("mode":"icom","detectors":[{"shape":"point","center":[0,0]},
                                                      {"shape":"point","center":[0,0]}])"))
                  .find("at most 1"),
              std::string::npos);
    EXPECT_NE(
        why(R"({"id":1,"slot":")" + std::string(33, 's') + R"(","op":"ping"})").find("'slot'"),
        std::string::npos);
}

TEST(ScanRequest, ReadsWhatAnAnswerWaitsFor) {
    auto const frame = [](std::string const& more) {
        return R"({"op":"frame","id":1,"slot":"s","dataset":"d1","row":1,"col":2)" + more + "}";
    };
    EXPECT_FALSE(good(frame("")).after);
    EXPECT_EQ(good(frame(R"(,"after":64)")).after, 64U);
    for (auto const* bad : {"-1", "1.5", "\"64\"", "18446744073709551615"})
        EXPECT_NE(why(frame(std::string(",\"after\":") + bad)).find("after"), std::string::npos);
    EXPECT_TRUE(std::holds_alternative<FindDiskRequest>(
        good(R"({"op":"find_disk","id":1,"slot":"s","dataset":"d1"})").what));
}

TEST(ScanRequest, ReadsDisksAndStrain) {
    ScanRequest const r = good(
        R"({"op":"disks","id":1,"slot":"s","dataset":"d1","row":3,"col":4,"disks":{"least_snr":4,)"
        R"("most_disks":7,"template_radius":6.5}})");
    auto const& disks = std::get<DisksRequest>(r.what);
    EXPECT_EQ(disks.row, 3);
    EXPECT_EQ(disks.disks.options.least_snr, 4);
    EXPECT_EQ(disks.disks.options.least_score, 25);
    EXPECT_EQ(disks.disks.options.most_disks, 7);
    EXPECT_EQ(disks.disks.radius, 6.5);
    ScanRequest const s = good(
        R"({"op":"strain","id":1,"slot":"s","dataset":"d1","lattice":{"model_variance":false},)"
        R"("strain":{"convention":"py4dstem","transpose":true},)"
        R"("region":{"shape":"disk","center":[1,2],"outer":3}})");
    auto const& strain = std::get<StrainRequest>(s.what);
    EXPECT_FALSE(strain.lattice.model_variance);
    EXPECT_TRUE(strain.strain.transpose);
    EXPECT_EQ(strain.strain.convention, stem4d::StrainConvention::py4dstem);
    EXPECT_EQ(strain.region->outer, 3);
}

TEST(ScanRequest, ReadsOrientations) {
    std::string const head = R"({"op":"match","id":1,"slot":"s","dataset":"d1","row":3,"col":4,)";
    ScanRequest const r = good(
        head + R"("disks":{"least_snr":4},"library":{"kilovolts":200,"precession_mrad":17},)"
               R"("match":{"least_probability":0.9},"crystals":[1,0],"calibration":{"by":"step",)"
               R"("step_mrad":0.5,"center":[7,8],"rotation":{"degrees":5,"transpose":true}}})");
    auto const& [of, row, col] = std::get<MatchRequest>(r.what);
    EXPECT_EQ(row, 3);
    EXPECT_EQ(of.disks.options.least_snr, 4);
    EXPECT_EQ(of.library.precession_mrad, 17);
    EXPECT_EQ(of.match.least_probability, 0.9);
    EXPECT_EQ(of.crystals, (std::vector<index>{1, 0}));
    EXPECT_EQ(of.scale.by, ScaleBy::step);
    EXPECT_EQ(of.scale.center->col, 8);
    EXPECT_TRUE(of.scale.rotation->transpose);
    auto const bad = [&](std::string const& fields) { return why(head + fields + "}"); };
    for (auto const& [fields, says] : std::initializer_list<std::pair<char const*, char const*>>{
             {R"("library":{"zone_step":0.2})", "0.5 degrees"},
             {R"("library":{"most_frequency":4})", "up to 2"},
             {R"("library":{"match_width":0.01})", "'library'"},
             {R"("library":{"kilovolts":-3})", "'library'"},
             {R"("library":{"phases":"x"})", "'phases' is no option"},
             {R"("match":{"grains":2})", "one crystal"},
             {R"("match":{"candidates":100})", "'match'"},
             {R"("crystals":["/etc/passwd"])", "'crystals'"},
             {R"("crystals":[0,0])", "once"},
             {R"("crystals":[-1])", "'crystals'"},
             {R"("calibration":{"by":"guess"})", "'by'"},
             {R"("calibration":{"step_mrad":-1})", "negative"},
             {R"("calibration":{"step_mrad":1e9})", "'step_mrad'"},
             {R"("calibration":{"center":[1]})", "'center'"},
             {R"("calibration":{"rotation":{"degrees":"x"}})", "'degrees'"},
             {R"("calibration":{"rotation":{"degrees":1,"transpose":1}})", "'transpose'"}})
        EXPECT_NE(bad(fields).find(says), std::string::npos) << fields << ": " << bad(fields);
}

}  // namespace
}  // namespace sluice::app
