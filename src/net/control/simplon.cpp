// DECTRIS' SIMPLON API: settings, states and commands as JSON over HTTP.
// SPDX-License-Identifier: Apache-2.0
#include "net/control/simplon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/utf8.h"
#include "net/json/tree.h"

namespace sluice::net {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr std::size_t most_said = 200, most_name = 100, most_changed = 64;
// Arming writes all settings into the detector, which takes seconds.
constexpr auto for_values = 10s, for_commands = 60s, for_start = 300s;
constexpr auto for_trigger = std::chrono::hours{24};

/// What somebody said, on one line and short.
std::string excerpt(std::string const& text) {
    std::string line;
    for (char const c : text) {
        if (line.size() >= most_said) return line + "...";
        bool const shown = c >= ' ' && c < 127;
        if (shown || (!line.empty() && line.back() != ' ')) line += shown ? c : ' ';
    }
    return line;
}

json const* member(json const& of, char const* name) {
    auto const found = of.is_object() ? of.find(name) : of.end();
    return of.is_object() && found != of.end() ? &*found : nullptr;
}

// JSON holds no other text.
bool is_utf8(std::string_view text) {
    while (!text.empty())
        if (next_character(text) == not_utf8) return false;
    return true;
}

bool is_version(std::string const& text) {
    return !text.empty() && text.size() <= 16 &&
           std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

DetectorState simplon_state(std::string const& word) {
    if (word == "idle") return DetectorState::idle;
    if (word == "ready") return DetectorState::armed;
    if (word == "error") return DetectorState::error;
    if (word == "acquire" || word == "configure" || word == "initialize" || word == "test")
        return DetectorState::busy;
    return DetectorState::unknown;
}

class Simplon final : public ControlPort {
  public:
    Simplon(std::string address, Asker asker)
        : asker_(std::move(asker)), address_(std::move(address)) {}

    Status find_version() {
        SLUICE_TRY(json const answer, ask("GET", "/detector/api/version/", {}, for_values));
        json const* const value = member(answer, "value");
        std::string const text = value ? plain_text(*value) : std::string();
        if (!is_version(text))
            return Error{Code::corrupt,
                         fmt::format("GET /detector/api/version/: '{}' is no version of SIMPLON; "
                                     "look whether the address is that of the control unit",
                                     excerpt(plain_text(answer))),
                         address_};
        version_ = text;
        return {};
    }

    std::string const& address() const override { return address_; }

    Result<DetectorStatus> status() override {
        DetectorStatus s{.kind = ControlKind::simplon, .software = "SIMPLON " + version_};
        auto const answer =
            asker_(address_, {.path = path("detector", "status", "state")}, {.answer = for_values});
        if (!answer) return answer.error();
        // Old ones, and simulators, do not say it.
        if (answer->status == 404) return s;
        SLUICE_TRY(json const tree, tree_of("GET", path("detector", "status", "state"), *answer));
        if (json const* const value = member(tree, "value")) s.word = excerpt(plain_text(*value));
        s.state = simplon_state(s.word);
        return s;
    }

    Result<std::string> get(std::string const& name) override {
        SLUICE_TRY(std::string const where, path_of(name));
        SLUICE_TRY(json const answer, ask("GET", where, {}, for_values));
        json const* const value = member(answer, "value");
        return plain_text(value ? *value : answer);
    }

    Result<std::vector<DetectorChange>> set(std::string const& name,
                                            std::string const& value) override {
        SLUICE_TRY(std::string const where, path_of(name));
        if (where.find("/config/") == std::string::npos)
            return Error{Code::invalid_argument,
                         fmt::format("'{}' is no setting but a state; name one of config", name),
                         address_};
        SLUICE_TRY(json const old, ask("GET", where, {}, for_values));
        SLUICE_TRY(json const wanted, value_for(name, value, old));
        SLUICE_TRY(json const changed,
                   ask("PUT", where, json{{"value", wanted}}.dump(), for_commands));
        json const* const before = member(old, "value");
        std::vector<DetectorChange> changes;
        SLUICE_TRY(std::string after, get(name));
        changes.push_back({name, before ? plain_text(*before) : "", std::move(after)});
        SLUICE_CHECK(add_others(name, changed, changes));
        return changes;
    }

    Result<std::optional<std::uint64_t>> arm() override {
        SLUICE_TRY(json const answer, command("arm", for_commands));
        json const* const id = member(answer, "sequence id");
        if (id && id->is_number_unsigned()) return std::optional(id->get<std::uint64_t>());
        return std::optional<std::uint64_t>();
    }
    Status trigger(GoOn const& go_on) override {
        return done(command("trigger", for_trigger, go_on));
    }
    Status disarm() override { return done(command("disarm", for_commands)); }
    Status cancel() override { return done(command("cancel", for_commands)); }
    Status initialize() override { return done(command("initialize", for_start)); }

    std::vector<Setting> settings(ArmOptions const& o, StreamProtocol protocol, index rows,
                                  index images) const override {
        using enum DetectorTrigger;
        index const triggers = o.trigger == software ? 1 : o.trigger == line ? rows : images;
        char const* const mode = o.trigger == software ? "ints"
                                 : o.trigger == gate   ? "exte"
                                                       : "exts";
        // Modes limit the numbers of each other, so that one of each comes first.
        std::vector<Setting> s = {
            {.name = "nimages", .value = "1", .on_the_way = true},
            {.name = "ntrigger", .value = "1", .on_the_way = true},
            {.name = "trigger_mode", .value = mode, .exact = true},
            {.name = "nimages", .value = fmt::format("{}", images / triggers), .exact = true},
            {.name = "ntrigger", .value = fmt::format("{}", triggers), .exact = true}};
        // The longer the image, the longer the time to the next: in this order both are allowed.
        if (auto const exposure = o.exposure_s ? o.exposure_s : o.dwell_s)
            s.push_back({"count_time", fmt::format("{}", *exposure)});
        if (o.dwell_s) s.push_back({"frame_time", fmt::format("{}", *o.dwell_s)});
        s.push_back({"compression", "bslz4"});
        bool const old = protocol == StreamProtocol::dectris_v1;
        s.push_back({"stream/format", old ? "legacy" : "cbor", !old});
        s.push_back({"stream/mode", "enabled"});
        return s;
    }

  private:
    std::string path(std::string_view module, std::string_view kind, std::string_view name) const {
        return fmt::format("/{}/api/{}/{}/{}", module, version_, kind, name);
    }

    // "nimages", "stream/mode", "detector/status/state".
    Result<std::string> path_of(std::string const& name) const {
        auto const good = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   c == '_' || c == '/' || c == '-';
        };
        std::vector<std::string> parts(1);
        for (char const c : name)
            if (c == '/')
                parts.emplace_back();
            else
                parts.back() += c;
        bool const empty = std::ranges::any_of(parts, [](auto const& p) { return p.empty(); });
        if (empty || name.size() > most_name || !std::ranges::all_of(name, good))
            return Error{Code::invalid_argument,
                         fmt::format("'{}' names no setting; name one as nimages, stream/mode or "
                                     "detector/status/state",
                                     excerpt(name)),
                         address_};
        if (parts.size() == 1) return path("detector", "config", name);
        if (parts.size() == 2) return path(parts[0], "config", parts[1]);
        return path(parts[0], parts[1], name.substr(parts[0].size() + parts[1].size() + 2));
    }

    Result<json> tree_of(std::string_view method, std::string const& where,
                         http::Reply const& reply) const {
        if (reply.status < 200 || reply.status > 299)
            return Error{reply.status == 404 ? Code::not_found : Code::io,
                         fmt::format("{} {}: the detector answers {} {} ({}); look at the name and "
                                     "the value",
                                     method, where, reply.status, excerpt(reply.reason),
                                     excerpt(reply.body)),
                         address_};
        bool const empty = std::ranges::all_of(reply.body, [](char c) { return c <= ' '; });
        if (empty) return json();
        auto tree = read_json(reply.body);
        if (tree) return tree;
        return Error{Code::corrupt,
                     fmt::format("{} {}: the answer is {}; look whether the address is that of the "
                                 "control unit",
                                 method, where, tree.error().message),
                     address_};
    }

    Result<json> ask(std::string const& method, std::string const& where, std::string body,
                     std::chrono::milliseconds answer, GoOn const& go_on = {}) const {
        SLUICE_TRY(auto const reply, asker_(address_, {method, where, std::move(body)},
                                            {.answer = answer, .go_on = go_on}));
        return tree_of(method, where, reply);
    }
    Result<json> command(std::string_view name, std::chrono::milliseconds answer,
                         GoOn const& go_on = {}) const {
        return ask("PUT", path("detector", "command", name), {}, answer, go_on);
    }
    static Status done(Result<json> const& answer) {
        return answer ? Status() : Status(answer.error());
    }

    // The value as the setting has it: who sets a text need not write quotes.
    Result<json> value_for(std::string const& name, std::string const& text,
                           json const& old) const {
        json const* const type = member(old, "value_type");
        json const* const value = member(old, "value");
        bool const is_text = (type && *type == "string") || (value && value->is_string() && !type);
        if (!is_utf8(text))
            return Error{Code::invalid_argument,
                         fmt::format("{} cannot be '{}' (it is no UTF-8); give it in UTF-8", name,
                                     excerpt(text)),
                         address_};
        json wanted = text;
        if (!is_text) {
            auto const tree = read_json(text);
            if (!tree)
                return Error{
                    Code::invalid_argument,
                    fmt::format("{} is no text ({}); give '{}' as a number, true, false or "
                                "JSON",
                                name, tree.error().message, excerpt(text)),
                    address_};
            wanted = *tree;
        }
        json const* const allowed = member(old, "allowed_values");
        if (allowed && allowed->is_array() && !allowed->empty() &&
            std::ranges::find(*allowed, wanted) == allowed->end())
            return Error{Code::invalid_argument,
                         fmt::format("{} cannot be '{}' (the detector allows {}) give one of these",
                                     name, excerpt(text), excerpt(plain_text(*allowed))),
                         address_};
        return wanted;
    }

    // What the detector says that changed, too.
    Status add_others(std::string const& name, json const& changed,
                      std::vector<DetectorChange>& changes) {
        if (!changed.is_array()) return {};
        auto const slash = name.find('/');
        std::string const module = slash == std::string::npos ? "" : name.substr(0, slash + 1);
        for (json const& other : changed) {
            if (!other.is_string() || changes.size() >= most_changed) continue;
            std::string const its = module + other.get<std::string>();
            if (its == name) continue;
            auto const now = get(its);
            changes.push_back({its, "", now ? excerpt(*now) : ""});
        }
        return {};
    }

    Asker asker_;
    std::string address_, version_;
};

}  // namespace

Result<std::unique_ptr<ControlPort>> connect_simplon(std::string const& address) {
    return connect_simplon_by(http::request, address);
}

Result<std::unique_ptr<ControlPort>> connect_simplon_by(Asker asker, std::string const& address) {
    auto port = std::make_unique<Simplon>(address, std::move(asker));
    SLUICE_CHECK(port->find_version());
    return std::unique_ptr<ControlPort>(std::move(port));
}

}  // namespace sluice::net
