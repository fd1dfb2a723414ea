// sluice music inspect: what a model is, what it needs, and where each number is from.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "app/cli/music/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/outputs.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "domain/music/benchmark/chunks.h"
#include "domain/music/benchmark/speed.h"
#include "domain/music/words.h"
#include "sluice/music.h"

namespace sluice::cli {
namespace {

constexpr std::string_view memory_formula =
    "(weights + skips + gate + 4 maps of the first level) x bytes per number; an estimate";

struct Command {
    std::string model, config;
    std::vector<std::string> assumed;
    bool speed = false;
    CommonOptions common;
};

double seconds_of(music::Inspection const& i, music::Chunk const& c) {
    return static_cast<double>(c.samples) / static_cast<double>(i.sample_rate);
}

Json to_json(music::Inspection const& i, music::Chunk const& c) {
    double const flop = 2 * c.cost.macs;
    return {{"rule", c.rule},
            {"samples", c.samples},
            {"frames", c.frames},
            {"seconds", seconds_of(i, c)},
            {"flop", flop},
            {"flop_per_second_of_audio", flop / seconds_of(i, c)},
            {"memory_bytes_float32", i.memory(c, 4)},
            {"memory_bytes_bfloat16", i.memory(c, 2)}};
}

Json to_json(Command const& command, music::Inspection const& i) {
    Json out = {{"model", command.model},
                {"config", command.config.empty() ? Json() : Json(command.config)},
                {"container", i.container},
                {"file_bytes", i.file_bytes},
                {"network", "TFC-TDF U-Net v3"},
                {"tensors", i.tensors},
                {"parameters", i.parameters},
                {"types", i.element_types}};
    for (music::Fact const& f : i.facts)
        out["configuration"][f.name] = {
            {"value", std::visit([](auto const& v) { return Json(v); }, f.value)},
            {"from", music::name_of(f.origin)}};
    out["stems"] = {{"names", i.stems}, {"from", music::name_of(i.stems_origin)}};
    for (music::Chunk const& c : i.chunks) out["chunks"].push_back(to_json(i, c));
    out["memory_formula"] = memory_formula;
    out["notes"] = i.notes;
    return out;
}

void print(music::Inspection const& i, music::Chunk const& c) {
    double const flop = 2 * c.cost.macs;
    say("a chunk as {} cuts it: {} samples, {:.3f} s, {} frames\n", c.rule, c.samples,
        seconds_of(i, c), c.frames);
    say("  {:<22}{:.3f} TFLOP ({:.0f} GMAC); {:.3f} TFLOP per second of audio\n", "arithmetic",
        flop / 1e12, c.cost.macs / 1e9, flop / 1e12 / seconds_of(i, c));
    say("  {:<22}{:.2f} GB in float32, {:.2f} GB in bfloat16\n", "memory, about",
        i.memory(c, 4) / 1e9, i.memory(c, 2) / 1e9);
}

std::string size_of(std::uint64_t bytes) {
    auto const n = static_cast<double>(bytes);
    return n < 1e6 ? fmt::format("{:.1f} kB", n / 1e3) : fmt::format("{:.1f} MB", n / 1e6);
}

void print(Command const& command, music::Inspection const& i) {
    say("{}: {}, {}, {}, {}, {}\n", command.model, i.container, plural(i.tensors, "tensor"),
        plural(i.parameters, "parameter"), fmt::join(i.element_types, " and "),
        size_of(i.file_bytes));
    say("TFC-TDF U-Net v3 (MDX23C); every tensor has its place\n\n");
    for (music::Fact const& f : i.facts) {
        std::string const value =
            std::visit([](auto const& v) { return fmt::format("{}", v); }, f.value);
        say("  {:<22}{:<16}{}\n", f.name, value, music::name_of(f.origin));
    }
    say("  {:<22}{}  ({})\n\n", "stems", fmt::join(i.stems, ", "), music::name_of(i.stems_origin));
    for (music::Chunk const& c : i.chunks) print(i, c);
    say("  memory is {}\n", memory_formula);
    for (std::string const& n : i.notes) say("note: {}\n", n);
}

Status run(Command const& c) {
    std::optional<std::string> config;
    if (!c.config.empty()) config = c.config;
    SLUICE_TRY(music::Inspection const i, music::inspect(c.model, config, c.assumed));
    std::optional<music::Speed> speed;
    if (c.speed) {
        SLUICE_TRY(speed, music::measure_speed(c.model, i, Device::cpu()));
    }
    if (c.common.json) {
        Json out = to_json(c, i);
        if (speed)
            out["speed"] = {{"real_time_factor_overlap_1", speed->factor},
                            {"frames_timed", speed->frames},
                            {"precision", config::word_of(speed->precision)},
                            {"threads", speed->threads}};
        say("{}\n", text_of(out));
        return {};
    }
    print(c, i);
    if (speed)
        say("here: about {:.2f} s of work for a second of song at overlap 1, {:.2f} s at 2 ({}, "
            "{}; "
            "by a chunk of {} frames, timed now)\n",
            speed->factor, 2 * speed->factor, config::word_of(speed->precision),
            plural(speed->threads, "thread"), speed->frames);
    return {};
}

}  // namespace

void add_music_inspect(Verb const& parent, int& exit_code) {
    Verb const app = parent.add_subcommand("inspect", "what a model is, and what it needs");
    auto const c = std::make_shared<Command>();
    app->add_option("model", c->model, "a checkpoint of PyTorch (.ckpt, .pth) or .safetensors")
        ->required();
    app->add_option("--config", c->config, "the YAML that was published with the model");
    app->add_option("--assume", c->assumed,
                    "KEY=VALUE that the YAML lacks and you know, as in act=relu; again for others")
        ->one_each();
    app->add_flag("--speed", c->speed, "time a short chunk: what a song takes on this machine");
    c->common.add(*app, {.threads = refused("uses all processors, with --speed only"),
                         .json = applies(),
                         .memory_limit = refused("reads no weights")});
    app->footer(
        "Nothing in a checkpoint is executed.\n"
        "Examples:\n"
        "  sluice music inspect MDX23C-8KFFT-InstVoc_HQ.ckpt\n"
        "  sluice music inspect model.ckpt --config model.yaml --speed\n"
        "  sluice music inspect model.safetensors --config model.yaml --json");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
