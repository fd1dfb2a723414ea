// What music's structs are in Python: dictionaries, and opaque objects.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/choices.h"
#include "bind/device.h"
#include "bind/work.h"
#include "sluice/music.h"
#include "sluice/music_song.h"

namespace sluice::python {

using namespace nb::literals;

nb::dict dict_of(music::Network const& n);
nb::dict dict_of(music::Inspection const& i);
nb::dict dict_of(music::SongReport const& r);

inline Choices<music::Preset> const presets{
    {"sluice", music::Preset::sluice}, {"uvr", music::Preset::uvr}, {"msst", music::Preset::msst}};
inline Choices<music::Arithmetic> const arithmetics{{"auto", music::Arithmetic::automatic},
                                                    {"fp32", music::Arithmetic::fp32},
                                                    {"bf16", music::Arithmetic::bf16},
                                                    {"tf32", music::Arithmetic::tf32}};

void add_music_separate(nb::module_& m);

}  // namespace sluice::python
