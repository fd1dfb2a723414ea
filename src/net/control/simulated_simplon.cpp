// The part of SIMPLON's API that a scan needs, of a simulated detector.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "net/control/simulated.h"
#include "net/http/server.h"
#include "net/json/tree.h"

namespace sluice::net {
namespace {

using http::Reply;
using http::Request;
using nlohmann::json;

constexpr char const* version = "1.8.0";

json number(json const& value, char const* type, json const& least = nullptr) {
    json one = {{"value", value}, {"value_type", type}, {"access_mode", "rw"}};
    if (!least.is_null()) one["min"] = least;
    return one;
}
json choice(std::string const& value, json allowed) {
    return {{"value", value},
            {"value_type", "string"},
            {"access_mode", "rw"},
            {"allowed_values", std::move(allowed)}};
}
json fixed(json value, char const* type) {
    return {{"value", std::move(value)}, {"value_type", type}, {"access_mode", "r"}};
}

std::string word_of(DetectorState state) {
    if (state == DetectorState::armed) return "ready";
    return state == DetectorState::busy ? "acquire" : "idle";
}

class SimulatedSimplon final : public SimulatedControl {
  public:
    explicit SimulatedSimplon(SimulatedSettings const& s) {
        config_["detector"] = {{"nimages", number(s.images, "uint", 1)},
                               {"ntrigger", number(1, "uint", 1)},
                               {"trigger_mode", choice("ints", {"ints", "inte", "exts", "exte"})},
                               {"count_time", number(1 / s.rate, "float", 1e-7)},
                               {"frame_time", number(1 / s.rate, "float", 1e-7)},
                               {"compression", choice("bslz4", {"bslz4", "lz4", "none"})},
                               {"description", fixed("Simulated by Sluice", "string")},
                               {"x_pixels_in_detector", fixed(s.cols, "uint")},
                               {"y_pixels_in_detector", fixed(s.rows, "uint")},
                               {"bit_depth_image", fixed(s.bits, "uint")}};
        config_["stream"] = {{"mode", choice("disabled", {"enabled", "disabled"})},
                             {"format", choice(s.legacy ? "legacy" : "cbor", {"legacy", "cbor"})},
                             {"header_detail", choice("basic", {"none", "basic", "all"})},
                             {"header_appendix", number("", "string")}};
    }

    Status open(std::string const& where) {
        SLUICE_TRY(server_, http::Server::open(where, [this](Request const& r, GoOn const& go_on) {
                       return answer(r, go_on);
                   }));
        return {};
    }
    std::string const& address() const override { return server_->address(); }

  private:
    static Reply refuse(int status, std::string const& why) {
        return {status, status == 404 ? "Not Found" : "Bad Request", json(why).dump()};
    }

    Reply answer(Request const& r, GoOn const& go_on) {
        if (r.path == "/detector/api/version/" || r.path == "/detector/api/version")
            return {.body = fixed(version, "string").dump()};
        std::vector<std::string> parts;
        for (std::size_t at = 1; at <= r.path.size();) {
            auto const end = std::min(r.path.find('/', at), r.path.size());
            parts.push_back(r.path.substr(at, end - at));
            at = end + 1;
        }
        if (parts.size() != 5 || parts[1] != "api" || parts[2] != version)
            return refuse(404, "there is no " + r.path.substr(0, 100));
        if (parts[3] == "config") return setting(r, parts[0], parts[4]);
        if (parts[0] == "detector" && parts[3] == "status" && parts[4] == "state")
            return {.body = fixed(word_of(state().state()), "string").dump()};
        if (parts[0] == "detector" && parts[3] == "command" && r.method == "PUT")
            return command(parts[4], go_on);
        return refuse(404, "there is no " + r.path.substr(0, 100));
    }

    Reply setting(Request const& r, std::string const& module, std::string const& name) {
        std::lock_guard const lock(mutex_);
        auto const found = config_[module].find(name);
        if (found == config_[module].end()) return refuse(404, "there is no " + name.substr(0, 50));
        json& its = *found;
        if (r.method != "PUT") return {.body = its.dump()};
        auto const sent = read_json(r.body);
        if (!sent || !sent->is_object() || !sent->contains("value"))
            return refuse(400, "a value is wanted");
        json const& value = (*sent)["value"];
        if (its["access_mode"] == "r") return refuse(400, name + " is read only");
        if (state().state() != DetectorState::idle)
            return refuse(400, "the detector is armed, and takes no settings");
        bool const text = its["value_type"] == "string";
        if (text != value.is_string() || (!text && !value.is_number()) ||
            (its["value_type"] == "uint" && !value.is_number_unsigned()))
            return refuse(400, name + " has another type");
        if (its.contains("min") && value < its["min"]) return refuse(400, name + " is too small");
        if (its.contains("allowed_values") &&
            std::ranges::find(its["allowed_values"], value) == its["allowed_values"].end())
            return refuse(400, name + " has no such value");
        its["value"] = value;
        json changed = {name};
        // The time from image to image holds that of an image.
        json& all = config_["detector"];
        if (name == "count_time" && all["frame_time"]["value"] < value) {
            all["frame_time"]["value"] = value;
            changed.push_back("frame_time");
        }
        return {.body = changed.dump()};
    }

    Reply command(std::string const& name, GoOn const& go_on) {
        if (name == "arm") return arm();
        if (name == "trigger") {
            if (!state().trigger(go_on, true)) return refuse(400, "the detector is not armed");
            return {.body = "{}"};
        }
        if (name == "disarm" || name == "cancel" || name == "abort") {
            state().stop();
            return {.body = json{{"sequence id", series_.load()}}.dump()};
        }
        if (name == "initialize") return {.body = "{}"};
        return refuse(404, "there is no command " + name.substr(0, 50));
    }

    Reply arm() {
        std::lock_guard const lock(mutex_);
        json const& d = config_["detector"];
        auto const n = [&](char const* name) { return d[name]["value"].get<index>(); };
        std::string const mode = d["trigger_mode"]["value"];
        if (n("nimages") > (index{1} << 40) / n("ntrigger"))
            return refuse(400, "these are too many images");
        auto const series = state().arm({.images = n("nimages") * n("ntrigger"),
                                         .rate = 1 / d["frame_time"]["value"].get<double>(),
                                         .waits = mode == "ints" || mode == "inte"});
        if (!series) return refuse(400, "the detector is armed already");
        series_ = *series;
        return {.body = json{{"sequence id", *series}}.dump()};
    }

    std::mutex mutex_;  // of what follows
    std::map<std::string, json> config_ = {};
    std::atomic<std::uint64_t> series_ = 0;
    std::unique_ptr<http::Server> server_ = {};  // ends first
};

}  // namespace

Result<std::unique_ptr<SimulatedControl>> simulated_simplon(std::string const& address,
                                                            SimulatedSettings const& settings) {
    auto control = std::make_unique<SimulatedSimplon>(settings);
    SLUICE_CHECK(control->open(address));
    return std::unique_ptr<SimulatedControl>(std::move(control));
}

}  // namespace sluice::net
