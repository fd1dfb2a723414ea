// DetectorControl: the control port of a detector: its state, settings, arming and triggers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "sluice/result.h"
#include "sluice/stream.h"

namespace sluice {

enum class ControlKind : std::uint8_t {
    by_address,  ///< http://: simplon; port 6341: merlin
    simplon,     ///< DECTRIS' SIMPLON API: HTTP and JSON, port 80
    merlin,      ///< the command port of Quantum Detectors' Merlin: TCP, port 6341
};

/// What a detector does, as far as it says so.
enum class DetectorState : std::uint8_t { unknown, idle, armed, busy, error };

struct DetectorStatus {
    ControlKind kind = ControlKind::by_address;
    std::string software = {};  ///< "SIMPLON 1.8.0"
    DetectorState state = DetectorState::unknown;
    std::string word = {};  ///< its own word for the state; empty: it does not say
};

/// A setting that was changed; `before` is empty where it is not known.
struct DetectorChange {
    std::string name, before, after;
};

namespace net {
class ControlPort;
}

/// Nothing is changed on the detector but by set() and the commands. Of one thread at a time, but
/// that another may disarm() and cancel() while one waits in trigger().
class DetectorControl {
  public:
    /// "http://dcu", "tcp://merlin:6341". Errors: nobody answers, or not as such a detector does.
    static Result<DetectorControl> connect(std::string const& address,
                                           ControlKind kind = ControlKind::by_address);
    DetectorControl(DetectorControl&&) noexcept;
    DetectorControl& operator=(DetectorControl&&) noexcept;
    ~DetectorControl();

    std::string const& address() const;
    Result<DetectorStatus> status() const;
    /// A setting. Of SIMPLON "nimages", that of another module "stream/mode", a status
    /// "detector/status/state"; of Merlin "NUMFRAMESTOACQUIRE".
    Result<std::string> get(std::string const& name) const;
    /// Returns what was changed: this, and what the detector says that changed with it.
    Result<std::vector<DetectorChange>> set(std::string const& name, std::string const& value);
    /// The number of the series that comes; empty: the detector does not say it.
    Result<std::optional<std::uint64_t>> arm();
    /// A software trigger. SIMPLON answers when the images are taken.
    Status trigger(GoOn const& go_on = {});
    Status disarm();
    /// Ends a series that is measured.
    Status cancel();
    /// Of SIMPLON: as after it was switched on.
    Status initialize();

  private:
    explicit DetectorControl(std::unique_ptr<net::ControlPort> port);
    std::unique_ptr<net::ControlPort> port_;
};

/// What makes the detector take its images.
enum class DetectorTrigger : std::uint8_t {
    point,     ///< a signal of the scan engine begins each image
    gate,      ///< a signal lasts as long as each image
    line,      ///< a signal begins each row
    software,  ///< the program, once for the scan
};

/// What the scan engine hears.
struct ArmedScan {
    std::string series = {};  ///< the number that arming gave; empty: the detector says none
    std::array<index, 2> scan = {};
    index images = 0;
};

/// Sets the detector for a scan, and arms it, before the scan is received.
struct ArmOptions {
    std::string control = {};  ///< the control port; empty: of the stream's host
    ControlKind kind =
        ControlKind::by_address;  ///< which also means: that of the stream's protocol
    DetectorTrigger trigger = DetectorTrigger::point;
    std::optional<double> dwell_s = {};     ///< from image to image; empty: as it is
    std::optional<double> exposure_s = {};  ///< of an image; empty: the dwell time, or as it is
    std::vector<std::string> set = {};      ///< other settings: "NAME=VALUE"
    bool take_over = false;                 ///< a detector that is armed already is cancelled first
    /// Called when the detector is armed, on a thread of its own while images come; a software
    /// trigger follows it. Its error cancels the scan. It returns when go_on() says no.
    std::function<Status(ArmedScan const&, GoOn const& go_on)> on_armed = {};
};

/// What was done to the detector for a scan.
struct ControlReport {
    std::string address = {}, software = {}, series = {};
    std::vector<DetectorChange> changes = {};
    std::vector<std::string> notes = {};
    std::string ended = {};  ///< "disarmed", "cancelled", or why neither could be done
    std::string error = {};  ///< of the hook or the trigger
};

}  // namespace sluice
