// ControlPort: how a kind of detector is controlled.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/detector_control.h"

namespace sluice::net {

/// As DetectorControl has it.
class ControlPort {
  public:
    ControlPort() = default;
    ControlPort(ControlPort const&) = delete;
    ControlPort& operator=(ControlPort const&) = delete;
    virtual ~ControlPort() = default;

    virtual std::string const& address() const = 0;
    virtual Result<DetectorStatus> status() = 0;
    virtual Result<std::string> get(std::string const& name) = 0;
    virtual Result<std::vector<DetectorChange>> set(std::string const& name,
                                                    std::string const& value) = 0;
    virtual Result<std::optional<std::uint64_t>> arm() = 0;
    virtual Status trigger(GoOn const& go_on) = 0;
    virtual Status disarm() = 0;
    virtual Status cancel() = 0;
    virtual Status initialize() = 0;
    /// The settings of a scan, in the order in which they are made.
    struct Setting {
        std::string name, value;
        bool needed = true;       ///< otherwise it is no error where the detector lacks it
        bool on_the_way = false;  ///< only where the way of triggering changes
        bool exact = false;       ///< a detector that takes another value is not armed
    };
    virtual std::vector<Setting> settings(ArmOptions const& options, StreamProtocol protocol,
                                          index rows, index images) const = 0;
};

/// An address that says a kind, or that kind. Errors: it says none.
Result<ControlKind> kind_of(std::string const& address, ControlKind said);

Result<std::unique_ptr<ControlPort>> connect_simplon(std::string const& address);
Result<std::unique_ptr<ControlPort>> connect_merlin(std::string const& address);

}  // namespace sluice::net
