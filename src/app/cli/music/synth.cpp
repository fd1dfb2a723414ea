// sluice music synth: a model of any configuration with weights that nobody trained.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <memory>

#include "app/cli/music/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "sluice/music.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string out, like = "instvoc-hq", config;
    std::uint64_t seed = 1;
    bool force = false;
    CommonOptions common;
};

Status run(Command const& c) {
    if (!c.out.ends_with(".safetensors"))
        return Error{Code::invalid_argument, "not the name of a .safetensors file; give one",
                     c.out};
    SLUICE_TRY(music::ModelConfig const config,
               c.config.empty() ? music::published_config(c.like) : music::read_config(c.config));
    for (std::string const& note : config.notes) say(stderr, "sluice: warning: {}\n", note);
    // An error of the configuration names its file.
    if (!c.config.empty()) SLUICE_CHECK(music::network_of(config, c.config));
    SLUICE_TRY(music::Inspection const i, music::synthesize(config, c.seed, c.out, c.force));
    say("{}: {}, {}, {}; synthetic weights, which separate nothing\n", c.out,
        plural(i.tensors, "tensor"), plural(i.parameters, "parameter"),
        plural(i.file_bytes, "byte"));
    return {};
}

std::string list_of_names() {
    std::string list;
    for (auto const& [name, title] : music::published_configs())
        list += fmt::format("  {:<12}{}\n", name, title);
    return list;
}

}  // namespace

void add_music_synth(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("synth", "a model with random weights, to test and to time");
    auto const c = std::make_shared<Command>();
    app->add_option("out", c->out, "the .safetensors file to write")->required();
    auto const like = app->add_option("--like", c->like, "a published configuration, see below")
                          ->capture_default_str();
    app->add_option("--config", c->config, "any configuration, as YAML")->excludes(like);
    app->add_option("--seed", c->seed, "of the weights")->capture_default_str();
    app->add_flag("--force", c->force, "replace what is there");
    c->common.add(*app, {});
    app->footer("Configurations for --like:\n" + list_of_names() +
                "Examples:\n"
                "  sluice music synth hq.safetensors\n"
                "  sluice music synth drums.safetensors --like drumsep --seed 7");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
