// Songs, and the models that separate them.
// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"
#include "format/kinds/kinds.h"
#include "format/raw/raw.h"
#include "format/sound/sound.h"
#include "format/weights/weights.h"

namespace sluice {
namespace {

// The header of safetensors is not longer; numbers of a measurement may look like a short one.
constexpr std::uint64_t longest_header = 100'000'000;

// Of the ZIP archives only those that are called so.
bool is_model(Look const& look) {
    auto const container = weights::container_of(look.head());
    if (!container) return false;
    if (*container == weights::Container::safetensors)
        return load_le<std::uint64_t>(look.head().data()) <= longest_header &&
               !raw::recognises(look.path(), look.head());
    if (*container == weights::Container::torch_legacy) return true;
    for (char const* const ending : {".ckpt", ".pth", ".pt", ".th", ".bin"})
        if (look.ending() == ending) return true;
    return false;
}

// Some marks of sound have two bytes, which raw binary may begin with.
bool is_song(Look const& look) {
    return sound::reader_of(look.head()) != sound::Reader::nobody &&
           !raw::recognises(look.path(), look.head());
}

}  // namespace

constinit ContentKind const kinds::model{
    "model", "model that separates songs", "PyTorch, safetensors",
    "`sluice music inspect` and `sluice music separate` read it", is_model};
constinit ContentKind const kinds::song{"song", "sound file",
                                        "WAV, FLAC, Ogg, MP3, and others by the program ffmpeg",
                                        "`sluice info` and `sluice music` read it", is_song};

}  // namespace sluice
