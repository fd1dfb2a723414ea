// `sluice music`: its verbs and examples.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/music/command.h"

namespace sluice::cli {

void add_music(Verb const& program, int& exit_code) {
    Verb const group =
        *program.add_subcommand("music", "songs: models that separate them, and the stems");
    group.require_subcommand(1);
    group.footer(
        "Examples:\n"
        "  sluice music inspect model.ckpt --config model.yaml\n"
        "  sluice music convert model.ckpt --config model.yaml --out model.safetensors\n"
        "  sluice music score stems true");
    add_music_inspect(group, exit_code);
    add_music_convert(group, exit_code);
    add_music_score(group, exit_code);
    add_music_synth(group, exit_code);
    add_music_benchmark(group, exit_code);
    add_music_selftest(group, exit_code);
}

}  // namespace sluice::cli
