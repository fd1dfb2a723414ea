// The files of a scan; all data files are made at once, so that each frame has its place.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer_scan.h"

#include <fmt/format.h>

#include "format/described.h"
#include "format/nxmx/recording_master.h"
#include "format/nxmx/writer_master.h"

namespace sluice::nxmx {
namespace {

// "STEM Metadata" as DECTRIS' companion files have it, without what is not known.
void write_known_companion(H5Writer& h5, Dataset const& d) {
    std::string const g = "/STEM Metadata";
    h5.group(g);
    h5.attribute(g, "NumPixelsX", std::int64_t{d.scan[1]});
    h5.attribute(g, "NumPixelsY", std::int64_t{d.scan[0]});
    h5.attribute(g, "NumPixelsPrescan", std::uint32_t{0});
    if (d.scan_step_nm > 0) h5.attribute(g, "Pixel Size", d.scan_step_nm);
    if (d.energy_kv > 0) h5.attribute(g, "High Tension", d.energy_kv * 1e3);
    if (d.camera_length_mm > 0) h5.attribute(g, "Camera Length", d.camera_length_mm / 1e3);
    if (d.dwell_s > 0) h5.attribute(g, "ScanDwellTime", d.dwell_s);
}

// What other places of a master say stands there.
std::string remaining(Dataset d) {
    d.metadata.clear();
    d.pixel_mask.clear();
    d.missing_runs.clear();
    d.saturation.reset();
    return described(d);
}

}  // namespace

Result<ScanWriter> ScanWriter::create(std::string prefix, Dataset const& like,
                                      Compression compression, index frames_per_file,
                                      Provenance const& provenance) {
    Acquisition shape;
    shape.prefix = std::move(prefix);
    shape.scan = like.scan;
    shape.rows = like.rows, shape.cols = like.cols;
    shape.dtype = like.dtype;
    shape.compression = compression;
    shape.frames_per_file = frames_per_file;
    ScanWriter w(std::move(shape), like.frames);
    hdf5::LibraryLock lock;
    for (index n = 0; n * frames_per_file < like.frames; ++n) SLUICE_CHECK(w.make_file(n));
    SLUICE_CHECK(w.make_others(like, provenance));
    return w;
}

Status ScanWriter::make_file(index number) {
    index const first = number * shape_.frames_per_file;
    DataPlan plan{fmt::format("{}_data_{:06}.h5", shape_.prefix, number + 1), first,
                  std::min(shape_.frames_per_file, frames_ - first), shape_.rows, shape_.dtype};
    SLUICE_TRY(DataFile file, DataFile::create(shape_, std::move(plan)));
    data_.try_emplace(number, std::move(file));
    return {};
}

Status ScanWriter::make_others(Dataset const& like, Provenance const& provenance) {
    SLUICE_TRY(H5Writer companion, H5Writer::create(shape_.prefix + ".h5"));
    write_known_companion(companion, like);
    others_.push_back(std::move(companion));
    SLUICE_TRY(H5Writer master, H5Writer::create(shape_.prefix + "_master.h5"));
    RecordedSeries const series{.prefix = shape_.prefix,
                                .like = like,
                                .images = like.frames,
                                .scan = like.scan,
                                .path = "row by row",
                                .frames_per_file = shape_.frames_per_file};
    write_recording_master(master, series);
    std::string const group = recording_group;
    master.text(group + "/calibration", remaining(like));
    master.group(group + "/provenance", "NXcollection");
    for (auto const& [name, value] : provenance.fields)
        if (H5Lexists(master.id(), (group + "/provenance/" + name).c_str(), H5P_DEFAULT) <= 0)
            master.text(group + "/provenance/" + name, value);
    for (auto const& [number, file] : data_)
        write_link(master, static_cast<std::size_t>(number + 1), file.plan().path);
    others_.push_back(std::move(master));
    return {};
}

Status ScanWriter::write(index first, std::span<std::vector<std::byte> const> chunks) {
    hdf5::LibraryLock lock;
    DataFile& file = data_.at(first / shape_.frames_per_file);
    index const at = first - file.plan().first_image;
    for (std::size_t i = 0; i < chunks.size(); ++i)
        if (!chunks[i].empty())
            SLUICE_CHECK(file.write(at + static_cast<index>(i), chunks.subspan(i, 1)));
    return {};
}

Status ScanWriter::finish() {
    hdf5::LibraryLock lock;
    for (auto& [number, file] : data_) SLUICE_CHECK(file.close());
    for (H5Writer& file : others_) SLUICE_CHECK(file.close());
    for (auto& [number, file] : data_) SLUICE_CHECK(file.commit());
    for (H5Writer& file : others_) SLUICE_CHECK(file.commit());
    return {};
}

std::vector<std::string> ScanWriter::files() const {
    std::vector<std::string> names;
    for (auto const& [number, file] : data_) names.push_back(file.plan().path);
    for (H5Writer const& file : others_) names.push_back(file.path());
    return names;
}

}  // namespace sluice::nxmx
