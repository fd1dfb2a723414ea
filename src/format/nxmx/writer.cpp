// Frames are made and compressed in batches on all threads, and written in order on this one.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "device/share_out.h"
#include "format/nxmx/writer_damage.h"
#include "format/nxmx/writer_master.h"

namespace sluice::nxmx {
namespace {

constexpr index largest_batch_bytes = 64 << 20, largest_batch = 512;
// Every data file stays open under its temporary name until all are complete.
constexpr index most_files = 500;

Status check(Acquisition const& a) {
    auto const wrong = [](std::string m) { return Error{Code::invalid_argument, std::move(m)}; };
    for (index side : {a.scan[0], a.scan[1], a.rows, a.cols})
        if (side < 1 || side > (1 << 20))
            return wrong(
                fmt::format("a scan or detector side of {} (1 to 1048576 is possible)", side));
    if (a.frame_bytes() > largest_batch_bytes)
        return wrong(fmt::format("frames of {} bytes (at most {} can be written)", a.frame_bytes(),
                                 largest_batch_bytes));
    if (a.dtype != DType::u8 && a.dtype != DType::u16 && a.dtype != DType::u32)
        return wrong("detectors count in uint8, uint16 or uint32");
    if (a.channels.empty() || (a.layout == Layout::legacy && a.channels.size() != 1))
        return wrong(fmt::format("{} channels (legacy files have one); use the layout v2024",
                                 a.channels.size()));
    if (!a.pixel_mask.empty() && static_cast<index>(a.pixel_mask.size()) != a.rows * a.cols)
        return wrong(fmt::format("a pixel mask of {} pixels (the detector has {})",
                                 a.pixel_mask.size(), a.rows * a.cols));
    if (a.frames_per_file < 1 || (a.frames() - 1) / a.frames_per_file >= most_files)
        return wrong(
            fmt::format("{} frames per file (1 or more, and no more than {} files); use {}",
                        a.frames_per_file, most_files, a.frames() / most_files + 1));
    return check_damage(a);
}

std::vector<DataPlan> plan_files(Acquisition const& a) {
    bool const needs_two = a.damage == Damage::missing_file || a.damage == Damage::wrong_shape ||
                           a.damage == Damage::wrong_dtype;
    index const half = std::max<index>(1, (a.frames() + 1) / 2);
    index const per_file = needs_two ? std::min(a.frames_per_file, half) : a.frames_per_file;
    auto const channels = static_cast<index>(a.channels.size());
    std::vector<DataPlan> plans;
    for (index first = 0; first < a.frames(); first += per_file) {
        index const frames = std::min(per_file, a.frames() - first);
        plans.push_back({fmt::format("{}_data_{:06}.h5", a.prefix, plans.size() + 1),
                         first * channels, frames * channels, a.rows, a.dtype});
    }
    DataPlan& last = plans.back();
    LastFile const changed = damage_last_file(a, last.images / channels);
    last.images = changed.frames * channels;
    last.rows = changed.rows;
    last.dtype = changed.dtype;
    return plans;
}

/// Makes and encodes the images of one data file, batch by batch, and writes them.
class Filler {
  public:
    Filler(Acquisition const& a, MakeFrame const& make, Progress const& progress)
        : a_(a), make_(make), progress_(progress) {
        threads_ =
            a.threads > 0 ? a.threads : static_cast<int>(std::thread::hardware_concurrency());
        threads_ = std::max(threads_, 1);
        index const batch =
            std::clamp<index>(largest_batch_bytes / a.frame_bytes(), 1, largest_batch);
        chunks_.resize(static_cast<std::size_t>(batch));
        values_.resize(static_cast<std::size_t>(threads_));
        for (auto& v : values_) v.resize(static_cast<std::size_t>(a.frame_bytes()));
    }

    Status fill(DataFile& file) {
        DataPlan const& plan = file.plan();
        auto const batch = static_cast<index>(chunks_.size());
        for (index done = 0; done < plan.images; done += batch) {
            index const n = std::min(batch, plan.images - done);
            SLUICE_CHECK(share_out(
                n, threads_, [&](index i, int worker) { return encode(plan, done, i, worker); }));
            SLUICE_CHECK(store(file, done, n));
            SLUICE_CHECK(tell_progress(progress_, bytes(plan.first_image + done + n),
                                       bytes(all_images()), "the unfinished files were removed"));
        }
        return {};
    }

  private:
    index all_images() const { return a_.frames() * static_cast<index>(a_.channels.size()); }
    std::uint64_t bytes(index images) const {
        return static_cast<std::uint64_t>(images * a_.frame_bytes());
    }

    Status store(DataFile& file, index first, index n) {
        hdf5::LibraryLock lock;
        return file.write(first, std::span(chunks_).first(static_cast<std::size_t>(n)));
    }

    Status encode(DataPlan const& plan, index done, index i, int worker) {
        auto const slot = static_cast<std::size_t>(i);
        std::span<std::byte> values = values_[static_cast<std::size_t>(worker)];
        index const image = plan.first_image + done + i;
        SLUICE_CHECK(make_(image, values));
        values = values.first(values.size() / static_cast<std::size_t>(a_.rows) *
                              static_cast<std::size_t>(plan.rows));
        int const element = static_cast<int>(size_of(plan.dtype));
        chunks_[slot] = plan.dtype == a_.dtype
                            ? encode_image(values, a_.compression, element)
                            : encode_image(convert_values(values, a_.dtype, plan.dtype),
                                           a_.compression, element);
        if (image == a_.frames() / 2) damage_chunk(a_.damage, chunks_[slot]);
        return {};
    }

    Acquisition const& a_;
    MakeFrame const& make_;
    Progress const& progress_;
    int threads_ = 1;
    std::vector<std::vector<std::byte>> chunks_;  // of one batch
    std::vector<std::vector<std::byte>> values_;  // one frame per worker
};

Status truncate_file(std::string const& path) {
    std::error_code e;
    auto const size = std::filesystem::file_size(path, e);
    if (!e) std::filesystem::resize_file(path, size / 2, e);
    if (e) return Error{Code::io, fmt::format("cannot shorten the file ({})", e.message()), path};
    return {};
}

Result<std::vector<DataFile>> write_data(Acquisition const& a, std::vector<DataPlan> const& plans,
                                         MakeFrame const& make, Progress const& progress) {
    std::vector<DataFile> files;
    Filler filler(a, make, progress);
    for (DataPlan const& plan : plans) {
        SLUICE_TRY(DataFile file, [&] {
            hdf5::LibraryLock lock;
            return DataFile::create(a, plan);
        }());
        SLUICE_CHECK(filler.fill(file));
        hdf5::LibraryLock lock;
        SLUICE_CHECK(file.close());
        files.push_back(std::move(file));
    }
    if (a.damage == Damage::truncated) SLUICE_CHECK(truncate_file(files.back().temporary()));
    return files;
}

template <class F>
Result<H5Writer> write_whole(std::string const& path, F const& fill) {
    hdf5::LibraryLock lock;
    SLUICE_TRY(H5Writer h5, H5Writer::create(path));
    fill(h5);
    SLUICE_CHECK(h5.close());
    return h5;
}

Status commit_all(std::vector<DataFile>& data, std::vector<H5Writer>& others,
                  std::vector<std::string>& written) {
    for (DataFile& file : data) {
        SLUICE_CHECK(file.commit());
        written.push_back(file.plan().path);
    }
    for (H5Writer& file : others) {
        SLUICE_CHECK(file.commit());
        written.push_back(file.path());
    }
    return {};
}

}  // namespace

Result<std::vector<std::string>> write(Acquisition const& a, MakeFrame const& make,
                                       Progress const& progress) {
    SLUICE_CHECK(check(a));
    if (auto const folder = std::filesystem::path(a.prefix).parent_path(); !folder.empty())
        SLUICE_CHECK(make_folder(folder.string()));
    std::vector<DataPlan> const plans = plan_files(a);
    SLUICE_TRY(std::vector<DataFile> data, write_data(a, plans, make, progress));
    if (a.damage == Damage::missing_file) data.pop_back();

    std::vector<H5Writer> others;
    if (a.companion) {
        SLUICE_TRY(H5Writer h5,
                   write_whole(a.prefix + ".h5", [&](H5Writer& w) { write_companion(w, a); }));
        others.push_back(std::move(h5));
    }
    SLUICE_TRY(H5Writer h5, write_whole(a.prefix + "_master.h5",
                                        [&](H5Writer& w) { write_master(w, a, plans); }));
    others.push_back(std::move(h5));

    std::vector<std::string> written;
    if (Status s = commit_all(data, others, written); !s) {
        std::error_code ignored;
        for (std::string const& path : written) std::filesystem::remove(path, ignored);
        return std::move(s).error();
    }
    return written;
}

}  // namespace sluice::nxmx
