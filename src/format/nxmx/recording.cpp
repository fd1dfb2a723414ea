// Images go into the data file that has their number; files are made when their first image comes.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "format/nxmx/recording_master.h"
#include "format/nxmx/writer_master.h"

namespace sluice::nxmx {
namespace {

// Every data file stays open until the series ends: late images may belong to any.
constexpr index most_open_files = 500;
// Data files count their images in int32.
constexpr index most_images = std::numeric_limits<std::int32_t>::max();
// For what is known at the end only.
constexpr std::uint64_t end_bytes = 1 << 16;

Status check(RecordedSeries const& s) {
    if (s.images < 0 || s.images > most_images)
        return Error{Code::unsupported,
                     fmt::format("a series of {} images cannot be recorded (up to {} can) announce "
                                 "as many as come",
                                 s.images, most_images),
                     s.prefix};
    DType const type = s.like.dtype;
    if (type != DType::u8 && type != DType::u16 && type != DType::u32)
        return Error{Code::unsupported,
                     fmt::format("images of {} cannot be recorded (uint8, uint16 and uint32 can) "
                                 "leave out --record",
                                 name_of(type)),
                     s.prefix};
    return {};
}

index points_of(RecordedSeries const& s) {
    auto const of_path = std::ssize(s.frame_of);
    return of_path > 0 ? of_path : s.scan[0] * s.scan[1];
}

std::string master_name(std::string const& prefix) {
    return prefix + "_master.h5";
}

}  // namespace

Status check_recording_names(std::string const& prefix) {
    namespace fs = std::filesystem;
    fs::path const path(prefix);
    std::string const name = path.filename().string();
    if (name.empty())
        return Error{Code::invalid_argument,
                     "is a folder, and files need the beginning of a name; give one as run/scan",
                     prefix};
    fs::path const folder = path.has_parent_path() ? path.parent_path() : ".";
    SLUICE_CHECK(make_folder(folder.string()));
    SLUICE_CHECK(check_kept_name(master_name(prefix)));
    // Data files of a recording that was killed have no master yet.
    std::error_code e;
    for (fs::directory_iterator entry(folder, e); !e && entry != fs::directory_iterator();
         entry.increment(e))
        if (entry->path().filename().string().starts_with(name + "_data_"))
            return Error{Code::invalid_argument,
                         "is there already, of another recording (what was measured is not "
                         "replaced) choose another name, or move it away",
                         entry->path().string()};
    return {};
}

Result<Recording> Recording::create(RecordedSeries series) {
    SLUICE_CHECK(check(series));
    SLUICE_CHECK(check_recording_names(series.prefix));
    index const known = series.images > 0 ? series.images : points_of(series);
    series.frames_per_file =
        std::max({index{1}, series.frames_per_file, (known - 1) / most_open_files + 1});
    Acquisition shape;
    shape.prefix = series.prefix;
    shape.rows = series.like.rows, shape.cols = series.like.cols;
    shape.dtype = series.like.dtype;
    hdf5::LibraryLock lock;
    SLUICE_TRY(H5Writer master, H5Writer::create_kept(master_name(series.prefix)));
    write_recording_master(master, series);
    Recording r(std::move(series), std::move(shape), std::move(master));
    index const files = (r.points() + r.series_.frames_per_file - 1) / r.series_.frames_per_file;
    for (index i = 0; i < files; ++i)
        write_link(r.master_, static_cast<std::size_t>(i + 1), r.file_name(i));
    r.master_.reserve(end_bytes);
    if (Status s = r.master_.flush(); !s) {
        r.master_.abandon();
        return std::move(s).error();
    }
    return r;
}

index Recording::images() const {
    index const most = std::min(most_images, series_.frames_per_file * most_open_files);
    return series_.images > 0 ? series_.images : most;
}

// Images that the scan has, as far as they are announced.
index Recording::points() const {
    return std::min(points_of(series_), images());
}

// The files hold the whole scan, so that other programs find its shape, and what came beyond it.
index Recording::end_of_files() const {
    return std::max(last_ + 1, points());
}

std::string Recording::file_name(index number) const {
    return fmt::format("{}_data_{:06}.h5", series_.prefix, number + 1);
}

Status Recording::make_file(index number) {
    index const first = number * series_.frames_per_file;
    DataPlan plan{file_name(number), first, std::min(series_.frames_per_file, images() - first),
                  shape_.rows, shape_.dtype};
    SLUICE_TRY(DataFile file, DataFile::create_kept(shape_, std::move(plan)));
    files_.try_emplace(number, Member{std::move(file)});
    return {};
}

Result<DataFile*> Recording::file_of(index image) {
    index const number = image / series_.frames_per_file;
    auto it = files_.find(number);
    if (it == files_.end()) {
        SLUICE_CHECK(make_file(number));
        it = files_.find(number);
    }
    it->second.changed = true;
    return &it->second.file;
}

Status Recording::write(std::span<Image const> images, index& written) {
    hdf5::LibraryLock lock;
    for (Image const& image : images) {
        SLUICE_TRY(DataFile* const file, file_of(image.number));
        SLUICE_CHECK(file->write_one(image.number - file->plan().first_image, image.chunk));
        last_ = std::max(last_, image.number);
        ++written;
    }
    return {};
}

Status Recording::flush() {
    hdf5::LibraryLock lock;
    for (auto& [number, member] : files_)
        if (std::exchange(member.changed, false)) SLUICE_CHECK(member.file.flush());
    return {};
}

void Recording::write_end(RecordedEnd const& end) {
    std::string const group = recording_group;
    index const planned = (points() + series_.frames_per_file - 1) / series_.frames_per_file;
    for (index i = planned; i * series_.frames_per_file < end_of_files(); ++i)
        write_link(master_, static_cast<std::size_t>(i + 1), file_name(i));
    auto const images = static_cast<std::uint64_t>(end_of_files());
    Handle const triggers(
        H5Dopen2(master_.id(), "/entry/instrument/detector/detectorSpecific/ntrigger", H5P_DEFAULT),
        H5Dclose);
    master_.check(triggers && H5Dwrite(triggers.id(), H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL,
                                       H5P_DEFAULT, &images) >= 0);
    master_.text(group + "/ended", end.how.substr(0, 4096));
    for (auto const& [name, count] : end.counts)
        master_.number(group + "/" + name, static_cast<std::uint64_t>(count));
}

Status Recording::finish_file(index number, std::vector<std::string>& names) {
    hdf5::LibraryLock lock;
    // One of which no image came says how many are missing.
    if (!files_.contains(number)) SLUICE_CHECK(make_file(number));
    DataFile& file = files_.at(number).file;
    file.shorten(end_of_files() - file.plan().first_image);
    SLUICE_CHECK(file.close());
    names.push_back(file.plan().path);
    return {};
}

Result<std::vector<std::string>> Recording::finish(RecordedEnd const& end) {
    std::vector<std::string> names;
    Status status;
    auto const keep = [&](Status s) {
        if (status && !s) status = std::move(s);
    };
    if (last_ < 0) {
        hdf5::LibraryLock lock;
        for (auto& [number, member] : files_) member.file.abandon();
        master_.abandon();
        return names;
    }
    // What one file lacks is no reason to lose the others.
    index const per_file = series_.frames_per_file;
    for (index i = 0; i * per_file < end_of_files(); ++i) keep(finish_file(i, names));
    {
        hdf5::LibraryLock lock;
        write_end(end);
        keep(master_.close());
    }
    for (auto& [number, member] : files_) keep(member.file.commit());
    keep(master_.commit());
    names.push_back(master_.path());
    if (!status) return std::move(status).error();
    return names;
}

}  // namespace sluice::nxmx
