// Tests of disks over the viewer's socket: every answer is the library's answer.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/test_crystals.h"

namespace sluice::app {
namespace {

class DisksTest : public CrystalsTest {};

TEST_F(DisksTest, DisksOfAFrameAreThoseThatTheWholeScanHasThere) {
    start({path_});
    ScanPage page(port());
    page.dataset_in("ready");
    Found const want = found_in(loaded());
    ASSERT_GT(want.vectors.size(), 500);
    for (index const p : {0, 13, 58, 107}) {
        Reply const reply = page.answer_to(
            page.ask("disks", "disks", fmt::format(R"("row":{},"col":{})", p / 12, p % 12)));
        expect_pattern(reply, want.vectors, p);
        EXPECT_EQ(reply.header["plan"]["why"], Json(want.setup.why));
        EXPECT_EQ(reply.header["plan"]["template"]["radius"], want.setup.probe.radius);
        EXPECT_EQ(reply.header["plan"]["options"]["fit_radius"], want.setup.options.fit_radius);
    }
}

TEST_F(DisksTest, OptionsAreThoseOfTheCommandLine) {
    start({path_});
    ScanPage page(port());
    page.dataset_in("ready");
    stem4d::DiskOptions options;
    options.least_snr = 5;
    options.least_score = 200;
    options.fit_radius = 8.5;
    options.bin = 1;
    Scan const scan = loaded();
    Found const want = found_in(scan, options);
    Reply const reply = page.answer_to(
        page.ask("disks", "disks",
                 R"("row":2,"col":3,"disks":{"least_snr":5,"least_score":200,"fit_radius":8.5,)"
                 R"("bin":1})"));
    expect_pattern(reply, want.vectors, 27);
    EXPECT_EQ(reply.header["request"]["disks"]["least_score"], "200");
    EXPECT_EQ(reply.header["request"]["disks"]["least_distance"], "0");
    // A template by numbers.
    auto const probe = stem4d::synthetic_template(4.5, 1.5).value();
    auto const setup = stem4d::plan_disks(scan, probe).value();
    Reply const given = page.answer_to(
        page.ask("disks", "disks",
                 R"("row":2,"col":3,"disks":{"template_radius":4.5,"template_edge":1.5})"));
    expect_pattern(given, stem4d::find_disks(scan, setup).value(), 27);
    EXPECT_EQ(given.header["plan"]["template"]["fitted"], false);
}

TEST_F(DisksTest, ThePlanAtHandServesOtherOptions) {
    start({path_});
    ScanPage page(port());
    page.dataset_in("ready");
    Scan const scan = loaded();
    Found const usual = found_in(scan);
    stem4d::DiskSetup setup = usual.setup;
    setup.options.least_score = 200;
    setup.options.fit_radius = 7.5;
    Reply const reply = page.answer_to(page.ask(
        "disks", "disks",
        R"("row":4,"col":9,"disks":{"least_score":200,"fit_radius":7.5},"plan":{"least_snr":3.5})"));
    expect_pattern(reply, stem4d::find_disks(scan, setup).value(), 4 * 12 + 9);
    EXPECT_EQ(reply.header["plan"]["options"]["least_score"], 200);
    EXPECT_EQ(reply.header["request"]["plan"]["least_score"], "25");
    Reply const other = page.answer_to(
        page.ask("disks", "disks", R"("row":4,"col":9,"disks":{"template_radius":4},"plan":{})"));
    EXPECT_EQ(other.header["message"], "field 'plan' (must have the template of 'disks')");
}

TEST_F(DisksTest, WhatMakesNoSenseIsRefusedInWords) {
    start({path_});
    ScanPage page(port());
    page.dataset_in("ready");
    auto const why = [&](std::string const& op, std::string const& fields) {
        Reply const reply = page.answer_to(page.ask(op, "r", fields));
        EXPECT_EQ(reply.header["op"], "error") << fields;
        // So that no six mistakes come in a row, which close the socket.
        EXPECT_EQ(page.answer_to(page.ask("ping", "p", "")).header["op"], "pong");
        return reply.header.value("message", "");
    };
    EXPECT_EQ(why("disks", R"("row":0,"col":0,"disks":{"least_scor":3})"),
              "field 'disks' ('least_scor' is no option)");
    EXPECT_NE(why("disks", R"("row":0,"col":0,"disks":{"least_score":-3})").find("least_score"),
              std::string::npos);
    EXPECT_EQ(why("disks", R"("row":0,"col":0,"disks":{"template_radius":0})"),
              "field 'template_radius' (must be above 0)");
    EXPECT_EQ(why("disks", R"("row":0,"col":0,"disks":{"bin":[1]})"),
              "field 'bin' (must be a number, a word, true or false)");
    EXPECT_EQ(why("disks", R"("row":0,"col":0,"disks":7)"),
              "field 'disks' (must be an object of options)");
    EXPECT_NE(why("disks", R"("row":9,"col":0)").find("no scan point at row 9"), std::string::npos);
    EXPECT_NE(why("disks", R"("row":0,"col":0,"disks":{"fit_radius":2})").find("fit_radius is 2"),
              std::string::npos);
    EXPECT_NE(why("strain", R"("strain":{"convention":"mine"})").find("convention"),
              std::string::npos);
    EXPECT_NE(why("strain", R"("region":{"shape":"point","center":[90,0]})").find("no scan point"),
              std::string::npos);
}

TEST_F(DisksTest, APatternWithoutDisksHasItsReasonInWords) {
    start({"synthetic:stem4d?scan=8x8&detector=48x48&dose=0.01"});
    ScanPage page(port());
    page.dataset_in("ready");
    Reply const reply = page.answer_to(
        page.ask("disks", "disks", R"("row":1,"col":1,"disks":{"template_radius":4})"));
    ASSERT_EQ(reply.header["op"], "disks") << reply.header.dump();
    EXPECT_EQ(reply.values().size(), 0U);
    EXPECT_NE(reply.header["reason"], "found");
    // The mean pattern has no disk to fit a template to.
    Reply const none = page.answer_to(page.ask("disks", "disks", R"("row":1,"col":1)"));
    EXPECT_EQ(none.header["op"], "error");
    EXPECT_NE(none.header["message"], "");
}

}  // namespace
}  // namespace sluice::app
