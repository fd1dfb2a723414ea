// Tests of disks and strain over the viewer's socket: every answer is the library's answer.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/test_scans.h"
#include "sluice/disks.h"
#include "sluice/strain.h"

namespace sluice::app {
namespace {

using stem4d::BraggVectors;

// A scan of a strained crystal as a detector writes it: the right half is pulled along the rows.
char const* const simulated =
    "synthetic:crystal?scan=9x12&detector=96x96&disk_radius=5&g1=19,2&g2=-2,18&dose=8000&masked=0&"
    "field=step&strain=0.02,0,0,1";

void write_crystal(std::string const& prefix) {
    Dataset const from = open(simulated).value();
    Scan const scan = Scan::load(from, {}).value();
    nxmx::Acquisition a;
    a.prefix = prefix;
    a.scan = scan.scan_shape();
    a.rows = a.cols = 96;
    a.dtype = DType::u16;
    auto const files = nxmx::write(a, [&](index frame, std::span<std::byte> values) -> Status {
        SLUICE_TRY(auto const counts, stem4d::frame(scan, frame / 12, frame % 12));
        for (std::size_t i = 0; i < counts.values.size(); ++i) {
            auto const v = static_cast<std::uint16_t>(counts.values[i]);
            std::memcpy(values.data() + 2 * i, &v, 2);
        }
        return {};
    });
    ASSERT_TRUE(files) << files.error().text();
}

std::vector<double> column_of(Reply const& reply, std::size_t column) {
    std::vector<double> const all = reply.values();
    std::vector<double> one;
    for (std::size_t i = column; i < all.size(); i += 9) one.push_back(all[i]);
    return one;
}

// What the library finds, as the command line asks it.
struct Found {
    stem4d::DiskSetup setup;
    BraggVectors vectors;
};
Found found_in(Scan const& scan, stem4d::DiskOptions const& options = {}) {
    auto const probe = stem4d::fit_template(scan).value().probe;
    Found f{stem4d::plan_disks(scan, probe, options).value(), {}};
    f.vectors = stem4d::find_disks(scan, f.setup).value();
    return f;
}

void expect_pattern(Reply const& reply, BraggVectors const& all, index pattern) {
    auto const p = static_cast<std::size_t>(pattern);
    std::vector<float> BraggVectors::*const columns[] = {
        &BraggVectors::row,         &BraggVectors::col,
        &BraggVectors::intensity,   &BraggVectors::background,
        &BraggVectors::var_row,     &BraggVectors::var_col,
        &BraggVectors::cov_row_col, &BraggVectors::intensity_error,
        &BraggVectors::score};
    ASSERT_EQ(reply.header["op"], "disks") << reply.header.dump();
    EXPECT_EQ(reply.header["reason"], stem4d::name_of(all.reason[p]));
    for (std::size_t c = 0; c < 9; ++c) {
        std::vector<float> const& of = all.*columns[c];
        EXPECT_EQ(column_of(reply, c),
                  std::vector<double>(of.begin() + all.first[p], of.begin() + all.first[p + 1]));
    }
}

class CrystalsTest : public ScansFixture {
  protected:
    CrystalsTest() : folder_("crystals_" + std::string(name())) {
        write_crystal(folder_.path + "/scan");
        path_ = folder_.path + "/scan_master.h5";
    }
    static char const* name() {
        return testing::UnitTest::GetInstance()->current_test_info()->name();
    }
    Scan loaded(LoadOptions const& options = {}) const {
        return Scan::load(open(path_).value(), options).value();
    }

    Folder folder_;
    std::string path_;
};

TEST_F(CrystalsTest, DisksOfAFrameAreThoseThatTheWholeScanHasThere) {
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

TEST_F(CrystalsTest, OptionsAreThoseOfTheCommandLine) {
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

TEST_F(CrystalsTest, ThePlanAtHandServesOtherOptions) {
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

TEST_F(CrystalsTest, StrainIsTheLibrarys) {
    LoadOptions binned;
    binned.det_bin = 2;
    binned.residency = Residency::stream;
    start({path_}, binned);
    ScanPage page(port());
    page.dataset_in("streaming");
    std::uint64_t const id = page.ask("strain", "strain",
                                      R"("strain":{"axis_degrees":30},"lattice":{"cut":3.5},)"
                                      R"("region":{"shape":"rectangle","from":[0,0],"to":[8,4]})");
    std::vector<std::string> tasks;
    Reply const reply = page.until([&](Json const& h) {
        if (h["op"] == "progress" && h["slot"] == "strain") tasks.push_back(h["task"]);
        return h["op"] != "progress" && h.contains("id") && h["id"] == id;
    });
    ASSERT_EQ(reply.header["op"], "strain") << reply.header.dump();
    EXPECT_NE(std::ranges::find(tasks, "finding disks"), tasks.end());
    Scan const scan = loaded(binned);
    Found const found = found_in(scan);
    auto const basis = stem4d::find_basis(found.vectors).value();
    auto const fit = stem4d::fit_lattice(found.vectors, basis, {.cut = 3.5}).value();
    stem4d::StrainOptions options;
    options.axis_degrees = 30;
    options.region.assign(9 * 12, 0);
    for (std::size_t p = 0; p < options.region.size(); ++p) options.region[p] = p % 12 <= 4;
    auto const want = stem4d::strain(fit, options).value();
    auto const values = reply.values(0), errors = reply.values(1), lattices = reply.values(2);
    ASSERT_EQ(values.size(), 4u * 9 * 12);
    double most = 0;
    for (std::size_t m = 0; m < 4; ++m)
        for (std::size_t p = 0; p < 9 * 12; ++p) {
            EXPECT_EQ(values[m * 108 + p], static_cast<float>(want.maps()[m]->values[p]));
            EXPECT_EQ(errors[m * 108 + p], static_cast<float>(want.maps()[m]->error[p]));
            most = std::max(most, values[m * 108 + p]);
        }
    EXPECT_GT(most, 0.005);
    for (std::size_t i = 0; i < lattices.size(); ++i)
        EXPECT_EQ(lattices[i], static_cast<float>(fit.values.values[i]));
    EXPECT_EQ(reply.header["disks"], found.vectors.size());
    EXPECT_EQ(reply.header["fitted"], 108);
    EXPECT_EQ(reply.header["maps"][3], Json({{"name", "omega"}, {"unit", want.omega.unit}}));
    // Another reference needs no disks again: the answer comes without a task.
    std::uint64_t const other = page.ask("strain", "strain", R"("lattice":{"cut":3.5})");
    bool worked = false;
    Reply const again = page.until([&](Json const& h) {
        worked = worked || (h["op"] == "progress" && h["slot"] == "strain");
        return h["op"] != "progress" && h.contains("id") && h["id"] == other;
    });
    EXPECT_FALSE(worked);
    EXPECT_EQ(again.header["op"], "strain");
    EXPECT_NE(again.values(0), values);
}

TEST_F(CrystalsTest, WhatMakesNoSenseIsRefusedInWords) {
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

TEST_F(CrystalsTest, AStoppedSearchIsNotAnsweredAndItsSlotIsFreeAgain) {
    LoadOptions stream;
    stream.residency = Residency::stream;
    start({path_}, stream);
    ScanPage page(port());
    page.dataset_in("streaming");
    std::uint64_t const first = page.ask("strain", "strain", "");
    page.until([&](Json const& h) { return h["op"] == "progress" && h["slot"] == "strain"; });
    page.ask("stop", "strain", "");
    std::uint64_t const second = page.ask("disks", "strain", R"("row":1,"col":1)");
    Reply const reply = page.until([&](Json const& h) {
        EXPECT_FALSE(h.contains("id") && h["id"] == first) << h.dump();
        return h.contains("id") && h["id"] == second;
    });
    EXPECT_EQ(reply.header["op"], "disks");
}

TEST_F(CrystalsTest, APatternWithoutDisksHasItsReasonInWords) {
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
