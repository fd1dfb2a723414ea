// Runs of the doctor that pages ask for, and what pages are told of them.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/doctor/examinations.h"

#include <fmt/format.h>

#include "app/view/engine.h"
#include "doctor/report.h"

namespace sluice::app {
namespace {

constexpr char const* word(bool quick) {
    return quick ? "quick" : "full";
}

}  // namespace

/// There is a run as long as this lives, also where the measuring throws.
class Examinations::Running {
  public:
    explicit Running(Examinations& of) : of_(of) {}
    Running(Running const&) = delete;
    Running& operator=(Running const&) = delete;
    ~Running() {
        {
            std::lock_guard lock(of_.mutex_);
            of_.run_.reset();
        }
        of_.tell("state");
    }

  private:
    Examinations& of_;
};

void Examinations::show(Examination const& found) {
    Json report = doctor::report_of(found);
    {
        std::lock_guard lock(mutex_);
        report_ = std::move(report);
    }
    tell("report");
}

Json Examinations::running_json() const {
    if (!run_) return {};
    auto const& steps = examination_steps();
    std::chrono::duration<double> const since = std::chrono::steady_clock::now() - run_->began;
    return {{"quick", run_->quick},
            {"stopping", run_->stopping},
            {"done", run_->done},
            {"total", run_->total},
            {"step", run_->done < steps.size() ? steps[run_->done] : std::string()},
            {"seconds", since.count()}};
}

Json Examinations::hello() const {
    std::lock_guard lock(mutex_);
    return {{"report", report_}, {"running", running_json()}};
}

void Examinations::tell(std::string const& op) {
    std::lock_guard lock(telling_);
    if (!shell_) return;
    shell_->tell(op, [&] {
        std::lock_guard inner(mutex_);
        if (op == "report") return Json{{"op", op}, {"report", report_}};
        return Json{{"op", op}, {"running", running_json()}};
    });
}

Result<Work> Examinations::understand(std::string const& op, Fields const& fields) {
    SLUICE_TRY(DoctorRequest const request, parse_doctor_request(op, fields));
    Work work;
    work.echo = echo(request);
    work.at_once = request.what == DoctorRequest::What::stop;
    work.answer = [this, request](Engine& engine, Job const& job) {
        if (request.what == DoctorRequest::What::examine) return examine(request, engine, job);
        stop();
        engine.done(job);
    };
    return work;
}

void Examinations::examine(DoctorRequest const& request, Engine& engine, Job const& job) {
    {
        std::unique_lock lock(mutex_);
        if (run_) {
            Error const busy{
                Code::unavailable,
                fmt::format("a {} examination measures already (two at a time disturb each other) "
                            "wait for its end, or stop it",
                            word(run_->quick))};
            lock.unlock();
            return engine.refuse(job, busy);
        }
        run_ = Run{.quick = request.quick, .total = examination_steps().size()};
    }
    auto const found = measure(request.quick);
    if (!found) return engine.refuse(job, found.error());
    engine.finish(job, text_message(header_of(job)));
}

Result<Examination> Examinations::measure(bool quick) {
    Running const running(*this);
    tell("state");
    ExamineOptions options{.quick = quick, .folder = folder_};
    options.progress = [this](std::uint64_t done, std::uint64_t total) {
        return step(done, total);
    };
    SLUICE_TRY(Examination found, examine_(options));
    show(found);
    return found;
}

bool Examinations::step(std::uint64_t done, std::uint64_t total) {
    bool further = false;
    {
        std::lock_guard lock(mutex_);
        if (ended_ || run_->stopping) return false;
        further = done != run_->done;
        run_->done = done;
        run_->total = total;
    }
    // Within a step it is asked often, and what is told would disturb what is measured.
    if (further) tell("state");
    return true;
}

void Examinations::stop() {
    {
        std::lock_guard lock(mutex_);
        if (!run_) return;
        run_->stopping = true;
    }
    tell("state");
}

void Examinations::begin(Shell const& shell) {
    std::lock_guard lock(telling_);
    shell_.emplace(shell);
}

void Examinations::end() {
    {
        std::lock_guard lock(telling_);
        shell_.reset();
    }
    std::lock_guard lock(mutex_);
    ended_ = true;
}

}  // namespace sluice::app
