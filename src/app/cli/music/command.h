// The verbs of `sluice music`, a file each; each sets the exit code when it was run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/verb.h"

namespace sluice::cli {

void add_music(Verb const& program, int& exit_code);

void add_music_inspect(Verb const& group, int& exit_code);
void add_music_benchmark(Verb const& group, int& exit_code);
void add_music_convert(Verb const& group, int& exit_code);
void add_music_score(Verb const& group, int& exit_code);
void add_music_selftest(Verb const& group, int& exit_code);
void add_music_synth(Verb const& group, int& exit_code);

}  // namespace sluice::cli
