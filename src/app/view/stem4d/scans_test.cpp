// Tests of the viewer of scans over its socket: every answer is the library's answer.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>

#include "app/view/stem4d/test_scans.h"

namespace sluice::app {
namespace {

char const* const disk =
    R"("mode":"sum","detectors":[{"shape":"disk","center":[16,16],"outer":5}])";

class ScansTest : public ScansFixture {};

Scan load(std::string const& path, LoadOptions const& options = {}) {
    return Scan::load(open(path).value(), options).value();
}

TEST_F(ScansTest, AnswersWhatTheLibraryAnswers) {
    std::string const path = "synthetic:stem4d?scan=24x30&detector=32x36&dose=400";
    start({path});
    ScanPage page(port());
    EXPECT_EQ(page.hello["protocol"], 1);
    Json const dataset = page.dataset_in("ready");
    EXPECT_EQ(page.hello["loading"], Json::array());
    EXPECT_EQ(dataset["read"], 1);
    EXPECT_EQ(dataset["scan"], Json({24, 30}));
    EXPECT_EQ(dataset["detector"], Json({32, 36}));
    EXPECT_FALSE(dataset["disk"].is_null());
    EXPECT_EQ(page.answer_to(page.ask("shown", "tell", "")).header["op"], "shown");
    Scan const scan = load(path);

    auto const detectors =
        std::vector{stem4d::parse_detector("disk:r=5,center=16:16").value(),
                    stem4d::parse_detector("annulus:r=6..12,center=15:17").value()};
    Reply const sums = page.answer_to(
        page.ask("image", "image",
                 R"("mode":"sum","detectors":[{"shape":"disk","center":[16,16],"outer":5},
           {"shape":"annulus","center":[15,17],"inner":6,"outer":12}])"));
    EXPECT_EQ(sums.header["arrays"][0]["shape"], Json({2, 24, 30}));
    EXPECT_EQ(sums.header["step"], 1);
    EXPECT_EQ(sums.values(), stem4d::virtual_image(scan, detectors).value().values.values);

    Reply const one = page.answer_to(page.ask("frame", "frame", R"("row":7,"col":9)"));
    EXPECT_EQ(one.values(), stem4d::frame(scan, 7, 9).value().values);

    std::vector<std::uint8_t> take(24 * 30);
    for (index r = 2; r <= 5; ++r)
        for (index c = 3; c <= 8; ++c) take[static_cast<std::size_t>(r * 30 + c)] = 1;
    Reply const region = page.answer_to(
        page.ask("region", "region",
                 R"("kind":"max","region":{"shape":"rectangle","from":[2,3],"to":[5,8]})"));
    EXPECT_EQ(region.header["frames"], 24);
    EXPECT_EQ(region.values(),
              stem4d::diffraction_pattern(scan, stem4d::Pattern::max, take).value().values.values);

    Reply const sum = page.answer_to(page.ask("pattern", "region", R"("kind":"sum")"));
    EXPECT_EQ(sum.values(),
              stem4d::diffraction_pattern(scan, stem4d::Pattern::sum).value().values.values);
}

TEST_F(ScansTest, AnswersMomentsAndPhases) {
    std::string const path = "synthetic:stem4d?scan=24x30&detector=32x36&dose=400";
    start({path});
    ScanPage page(port());
    page.dataset_in("ready");
    auto const moments = stem4d::center_of_mass(load(path)).value();
    auto const phase = stem4d::phase_contrast(moments, {.rotation = stem4d::Rotation{30, true},
                                                        .descan = stem4d::Descan::plane})
                           .value();
    auto const near = [](std::vector<double> const& got, std::vector<double> const& want) {
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<float>(want[i]));
    };
    auto const ask = [&](std::string const& mode) {
        return page.answer_to(
            page.ask("image", "image",
                     R"("mode":")" + mode +
                         R"(","descan":"plane","rotation":{"degrees":30,"transpose":true})"));
    };
    near(ask("com_row").values(), phase.row.values);
    near(ask("com_col").values(), phase.col.values);
    near(ask("com_magnitude").values(), phase.magnitude.values);
    near(ask("divergence").values(), phase.divergence.values);
    near(ask("curl").values(), phase.curl.values);
    Reply const icom = ask("icom");
    near(icom.values(), phase.icom.values);
    EXPECT_EQ(icom.header["rotation"]["degrees"], 30);
    std::vector<double> both = phase.row.values;
    both.insert(both.end(), phase.col.values.begin(), phase.col.values.end());
    Reply const vector = ask("com_vector");
    EXPECT_EQ(vector.header["arrays"][0]["shape"], Json({2, 24, 30}));
    near(vector.values(), both);
    Reply const found =
        page.answer_to(page.ask("image", "image", R"("mode":"icom","rotation":"auto")"));
    EXPECT_EQ(found.header["rotation"]["degrees"],
              stem4d::find_rotation(moments.row, moments.col).value().degrees);
}

// The page draws on the binned and cut arrays that it gets; the library and the command line speak
// of the full detector.
TEST_F(ScansTest, SpeaksOfTheArraysThatItSends) {
    std::string const path = "synthetic:stem4d?scan=10x12&detector=48x52&dose=900";
    LoadOptions options;
    options.det_bin = 2;
    options.detector_region = Region{4, 6, 40, 44};
    start({path}, options);
    ScanPage page(port());
    Json const dataset = page.dataset_in("ready");
    Scan const scan = Scan::load(open(path).value(), options).value();
    stem4d::Disk const disk = stem4d::find_disk(scan).value();
    EXPECT_EQ(dataset["detector"], Json({20, 22}));
    EXPECT_EQ(dataset["grid"]["bin"], 2);
    EXPECT_EQ(dataset["grid"]["origin"], Json({4.5, 6.5}));
    EXPECT_NEAR(dataset["disk"]["row"].get<double>(), (disk.center.row - 4.5) / 2, 1e-9);
    EXPECT_NEAR(dataset["disk"]["col"].get<double>(), (disk.center.col - 6.5) / 2, 1e-9);
    EXPECT_NEAR(dataset["disk"]["radius"].get<double>(), disk.radius / 2, 1e-9);
    EXPECT_EQ(dataset["disk"]["quality"], disk.quality.value());
    Reply const image = page.answer_to(
        page.ask("image", "image",
                 R"("mode":"sum","detectors":[{"shape":"disk","center":[10,9],"outer":3.5}])"));
    std::array const same{stem4d::parse_detector("disk:r=7,center=24.5:24.5").value()};
    EXPECT_EQ(image.values(), stem4d::virtual_image(scan, same).value().values.values);
    auto const moments = stem4d::center_of_mass(scan, same[0]).value();
    Reply const com = page.answer_to(
        page.ask("image", "com",
                 R"("mode":"com_col","detectors":[{"shape":"disk","center":[10,9],"outer":3.5}])"));
    // What is measured is in pixels of the full detector, as in the files of the command line.
    EXPECT_NEAR(com.header["reference"][1].get<double>(), moments.reference.col, 1e-9);
    for (std::size_t i = 0; i < moments.col.values.size(); ++i)
        EXPECT_NEAR(com.values()[i], moments.col.values[i] - moments.reference.col, 1e-6);
}

TEST_F(ScansTest, SaysHowSureARotationIs) {
    start({"synthetic:stem4d?scan=12x14&detector=32x32&dose=50"});  // noise
    ScanPage page(port());
    page.dataset_in("ready");
    Reply const found =
        page.answer_to(page.ask("image", "image", R"("mode":"icom","rotation":"auto")"));
    EXPECT_EQ(found.header["rotation"]["determined"], false);
    EXPECT_TRUE(found.header["rotation"]["error"].is_number());
    EXPECT_NE(found.header["notes"][0].get<std::string>().find("undetermined"), std::string::npos);
    Reply const given =
        page.answer_to(page.ask("image", "image", R"("mode":"icom","rotation":{"degrees":3})"));
    EXPECT_TRUE(given.header["rotation"]["error"].is_null());
    EXPECT_EQ(given.header["rotation"]["determined"], true);
}

TEST_F(ScansTest, SaysWhatIsWrongAndStaysUp) {
    start({"synthetic:stem4d?scan=8x8&detector=16x16&dose=100"});
    ScanPage page(port());
    page.dataset_in("ready");
    EXPECT_EQ(page.answer_to(page.ask("frame", "f", R"("row":8,"col":0)")).header["op"], "error");
    EXPECT_EQ(page.answer_to(page.ask("image", "f", R"("mode":"what")")).header["op"], "error");
    Reply const outside = page.answer_to(page.ask(
        "region", "f", R"("kind":"mean","region":{"shape":"disk","center":[50,50],"outer":2})"));
    EXPECT_NE(outside.header["message"].get<std::string>().find("covers no pixel"),
              std::string::npos);
    page.client.send(R"({"op":"frame","id":77,"slot":"f","dataset":"d9","row":0,"col":0})");
    EXPECT_EQ(page.answer_to(77).header["code"], "not_found");
    EXPECT_EQ(page.answer_to(page.ask("ping", "p", "")).header["op"], "pong");

    ScanPage rude(port());
    for (int i = 0; i < 6; ++i) rude.client.send("{");
    EXPECT_EQ(rude.client.wait_for_close(), 1008U);
    EXPECT_EQ(page.answer_to(page.ask("ping", "p", "")).header["op"], "pong");
}

TEST_F(ScansTest, AnswersTheNewestOfASlot) {
    start({"synthetic:stem4d?scan=64x64&detector=64x64&dose=300"});
    ScanPage page(port());
    page.dataset_in("ready");
    for (int i = 0; i < 300; ++i)
        page.ask(
            "image", "image",
            fmt::format(
                R"("mode":"com_row","detectors":[{{"shape":"disk","center":[32,{}],"outer":9}}])",
                20 + i * 0.05));
    std::uint64_t answers = 0, last = 0;
    Reply r;
    while (last < page.id) {
        r = page.until([](Json const& h) { return h["op"] == "image"; });
        EXPECT_GT(r.header["id"].get<std::uint64_t>(), last);
        last = r.header["id"];
        ++answers;
    }
    EXPECT_LT(answers, 300U);
    EXPECT_GT(r.header["dropped"], 0);
}

TEST_F(ScansTest, ShowsASubsetFirstAndStreamsWhatDoesNotFit) {
    Folder const folder("stream");
    write_scan(folder.path + "/a", {130, 140}, 16);
    LoadOptions load_options;
    load_options.residency = Residency::stream;
    start({folder.path + "/a_master.h5"}, load_options);
    ScanPage page(port());
    Json const dataset = page.dataset_in("streaming");
    EXPECT_EQ(dataset["step"], 3);
    EXPECT_EQ(dataset["scan"], Json({130, 140}));
    char const* const small =
        R"("mode":"sum","detectors":[{"shape":"disk","center":[8,8],"outer":3}])";
    std::uint64_t const id = page.ask("image", "image", small);
    Reply const coarse = page.answer_to(id), exact = page.answer_to(id);
    EXPECT_EQ(coarse.header["step"], 3);
    EXPECT_EQ(coarse.header["arrays"][0]["shape"], Json({1, 44, 47}));
    EXPECT_EQ(exact.header["step"], 1);
    auto const detector = stem4d::parse_detector("disk:r=3,center=8:8").value();
    auto const want = stem4d::virtual_image(load(folder.path + "/a_master.h5"), {&detector, 1})
                          .value()
                          .values.values;
    EXPECT_EQ(exact.values(), want);
    auto const some = coarse.values();
    for (std::size_t r = 0; r < 44; ++r)
        for (std::size_t c = 0; c < 47; ++c) EXPECT_EQ(some[r * 47 + c], want[r * 3 * 140 + c * 3]);
}

// The subset and the stream before it have tiles; a drag is counted on what changed.
TEST_F(ScansTest, ShowsLinesWhenTheyAreThere) {
    Folder const folder("lines");
    write_scan(folder.path + "/a", {130, 140}, 16);
    LoadOptions load_options;
    load_options.layout = Layout::lines;
    start({folder.path + "/a_master.h5"}, load_options);
    ScanPage page(port());
    EXPECT_EQ(page.dataset_in("ready")["layout"], "lines of bit planes");
    Scan const scan = load(folder.path + "/a_master.h5");
    for (double const col : {7.0, 7.5, 8.0}) {
        Reply const image = page.answer_to(page.ask(
            "image", "image",
            fmt::format(
                R"("mode":"sum","detectors":[{{"shape":"disk","center":[8,{}],"outer":3}}])",
                col)));
        auto const detector =
            stem4d::parse_detector(fmt::format("disk:r=3,center=8:{}", col)).value();
        EXPECT_EQ(image.values(),
                  stem4d::virtual_image(scan, {&detector, 1}).value().values.values);
    }
    Reply const one = page.answer_to(page.ask("frame", "frame", R"("row":77,"col":99)"));
    EXPECT_EQ(one.values(), stem4d::frame(scan, 77, 99).value().values);
}

// By itself, because many images will be asked of it, unless it was told otherwise.
TEST_F(ScansTest, TakesLinesOfManyPoints) {
    Folder const folder("auto");
    write_scan(folder.path + "/a", {130, 140}, 32);
    start({folder.path + "/a_master.h5"});
    EXPECT_EQ(ScanPage(port()).dataset_in("ready")["layout"], "lines of bit planes");
}
TEST_F(ScansTest, TakesTilesWhereTheyAreAskedFor) {
    Folder const folder("tiles");
    write_scan(folder.path + "/a", {130, 140}, 32);
    LoadOptions load_options;
    load_options.layout = Layout::planes;
    start({folder.path + "/a_master.h5"}, load_options);
    EXPECT_EQ(ScanPage(port()).dataset_in("ready")["layout"], "bit planes");
}

TEST_F(ScansTest, NewAcquisitionsAppearAndIncompleteOnesAreShownAsSuch) {
    Folder const folder("watch");
    start({folder.path});
    ScanPage page(port());
    EXPECT_TRUE(page.hello["watching"]);
    EXPECT_EQ(page.hello["datasets"].size(), 0U);
    write_scan(folder.path + "/a", {8, 8});
    auto const listed = page.until([](Json const& h) { return h["op"] == "datasets"; });
    EXPECT_EQ(listed.header["datasets"][0]["name"], "a_master.h5");
    page.dataset_in("ready");
    write_scan(folder.path + "/b", {8, 8}, 32, nxmx::Damage::missing_frames);
    Json const b = page.dataset_in("incomplete", "d2");
    EXPECT_NE(b["message"].get<std::string>().find("frames"), std::string::npos);
    // It is completed, and loads by itself.
    write_scan(folder.path + "/b", {8, 8});
    page.dataset_in("ready", "d2");
}

TEST_F(ScansTest, LoadsWhatIsIncompleteWhenAskedTo) {
    Folder const folder("incomplete");
    write_scan(folder.path + "/a", {8, 8}, 32, nxmx::Damage::missing_frames);
    start({folder.path});
    ScanPage page(port());
    page.dataset_in("incomplete");
    page.ask("load", "load", "");
    Json const dataset = page.dataset_in("ready");
    EXPECT_GT(dataset["missing"], 0);
    EXPECT_EQ(page.answer_to(page.ask("image", "i", disk)).header["op"], "image");
}

TEST_F(ScansTest, SaysThatFilesAreGoneAndKeepsWhatIsInMemory) {
    Folder const folder("gone");
    write_scan(folder.path + "/a", {8, 8});
    start({folder.path});
    ScanPage page(port());
    page.dataset_in("ready");
    std::filesystem::remove(folder.path + "/a_data_000001.h5");
    auto const told = page.until(
        [](Json const& h) { return h["op"] == "dataset" && h["dataset"]["message"] != ""; });
    EXPECT_NE(told.header["dataset"]["message"].get<std::string>().find("gone"), std::string::npos)
        << told.header.dump();
    EXPECT_EQ(page.answer_to(page.ask("image", "i", disk)).header["op"], "image");
}

TEST_F(ScansTest, ReadsFilesAgainThatWereReplaced) {
    Folder const folder("again");
    write_scan(folder.path + "/a", {8, 8});
    start({folder.path});
    ScanPage page(port());
    page.dataset_in("ready");
    write_scan(folder.path + "/a", {8, 9});
    page.until(
        [](Json const& h) { return h["op"] == "dataset" && h["dataset"]["changed"] == true; });
    page.ask("load", "load", "");
    Json const again = page.until([](Json const& h) {
                               return h["op"] == "dataset" && h["dataset"]["state"] == "ready" &&
                                      h["dataset"]["changed"] == false;
                           })
                           .header["dataset"];
    EXPECT_EQ(again["scan"], Json({8, 9}));
    EXPECT_EQ(again["message"], "");
    // The page tells answers from before from those after.
    EXPECT_EQ(again["read"], 2);
}

TEST_F(ScansTest, CountsStepsFromWhatTheUserAskedFor) {
    Folder const folder("step");
    write_scan(folder.path + "/a", {260, 280}, 16);
    LoadOptions load_options;
    load_options.scan_step = 2;
    load_options.residency = Residency::stream;
    start({folder.path + "/a_master.h5"}, load_options);
    ScanPage page(port());
    Json const dataset = page.dataset_in("streaming");
    EXPECT_EQ(dataset["scan"], Json({130, 140}));
    EXPECT_EQ(dataset["step"], 3);
    EXPECT_EQ(dataset["scan_step_nm"], 0.2);
    std::uint64_t const id =
        page.ask("region", "r",
                 R"("kind":"sum","region":{"shape":"rectangle","from":[120,130],"to":[129,139]})");
    EXPECT_EQ(page.answer_to(id).header["frames"], 4 * 3);
    EXPECT_EQ(page.answer_to(id).header["frames"], 100);
}

TEST_F(ScansTest, KeepsTheLimitForAllTogetherAndMakesRoomForWhatIsChosen) {
    Folder const folder("limit");
    for (char const* name : {"/a", "/b"}) write_scan(folder.path + name, {32, 32});
    write_scan(folder.path + "/c", {96, 96});
    LoadOptions load_options;
    auto const bytes = load(folder.path + "/a_master.h5").memory().resident;
    load_options.memory = bytes * 3 / 2;
    start({folder.path}, load_options);
    ScanPage page(port());
    page.dataset_in("ready", "d1");
    page.dataset_in("streaming", "d2");
    // One that cannot fit puts nothing out.
    page.dataset_in("streaming", "d3");
    page.client.send(R"({"op":"load","id":1,"slot":"l","dataset":"d3"})");
    page.until([](Json const& h) {
        return h["op"] == "dataset" && h["dataset"]["id"] == "d3" &&
               h["dataset"]["state"] == "streaming";
    });
    EXPECT_EQ(page.told["d1"]["state"], "ready");
    page.client.send(R"({"op":"load","id":2,"slot":"l","dataset":"d2"})");
    Json const put_out = page.dataset_in("stopped", "d1");
    EXPECT_NE(put_out["message"].get<std::string>().find("make room"), std::string::npos);
    page.dataset_in("ready", "d2");
    // Requests about the one without memory are told so.
    Reply const refused = page.answer_to(page.ask("image", "i", disk));
    EXPECT_EQ(refused.header["op"], "error");
}

TEST_F(ScansTest, LimitsTheSlotsThatWait) {
    Folder const folder("slots");
    start({folder.path});  // nothing is there, so everything about d1 is refused at once
    ScanPage page(port());
    for (int i = 0; i < 200; ++i) page.ask("frame", fmt::format("s{}", i), R"("row":0,"col":0)");
    // Those of a 129th slot are refused before the others are answered.
    for (int answers = 0; answers < 200;) {
        Json const h = page.next().header;
        if (!h.contains("id")) continue;
        EXPECT_EQ(h["op"], "error");
        ++answers;
    }
    page.ask("load", "l", "");
    EXPECT_EQ(page.answer_to(page.id).header["op"], "error");
    EXPECT_EQ(page.answer_to(page.ask("ping", "p", "")).header["op"], "pong");
}

TEST_F(ScansTest, SeveralClientsSeeTheSame) {
    start({"synthetic:stem4d?scan=16x16&detector=32x32&dose=200"});
    ScanPage a(port()), b(port());
    a.dataset_in("ready");
    std::uint64_t const x = a.ask("image", "i", disk), y = b.ask("image", "i", disk);
    EXPECT_EQ(a.answer_to(x).values(), b.answer_to(y).values());
    {
        ScanPage leaves(port());
        leaves.ask("image", "i", disk);
    }
    EXPECT_EQ(a.answer_to(a.ask("ping", "p", "")).header["op"], "pong");
}

TEST(Scans, RefusesWhatIsNoDataset) {
    Folder const folder("none");
    std::ofstream(folder.path + "/text.txt") << "no scan";
    ScansOptions options;
    options.paths = {folder.path + "/text.txt", folder.path + "/absent_master.h5"};
    auto const scans = Scans::open(std::move(options));
    ASSERT_FALSE(scans);
    EXPECT_NE(scans.error().message.find("text.txt"), std::string::npos);
    EXPECT_NE(scans.error().message.find("absent_master.h5"), std::string::npos);
}

}  // namespace
}  // namespace sluice::app
