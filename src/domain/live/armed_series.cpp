// A detector that is armed for one scan.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>

#include "domain/live/arming.h"

namespace sluice::live {
namespace {

using Clock = std::chrono::steady_clock;
// A hook that ends its scan needs a while; one that hangs ends here.
constexpr std::chrono::seconds for_hook{30};
constexpr std::chrono::milliseconds glance{5};

}  // namespace

ArmedSeries::ArmedSeries(std::shared_ptr<net::ControlPort> port, ArmOptions options, ArmedScan scan,
                         ControlReport report)
    : port_(std::move(port)),
      options_(std::move(options)),
      scan_(std::move(scan)),
      report_(std::move(report)) {}

ArmedSeries::~ArmedSeries() {
    finish(false);
}

bool ArmedSeries::is(std::string const& series) const {
    return scan_.series.empty() || scan_.series == series;
}

void ArmedSeries::start() {
    done_ = false;
    thread_ = std::jthread([this] {
        run();
        done_ = true;
    });
}

void ArmedSeries::run() {
    GoOn const go_on = [this] { return !stop_; };
    if (options_.on_armed)
        if (Status s = options_.on_armed(scan_, go_on); !s) return fail(std::move(s).error());
    if (options_.trigger != DetectorTrigger::software || stop_) return;
    if (Status s = port_->trigger(go_on); !s) fail(std::move(s).error());
}

// After a stop it is the stop that made it fail.
void ArmedSeries::fail(Error error) {
    if (stop_) return;
    std::unique_lock lock(mutex_);
    report_.error = error.text();
    error_ = std::move(error);
    auto const hear = hear_;
    std::string const why = report_.error;
    lock.unlock();
    if (hear) hear(why);
}

std::optional<Error> ArmedSeries::failed() const {
    std::lock_guard const lock(mutex_);
    return error_;
}

void ArmedSeries::when_failed(std::function<void(std::string const&)> const& hear) {
    std::unique_lock lock(mutex_);
    hear_ = hear;
    auto const error = error_;
    lock.unlock();
    if (error) hear(error->text());
}

void ArmedSeries::finish(bool complete) {
    {
        std::lock_guard const lock(mutex_);
        if (std::exchange(over_, true)) return;
    }
    if (!complete) {
        stop_ = true;
        let_go(false);  // which ends a trigger that waits
    }
    auto const until = Clock::now() + for_hook;
    while (!done_ && !stop_) {
        if (Clock::now() > until) {
            std::lock_guard const lock(mutex_);
            report_.notes.push_back(fmt::format(
                "what was called when the detector was armed had not ended {} s after the scan, "
                "and was stopped",
                for_hook.count()));
            stop_ = true;
        }
        std::this_thread::sleep_for(glance);
    }
    // Who does not listen must not keep the detector armed.
    bool const early = complete && !done_;
    if (early) let_go(true);
    if (thread_.joinable()) thread_.join();
    if (complete && !early) let_go(true);
}

void ArmedSeries::let_go(bool complete) {
    // What one of them does not do, the other may.
    Status ended = complete ? port_->disarm() : port_->cancel();
    std::string done = complete ? "disarmed" : "cancelled";
    if (!ended) {
        ended = complete ? port_->cancel() : port_->disarm();
        done = complete ? "cancelled" : "disarmed";
    }
    std::lock_guard const lock(mutex_);
    report_.ended = ended ? done : ended.error().text();
    if (ended) return;
    std::string const text = "the detector may still be armed: " + ended.error().text();
    report_.notes.push_back(text);
    if (report_.error.empty()) report_.error = text;
}

ControlReport ArmedSeries::report() const {
    std::lock_guard const lock(mutex_);
    return report_;
}

}  // namespace sluice::live
