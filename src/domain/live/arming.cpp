// Sets the detector for a scan, and arms it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/live/arming.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "net/receiver.h"
#include "net/scan_path.h"

namespace sluice::live {
namespace {

using net::ControlPort;

std::optional<double> number_in(std::string const& text) {
    double x = 0;
    auto const [at, wrong] = std::from_chars(text.data(), text.data() + text.size(), x);
    return wrong == std::errc() && at == text.data() + text.size() ? std::optional(x)
                                                                   : std::nullopt;
}

bool same(std::string const& a, std::string const& b, double within) {
    auto const x = number_in(a), y = number_in(b);
    return x && y ? std::abs(*x - *y) <= within * std::abs(*y) : a == b;
}

// Of one setting that is made twice the first value before counts, and the last one after.
void note(std::vector<DetectorChange>& all, DetectorChange const& change) {
    auto const found = std::ranges::find(all, change.name, &DetectorChange::name);
    if (found == all.end())
        all.push_back(change);
    else
        found->after = change.after;
}

std::string text_of(std::vector<DetectorChange> const& changes) {
    std::vector<std::string> words;
    for (auto const& c : changes)
        words.push_back(fmt::format("{} from '{}' to '{}'", c.name, c.before, c.after));
    return fmt::format("{}", fmt::join(words, ", "));
}

// Of the stream's host, where the control port is usually.
Result<std::string> control_of(std::string const& stream, bool merlin) {
    auto const colon = stream.rfind(':');
    if (!stream.starts_with("tcp://") || colon <= 6)
        return Error{Code::invalid_argument,
                     "the address of the stream names no host to control; give --control", stream};
    std::string const host = stream.substr(6, colon - 6);
    return merlin ? "tcp://" + host + ":6341" : "http://" + host;
}

Result<ArmedScan> scan_of(stem4d::LiveOptions const& o) {
    if (!o.scan)
        return Error{Code::invalid_argument,
                     "a detector is armed for a scan that is known; give --scan ROWSxCOLS"};
    auto const [rows, cols] = *o.scan;
    if (rows < 1 || cols < 1 || rows > (index{1} << 28) / cols)
        return Error{Code::invalid_argument,
                     fmt::format("a scan of {}x{} points (1 to {} can be received) give another "
                                 "shape",
                                 rows, cols, index{1} << 28)};
    ArmedScan scan{.scan = *o.scan, .images = rows * cols};
    if (!o.positions.shape.empty())
        scan.images = o.positions.shape[0];
    else if (auto const frames =
                 net::frame_of({.scan = *o.scan, .order = o.order, .flyback = o.flyback});
             !frames.empty())
        scan.images = std::ssize(frames);
    if (o.arm->trigger == DetectorTrigger::line && scan.images % rows != 0)
        return Error{Code::invalid_argument,
                     fmt::format("{} images in {} rows are not as many in each; choose another "
                                 "--trigger than line",
                                 scan.images, rows)};
    return scan;
}

Status check(ArmOptions const& o) {
    for (auto const& seconds : {o.dwell_s, o.exposure_s})
        if (seconds && !(*seconds > 0 && *seconds < 1e5))
            return Error{Code::invalid_argument,
                         fmt::format("images of {:g} s cannot be; give a time above 0", *seconds)};
    for (std::string const& one : o.set)
        if (one.find('=') == std::string::npos || one.starts_with('='))
            return Error{Code::invalid_argument,
                         fmt::format("'{}' is no setting; give NAME=VALUE", one)};
    return {};
}

}  // namespace

Result<std::unique_ptr<Arming>> Arming::connect(std::string const& stream,
                                                stem4d::LiveOptions const& options) {
    auto arming = std::make_unique<Arming>();
    arming->options_ = *options.arm;
    ArmOptions& o = arming->options_;
    SLUICE_CHECK(check(o));
    SLUICE_TRY(arming->scan_, scan_of(options));
    StreamProtocol const said = options.stream.protocol;
    arming->protocol_ = said == StreamProtocol::by_port ? net::protocol_of(stream) : said;
    if (arming->protocol_ == StreamProtocol::timepix3)
        return Error{Code::unsupported,
                     "Timepix3 readouts are not armed by this program; start the measurement in "
                     "their own (Serval), and leave out what arms (--arm)",
                     stream};
    bool const merlin = arming->protocol_ == StreamProtocol::merlin;
    if (o.control.empty()) {
        SLUICE_TRY(o.control, control_of(stream, merlin));
    }
    if (o.kind == ControlKind::by_address)
        o.kind = merlin ? ControlKind::merlin : ControlKind::simplon;
    SLUICE_TRY(arming->port_, o.kind == ControlKind::merlin ? net::connect_merlin(o.control)
                                                            : net::connect_simplon(o.control));
    return arming;
}

Status Arming::make_idle(ControlReport& report) {
    SLUICE_TRY(DetectorStatus const now, port_->status());
    report.software = now.software;
    if (now.state == DetectorState::unknown)
        report.notes.push_back(now.word.empty()
                                   ? "the detector does not say whether it is armed already"
                                   : fmt::format("the detector says its state is '{}'", now.word));
    if (now.state == DetectorState::error)
        return Error{Code::unavailable,
                     "the detector says that it is in error; look at it, then `sluice detector "
                     "initialize`",
                     port_->address()};
    if (now.state != DetectorState::armed && now.state != DetectorState::busy) return {};
    if (!options_.take_over)
        return Error{Code::unavailable,
                     fmt::format("the detector is armed already ('{}': somebody else may measure "
                                 "with it) wait, or give --take-over to cancel that",
                                 now.word),
                     port_->address()};
    report.notes.push_back(
        fmt::format("what the detector did before ('{}') was cancelled", now.word));
    return port_->cancel();
}

Status Arming::set(ControlPort::Setting const& setting, ControlReport& report) {
    auto const before = port_->get(setting.name);
    if (!before && !setting.needed) {
        report.notes.push_back(fmt::format("the detector has no setting {}", setting.name));
        return {};
    }
    if (!before) return before.error();
    if (same(*before, setting.value, 0)) return {};
    SLUICE_TRY(auto const changes, port_->set(setting.name, setting.value));
    for (DetectorChange const& change : changes) note(report.changes, change);
    std::string const& now = changes.front().after;
    if (same(now, setting.value, setting.exact ? 0 : 0.01)) return {};
    if (setting.exact)
        return Error{Code::unavailable,
                     fmt::format("the detector made '{}' of {} = {}; look what else is set", now,
                                 setting.name, setting.value),
                     port_->address()};
    report.notes.push_back(
        fmt::format("the detector made {} of {} = {}", now, setting.name, setting.value));
    return {};
}

Status Arming::set_all(ControlReport& report) {
    for (std::string const& one : options_.set) {
        auto const at = one.find('=');
        SLUICE_CHECK(set({.name = one.substr(0, at), .value = one.substr(at + 1)}, report));
    }
    auto const all = port_->settings(options_, protocol_, scan_.scan[0], scan_.images);
    // Of what changes with another setting, too, the value before is known by this alone.
    std::map<std::string, std::string> before;
    for (auto const& one : all)
        if (auto const value = port_->get(one.name)) before[one.name] = *value;
    bool turns = false;
    for (auto const& one : all)
        turns = turns || (one.name == "trigger_mode" && before[one.name] != one.value);
    Status status;
    for (auto const& one : all)
        if (status && (turns || !one.on_the_way)) status = set(one, report);
    for (DetectorChange& change : report.changes)
        if (change.before.empty()) change.before = before[change.name];
    return status;
}

Result<std::unique_ptr<ArmedSeries>> Arming::arm() {
    ControlReport report{.address = port_->address()};
    SLUICE_CHECK(make_idle(report));
    if (Status s = set_all(report); !s) {
        Error error = std::move(s).error();
        if (!report.changes.empty())
            error.message += fmt::format(" (changed before: {})", text_of(report.changes));
        return error;
    }
    auto const series = port_->arm();
    if (!series) {
        // It may be armed, though it did not say so in time.
        [[maybe_unused]] Status const best = port_->cancel();
        return series.error();
    }
    ArmedScan scan = scan_;
    if (*series) scan.series = report.series = fmt::format("{}", **series);
    std::erase_if(report.changes, [](DetectorChange const& c) { return c.before == c.after; });
    return std::make_unique<ArmedSeries>(port_, options_, std::move(scan), std::move(report));
}

}  // namespace sluice::live
