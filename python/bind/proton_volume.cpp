// Values of images in space: at points, on planes and lines, and how two images differ.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/proton_volume.h"

#include "bind/proton.h"

namespace sluice::python {
namespace {

using proton::Place;

nb::object sample(Volume const& volume, Dense<double, 2> const& places) {
    if (places.shape(1) != 3)
        raise({Code::invalid_argument, "places are an array [place, 3] in mm, x first"});
    return each(places.shape(0), [&](std::size_t i) {
        double const* const p = places.data() + 3 * i;
        return proton::sample(volume, {p[0], p[1], p[2]});
    });
}

nb::dict dict_of(proton::Plane const& p) {
    nb::dict out;
    out["across"] = p.across;
    out["down"] = p.down;
    out["rows"] = p.rows;
    out["columns"] = p.columns;
    out["step_across"] = p.step_across;
    out["step_down"] = p.step_down;
    out["first"] = nb::tuple(nb::cast(p.first));
    return out;
}

void check_axes(int across, int down) {
    if (across < 0 || across > 2 || down < 0 || down > 2 || across == down)
        raise({Code::invalid_argument, "a plane has two different axes of 0, 1 and 2"});
}

nb::dict plane_of(Volume const& volume, int across, bool across_back, int down, bool down_back,
                  double at) {
    check_axes(across, down);
    return dict_of(
        proton::plane_of(proton::lattice_of(volume), across, across_back, down, down_back, at));
}

nb::object sample_plane(Volume const& volume, int across, int down, index rows, index columns,
                        double step_across, double step_down, Place first) {
    check_axes(across, down);
    constexpr index most = index{1} << 26;
    if (rows < 1 || columns < 1 || rows > most / columns)
        raise({Code::invalid_argument,
               "a plane has at least a row and a column, and at most 2^26 "
               "points"});
    return to_numpy(work(nb::none(), [&](Telling&) -> Result<Array<float>> {
        return proton::sample_plane(volume,
                                    {across, down, rows, columns, step_across, step_down, first});
    }));
}

nb::object sample_line(Volume const& volume, int axis, Place through,
                       Dense<double, 1> const& positions) {
    if (axis < 0 || axis > 2) raise({Code::invalid_argument, "an axis is 0, 1 or 2"});
    return to_numpy(
        proton::sample_line(volume, axis, through, {positions.data(), positions.size()}));
}

nb::object stations(std::vector<Volume const*> const& volumes, int axis) {
    if (axis < 0 || axis > 2) raise({Code::invalid_argument, "an axis is 0, 1 or 2"});
    std::vector<proton::Lattice> lattices;
    for (Volume const* const v : volumes) lattices.push_back(proton::lattice_of(*v));
    return to_numpy(proton::stations(lattices, axis));
}

nb::dict value_range(Volume const& volume) {
    proton::ValueRange const r = work(nb::none(), [&](Telling&) -> Result<proton::ValueRange> {
        return proton::value_range(volume);
    });
    nb::dict out;
    out["least"] = r.least;
    out["most"] = r.most;
    out["most_at"] = nb::tuple(nb::cast(r.most_at));
    out["not_finite"] = r.not_finite;
    return out;
}

nb::dict difference(Volume const& a, Volume const& b, nb::object progress) {
    proton::Difference const d = work(
        progress, [&](Telling& telling) { return proton::difference(a, b, telling.progress()); });
    nb::dict out;
    out["points"] = d.points;
    out["mean"] = d.mean;
    out["mean_size"] = d.mean_size;
    out["least"] = d.least;
    out["most"] = d.most;
    out["least_at"] = nb::tuple(nb::cast(d.least_at));
    out["most_at"] = nb::tuple(nb::cast(d.most_at));
    return out;
}

}  // namespace

void add_proton_volume(nb::module_& m) {
    m.def("proton_sample", sample, "volume"_a, "places"_a.noconvert());
    m.def("proton_plane_of", plane_of, "volume"_a, "across"_a, "across_back"_a, "down"_a,
          "down_back"_a, "at"_a);
    m.def("proton_sample_plane", sample_plane, "volume"_a, "across"_a, "down"_a, "rows"_a,
          "columns"_a, "step_across"_a, "step_down"_a, "first"_a);
    m.def("proton_sample_line", sample_line, "volume"_a, "axis"_a, "through"_a,
          "positions"_a.noconvert());
    m.def("proton_stations", stations, "volumes"_a, "axis"_a);
    m.def("proton_value_range", value_range, "volume"_a);
    m.def("proton_comparable",
          [](Volume const& a, Volume const& b) { unwrap(proton::comparable(a, b)); });
    m.def("proton_difference", difference, "a"_a, "b"_a, "progress"_a.none());
}

}  // namespace sluice::python
