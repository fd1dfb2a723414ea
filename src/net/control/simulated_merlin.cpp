// The part of Merlin's command port that a scan needs, of a simulated detector.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "net/control/simulated.h"
#include "net/merlin/command_message.h"

namespace sluice::net {
namespace {

using namespace std::chrono_literals;
constexpr auto between_calls = 20ms;

/// Merlin's own numbers.
enum : int { ok = 0, is_busy = 1, unknown_name = 2, out_of_range = 3 };

class SimulatedMerlin final : public SimulatedControl {
  public:
    SimulatedMerlin(TcpPort port, SimulatedSettings const& s)
        : port_(std::move(port)),
          values_{{"NUMFRAMESTOACQUIRE", fmt::format("{}", s.images)},
                  {"NUMFRAMESPERTRIGGER", fmt::format("{}", s.images)},
                  {"TRIGGERSTART", "0"},
                  {"TRIGGERSTOP", "0"},
                  {"ACQUISITIONTIME", fmt::format("{}", 1e3 / s.rate)},
                  {"ACQUISITIONPERIOD", fmt::format("{}", 1e3 / s.rate)},
                  {"COUNTERDEPTH", s.bits == 32   ? "24"
                                   : s.bits == 16 ? "12"
                                                  : "6"},
                  {"CONTINUOUSRW", "0"},
                  {"FILEENABLE", "0"},
                  {"FILEFORMAT", "0"},
                  {"RUNHEADLESS", "0"},
                  {"THRESHOLD0", "0"},
                  {"IMAGEX", fmt::format("{}", s.cols)},
                  {"IMAGEY", fmt::format("{}", s.rows)}},
          thread_([this](std::stop_token const& stop) { run(stop); }) {}
    ~SimulatedMerlin() override {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }

    std::string const& address() const override { return port_.address(); }

  private:
    // Somebody else may call while the first one does not ask.
    void run(std::stop_token const& stop) {
        std::vector<std::jthread> visits;
        while (!stop.stop_requested() && visits.size() < 64)
            if (auto stream = port_.accept(between_calls))
                visits.emplace_back(
                    [this, &stop, s = *std::move(stream)]() mutable { serve(std::move(s), stop); });
    }

    void serve(TcpStream stream, std::stop_token const& stop) {
        GoOn const go_on = [&] { return !stop.stop_requested(); };
        for (;;) {
            auto const came = merlin::receive_command(stream, address(), 24h, go_on);
            if (!came || !*came) return;
            auto fields = merlin::fields_of(**came);
            fields.resize(3);
            if (!merlin::send_command(stream, answer(fields[0], fields[1], fields[2]), address(),
                                      1s))
                return;
        }
    }

    std::string answer(std::string const& kind, std::string const& name, std::string const& value) {
        if (kind == "GET") {
            auto const its = get(name);
            return fmt::format("GET,{},{},{}", name, its.value_or("0"), its ? ok : unknown_name);
        }
        int const status = kind == "SET"   ? set(name, value)
                           : kind == "CMD" ? command(name)
                                           : unknown_name;
        return fmt::format("{},{},{}", kind, name, +status);
    }

    std::optional<std::string> get(std::string const& name) {
        if (name == "SOFTWAREVERSION") return "0 (simulated by Sluice)";
        if (name == "DETECTORSTATUS") {
            auto const now = state().state();
            return now == DetectorState::idle ? "0" : now == DetectorState::armed ? "4" : "1";
        }
        std::lock_guard const lock(mutex_);
        auto const found = values_.find(name);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }

    int set(std::string const& name, std::string const& value) {
        if (state().state() != DetectorState::idle) return is_busy;
        std::lock_guard const lock(mutex_);
        auto const found = values_.find(name);
        if (found == values_.end()) return unknown_name;
        double number = 0;
        auto const [at, wrong] = std::from_chars(value.data(), value.data() + value.size(), number);
        bool const positive = name.starts_with("NUM") || name.starts_with("ACQUISITION");
        if (wrong != std::errc() || at != value.data() + value.size() || number < 0 ||
            number > 1e9 || (positive && !(number > 0)))
            return out_of_range;
        found->second = value;
        return ok;
    }

    double number(char const* name) const {
        std::string const& text = values_.at(name);
        double x = 0;
        std::from_chars(text.data(), text.data() + text.size(), x);
        return x;
    }

    int command(std::string const& name) {
        if (name == "STARTACQUISITION") {
            std::lock_guard const lock(mutex_);
            bool const armed = state()
                                   .arm({.images = static_cast<index>(number("NUMFRAMESTOACQUIRE")),
                                         .rate = 1e3 / number("ACQUISITIONPERIOD"),
                                         .waits = values_.at("TRIGGERSTART") == "5"})
                                   .has_value();
            return armed ? ok : is_busy;
        }
        if (name == "SOFTTRIGGER") return state().trigger({}, false) ? ok : out_of_range;
        if (name == "STOPACQUISITION" || name == "ABORT") {
            state().stop();
            return ok;
        }
        return name == "CLEAR" || name == "RESET" ? ok : unknown_name;
    }

    TcpPort port_;
    std::mutex mutex_;  // of what follows
    std::map<std::string, std::string> values_;
    std::jthread thread_;  // ends first
};

}  // namespace

Result<std::unique_ptr<SimulatedControl>> simulated_merlin(std::string const& address,
                                                           SimulatedSettings const& settings) {
    SLUICE_TRY(TcpPort port, TcpPort::open(address));
    return std::unique_ptr<SimulatedControl>(
        std::make_unique<SimulatedMerlin>(std::move(port), settings));
}

}  // namespace sluice::net
