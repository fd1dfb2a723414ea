// Asks the library for what a request is about, and lays it out.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/proton/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/view/proton/answer_structures.h"

namespace sluice::app {
namespace {

/// What can be asked about.
struct All {
    std::span<ShownVolume const> volumes;
    std::span<ShownStructure const> structures;
};

Result<ShownVolume const*> find(All const& all, std::string const& id) {
    auto const it = std::ranges::find(all.volumes, id, &ShownVolume::id);
    if (it == all.volumes.end())
        return Error{Code::not_found, fmt::format("there is no volume '{}' here", id)};
    return &*it;
}

Status check_axis(ShownVolume const& v, int axis) {
    auto const axes = static_cast<int>(v.volume.image.shape.size());
    if (axis < axes) return {};
    return Error{Code::invalid_argument, fmt::format("there is no axis z ({} has two)", v.name)};
}

// Two volumes in one picture; a volume lies in its own space whatever it is like.
Status together(ShownVolume const& a, ShownVolume const& b) {
    return a.id == b.id ? Status() : proton::comparable(a.volume, b.volume);
}

std::string bytes_of(std::span<float const> values) {
    auto const bytes = std::as_bytes(values);
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

Result<server::SharedMessage> answer_to(All const& here, PlaneRequest const& r, Json header,
                                        Progress const&) {
    SLUICE_TRY(ShownVolume const* const volume, find(here, r.volume));
    SLUICE_TRY(ShownVolume const* const onto, find(here, r.onto));
    SLUICE_CHECK(together(*onto, *volume));
    SLUICE_CHECK(check_axis(*onto, std::max(r.across.number, r.down.number)));
    auto const plane = proton::plane_of(proton::lattice_of(onto->volume), r.across.number,
                                        r.across.back, r.down.number, r.down.back, r.at);
    auto const image = proton::sample_plane(volume->volume, plane);
    ArrayMessage message;
    message.add_bytes("values", "float32", image.shape, bytes_of(image.values));
    return message.finish(std::move(header));
}

Result<server::SharedMessage> answer_to(All const& here, ProfileRequest const& r, Json header,
                                        Progress const&) {
    std::vector<ShownVolume const*> all;
    std::vector<proton::Lattice> lattices;
    for (std::string const& id : r.volumes) {
        SLUICE_TRY(ShownVolume const* const one, find(here, id));
        SLUICE_CHECK(check_axis(*one, r.along));
        all.push_back(one);
        SLUICE_CHECK(together(*all.front(), *one));
        lattices.push_back(proton::lattice_of(one->volume));
    }
    auto const positions = proton::stations(lattices, r.along);
    std::vector<float> values;
    for (ShownVolume const* const one : all) {
        auto const line = proton::sample_line(one->volume, r.along, r.through, positions);
        values.insert(values.end(), line.begin(), line.end());
    }
    ArrayMessage message;
    message.add_doubles("positions", {std::ssize(positions)}, positions);
    message.add_bytes("values", "float32", {std::ssize(all), std::ssize(positions)},
                      bytes_of(values));
    return message.finish(std::move(header));
}

Result<server::SharedMessage> answer_to(All const& here, DifferenceRequest const& r, Json header,
                                        Progress const& progress) {
    SLUICE_TRY(ShownVolume const* const a, find(here, r.volume));
    SLUICE_TRY(ShownVolume const* const b, find(here, r.minus));
    if (a->unit != b->unit)
        return Error{Code::invalid_argument,
                     fmt::format("values in '{}' and '{}' are not subtracted (units differ)",
                                 a->unit, b->unit)};
    SLUICE_TRY(proton::Difference const d, proton::difference(a->volume, b->volume, progress));
    header["points"] = d.points;
    if (d.points > 0) {
        header["mean"] = d.mean;
        header["mean_size"] = d.mean_size;
        header["least"] = d.least;
        header["least_at"] = d.least_at;
        header["most"] = d.most;
        header["most_at"] = d.most_at;
    }
    return text_message(header);
}

Result<server::SharedMessage> answer_to(All const& here, OutlinesRequest const& r, Json header,
                                        Progress const&) {
    SLUICE_TRY(ShownVolume const* const onto, find(here, r.onto));
    return answer_outlines(here.structures, *onto, r, std::move(header));
}

Result<server::SharedMessage> answer_to(All const& here, HistogramRequest const& r, Json header,
                                        Progress const&) {
    SLUICE_TRY(ShownVolume const* const volume, find(here, r.volume));
    return answer_histogram(here.structures, *volume, r, std::move(header));
}

}  // namespace

Result<server::SharedMessage> answer(std::span<ShownVolume const> volumes,
                                     std::span<ShownStructure const> structures,
                                     VolumeRequest const& request, Json header,
                                     Progress const& progress) {
    All const here{volumes, structures};
    return std::visit(
        [&](auto const& what) { return answer_to(here, what, std::move(header), progress); },
        request.what);
}

}  // namespace sluice::app
