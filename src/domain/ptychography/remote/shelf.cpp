// Down from the device, past the archive, and up again.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/shelf.h"

#include <cmath>

#include "domain/ptychography/remote/dense.h"

namespace sluice::ptycho::remote {

auto Shelf::room(index count, index rows, index cols) -> Planes& {
    return planes_.emplace_back(static_cast<std::size_t>(count), Planar<float>(rows, cols));
}

Status Shelf::show(std::string const& name, Z* there, Planes& planes) {
    std::vector<Z> all = dense(planes);
    SLUICE_CHECK(step_.queue().download(std::as_writable_bytes(std::span(all)), there));
    SLUICE_CHECK(step_.queue().wait());
    planar(all, planes);
    archive_.planes(name, planes);
    return step_.upload(there, dense(planes));
}

// As real parts.
Status Shelf::show_reals(std::string const& name, float* there, Planes& planes) {
    std::vector<Z> all = dense(planes);
    std::vector<float> reals(all.size());
    SLUICE_CHECK(step_.queue().download(std::as_writable_bytes(std::span(reals)), there));
    SLUICE_CHECK(step_.queue().wait());
    for (std::size_t i = 0; i < reals.size(); ++i) all[i] = {reals[i], 0};
    planar(all, planes);
    archive_.planes(name, planes);
    all = dense(planes);
    for (std::size_t i = 0; i < reals.size(); ++i) reals[i] = all[i].re;
    return step_.upload(there, std::move(reals));
}

Status Shelf::objects(std::string const& name, Z* there) {
    auto const& canvas = step_.sizes().canvas;
    return show(name, there, room(canvas.slices, canvas.rows, canvas.cols));
}

Status Shelf::windows(std::string const& name, Z* there, index count) {
    return show(name, there, room(count, step_.sizes().n(), step_.sizes().n()));
}

Status Shelf::real_objects(std::string const& name, float* there) {
    auto const& canvas = step_.sizes().canvas;
    return show_reals(name, there, room(canvas.slices, canvas.rows, canvas.cols));
}

Status Shelf::real_windows(std::string const& name, float* there, index count) {
    return show_reals(name, there, room(count, step_.sizes().n(), step_.sizes().n()));
}

Status Shelf::root(std::string const& name, float* there) {
    std::vector<float> power(1);
    SLUICE_CHECK(step_.queue().download(std::as_writable_bytes(std::span(power)), there));
    SLUICE_CHECK(step_.queue().wait());
    double root = std::sqrt(static_cast<double>(power.front()));
    archive_.number(name, root);
    power.front() = static_cast<float>(root * root);
    return step_.upload(there, std::move(power));
}

}  // namespace sluice::ptycho::remote
