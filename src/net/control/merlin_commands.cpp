// The command port of Quantum Detectors' Merlin.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <mutex>

#include "net/control/control_port.h"
#include "net/merlin/command_message.h"

namespace sluice::net {
namespace {

using merlin::fields_of;
using std::chrono::milliseconds;

constexpr milliseconds to_connect{3000}, to_answer{10000};
constexpr std::size_t most_merlin_name = 64, most_shown = 100;

std::string shown(std::string const& text) {
    std::string out = text.substr(0, most_shown);
    std::ranges::replace_if(
        out, [](char c) { return c < ' ' || c > '~'; }, ' ');
    return out;
}

char const* meaning_of(int status) {
    if (status == 1) return "it is busy; wait, or cancel what it does";
    if (status == 2) return "it does not know that name; look at its manual";
    if (status == 3) return "the value is out of range; give another";
    return "no status that is known";
}

DetectorState merlin_state(std::string const& number) {
    using enum DetectorState;
    if (number == "0" || number == "2") return idle;
    if (number == "1" || number == "5") return busy;
    if (number == "3") return error;
    return number == "4" ? armed : unknown;
}

std::string merlin_word(std::string const& number) {
    static constexpr char const* words[] = {"idle", "busy", "standby", "error", "armed", "init"};
    if (number.size() != 1 || number[0] < '0' || number[0] > '5') return "";
    return words[number[0] - '0'];
}

class MerlinCommands final : public ControlPort {
  public:
    explicit MerlinCommands(std::string address) : address_(std::move(address)) {}

    std::string const& address() const override { return address_; }

    Result<DetectorStatus> status() override {
        SLUICE_TRY(std::string const state, get("DETECTORSTATUS"));
        auto const version = get("SOFTWAREVERSION");
        return DetectorStatus{
            .kind = ControlKind::merlin,
            .software = version ? "Merlin " + shown(*version) : std::string("Merlin"),
            .state = merlin_state(state),
            .word = merlin_word(state)};
    }

    Result<std::string> get(std::string const& name) override { return ask("GET", name, {}); }

    Result<std::vector<DetectorChange>> set(std::string const& name,
                                            std::string const& value) override {
        if (value.empty() || value.find_first_of(",\r\n") != std::string::npos)
            return Error{Code::invalid_argument,
                         fmt::format("'{}' is no value of {}; give one without commas",
                                     shown(value), shown(name)),
                         address_};
        SLUICE_TRY(std::string before, get(name));
        SLUICE_CHECK(done(ask("SET", name, value)));
        SLUICE_TRY(std::string after, get(name));
        return std::vector<DetectorChange>{{name, std::move(before), std::move(after)}};
    }

    Result<std::optional<std::uint64_t>> arm() override {
        SLUICE_CHECK(done(ask("CMD", "STARTACQUISITION", {})));
        return std::optional<std::uint64_t>();
    }
    Status trigger(GoOn const& /*go_on*/) override { return done(ask("CMD", "SOFTTRIGGER", {})); }
    Status disarm() override {
        auto const now = get("DETECTORSTATUS");
        if (now && *now == "0") return {};  // it ends by itself after the last image
        return done(ask("CMD", "STOPACQUISITION", {}));
    }
    Status cancel() override { return done(ask("CMD", "ABORT", {})); }
    Status initialize() override { return done(ask("CMD", "RESET", {})); }

    std::vector<Setting> settings(ArmOptions const& o, StreamProtocol /*protocol*/, index rows,
                                  index images) const override {
        using enum DetectorTrigger;
        index const each = o.trigger == software ? images : o.trigger == line ? images / rows : 1;
        std::vector<Setting> s = {
            {.name = "NUMFRAMESTOACQUIRE", .value = fmt::format("{}", images), .exact = true},
            {.name = "NUMFRAMESPERTRIGGER", .value = fmt::format("{}", each), .exact = true},
            {.name = "TRIGGERSTART", .value = o.trigger == software ? "5" : "1", .exact = true},
            {.name = "TRIGGERSTOP", .value = o.trigger == gate ? "2" : "0", .exact = true}};
        // In milliseconds.
        if (auto const exposure = o.exposure_s ? o.exposure_s : o.dwell_s)
            s.push_back({"ACQUISITIONTIME", fmt::format("{}", *exposure * 1e3)});
        if (o.dwell_s) s.push_back({"ACQUISITIONPERIOD", fmt::format("{}", *o.dwell_s * 1e3)});
        return s;
    }

  private:
    static Status done(Result<std::string> const& answer) {
        return answer ? Status() : Status(answer.error());
    }

    // One connection for all; one that broke is made again for the next command.
    Result<std::string> ask(std::string const& kind, std::string const& name,
                            std::string const& value) {
        auto const good = [](char c) {
            return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                   c == '_';
        };
        if (name.empty() || name.size() > most_merlin_name || !std::ranges::all_of(name, good))
            return Error{Code::invalid_argument,
                         fmt::format("'{}' names no setting of Merlin; name one as "
                                     "NUMFRAMESTOACQUIRE",
                                     shown(name)),
                         address_};
        std::lock_guard const lock(mutex_);
        if (!stream_) {
            SLUICE_TRY(stream_, TcpStream::call(address_, to_connect));
            if (!stream_)
                return Error{Code::io,
                             "nobody answers there; look at the address, and whether the "
                             "detector's software runs",
                             address_};
        }
        auto answer = exchange(kind, name, value);
        if (!answer && answer.error().code == Code::io) stream_.reset();
        return answer;
    }

    Result<std::string> exchange(std::string const& kind, std::string const& name,
                                 std::string const& value) {
        std::string const text = kind + ',' + name + (value.empty() ? "" : "," + value);
        SLUICE_CHECK(merlin::send_command(*stream_, text, address_, to_answer));
        SLUICE_TRY(auto const reply, merlin::receive_command(*stream_, address_, to_answer));
        if (!reply) return Error{Code::io, "the detector closed the connection", address_};
        return value_in(*reply, kind, name);
    }

    // "GET,NAME,value,status", and of the others "SET,NAME,status". Values may have commas.
    Result<std::string> value_in(std::string const& reply, std::string const& kind,
                                 std::string const& name) const {
        auto const fields = fields_of(reply);
        std::size_t const least = kind == "GET" ? 4 : 3;
        int status = -1;
        if (fields.size() >= least) {
            std::string const& last = fields.back();
            std::from_chars(last.data(), last.data() + last.size(), status);
        }
        if (status < 0 || fields[0] != kind || fields[1] != name)
            return Error{Code::io,
                         fmt::format("{} {}: '{}' is no answer to that; look whether the address "
                                     "is that of the command port",
                                     kind, name, shown(reply)),
                         address_};
        if (status != 0)
            return Error{status == 2 ? Code::not_found : Code::invalid_argument,
                         fmt::format("{} {}: the detector answers with status {}: {}", kind, name,
                                     status, meaning_of(status)),
                         address_};
        std::string value;
        for (std::size_t i = 2; i + 1 < fields.size(); ++i) value += (i > 2 ? "," : "") + fields[i];
        return value;
    }

    std::string address_;
    std::mutex mutex_;
    std::optional<TcpStream> stream_ = {};
};

}  // namespace

Result<std::unique_ptr<ControlPort>> connect_merlin(std::string const& address) {
    auto port = std::make_unique<MerlinCommands>(address);
    SLUICE_CHECK(port->status());
    return std::unique_ptr<ControlPort>(std::move(port));
}

}  // namespace sluice::net
