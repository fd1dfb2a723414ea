// The doctor over the viewer's socket: a fake machine's report, runs, refusals and stops.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/doctor/examinations.h"

#include <condition_variable>

#include "app/view/test_viewer.h"

namespace sluice::app {
namespace {

MeasuredRate rate(double per_s, int threads = 1) {
    MeasuredRate r;
    r.per_s = spread_of({0.9 * per_s, per_s, 1.1 * per_s});
    r.threads = threads;
    r.not_taken.clear();
    return r;
}

// A container with one of four processors, and a disk of so many bytes a second.
Examination fake_machine(double disk_bytes_s) {
    Examination e;
    MachineFacts& f = e.facts;
    f.processor = "a fake processor";
    f.processors = 4;
    f.cores = f.allowed = 1;
    f.memory = f.memory_limit = 8'000'000'000;
    f.memory_available = 6'000'000'000;
    f.instructions = f.best_instructions = "avx2";
    f.folder = "/fake";
    f.file_system = "ext4";
    f.folder_free = 5'000'000'000;
    f.no_gpu = "no driver";
    f.compute_one = f.compute_all = rate(1e9);
    f.disk_in_order = rate(disk_bytes_s);
    e.rows = rows_of(f);
    e.findings = diagnose(f);
    e.seconds = 2;
    return e;
}

bool finds(Json const& report, std::string const& rule) {
    return std::ranges::any_of(report["findings"],
                               [&](Json const& f) { return f["rule"] == rule; });
}

// Measures when the test says so, and asks at every step whether it should go on.
class FakeDoctor {
  public:
    Result<Examination> operator()(ExamineOptions const& options) {
        std::uint64_t const total = examination_steps().size();
        std::unique_lock lock(mutex_);
        ++runs_;
        for (std::uint64_t done = 0; done < total; ++done) {
            changed_.wait_for(lock, std::chrono::milliseconds(20), [&] { return done < until_; });
            if (done < until_) lock.unlock();
            bool const on = options.progress(done, total);
            if (!lock.owns_lock()) lock.lock();
            if (!on) changed_.wait(lock, [&] { return may_end_; });
            if (!on) return Error{Code::cancelled, "stopped; nothing is left of the measurements"};
            if (done >= until_) --done;  // it waits, and is asked again
        }
        if (throws_) throw std::runtime_error("it broke");
        Examination out = fake_machine(3e9);
        out.quick = options.quick;
        out.rows.push_back({"disk", "asked for", options.folder});
        return out;
    }
    void let(std::uint64_t steps) {
        std::lock_guard lock(mutex_);
        until_ = steps;
        changed_.notify_all();
    }
    /// A run that was stopped ends.
    void let_end() {
        std::lock_guard lock(mutex_);
        may_end_ = true;
        changed_.notify_all();
    }
    void break_it() {
        std::lock_guard lock(mutex_);
        throws_ = true;
    }
    int runs() {
        std::lock_guard lock(mutex_);
        return runs_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t until_ = 0;
    int runs_ = 0;
    bool throws_ = false, may_end_ = false;
};

class ExaminationsTest : public ViewerFixture {
  protected:
    FakeDoctor doctor;

    void begin(bool shown = true) {
        auto domain = std::make_unique<Examinations>(
            "/fake", [this](ExamineOptions const& options) { return doctor(options); });
        if (shown) domain->show(fake_machine(5e7));
        start(std::unique_ptr<Domain>(std::move(domain)));
    }
    void TearDown() override {
        doctor.let_end();
        // The domain ends before what it measures with.
        ViewerFixture::TearDown();
        viewer_.reset();
    }
    static Json running(Page& page, std::uint64_t done) {
        return page
            .until([&](Json const& h) {
                return h["op"] == "state" && !h["running"].is_null() &&
                       h["running"]["done"] == done;
            })
            .header["running"];
    }
    static Json news(Page& page, std::string const& op) {
        return page.until([&](Json const& h) { return h["op"] == op; }).header;
    }
};

TEST_F(ExaminationsTest, HelloHasWhatWasFound) {
    begin();
    Json const hello = Page(port()).hello;
    EXPECT_TRUE(hello["running"].is_null());
    Json const& report = hello["report"];
    EXPECT_TRUE(finds(report, "processors"));
    EXPECT_TRUE(finds(report, "disk"));
    EXPECT_FALSE(finds(report, "seeks"));
    EXPECT_EQ(report["quick"], false);
    Json const* disk = nullptr;
    for (Json const& row : report["rows"])
        if (row["name"] == "reading in order") disk = &row;
    ASSERT_TRUE(disk);
    EXPECT_EQ((*disk)["value"], 5e7);
    EXPECT_EQ((*disk)["text"], "50 MB/s");
    EXPECT_EQ((*disk)["expected"], 1e8);
    EXPECT_EQ((*disk)["least"], "100 MB/s");
    EXPECT_EQ((*disk)["waited"], 0);
    EXPECT_EQ(report["scaling"][0]["work"], "computing in registers");
    EXPECT_EQ(report["scaling"][0]["factor"], 1);
    EXPECT_TRUE(report["machine"].is_object());
}

TEST_F(ExaminationsTest, HelloHasNoReportWhereNothingWasMeasured) {
    begin(false);
    EXPECT_TRUE(Page(port()).hello["report"].is_null());
}

TEST_F(ExaminationsTest, ARunIsToldToAllPagesAndSoIsItsReport) {
    begin();
    Page asking(port()), watching(port());
    std::uint64_t const run = asking.ask("examine", "run", R"("quick":true)");
    Json const first = running(watching, 0);
    EXPECT_EQ(first["quick"], true);
    EXPECT_EQ(first["stopping"], false);
    EXPECT_EQ(first["total"], examination_steps().size());
    EXPECT_EQ(first["step"], examination_steps()[0]);
    doctor.let(2);
    EXPECT_EQ(running(watching, 2)["step"], examination_steps()[2]);
    EXPECT_EQ(Page(port()).hello["running"]["done"], 2);
    doctor.let(100);
    Json const report = news(watching, "report")["report"];
    EXPECT_EQ(report["quick"], true);
    EXPECT_FALSE(finds(report, "disk"));
    EXPECT_EQ(report["rows"].back()["text"], "/fake");
    EXPECT_EQ(asking.answer_to(run).header["op"], "examine");
    Json const hello = Page(port()).hello;
    EXPECT_FALSE(finds(hello["report"], "disk"));
    EXPECT_TRUE(hello["running"].is_null());
}

TEST_F(ExaminationsTest, RefusesASecondRunInWords) {
    begin();
    Page first(port()), second(port());
    std::uint64_t const run = first.ask("examine", "run", R"("quick":false)");
    running(second, 0);
    Json const refused = second.answer_to(second.ask("examine", "run", R"("quick":true)")).header;
    EXPECT_EQ(refused["op"], "error");
    EXPECT_EQ(refused["code"], "unavailable");
    EXPECT_EQ(refused["message"],
              "a full examination measures already (two at a time disturb each other) wait for its "
              "end, or stop it");
    EXPECT_EQ(second.answer_to(second.ask("ping", "p")).header["op"], "pong");
    EXPECT_EQ(doctor.runs(), 1);
    doctor.let(100);
    EXPECT_EQ(first.answer_to(run).header["op"], "examine");
    EXPECT_EQ(second.answer_to(second.ask("examine", "run", R"("quick":true)")).header["op"],
              "examine");
}

TEST_F(ExaminationsTest, AnyPageStopsARunAndTheOldReportStays) {
    begin();
    Page asking(port()), stopping(port());
    std::uint64_t const run = asking.ask("examine", "run", R"("quick":true)");
    running(asking, 0);
    stopping.ask("stop", "stop");
    EXPECT_EQ(news(asking, "state")["running"]["stopping"], true);
    doctor.let_end();
    Json const error = asking.answer_to(run).header;
    EXPECT_EQ(error["op"], "error");
    EXPECT_EQ(error["code"], "cancelled");
    Json const hello = Page(port()).hello;
    EXPECT_TRUE(hello["running"].is_null());
    EXPECT_TRUE(finds(hello["report"], "disk"));
    // Nothing to stop is no mistake, and the next run is not stopped.
    asking.ask("stop", "stop");
    doctor.let(100);
    EXPECT_EQ(asking.answer_to(asking.ask("examine", "run", R"("quick":true)")).header["op"],
              "examine");
}

TEST_F(ExaminationsTest, ARunThatBreaksIsOver) {
    begin();
    Page page(port());
    doctor.break_it();
    doctor.let(100);
    for (int i = 0; i < 2; ++i) {
        Json const error = page.answer_to(page.ask("examine", "run", R"("quick":true)")).header;
        EXPECT_EQ(error["message"], "it broke");
    }
    EXPECT_EQ(doctor.runs(), 2);
    EXPECT_TRUE(Page(port()).hello["running"].is_null());
}

TEST_F(ExaminationsTest, TheEndOfTheViewerStopsARun) {
    begin();
    Page page(port());
    page.ask("examine", "run", R"("quick":false)");
    running(page, 0);
    // TearDown would wait for ever otherwise.
}

TEST_F(ExaminationsTest, WantsToKnowHowThoroughly) {
    begin();
    Page page(port());
    for (char const* const fields : {"", R"("quick":1)", R"("quick":null)"}) {
        Json const error = page.answer_to(page.ask("examine", "run", fields)).header;
        EXPECT_EQ(error["message"], "field 'quick' (must be true or false)");
        EXPECT_EQ(error["code"], "invalid_argument");
    }
    EXPECT_EQ(page.answer_to(page.ask("cure", "run")).header["message"],
              "field 'op' ('cure' is not known)");
    EXPECT_EQ(doctor.runs(), 0);
}

}  // namespace
}  // namespace sluice::app
