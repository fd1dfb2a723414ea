// `sluice music`: its verbs and examples.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/music/command.h"

namespace sluice::cli {

void add_music(Verb const& program, int& exit_code) {
    Verb const group = *program.add_subcommand("music", "songs and their stems");
    group.require_subcommand(1);
    group.footer(
        "Examples:\n"
        "  sluice music score vocals.wav true/vocals.wav\n"
        "  sluice music score stems true");
    add_music_score(group, exit_code);
}

}  // namespace sluice::cli
