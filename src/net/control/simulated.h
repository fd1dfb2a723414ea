// SimulatedControl: the control port of a simulated detector, and what it tells the simulator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

#include "net/control/control_port.h"

namespace sluice::net {

/// The state of a detector that the threads of its control port and its simulator share.
class SimulatedDetectorState {
  public:
    /// What arming asked for.
    struct Armed {
        std::uint64_t series = 0;  ///< from 1
        index images = 0;
        double rate = 0;     ///< images a second
        bool waits = false;  ///< for a software trigger
    };

    // For the control port.
    DetectorState state() const;
    /// Empty: it is not idle.
    std::optional<std::uint64_t> arm(Armed wanted);
    /// Waits until all images are sent; false: nothing is armed.
    bool trigger(GoOn const& go_on, bool wait);
    /// Ends a series; waits a moment for that.
    void stop();

    // For the simulator.
    /// Waits; empty: go_on() said no.
    std::optional<Armed> wait_armed(GoOn const& go_on);
    /// False: the series was cancelled.
    bool wait_triggered(GoOn const& go_on);
    bool cancelled() const;
    void sent_all();
    /// Waits a moment until somebody knows that the series is over.
    void wait_released(GoOn const& go_on) const;

  private:
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    DetectorState state_ = DetectorState::idle;
    Armed armed_ = {};
    bool triggered_ = false, cancelled_ = false, fresh_ = false;
    mutable bool released_ = true;
    std::uint64_t series_ = 0;
};

class SimulatedControl {
  public:
    SimulatedControl() = default;
    SimulatedControl(SimulatedControl const&) = delete;
    SimulatedControl& operator=(SimulatedControl const&) = delete;
    virtual ~SimulatedControl() = default;

    /// With the port that was chosen.
    virtual std::string const& address() const = 0;
    SimulatedDetectorState& state() { return state_; }

  private:
    SimulatedDetectorState state_ = {};
};

/// What the settings say before anybody changes them.
struct SimulatedSettings {
    index images = 1;
    double rate = 1000;
    bool legacy = false;  ///< Stream V1
    index rows = 0, cols = 0;
    int bits = 16;
};
Result<std::unique_ptr<SimulatedControl>> simulated_simplon(std::string const& address,
                                                            SimulatedSettings const& settings);
Result<std::unique_ptr<SimulatedControl>> simulated_merlin(std::string const& address,
                                                           SimulatedSettings const& settings);

}  // namespace sluice::net
