// sluice music convert: a model and its configuration as one safetensors file.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include "app/cli/music/command.h"
#include "app/cli/shell/common_options.h"
#include "app/cli/shell/terminal.h"
#include "base/plural.h"
#include "domain/music/words.h"
#include "sluice/music.h"

namespace sluice::cli {
namespace {

struct Command {
    std::string model, config, out;
    music::WeightType type = music::WeightType::same;
    bool force = false;
    CommonOptions common;
};

Status run(Command const& c) {
    if (!c.out.ends_with(".safetensors"))
        return Error{Code::invalid_argument,
                     "--out is not the name of a .safetensors file; give one", c.out};
    std::optional<std::string> config;
    if (!c.config.empty()) config = c.config;
    SLUICE_TRY(music::Inspection const i, music::convert(c.model, config, c.out, c.force, c.type));
    say("{}: {}, {}, {}; {}\n", c.out, plural(i.tensors, "tensor"),
        plural(i.parameters, "parameter"), plural(i.file_bytes, "byte"),
        i.stems_origin == music::Origin::yaml ? "with its configuration"
                                              : "without a configuration");
    for (std::string const& note : i.notes) say("note: {}\n", note);
    return {};
}

}  // namespace

void add_music_convert(Verb const& parent, int& exit_code) {
    Verb const app =
        parent.add_subcommand("convert", "a model and its YAML as one safetensors file");
    auto const c = std::make_shared<Command>();
    app->add_option("model", c->model, "a checkpoint of PyTorch (.ckpt, .pth) or .safetensors")
        ->required();
    app->add_option("--config", c->config, "the YAML that was published with the model");
    app->add_option("--out", c->out, "the .safetensors file to write")->required();
    app->add_word("--type", c->type, "what numbers are written as");
    app->add_flag("--force", c->force, "replace what is there");
    c->common.add(*app, {});
    app->footer(
        "No number changes, unless --type asks for it: fp16 and bf16 halve the file. Where "
        "--config\n"
        "is given, the file keeps it, and `inspect` finds it.\n"
        "Examples:\n"
        "  sluice music convert model.ckpt --config model.yaml --out model.safetensors\n"
        "  sluice music convert model.ckpt --config model.yaml --type bf16 --out half.safetensors");
    app->callback([c, &exit_code] {
        if (auto s = run(*c); !s) exit_code = report(s.error());
    });
}

}  // namespace sluice::cli
