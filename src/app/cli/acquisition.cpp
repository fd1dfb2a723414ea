// `sluice acquisition`: whether detector, network, this machine and its disk keep up.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/acquisition.h"

#include <fmt/format.h>

#include <memory>

#include "app/cli/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "doctor/amounts.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string detector, network, folder = ".";
    double rate = 0, compression = 1, disk = 0;  // MB/s
    CommonOptions common;
};

Json to_json(DetectorModel const& d) {
    Json j{{"name", d.name},        {"rows", d.rows},   {"columns", d.cols},  {"bits", d.bits},
           {"most_per_s", nullptr}, {"hits", d.hits()}, {"bytes", d.bytes()}, {"source", d.source}};
    if (d.most_per_s > 0) j["most_per_s"] = d.most_per_s;
    return j;
}

Json to_json(AcquisitionPlan const& p) {
    Json j{{"detector", to_json(p.detector)}, {"rate", p.rate},          {"breaks", p.breaks},
           {"first", p.stages[p.least].name}, {"stages", Json::array()}, {"advice", p.advice}};
    for (AcquisitionStage const& s : p.stages)
        j["stages"].push_back({{"name", s.name},
                               {"needed_bytes_per_s", s.needed_per_s},
                               {"can_bytes_per_s", s.can_per_s},
                               {"frames_per_s", s.frames_per_s},
                               {"room", s.room},
                               {"basis", s.basis}});
    return j;
}

void print_detectors() {
    say("{:<12} {:>16} {:>16} {:>11}  {}\n", "detector", "bytes at once", "at most", "data",
        "source");
    for (DetectorModel const& d : known_detectors()) {
        std::string const at_once = d.hits() ? fmt::format("{:.0f} a hit", d.hit_bytes)
                                             : fmt::format("{}x{}x{} bits", d.rows, d.cols, d.bits);
        std::string const most =
            d.most_per_s > 0 ? doctor::amount(d.most_per_s, d.hits() ? "hits/s" : "frames/s")
                             : std::string("not known");
        std::string const data =
            d.most_per_s > 0 ? doctor::amount(d.most_per_s * d.bytes(), "B/s") : std::string();
        say("{:<12} {:>16} {:>16} {:>11}  {}\n", d.name, at_once, most, data, d.source);
    }
}

Json detectors_json() {
    Json all = Json::array();
    for (DetectorModel const& d : known_detectors()) all.push_back(to_json(d));
    return {{"detectors", all}};
}

void print(AcquisitionPlan const& p) {
    char const* const unit = p.detector.hits() ? "hits/s" : "frames/s";
    say("{}: {} of {} each\n\n", p.detector.name, doctor::amount(p.rate, unit),
        doctor::amount(p.detector.bytes(), "B"));
    say("  {:<10} {:>11} {:>11} {:>16} {:>7}\n", "", "needed", "can", "that is", "room");
    for (AcquisitionStage const& s : p.stages)
        say("  {:<10} {:>11} {:>11} {:>16} {:>7.2f}  {}\n", s.name,
            doctor::amount(s.needed_per_s, "B/s"), doctor::amount(s.can_per_s, "B/s"),
            doctor::amount(s.frames_per_s, unit), s.room, s.basis);
    AcquisitionStage const& first = p.stages[p.least];
    say("\n{}\n", p.breaks ? fmt::format("It breaks: the {} first, at {}.", first.name,
                                         doctor::amount(first.frames_per_s, unit))
                           : fmt::format("Nothing breaks. The {} has the least room, {:.2g} times "
                                         "what is needed.",
                                         first.name, first.room));
    for (std::string const& a : p.advice) say("* {}\n", a);
}

Result<NetworkModel> network_of(std::string const& name) {
    if (name.empty()) return NetworkModel{};
    std::string names;
    for (NetworkModel const& n : known_networks()) {
        if (n.name == name) return n;
        names += (names.empty() ? "" : ", ") + n.name;
    }
    return Error{
        Code::invalid_argument,
        fmt::format("--network is '{}' (it has no such value) give one of {}", name, names)};
}

Status run(Command const& c) {
    if (c.detector.empty()) {
        if (c.common.json)
            say("{}\n", text_of(detectors_json()));
        else
            print_detectors();
        return {};
    }
    SLUICE_TRY(DetectorModel const detector, find_detector(c.detector));
    AcquisitionOptions o;
    o.rate = c.rate;
    o.compression = c.compression;
    SLUICE_TRY(o.network, network_of(c.network));
    if (c.disk > 0) o.disk_bytes_per_s = c.disk * 1e6, o.disk_basis = "as given";
    SLUICE_TRY(Device const device, c.common.chosen_device());
    SLUICE_CHECK(measure_acquisition(o, c.folder, device.threads()));
    SLUICE_TRY(AcquisitionPlan const p, plan_acquisition(detector, o));
    if (c.common.json)
        say("{}\n", text_of(to_json(p)));
    else
        print(p);
    return {};
}

}  // namespace

void add_acquisition(Verb const& program, int& exit_code) {
    Verb const app = program.add_subcommand(
        "acquisition", "whether detector, network, this machine and its disk keep up");
    auto const c = std::make_shared<Command>();
    app->add_option("detector", c->detector,
                    "a detector of the table, or ROWSxCOLUMNSxBITS; without it the table is told");
    app->add_option("--rate", c->rate, "frames or hits a second [the detector's most]")
        ->check(positive());
    app->add_option("--network", c->network, "1GbE, 10GbE, 25GbE, 40GbE or 100GbE");
    app->add_option("--compression", c->compression,
                    "how many times smaller the detector sends its frames")
        ->check(positive())
        ->capture_default_str();
    app->add_option("--disk", c->disk, "MB a second that a disk takes [measured]")
        ->check(positive());
    app->add_option("--folder", c->folder, "on the disk to measure; nothing is left there")
        ->capture_default_str();
    c->common.add(*app, {.threads = applies(),
                         .device = refused("measures the processor"),
                         .json = applies(),
                         .memory_limit = refused("takes some megabytes"),
                         .trace = refused("notes no steps")});
    app->footer(
        "Decoding and, without --disk, the disk are measured here, in two seconds.\n"
        "Examples:\n"
        "  sluice acquisition\n"
        "  sluice acquisition ARINA --rate 20000 --network 10GbE --compression 8\n"
        "  sluice acquisition 256x256x16 --rate 5000 --network 10GbE --disk 500 --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
