// The tables of options, with which Python's own arguments are compared.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>

#include "bind/core.h"
#include "domain/music/separate/fields.h"
#include "domain/proton/config/fields.h"
#include "domain/slide/fields.h"
#include "format/czi/fields.h"
#include "format/fields.h"
#include "store/fields.h"

namespace sluice::python {
namespace {

namespace nb = nanobind;

/// The usual value of each field, as a text.
template <class T>
nb::dict usual(config::Fields<T> fields) {
    T const options{};
    nb::dict out;
    for (auto const& field : fields) out[std::string(field.name).c_str()] = field.text(options);
    return out;
}

nb::dict option_tables() {
    nb::dict out;
    out["open"] = usual(open_fields());
    out["load"] = usual(load_fields());
    out["slide.open"] = usual(config::Fields<slide::SlideOpenOptions>(czi::open_fields));
    out["slide.read"] = usual(slide::read_fields());
    out["slide.convert"] = usual(slide::convert_fields());
    out["proton.dense"] = usual(proton::dense_fields());
    out["proton.physics"] = usual(proton::physics_fields());
    out["proton.steps"] = usual(proton::step_fields());
    out["proton.base_data"] = usual(proton::base_data_fields());
    out["proton.batch"] = usual(proton::batch_fields());
    out["music.model"] = usual(music::model_fields());
    out["music.separate"] = usual(music::separate_fields());
    out["music.song"] = usual(music::song_fields());
    return out;
}

}  // namespace

void add_options(nb::module_& m) {
    m.def("option_tables", option_tables);
}

}  // namespace sluice::python
