// Tests of strain over the viewer's socket: the library's maps, progress, and an end on demand.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/test_crystals.h"

namespace sluice::app {
namespace {

class StrainsTest : public CrystalsTest {};

TEST_F(StrainsTest, StrainIsTheLibrarys) {
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
    auto const known = stem4d::know_lattice(scan, found.setup).value();
    ASSERT_TRUE(known.lattice);
    auto const refined = stem4d::refine_lattice(scan, known, {.cut = 3.5}).value();
    auto const& fit = refined.fit;
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
    EXPECT_EQ(reply.header["disks"], refined.vectors.size());
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

TEST_F(StrainsTest, AStoppedSearchIsNotAnsweredAndItsSlotIsFreeAgain) {
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

}  // namespace
}  // namespace sluice::app
