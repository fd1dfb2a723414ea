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
#include "domain/music/words.h"
#include "sluice/music.h"
#include "sluice/music_song.h"

namespace sluice::python {

using namespace nb::literals;

nb::dict dict_of(music::Network const& n);
nb::dict dict_of(music::Inspection const& i);
nb::dict dict_of(music::SongReport const& r);

void add_music_separate(nb::module_& m);

}  // namespace sluice::python
