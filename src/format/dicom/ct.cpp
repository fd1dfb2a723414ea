// Which images of a folder are one series, and their pixels.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/ct.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/plural.h"
#include "format/dicom/apart_files.h"
#include "format/dicom/mark.h"
#include "format/volume/header.h"

namespace sluice::dicom {
namespace {

constexpr std::size_t most_listed = 10;

struct Found {
    std::vector<std::string> files;
    std::vector<Dataset> datasets;
};
// By SeriesInstanceUID.
using BySeries = std::map<std::string, Found>;

Result<BySeries> images_in(std::string const& folder) {
    std::vector<std::string> files;
    for (FoundFile& f : dicom_files(folder))
        if (f.sop_class == classes::ct || f.sop_class == classes::enhanced_ct)
            files.push_back(std::move(f.path));
    if (files.empty())
        return Error{Code::not_found, "has no CT images in it; give the folder of a CT series",
                     folder};
    SLUICE_TRY(auto datasets, read_datasets(files));
    BySeries all;
    for (std::size_t i = 0; i < files.size(); ++i) {
        SLUICE_TRY(std::string const uid,
                   Values(datasets[i], files[i]).needed_text(tags::series_uid));
        Found& one = all[uid];
        one.files.push_back(std::move(files[i]));
        one.datasets.push_back(std::move(datasets[i]));
    }
    return all;
}

Error several(BySeries const& all, std::string const& folder) {
    std::string list;
    std::size_t listed = 0;
    for (auto const& [uid, one] : all) {
        if (++listed > most_listed) {
            list += "\n  ...";
            break;
        }
        std::string const words =
            Values(one.datasets[0], one.files[0]).text(tags::series_description);
        list += fmt::format("\n  {}: {}{}", one.files[0], plural(one.files.size(), "image"),
                            words.empty() ? "" : fmt::format(", '{}'", words));
    }
    return {Code::invalid_argument,
            fmt::format("has {} series of CT images (which one is meant?) give a file of one of "
                        "them in place of the folder:{}",
                        all.size(), list),
            folder};
}

Result<CtSeries> series_of_found(Found const& found) {
    std::vector<Image> images;
    for (std::size_t i = 0; i < found.files.size(); ++i) {
        SLUICE_TRY(Image image, read_image(found.datasets[i], found.files[i]));
        images.push_back(std::move(image));
    }
    return series_of(std::move(images));
}

}  // namespace

Result<CtSeries> find_ct(std::string const& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        SLUICE_TRY(BySeries const all, images_in(path));
        if (all.size() > 1) return several(all, path);
        return series_of_found(all.begin()->second);
    }
    SLUICE_TRY(Dataset const one, read_dataset(path));
    Values const values(one, path);
    SLUICE_TRY(Image const image, read_image(one, path));
    fs::path const beside = fs::path(path).parent_path();
    SLUICE_TRY(BySeries const all, images_in(beside.empty() ? "." : beside.string()));
    auto const found = all.find(image.series_uid);
    if (found == all.end()) return series_of({image});
    return series_of_found(found->second);
}

Result<Volume> load_ct(CtSeries const& s, std::uint64_t most_bytes) {
    Frame const& f = s.slices[0].frame;
    std::vector<index> const sides{f.columns, f.rows, std::ssize(s.slices)};
    SLUICE_CHECK(volume::check_sides(sides));
    SLUICE_CHECK(volume::check_memory(sides, most_bytes));
    auto const pixels = static_cast<std::size_t>(f.rows * f.columns);
    Volume v{Array<float>::zeros({std::ssize(s.slices), f.rows, f.columns}),
             {f.column_spacing, f.row_spacing, s.spacing},
             {f.position.begin(), f.position.end()},
             f.direction,
             "CT, HU"};
    std::vector<std::string> files;
    for (Slice const& one : s.slices) files.push_back(one.file);
    SLUICE_CHECK(read_pixels(files, pixels * static_cast<std::size_t>(s.slices[0].stored.bytes),
                             [&](std::size_t i, Bytes bytes) {
                                 Slice const& one = s.slices[i];
                                 to_floats(bytes, one.stored, one.slope, one.intercept,
                                           std::span(v.image.values).subspan(i * pixels, pixels));
                             }));
    return v;
}

}  // namespace sluice::dicom
