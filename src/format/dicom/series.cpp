// Images in order: the same grid, one place each, equally far apart, none shifted aside.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/dicom/ct.h"

namespace sluice::dicom {
namespace {

// mm. Positions are written with six digits or fewer, and spacings with three.
constexpr double same_place = 1e-2, aside = 0.05;
constexpr double uneven = 0.01;  // of the spacing
constexpr double same_direction = 1e-4;

double place(Image const& image, Vector3 const& normal) {
    return dot(image.slice.frame.position, normal);
}

Error differs(Image const& image, Image const& first, Tag tag, std::string_view what_to_do) {
    return {Code::corrupt,
            fmt::format("has another {} than {} (the images of a series share it) {}", name_of(tag),
                        first.slice.file, what_to_do),
            image.slice.file};
}

bool near(AxisDirections const& a, AxisDirections const& b) {
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            if (std::abs(a[i][c] - b[i][c]) > same_direction) return false;
    return true;
}

Status check_alike(Image const& image, Image const& first) {
    Frame const &f = image.slice.frame, &g = first.slice.frame;
    constexpr char const* export_again = "export the series again, or remove the other image";
    if (f.rows != g.rows) return differs(image, first, tags::rows, export_again);
    if (f.columns != g.columns) return differs(image, first, tags::columns, export_again);
    if (std::abs(f.row_spacing - g.row_spacing) > 1e-4 ||
        std::abs(f.column_spacing - g.column_spacing) > 1e-4)
        return differs(image, first, tags::pixel_spacing, export_again);
    if (!near(f.direction, g.direction))
        return differs(image, first, tags::image_orientation,
                       "remove the images of other directions, such as scouts");
    if (image.frame_of_reference != first.frame_of_reference)
        return differs(image, first, tags::frame_of_reference, export_again);
    if (image.patient_position != first.patient_position)
        return differs(image, first, tags::patient_position, export_again);
    if (image.slice.stored.bytes != first.slice.stored.bytes)
        return differs(image, first, tags::bits_allocated, export_again);
    return {};
}

// A series of a tilted gantry: each slice is shifted against the one before.
Status check_straight(Image const& image, Image const& first) {
    Frame const& f = first.slice.frame;
    Vector3 way{};
    for (std::size_t c = 0; c < 3; ++c) way[c] = image.slice.frame.position[c] - f.position[c];
    double const x = dot(way, f.direction[0]), y = dot(way, f.direction[1]);
    if (std::abs(x) <= aside && std::abs(y) <= aside) return {};
    return Error{
        Code::unsupported,
        fmt::format("{} is {:.4g} mm along the rows and {:.4g} mm along the columns beside "
                    "that of {} (the gantry was tilted, or the images are of several "
                    "series) resample the series to straight slices",
                    name_of(tags::image_position), x, y, first.slice.file),
        image.slice.file};
}

Status check_steps(std::vector<Image> const& images, Vector3 const& normal, double spacing) {
    for (std::size_t i = 1; i < images.size(); ++i) {
        double const before = place(images[i - 1], normal), here = place(images[i], normal);
        double const step = here - before;
        if (step < same_place)
            return Error{Code::corrupt,
                         fmt::format("is at the same place as {} ({:.6g} mm) remove one of them: a "
                                     "copy, or an image of another time",
                                     images[i - 1].slice.file, here),
                         images[i].slice.file};
        if (std::abs(step - spacing) <= std::max(uneven * spacing, same_place)) continue;
        return Error{
            Code::corrupt,
            fmt::format("{} is {:.6g} mm from that of {}, and most images of the series "
                        "are {:.6g} mm apart (an image is missing, or the slices are not "
                        "equally far apart) copy the whole series, or resample it",
                        name_of(tags::image_position), step, images[i - 1].slice.file, spacing),
            images[i].slice.file};
    }
    return {};
}

// Most steps; the mean over all where these are even, which digits of single positions spoil less.
double spacing_of(std::vector<Image> const& images, Vector3 const& normal) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < images.size(); ++i)
        steps.push_back(place(images[i], normal) - place(images[i - 1], normal));
    auto const middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    double const mean = (place(images.back(), normal) - place(images.front(), normal)) /
                        static_cast<double>(steps.size());
    return std::abs(mean - *middle) <= uneven * *middle ? mean : *middle;
}

}  // namespace

Result<CtSeries> series_of(std::vector<Image> images) {
    expects(!images.empty());
    for (Image const& image : images) SLUICE_CHECK(check_alike(image, images[0]));
    Vector3 const normal = images[0].slice.frame.direction[2];
    std::ranges::stable_sort(images, {}, [&](Image const& i) { return place(i, normal); });
    for (Image const& image : images) SLUICE_CHECK(check_straight(image, images[0]));
    CtSeries series;
    if (images.size() == 1) {
        series.spacing = images[0].thickness;
        if (!(series.spacing > 0))
            return Error{Code::unsupported,
                         fmt::format("is the only image of its series, and {} is missing; copy the "
                                     "whole series",
                                     name_of(tags::slice_thickness)),
                         images[0].slice.file};
    } else {
        series.spacing = spacing_of(images, normal);
        SLUICE_CHECK(check_steps(images, normal, series.spacing));
    }
    series.patient_position = images[0].patient_position;
    series.description = images[0].description;
    series.study_uid = images[0].study_uid;
    series.series_uid = images[0].series_uid;
    series.frame_of_reference = images[0].frame_of_reference;
    for (Image& image : images) series.slices.push_back(std::move(image.slice));
    return series;
}

}  // namespace sluice::dicom
