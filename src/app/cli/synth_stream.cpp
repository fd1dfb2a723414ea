// `sluice synth stream`: sends acquisitions as detectors do.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "app/cli/synth.h"
#include "format/fields.h"
#include "net/control/simulated.h"
#include "net/dectris/wires.h"
#include "net/merlin/wire.h"
#include "net/simulator_fields.h"
#include "net/timepix3/wire.h"

namespace sluice::cli {
namespace {

using net::SimulatorReport;
using net::Wire;

struct StreamCommand {
    std::string path, bind, control;
    OpenOptions open;
    net::SimulatorOptions simulator;
    net::dectris::WireOptions dectris;
    net::merlin::WireOptions merlin;
    net::timepix3::WireOptions timepix3;
    CommonOptions common;
};

/// A protocol that is simulated.
struct Spoken {
    char const *name, *what, *bind;
    void (*options)(Verb const& app, StreamCommand& c);
    Result<std::unique_ptr<Wire>> (*wire)(Dataset const& dataset, StreamCommand const& c);
};
Spoken const spoken[] = {
    {"dectris-v2", "DECTRIS' Stream V2: ZeroMQ and CBOR", "tcp://127.0.0.1:31001",
     [](Verb const& app, StreamCommand& c) {
         app.add_field(net::dectris::wire_fields()[0], c.dectris);
     },
     [](Dataset const& dataset, StreamCommand const& c) {
         return net::dectris::stream2_wire(c.bind, dataset, c.simulator, c.dectris);
     }},
    {"dectris-v1", "DECTRIS' Stream V1: ZeroMQ and JSON", "tcp://127.0.0.1:9999",
     [](Verb const& app, StreamCommand& c) {
         app.add_fields(net::dectris::wire_fields(), c.dectris);
     },
     [](Dataset const& dataset, StreamCommand const& c) {
         return net::dectris::stream1_wire(c.bind, dataset, c.simulator, c.dectris);
     }},
    {"merlin", "Quantum Detectors' Merlin: TCP", "tcp://127.0.0.1:6342",
     [](Verb const& app, StreamCommand& c) {
         app.add_fields(net::merlin::wire_fields(), c.merlin);
     },
     [](Dataset const& dataset, StreamCommand const& c) {
         return net::merlin::wire(c.bind, dataset, c.simulator, c.merlin);
     }},
    {"timepix3", "hits of one chip or several, as TPX3 over TCP: a signal begins each line",
     "tcp://127.0.0.1:8085",
     [](Verb const& app, StreamCommand& c) {
         app.add_fields(net::timepix3::wire_fields(), c.timepix3);
     },
     [](Dataset const& dataset, StreamCommand const& c) {
         return net::timepix3::wire(c.bind, dataset, c.simulator, c.timepix3);
     }},
};

Json json_of(SimulatorReport const& r) {
    return {{"series", r.series},       {"images", r.images},       {"sent", r.sent},
            {"no_room", r.no_room},     {"dropped", r.dropped},     {"duplicated", r.duplicated},
            {"reordered", r.reordered}, {"corrupted", r.corrupted}, {"late", r.late},
            {"seconds", r.seconds},     {"bytes", r.bytes},         {"prepared", r.prepared},
            {"as_stored", r.as_stored}};
}

void print(SimulatorReport const& r) {
    double const rate = r.seconds > 0 ? static_cast<double>(r.sent) / r.seconds : 0;
    say("sent {} of {} images in {:.2f} s ({:.0f}/s, {:.1f} MB/s)\n", r.sent, r.images, r.seconds,
        rate, r.seconds > 0 ? static_cast<double>(r.bytes) / 1e6 / r.seconds : 0);
    if (r.no_room > 0)
        say("{} were lost: the buffer was full, for the receiver is slower\n", r.no_room);
    if (r.dropped + r.duplicated + r.reordered + r.corrupted > 0)
        say("as asked: {} dropped, {} twice, {} reordered, {} damaged\n", r.dropped, r.duplicated,
            r.reordered, r.corrupted);
    if (r.late > 0)
        say("{} were sent over a millisecond late: this machine was busy{}\n", r.late,
            r.prepared ? "" : ", and messages were made on the way (--memory-limit)");
}

// None: nobody arms the detector.
Result<std::unique_ptr<net::SimulatedControl>> control_of(Dataset const& d, StreamCommand const& c,
                                                          Spoken const& protocol) {
    if (c.control.empty()) return std::unique_ptr<net::SimulatedControl>();
    std::string const name = protocol.name;
    if (name == "timepix3")
        return Error{Code::invalid_argument,
                     "readouts of Timepix3 have no control port here; leave --control away"};
    net::SimulatedSettings const settings{.images = d.frames,
                                          .rate = c.simulator.rate,
                                          .legacy = name == "dectris-v1",
                                          .rows = d.rows,
                                          .cols = d.cols,
                                          .bits = static_cast<int>(8 * size_of(d.dtype))};
    return name == "merlin" ? net::simulated_merlin(c.control, settings)
                            : net::simulated_simplon(c.control, settings);
}

Status run(StreamCommand& c, Spoken const& protocol) {
    if (c.common.memory_limit > 0) c.simulator.memory = c.common.memory_limit;
    SLUICE_TRY(Dataset const dataset, open(c.path, c.open));
    SLUICE_TRY(auto const wire, protocol.wire(dataset, c));
    SLUICE_TRY(auto const control, control_of(dataset, c, protocol));
    c.simulator.control = control ? &control->state() : nullptr;
    if (control && !c.common.json) {
        say("control port: {}\n", control->address());
        std::fflush(stdout);
    }
    ProgressBar bar("sending", ProgressBar::Counts::steps);
    SLUICE_TRY(SimulatorReport const sent,
               net::simulate(dataset, *wire, c.simulator, [&](index done, index all) {
                   return bar(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all));
               }));
    bar.clear();
    if (c.common.json)
        say("{}\n", text_of(json_of(sent)));
    else
        print(sent);
    return {};
}

void add_protocol(Verb const& stream, Spoken const& protocol, int& exit_code) {
    Verb const app = stream.add_subcommand(protocol.name, protocol.what);
    auto const c = std::make_shared<StreamCommand>();
    c->bind = protocol.bind;
    app->add_option("DATASET", c->path, "an acquisition of any format")->required();
    // Of Timepix3 the layout of chips is that of the stream; files of several chips have none here.
    for (auto const& field : open_fields())
        if (field.name != "chip_layout") app.add_field(field, c->open);
    app->add_option("--bind", c->bind, "the address that receivers connect to")
        ->capture_default_str();
    app->add_option("--control", c->control,
                    "also a control port at this address: series begin when it is armed, as by "
                    "`sluice live --arm`");
    app->add_fields(net::simulator_fields(), c->simulator);
    protocol.options(app, *c);
    c->common.add(*app, {.json = applies(),
                         .memory_limit = applies("messages that take less are made before the "
                                                 "clock starts, as in 500M or 4G [2G]")});
    app->footer(fmt::format(
        "The clock decides when an image comes, and not the receiver: what finds no room in the\n"
        "buffer is lost, and counted.\n"
        "\n"
        "Examples:\n"
        "  sluice synth stream {0} scan_master.h5 --rate 1000\n"
        "  sluice synth stream {0} scan.npy --rate 5000 --drop 0.001 --reorder 0.01",
        protocol.name));
    app->callback([c, &protocol, &exit_code] {
        if (auto s = run(*c, protocol); !s) exit_code = report(s.error());
    });
}

}  // namespace

void add_synth_stream(Verb const& synth, int& exit_code) {
    Verb const stream = synth.add_subcommand("stream", "send an acquisition as a detector does");
    stream->require_subcommand(1);
    for (Spoken const& protocol : spoken) add_protocol(stream, protocol, exit_code);
}

}  // namespace sluice::cli
