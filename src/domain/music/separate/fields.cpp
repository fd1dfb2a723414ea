// The tables of what models and songs are separated with.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/separate/fields.h"

#include "domain/music/words.h"

namespace sluice::music {

namespace {

using config::between;
using config::field;
using Separate = SeparateOptions;

constexpr config::Field<ModelOptions> of_model[] = {
    field<&ModelOptions::frames>(
        "frames", "frames of a chunk: fewer take less memory, and give another result [the YAML's]")
        .called("--chunk-frames"),
    field<&ModelOptions::arithmetic>(
        "precision",
        "auto: bf16 where the processor has AMX, else fp32; tf32: faster, on GPUs only"),
};

constexpr config::Field<Separate> of_separate[] = {
    field<&Separate::stems>("stems", "only these, as in vocals,drums"),
    field<&Separate::complement>(
        "complement",
        "the stem that is the song without the others, or none [instrumental, other]"),
    field<&Separate::preset>("preset",
                             "cut and join as sluice, uvr (also audio-separator) or msst do"),
    field<&Separate::overlap>("overlap", "chunks that cover each sample [2; presets: the YAML's]",
                              between(1, most_overlap)),
    field<&Separate::window>("window", "how chunks are joined"),
    field<&Separate::shifts>("shifts", "grids of chunks, moved within half a second",
                             between(1, 50)),
    field<&Separate::augment>("augment", "mean of three: as it is, channels swapped, sign turned"),
    field<&Separate::join>("join", "several models: mean or median"),
    field<&Separate::weights>("weights", "weights of the models in the mean, as in 2,1"),
};

constexpr config::Field<SongOptions> of_song[] = {
    field<&SongOptions::format>("format", "format of the stems; auto: as the song, else flac"),
    field<&SongOptions::depth>("depth",
                               "depth of the stems; auto: as the song, 24 for MP3 and the like")
        .called("--bits"),
    field<&SongOptions::dither>("dither", "noise of one step before rounding to integers"),
    field<&SongOptions::clip>("clip",
                              "stems beyond full scale: none, clamp, or rescale all of them alike"),
    field<&SongOptions::force>("force", "replace stems that exist"),
    field<&SongOptions::skip_existing>("skip_existing", "skip songs whose stems exist"),
};

}  // namespace

config::Fields<ModelOptions> model_fields() {
    return of_model;
}
config::Fields<SeparateOptions> separate_fields() {
    return of_separate;
}
config::Fields<SongOptions> song_fields() {
    return of_song;
}

}  // namespace sluice::music
