// The tables of options, with which Python's own arguments are compared.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/core.h"
#include "domain/conversion/fields.h"
#include "domain/crystal/calibrate/fields.h"
#include "domain/crystal/fields.h"
#include "domain/crystal/strain/fields.h"
#include "domain/music/separate/fields.h"
#include "domain/orientation/library/fields.h"
#include "domain/orientation/match/fields.h"
#include "domain/proton/config/beam_fields.h"
#include "domain/proton/config/fields.h"
#include "domain/proton/cube/fields.h"
#include "domain/ptychography/settings/fields.h"
#include "domain/ptychography/settings/input_fields.h"
#include "domain/slide/fields.h"
#include "domain/stem4d/fields.h"
#include "format/czi/fields.h"
#include "format/fields.h"
#include "net/fields.h"
#include "net/simulator_fields.h"
#include "store/fields.h"

namespace sluice::python {
namespace {

namespace nb = nanobind;

/// A field's name as Python's arguments have it: the command line's, without dashes.
std::string argument_name(std::string_view name, std::string_view option) {
    std::string text(option.empty() ? name
                                    : option.substr(std::min<std::size_t>(2, option.size())));
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}

/// (usual value as a text or None where a field is needed, name on the command line, its words).
template <class T>
nb::dict usual(config::Fields<T> fields) {
    T const options{};
    nb::dict out;
    for (auto const& field : fields) {
        nb::object const text = nb::cast(field.text(options));
        out[std::string(field.name).c_str()] = nb::make_tuple(
            field.needed ? nb::none() : text, argument_name(field.name, field.option),
            field.names ? field.names() : std::vector<std::string>{});
    }
    return out;
}

nb::dict option_tables() {
    nb::dict out;
    out["open"] = usual(open_fields());
    out["load"] = usual(load_fields());
    out["slide.open"] = usual(config::Fields<slide::SlideOpenOptions>(czi::open_fields));
    out["slide.read"] = usual(slide::read_fields());
    out["slide.convert"] = usual(slide::convert_fields());
    out["stem4d.convert"] = usual(stem4d::convert_fields());
    out["stem4d.references"] = usual(stem4d::reference_fields());
    out["stem4d.template"] = usual(stem4d::template_fields());
    out["stem4d.disks"] = usual(stem4d::disk_fields());
    out["stem4d.lattice"] = usual(stem4d::lattice_fields());
    out["stem4d.origins"] = usual(stem4d::origin_fields());
    out["stem4d.surface"] = usual(stem4d::origin_fit_fields());
    out["stem4d.size"] = usual(stem4d::size_fields());
    out["stem4d.calibrate"] = usual(stem4d::calibrate_fields());
    out["stem4d.strain"] = usual(stem4d::strain_fields());
    out["stem4d.library"] = usual(stem4d::library_fields());
    out["stem4d.orientation"] = usual(stem4d::match_fields());
    out["stem4d.patterns"] = usual(ptycho::pattern_fields());
    out["stem4d.pattern_file"] = usual(ptycho::pattern_file_fields());
    out["stem4d.probe"] = usual(ptycho::probe_fields());
    out["stem4d.stage"] = usual(ptycho::stage_fields());
    out["stem4d.ptychography"] = usual(ptycho::option_fields());
    out["stem4d.sweep"] = usual(ptycho::sweep_fields());
    out["stem4d.stream"] = usual(net::stream_fields());
    out["stem4d.simulator"] = usual(net::simulator_fields());
    out["proton.dense"] = usual(proton::dense_fields());
    out["proton.physics"] = usual(proton::physics_fields());
    out["proton.steps"] = usual(proton::step_fields());
    out["proton.sobp"] = usual(proton::sobp_fields());
    out["proton.base_data"] = usual(proton::base_data_fields());
    out["proton.batch"] = usual(proton::batch_fields());
    out["proton.rbe"] = usual(proton::rbe_fields());
    out["proton.structure_dvh"] = usual(proton::structure_dvh_fields());
    out["proton.dose"] = usual(proton::dose_fields());
    out["proton.patient"] = usual(proton::patient_fields());
    out["proton.plan"] = usual(proton::plan_default_fields());
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
