// `sluice detector`: asks a detector, and tells it what to do.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/live/command.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/utf8.h"
#include "net/words.h"

namespace sluice::cli {
namespace {

struct DetectorCommand {
    std::string address;
    ControlKind kind = ControlKind::by_address;
    std::vector<std::string> names;
    bool json = false;
};
using Work = Status (*)(DetectorControl&, DetectorCommand const&, Json& json);

Status tell_status(DetectorControl& d, DetectorCommand const& c, Json& json) {
    SLUICE_TRY(DetectorStatus const s, d.status());
    json = {{"kind", config::value_text(s.kind)},
            {"software", s.software},
            {"state", config::value_text(s.state)},
            {"word", s.word}};
    if (c.json) return {};
    print_line("detector", printable(s.software));
    print_line("state", config::value_text(s.state) +
                            (s.word.empty() ? "" : fmt::format(" ('{}')", printable(s.word))));
    return {};
}

Status get(DetectorControl& d, DetectorCommand const& c, Json& json) {
    for (std::string const& name : c.names) {
        SLUICE_TRY(std::string const value, d.get(name));
        json[name] = value;
        if (!c.json) say("{} = {}\n", printable(name), printable(value));
    }
    return {};
}

Status set(DetectorControl& d, DetectorCommand const& c, Json& json) {
    json = Json::array();
    for (std::string const& one : c.names) {
        auto const at = one.find('=');
        if (at == std::string::npos || at == 0)
            return Error{Code::invalid_argument,
                         fmt::format("'{}' is no setting; give NAME=VALUE", one)};
        SLUICE_TRY(auto const changes, d.set(one.substr(0, at), one.substr(at + 1)));
        for (DetectorChange const& change : changes) {
            json.push_back(
                {{"name", change.name}, {"before", change.before}, {"after", change.after}});
            if (!c.json)
                say("{} was '{}', is '{}'\n", printable(change.name), printable(change.before),
                    printable(change.after));
        }
    }
    return {};
}

Status arm(DetectorControl& d, DetectorCommand const& c, Json& json) {
    SLUICE_TRY(auto const series, d.arm());
    json["series"] = series ? Json(*series) : Json();
    if (!c.json && series) say("armed: series {}\n", *series);
    if (!c.json && !series) say("armed\n");
    return {};
}

struct Word {
    char const *name, *what, *names;
    Work work;
};
Word const words_of_detector[] = {
    {"status", "whether it is idle or armed", nullptr, tell_status},
    {"get", "settings", "NAME", get},
    {"set", "change settings", "NAME=VALUE", set},
    {"arm", "from now on it takes images when it is triggered", nullptr, arm},
    {"trigger", "take images; SIMPLON answers when they are taken", nullptr,
     [](DetectorControl& d, DetectorCommand const&, Json&) {
         return d.trigger([] { return !interrupted(); });
     }},
    {"disarm", "take no more images", nullptr,
     [](DetectorControl& d, DetectorCommand const&, Json&) { return d.disarm(); }},
    {"cancel", "end the series that is measured", nullptr,
     [](DetectorControl& d, DetectorCommand const&, Json&) { return d.cancel(); }},
    {"initialize", "as after it was switched on", nullptr,
     [](DetectorControl& d, DetectorCommand const&, Json&) { return d.initialize(); }},
};

Status run(DetectorCommand const& c, Word const& word) {
    SLUICE_TRY(DetectorControl detector, DetectorControl::connect(c.address, c.kind));
    Json json = Json::object();
    SLUICE_CHECK(word.work(detector, c, json));
    if (c.json) say("{}\n", text_of(json));
    return {};
}

void add_word(Verb const& group, Word const& word, int& exit_code) {
    Verb const app = group.add_subcommand(word.name, word.what);
    auto const c = std::make_shared<DetectorCommand>();
    app->add_option("ADDRESS", c->address, "its control port, as http://dcu or tcp://merlin:6341")
        ->required();
    if (word.names)
        app->add_option(word.names, c->names,
                        "of SIMPLON: nimages, stream/mode, detector/status/state; of Merlin: "
                        "NUMFRAMESTOACQUIRE; any number")
            ->required();
    app->add_word("--kind", c->kind, "of the detector: what is there");
    app->add_flag("--json", c->json, "a report that programs read");
    app->footer(fmt::format("Example:\n  sluice detector {} http://dcu{}", word.name,
                            !word.names                              ? ""
                            : std::string_view(word.names) == "NAME" ? " nimages stream/mode"
                                                                     : " count_time=0.001"));
    app->callback([c, &word, &exit_code] {
        if (auto s = run(*c, word); !s) exit_code = report(s.error());
    });
}

}  // namespace

void add_detector(Verb const& program, int& exit_code) {
    Verb const group = program.add_subcommand("detector", "ask a detector, and tell it what to do");
    group->require_subcommand(1);
    group->footer(
        "DECTRIS' SIMPLON API (http://dcu) and the command port of Quantum Detectors' Merlin\n"
        "(tcp://merlin:6341). `sluice live --arm` does all of it for a scan.\n"
        "\n"
        "Examples:\n"
        "  sluice detector status http://dcu\n"
        "  sluice detector get http://dcu nimages count_time stream/mode\n"
        "  sluice detector set http://dcu count_time=0.001\n"
        "  sluice detector cancel tcp://merlin:6341");
    for (Word const& word : words_of_detector) add_word(group, word, exit_code);
}

}  // namespace sluice::cli
