// Tests of acquisitions that appear while the viewer looks: files in every order, late, cut, gone.
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include <fstream>

#include "app/view/stem4d/test_scans.h"
#include "format/frame_source.h"

namespace sluice::app {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

char const* const disk =
    R"("mode":"sum","detectors":[{"shape":"disk","center":[16,16],"outer":5}])";

std::string bytes_of(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(std::string const& path, std::string const& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

class WatchTest : public ScansFixture {
  protected:
    // Writes an acquisition somewhere else, and begins to look at an empty folder.
    void begin(std::array<index, 2> scan = {8, 8}) {
        write_scan(made.path + "/a", scan);
        start({watched.path});
    }
    void bring(std::string const& name, double part = 1) {
        std::string const bytes = bytes_of(made.path + "/" + name);
        auto const size = static_cast<std::size_t>(static_cast<double>(bytes.size()) * part);
        write_bytes(watched.path + "/" + name, bytes.substr(0, size));
    }
    // Longer than two looks.
    static void pass() { std::this_thread::sleep_for(milliseconds(90)); }
    // The only dataset, as soon as it is listed.
    static Json listed(std::uint16_t port) {
        for (int i = 0; i < 2000; ++i) {
            Json all = ScanPage(port).hello["datasets"];
            if (!all.empty()) return all[0];
            std::this_thread::sleep_for(milliseconds(10));
        }
        return {{"state", "never listed"}, {"awaited", false}, {"message", ""}};
    }
    void expect_all_pixels(ScanPage& page) {
        std::string const path = made.path + "/a_master.h5";
        auto const detector = stem4d::parse_detector("disk:r=5,center=16:16").value();
        Scan const scan = Scan::load(open(path).value(), {}).value();
        Reply const r = page.answer_to(page.ask("image", "i", disk));
        ASSERT_EQ(r.header["op"], "image") << r.header.dump();
        EXPECT_EQ(r.values(), stem4d::virtual_image(scan, {&detector, 1}).value().values.values);
    }

    Folder const made{"made"}, watched{"watched"};
};

class OrderTest : public WatchTest, public testing::WithParamInterface<int> {};

TEST_P(OrderTest, OpensWhenTheLastFileIsThere) {
    std::vector<std::string> names{"a_data_000001.h5", "a_data_000002.h5", "a_master.h5"};
    for (int i = 0; i < GetParam(); ++i) std::ranges::next_permutation(names);
    begin();
    ScanPage page(port());
    for (std::string const& name : names) {
        if (fs::exists(watched.path + "/a_master.h5")) {
            Json const now = listed(port());
            EXPECT_EQ(now["state"], "waiting") << "before " << name;
            EXPECT_EQ(now["awaited"], true);
            EXPECT_NE(now["message"], "");
            ScanPage asks(port());
            Reply const refused = asks.answer_to(asks.ask("image", "i", disk));
            EXPECT_EQ(refused.header["op"], "error");
        }
        bring(name, 0.6);  // it is being written
        pass();
        bring(name);
        pass();
    }
    EXPECT_EQ(page.dataset_in("ready")["missing"], 0);
    expect_all_pixels(page);
}

INSTANTIATE_TEST_SUITE_P(AllOrders, OrderTest, testing::Range(0, 6));

TEST_F(WatchTest, OpensAMasterThatIsWrittenSlowly) {
    begin();
    ScanPage page(port());
    bring("a_data_000001.h5");
    bring("a_data_000002.h5");
    for (double part : {0.0, 0.01, 0.5, 0.9, 1.0}) {
        bring("a_master.h5", part);
        pass();
    }
    page.dataset_in("ready");
    expect_all_pixels(page);
}

TEST_F(WatchTest, TriesAgainWhereNoChangeCanBeSeen) {
    begin();
    ScanPage page(port());
    bring("a_data_000001.h5");
    bring("a_master.h5");
    std::string const name = watched.path + "/a_data_000002.h5";
    // A network's file system may show size and time before the bytes.
    write_bytes(name, std::string(fs::file_size(made.path + "/a_data_000002.h5"), '\0'));
    auto const time = fs::last_write_time(name);
    page.until([](Json const& h) {
        return h["op"] == "dataset" && h["dataset"]["message"] != "" &&
               h["dataset"]["state"] == "waiting";
    });
    pass();
    bring("a_data_000002.h5");
    fs::last_write_time(name, time);
    page.dataset_in("ready");
    expect_all_pixels(page);
}

TEST_F(WatchTest, ForgetsWhatWasNeverRead) {
    begin();
    bring("a_master.h5");
    ScanPage page(port());
    EXPECT_EQ(listed(port())["state"], "waiting");
    fs::remove(watched.path + "/a_master.h5");
    page.until([](Json const& h) { return h["op"] == "datasets" && h["datasets"].empty(); });
    EXPECT_EQ(page.answer_to(page.ask("image", "i", disk)).header["code"], "not_found");
    for (char const* name : {"a_data_000001.h5", "a_data_000002.h5", "a_master.h5"}) bring(name);
    page.dataset_in("ready", "d2");
}

TEST_F(WatchTest, ShowsWhatIsGoneAndOpensItWhenItIsBack) {
    write_scan(made.path + "/a", {8, 8});
    bring("a_master.h5");
    start({watched.path});
    ScanPage page(port());
    pass();
    fs::remove(watched.path + "/a_master.h5");
    page.until([](Json const& h) {
        return h["op"] == "dataset" && h["dataset"]["state"] == "failed" &&
               h["dataset"]["message"].get<std::string>().find("gone") != std::string::npos;
    });
    for (char const* name : {"a_data_000001.h5", "a_data_000002.h5", "a_master.h5"}) bring(name);
    page.dataset_in("ready");
    expect_all_pixels(page);
}

TEST_F(WatchTest, LoadsAgainWhatFailedWhenAsked) {
    write_scan(made.path + "/a", {8, 8});
    bring("a_data_000001.h5");
    bring("a_data_000002.h5");
    bring("a_master.h5", 0.5);
    start({watched.path});
    ScanPage page(port());
    EXPECT_NE(page.dataset_in("failed")["message"], "");
    Reply const refused = page.answer_to(page.ask("image", "i", disk));
    EXPECT_EQ(refused.header["op"], "error");
    EXPECT_EQ(refused.header["request"]["mode"], "sum");
    // Asked for while nothing has changed, it is tried and fails again, and says so.
    std::uint64_t const asked = page.ask("load", "load", "");
    bool answered = false, failed_again = false;
    while (!answered || !failed_again) {
        Json const h = page.next().header;
        answered = answered || (h["op"] == "load" && h["id"] == asked);
        failed_again = failed_again || (h["op"] == "dataset" && h["dataset"]["state"] == "failed");
    }
    bring("a_master.h5");
    page.ask("load", "load", "");
    page.dataset_in("ready");
    expect_all_pixels(page);
}

// The bytes of a data file whose first frame can no longer be decoded.
std::string without_first_frame(std::string bytes, std::string const& master) {
    Dataset const dataset = open(master).value();
    EncodedFrame frame;
    FetchScratch scratch;
    EXPECT_TRUE(dataset.source->fetch(0, {&frame, 1}, scratch));
    std::string const stored(reinterpret_cast<char const*>(frame.bytes.data()), frame.bytes.size());
    std::size_t const at = bytes.find(stored);
    EXPECT_NE(at, std::string::npos);
    return bytes.replace(at, stored.size(), stored.size(), '\xff');
}

// What fails: to open a file that is too short, or to read the subset of one with a damaged chunk.
struct Failure {
    char const* name;
    index side;
    std::string (*damaged)(std::string bytes, std::string const& master);
};
Failure const failures[] = {
    {"open", 8,
     [](std::string bytes, std::string const&) { return bytes.substr(0, bytes.size() * 3 / 10); }},
    {"subset", 80, without_first_frame}};

class FailureTest : public WatchTest, public testing::WithParamInterface<Failure> {};

TEST_P(FailureTest, NeverAnswersFromWhatWasReadBefore) {
    write_scan(made.path + "/a", {GetParam().side, GetParam().side});
    for (char const* name : {"a_data_000001.h5", "a_data_000002.h5", "a_master.h5"}) bring(name);
    start({watched.path});
    ScanPage page(port());
    EXPECT_EQ(page.dataset_in("ready")["read"], 1);
    EXPECT_EQ(page.answer_to(page.ask("image", "i", disk)).header["read"], 1);
    write_bytes(
        watched.path + "/a_data_000001.h5",
        GetParam().damaged(bytes_of(made.path + "/a_data_000001.h5"), made.path + "/a_master.h5"));
    page.until(
        [](Json const& h) { return h["op"] == "dataset" && h["dataset"]["changed"] == true; });
    page.ask("load", "load", "");
    page.until([](Json const& h) {
        return h["op"] == "dataset" && h["dataset"]["state"] != "ready" &&
               h["dataset"]["message"] != "";
    });
    EXPECT_EQ(page.answer_to(page.ask("image", "i", disk)).header["op"], "error");
    EXPECT_EQ(page.answer_to(page.ask("frame", "f", R"("row":0,"col":0)")).header["op"], "error");
    bring("a_data_000001.h5");
    EXPECT_EQ(page.dataset_in("ready")["read"], 2);
    EXPECT_EQ(page.answer_to(page.ask("image", "i", disk)).header["read"], 2);
}

INSTANTIATE_TEST_SUITE_P(OfEitherKind, FailureTest, testing::ValuesIn(failures),
                         [](auto const& info) { return std::string(info.param.name); });

TEST_F(WatchTest, NoFileOfAFolderEndsIt) {
    write_scan(made.path + "/a", {8, 8});
    std::string const at = watched.path + "/";
    ASSERT_EQ(::mkfifo((at + "pipe_master.h5").c_str(), 0600), 0);
    fs::create_symlink("loop_master.h5", at + "loop_master.h5");
    fs::create_symlink("/nowhere/x_master.h5", at + "dangling_master.h5");
    fs::create_directory(at + "folder_master.h5");
    write_bytes(at + "empty_master.h5", "");
    write_bytes(at + "text_master.h5", "no HDF5 at all");
    write_bytes(at + "bad\xff\xfe_master.h5", std::string(5000, 'x'));
    start({watched.path});
    ScanPage page(port());
    for (char const* name : {"a_data_000001.h5", "a_data_000002.h5", "a_master.h5"}) bring(name);
    Json const ready = page.until([](Json const& h) {
                               return h["op"] == "dataset" && h["dataset"]["state"] == "ready";
                           })
                           .header["dataset"];
    EXPECT_EQ(ready["name"], "a_master.h5");
}

}  // namespace
}  // namespace sluice::app
