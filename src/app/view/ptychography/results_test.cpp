// Finished results over the viewer's socket: what pages are told, several of them, and damaged
// ones. SPDX-License-Identifier: Apache-2.0
#include "app/view/ptychography/results.h"

#include <fmt/format.h>

#include "app/view/test_viewer.h"
#include "format/kinds/kinds.h"

namespace sluice::app {
namespace {

constexpr index rows = 5, cols = 7, side = 4;

std::complex<float> value_of(index plane, index at) {
    return {static_cast<float>(100 * plane + at), -static_cast<float>(at)};
}

Array<std::complex<float>> planes_of(index count, index height, index width) {
    auto planes = Array<std::complex<float>>::zeros({count, height, width});
    for (index i = 0; i < planes.size(); ++i)
        planes.values[static_cast<std::size_t>(i)] =
            value_of(i / (height * width), i % (height * width));
    return planes;
}

stem4d::PtychographyResult result_of(index slices) {
    stem4d::PtychographyResult r;
    r.object = planes_of(slices, rows, cols);
    r.probe = planes_of(2, side, side);
    r.mode_powers = {0.75, 0.25};
    r.positions = {{0, 0}, {0.5, 2.25}};
    r.started = {{0, 0}, {0.5, 2}};
    r.rounds = {{0, 0.5, 0, 0, 2}, {0, 0.25, 0, 0, 3}, {1, 0.125, 0, 0, 4}};
    r.floor = 0.0625;
    r.pixel_nm = 0.01;
    r.notes = {"a note"};
    return r;
}

class ResultsTest : public ViewerFixture {
  protected:
    Folder folder{testing::UnitTest::GetInstance()->current_test_info()->name()};

    std::string save(std::string const& name, stem4d::PtychographyResult const& r) const {
        std::string path = folder.path + "/" + name;
        stem4d::SettingTexts const settings = {{"window", "0"},
                                               {"detector_bin", "2"},
                                               {"stage 1 solver", "epie"},
                                               {"stage 1 refine_positions", "true"}};
        EXPECT_TRUE(
            stem4d::save_ptychography(path, r, 0, 0.002, settings, {{{"source", "scan.h5"}}}));
        return path;
    }
    void open(std::vector<std::string> const& paths) {
        auto domain = Results::open(paths);
        ASSERT_TRUE(domain) << domain.error().text();
        start(*std::move(domain));
    }
    static Reply ask(Page& page, std::string const& op, std::string const& fields = "") {
        return page.answer_to(page.ask(op, op, fields));
    }
    static void expect_wave(Reply const& r, index plane, index size) {
        ASSERT_EQ(r.header["op"] == "error", false) << r.header.dump();
        auto const values = r.values();
        ASSERT_EQ(std::ssize(values), 2 * size);
        for (index i = 0; i < size; ++i) {
            auto const at = static_cast<std::size_t>(i);
            std::complex<double> const wanted(value_of(plane, i));
            EXPECT_EQ(values[at], wanted.real());
            EXPECT_EQ(values[at + static_cast<std::size_t>(size)], wanted.imag());
        }
    }
};

TEST_F(ResultsTest, ArePagesWithAllOfThem) {
    open({save("a.h5", result_of(2))});
    Page page(port());
    Json const job = page.hello["job"], state = page.hello["state"];
    EXPECT_EQ(job["name"], "a.h5");
    EXPECT_EQ(job["path"], folder.path + "/a.h5");
    EXPECT_EQ(job["patterns"], 2);
    EXPECT_EQ(job["size"], 2);
    EXPECT_EQ(job["window"], 4);
    EXPECT_EQ(job["pixel_nm"], 0.01);
    EXPECT_EQ(job["stages"], Json::parse(R"([{"solver":"epie","iterations":2,"refines":true},
                                             {"solver":"","iterations":1,"refines":false}])"));
    EXPECT_EQ(job["about"], Json::parse(R"([["source","scan.h5"]])"));
    EXPECT_EQ(job["settings"][2], Json::parse(R"(["stage 1 solver","epie"])"));
    EXPECT_EQ(state["state"], "saved");
    EXPECT_EQ(state["iteration"], 3);
    EXPECT_EQ(state["elapsed"], 9);
    EXPECT_EQ(state["r"], 0.125);
    EXPECT_EQ(state["floor"], 0.0625);
    EXPECT_EQ(state["powers"], Json::parse("[0.75,0.25]"));
    EXPECT_EQ(state["job_notes"], Json::parse(R"(["a note"])"));
    for (index s = 0; s < 2; ++s)
        expect_wave(ask(page, "object", fmt::format(R"("slice":{})", s)), s, rows * cols);
    expect_wave(ask(page, "probe", R"("mode":1)"), 1, side * side);
    Reply const places = ask(page, "positions");
    EXPECT_EQ(places.values(0), (std::vector<double>{0, 0, 0.5, 2}));
    EXPECT_EQ(places.values(1), (std::vector<double>{0, 0, 0, 0.25}));
    Reply const curve = ask(page, "curve", R"("from":1)");
    EXPECT_EQ(curve.values(0), (std::vector<double>{0.25, 0.125}));
    EXPECT_EQ(curve.values(1), (std::vector<double>{0, 1}));
    EXPECT_EQ(ask(page, "curve", R"("from":9)").values().size(), 0U);
}

TEST_F(ResultsTest, RefuseWhatTheyDoNotHave) {
    open({save("a.h5", result_of(1))});
    Page page(port());
    for (char const* const fields : {R"("slice":1)", R"("slice":0,"job":2)"})
        EXPECT_EQ(ask(page, "object", fields).header["code"], "not_found");
    EXPECT_EQ(ask(page, "probe", R"("mode":2)").header["code"], "not_found");
    for (char const* const fields :
         {R"("slice":-1)", R"("slice":0,"job":-1)", R"("slice":0,"job":"1")"})
        EXPECT_EQ(ask(page, "object", fields).header["code"], "invalid_argument");
    EXPECT_EQ(ask(page, "image").header["code"], "invalid_argument");
    EXPECT_EQ(ask(page, "ping").header["op"], "pong");
}

TEST_F(ResultsTest, AreChosenByTheirNumbers) {
    save("a.h5", result_of(1));
    auto unmoved = result_of(3);
    unmoved.started.clear();
    save("b.h5", unmoved);
    open({folder.path});
    Page page(port());
    Json const told = page.hello["results"];
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[1]["job"]["name"], "b.h5");
    EXPECT_EQ(told[1]["state"]["job"], 2);
    Reply const r = ask(page, "object", R"("slice":2,"job":2)");
    expect_wave(r, 2, rows * cols);
    EXPECT_EQ(r.header["job"], 2);
    // How they moved is not known.
    Reply const places = ask(page, "positions", R"("job":2)");
    EXPECT_EQ(places.values(0), (std::vector<double>{0, 0, 0.5, 2.25}));
    EXPECT_EQ(places.values(1).size(), 0U);
}

TEST_F(ResultsTest, WhatIsNoneIsToldAndTheOthersAreShown) {
    std::string const good = save("a.h5", result_of(1)), cut = save("b.h5", result_of(1));
    std::filesystem::resize_file(cut, 3000);
    EXPECT_EQ(kind_of(good), &kinds::reconstruction);
    EXPECT_EQ(kind_of(folder.path + "/none.h5"), nullptr);
    EXPECT_EQ(kind_of(folder.path), &kinds::reconstruction);
    auto const alone = Results::open({cut});
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().file, cut);
    open({cut, good});
    Page page(port());
    EXPECT_EQ(page.hello["notes"].size(), 1U);
    EXPECT_EQ(page.hello["results"].size(), 1U);
    // Memory that does not suffice is no reason to fail for what fits.
    EXPECT_EQ(Results::open({good}, 100).error().code, Code::out_of_memory);
}

TEST_F(ResultsTest, MayBeInNoFile) {
    auto const given = [](stem4d::PtychographyResult r) {
        std::vector<ShownResult> one(1);
        one[0].name = "found";
        one[0].saved.result = std::move(r);
        return one;
    };
    auto domain = Results::open({}, 0, given(result_of(1)));
    ASSERT_TRUE(domain) << domain.error().text();
    start(*std::move(domain));
    Page page(port());
    EXPECT_EQ(page.hello["job"]["name"], "found");
    EXPECT_EQ(page.hello["job"]["path"], "");
    auto odd = result_of(1);
    odd.started.pop_back();
    EXPECT_EQ(Results::open({}, 0, given(odd)).error().code, Code::invalid_argument);
    auto many = result_of(1001);
    EXPECT_EQ(Results::open({}, 0, given(many)).error().code, Code::unsupported);
    EXPECT_EQ(Results::open({}).error().code, Code::not_found);
}

}  // namespace
}  // namespace sluice::app
