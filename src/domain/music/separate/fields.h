// The tables of what models and songs are separated with: options of the command line and names of
// Python's arguments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/field.h"
#include "sluice/music_song.h"

namespace sluice::music {

config::Fields<ModelOptions> model_fields();
config::Fields<SeparateOptions> separate_fields();
config::Fields<SongOptions> song_fields();

}  // namespace sluice::music
