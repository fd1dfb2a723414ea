// The control port of any kind of detector.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/detector_control.h"

#include <fmt/format.h>

#include "net/control/control_port.h"

namespace sluice {

namespace net {

Result<ControlKind> kind_of(std::string const& address, ControlKind said) {
    if (said != ControlKind::by_address) return said;
    if (address.starts_with("http://")) return ControlKind::simplon;
    if (address.starts_with("tcp://") && address.ends_with(":6341")) return ControlKind::merlin;
    return Error{Code::invalid_argument,
                 fmt::format("'{}' does not say which detector is there; give http://HOST for "
                             "DECTRIS or tcp://HOST:6341 for Merlin, or --kind",
                             address)};
}

}  // namespace net

DetectorControl::DetectorControl(std::unique_ptr<net::ControlPort> port) : port_(std::move(port)) {}
DetectorControl::DetectorControl(DetectorControl&&) noexcept = default;
DetectorControl& DetectorControl::operator=(DetectorControl&&) noexcept = default;
DetectorControl::~DetectorControl() = default;

Result<DetectorControl> DetectorControl::connect(std::string const& address, ControlKind kind) {
    SLUICE_TRY(ControlKind const its, net::kind_of(address, kind));
    SLUICE_TRY(auto port, its == ControlKind::simplon ? net::connect_simplon(address)
                                                      : net::connect_merlin(address));
    return DetectorControl(std::move(port));
}

std::string const& DetectorControl::address() const {
    return port_->address();
}
Result<DetectorStatus> DetectorControl::status() const {
    return port_->status();
}
Result<std::string> DetectorControl::get(std::string const& name) const {
    return port_->get(name);
}
Result<std::vector<DetectorChange>> DetectorControl::set(std::string const& name,
                                                         std::string const& value) {
    return port_->set(name, value);
}
Result<std::optional<std::uint64_t>> DetectorControl::arm() {
    return port_->arm();
}
Status DetectorControl::trigger(GoOn const& go_on) {
    return port_->trigger(go_on);
}
Status DetectorControl::disarm() {
    return port_->disarm();
}
Status DetectorControl::cancel() {
    return port_->cancel();
}
Status DetectorControl::initialize() {
    return port_->initialize();
}

}  // namespace sluice
