// Arming: sets the detector for each scan of a live stream, arms it, and lets go of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <thread>

#include "net/control/control_port.h"
#include "sluice/stem4d_live.h"

namespace sluice::live {

/// A detector that is armed for one scan. It is cancelled when this ends before finish().
class ArmedSeries {
  public:
    ArmedSeries(std::shared_ptr<net::ControlPort> port, ArmOptions options, ArmedScan scan,
                ControlReport report);
    ~ArmedSeries();
    ArmedSeries(ArmedSeries const&) = delete;
    ArmedSeries& operator=(ArmedSeries const&) = delete;

    /// Whether the series that began is the one that was armed.
    bool is(std::string const& series) const;
    /// Calls the hook and triggers, on a thread of its own.
    void start();
    /// Why the hook or the trigger failed.
    std::optional<Error> failed() const;
    /// Hears that, at once where it is so already.
    void when_failed(std::function<void(std::string const&)> const& hear);
    /// Nobody waits for the hook any more.
    void stop() { stop_ = true; }
    /// The series is over: disarms, or cancels where it is not complete.
    void finish(bool complete);
    ControlReport report() const;

  private:
    void run();
    void fail(Error error);
    void let_go(bool complete);

    std::shared_ptr<net::ControlPort> port_;
    ArmOptions options_;
    ArmedScan scan_;
    std::atomic<bool> stop_ = false, done_ = true;
    mutable std::mutex mutex_;  // of what follows
    ControlReport report_;
    std::optional<Error> error_ = {};
    std::function<void(std::string const&)> hear_ = {};
    bool over_ = false;
    std::jthread thread_ = {};  // ends first
};

class Arming {
  public:
    /// Of that stream's detector. Nothing is changed yet. Errors: options that mean nothing, nobody
    /// answers on the control port.
    static Result<std::unique_ptr<Arming>> connect(std::string const& stream,
                                                   stem4d::LiveOptions const& options);
    /// Sets the detector, and arms it. Errors: it is armed already, or refuses a setting.
    Result<std::unique_ptr<ArmedSeries>> arm();

  private:
    Status make_idle(ControlReport& report);
    Status set_all(ControlReport& report);
    Status set(net::ControlPort::Setting const& setting, ControlReport& report);

    std::shared_ptr<net::ControlPort> port_ = {};
    ArmOptions options_ = {};
    StreamProtocol protocol_ = StreamProtocol::by_port;
    ArmedScan scan_ = {};
};

}  // namespace sluice::live
