// Tests of answers: what they are answers to, and that the whole follows the subset.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/responder.h"

#include "app/view/stem4d/echo.h"
#include "app/view/test_engine.h"

namespace sluice::app {
namespace {

char const* const synthetic = "synthetic:stem4d?scan=24x30&detector=32x36&dose=400";

class ResponderTest : public testing::Test {
  protected:
    ResponderTest() {
        catalog_.on_change = [this](std::string const& id) { engine_.changed(id); };
        id_ = catalog_.add(synthetic);
        LoadOptions every_third;
        every_third.scan_step = 3;
        dataset_ = open(synthetic).value();
        whole_ = std::make_shared<Scan const>(Scan::load(*dataset_, {}).value());
        subset_ = std::make_shared<Scan const>(Scan::load(*dataset_, every_third).value());
        LoadOptions stream;
        stream.residency = Residency::stream;
        files_ = std::make_shared<Scan const>(Scan::load(*dataset_, stream).value());
    }

    void show_subset() {
        catalog_.change(id_, [&](Item& i) {
            i.dataset = dataset_;
            i.state = State::preview;
            i.scan = {24, 30};
            i.detector = {32, 36};
            i.files = files_;
            i.preview = subset_;
            i.step = 3;
            ++i.read;
        });
    }
    void show_whole(std::shared_ptr<Scan const> const& scan) {
        catalog_.change(id_, [&](Item& i) {
            i.state = scan->resident() ? State::ready : State::streaming;
            i.full = scan;
            if (scan->resident()) i.preview.reset();
        });
    }
    void ask(std::string const& op, std::uint64_t id, std::string const& fields) {
        std::string const all = R"({"dataset":")" + id_ + "\"," + fields + "}";
        ScanRequest request = parse_scan_request(op, Fields::parse(all)).value();
        Work work;
        work.echo = echo(request);
        work.subject = id_;
        work.answer = [this, request](Engine& engine, Job const& job) {
            responder_.answer(engine, job, request);
        };
        engine_.ask(1, {op, "slot", id}, std::move(work));
    }
    Json next() { return sent_.next(); }

    Catalog catalog_;
    std::string id_;
    std::optional<Dataset> dataset_;
    std::shared_ptr<Scan const> whole_, subset_, files_;
    Responder responder_{catalog_, Device::cpu()};
    FakeDomain domain_;
    Sent sent_;
    Engine engine_{domain_, sent_.post()};
};

TEST_F(ResponderTest, TheWholeFollowsTheSubsetWhenItIsLoaded) {
    show_subset();
    ask("pattern", 7, R"("kind":"mean")");
    EXPECT_EQ(next()["step"], 3);
    catalog_.change(id_, [](Item& i) { i.changed = true; });  // no reason to answer again
    show_whole(whole_);
    Json const exact = next();
    EXPECT_EQ(exact["step"], 1);
    EXPECT_EQ(exact["id"], 7);
    EXPECT_EQ(exact["frames"], 24 * 30);
}

TEST_F(ResponderTest, TheWholeFollowsTheSubsetWhenItIsStreamed) {
    show_subset();
    ask("pattern", 7, R"("kind":"mean")");
    EXPECT_EQ(next()["step"], 3);
    show_whole(files_);
    Json header = next();
    while (header["op"] == "progress") header = next();
    EXPECT_EQ(header["step"], 1);
    EXPECT_EQ(header["frames"], 24 * 30);
}

TEST_F(ResponderTest, ARegionBetweenThePointsOfTheSubsetWaitsForTheWhole) {
    show_subset();
    ask("region", 8, R"("kind":"mean","region":{"shape":"point","center":[1,1]})");
    show_whole(files_);
    Json header = next();
    while (header["op"] == "progress") header = next();
    EXPECT_EQ(header["op"], "region") << header.dump();
    EXPECT_EQ(header["frames"], 1);
    EXPECT_EQ(header["step"], 1);
}

TEST_F(ResponderTest, WhatLeftMemoryBeforeItWasStreamedIsAnsweredAllTheSame) {
    show_subset();
    show_whole(files_);
    ask("pattern", 9, R"("kind":"sum")");
    EXPECT_EQ(next()["step"], 3);
    catalog_.change(id_, [](Item& i) {
        i.state = State::failed;
        i.message = "the disk is gone";
        i.full.reset();
        i.preview.reset();
        i.files.reset();
    });
    Json const refused = next();
    EXPECT_EQ(refused["op"], "error");
    EXPECT_EQ(refused["id"], 9);
    EXPECT_EQ(refused["message"], "the disk is gone");
    EXPECT_EQ(refused["request"]["kind"], "sum");
}

TEST_F(ResponderTest, AnswersNameTheirRequestAndTheirScan) {
    show_subset();
    show_whole(whole_);
    ask("image", 1,
        R"("mode":"mean","detectors":[{"shape":"annulus","center":[16,17.5],)"
        R"("inner":2,"outer":6.25},{"shape":"rectangle","from":[1,2],"to":[3,4]}])");
    Json const image = next();
    // Whatever the order of the fields.
    EXPECT_EQ(nlohmann::json(image["request"]),
              nlohmann::json::parse(
                  R"({"op":"image","dataset":"d1","mode":"mean","rotation":"none",
                  "descan":"mean","detectors":[
                  {"shape":"annulus","center":[16.0,17.5],"inner":2.0,"outer":6.25},
                  {"shape":"rectangle","from":[1.0,2.0],"to":[3.0,4.0]}]})"));
    EXPECT_EQ(image["read"], 1);
    EXPECT_EQ(image["scan"], Json({24, 30}));
    EXPECT_EQ(image["scan_step_nm"], files_->scan_step_nm());
    EXPECT_GT(image["scan_step_nm"], 0);
    EXPECT_EQ(image["detector_step_mrad"], files_->detector_step_mrad());
    ask("frame", 2, R"("row":3,"col":4)");
    EXPECT_EQ(next()["request"], Json::parse(R"({"op":"frame","dataset":"d1","row":3,"col":4})"));
    ask("frame", 3, R"("row":99,"col":4)");
    Json const error = next();
    EXPECT_EQ(error["op"], "error");
    EXPECT_EQ(error["id"], 3);
    EXPECT_EQ(error["request"]["row"], 99);
    ask("image", 4,
        R"("mode":"icom","descan":"plane","detectors":[{"shape":"polygon",)"
        R"("corners":[[1,1],[20,1],[20,30]]}],"rotation":{"degrees":5})");
    Json const phase = next()["request"];
    EXPECT_EQ(phase["rotation"], Json::parse(R"({"degrees":5.0,"transpose":false})"));
    EXPECT_EQ(phase["detectors"][0]["corners"].size(), 3U);
    EXPECT_EQ(phase["descan"], "plane");
}

}  // namespace
}  // namespace sluice::app
