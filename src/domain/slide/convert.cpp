// A conversion from its plan to the finished folder: step by step, so that it can go on later.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/convert.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>

#include "base/file.h"
#include "device/workers.h"
#include "domain/slide/convert_cascade.h"
#include "domain/slide/convert_journal.h"
#include "domain/slide/convert_ngff.h"
#include "domain/slide/convert_ome_xml.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace ome {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

index ceil_div(index a, index b) {
    return (a + b - 1) / b;
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

class Conversion {
  public:
    Conversion(Slide const& slide, std::string path, ConvertOptions const& options, Plan plan)
        : slide_(slide),
          options_(options),
          plan_(std::move(plan)),
          path_(std::move(path)),
          part_(path_ + ".part"),
          journal_path_(part_ + "/sluice-convert.json"),
          cache_(plan_.cache_memory) {
        for (ImagePlan const& image : plan_.images)
            total_ += static_cast<std::uint64_t>(image.planes() * image.rect.width *
                                                 image.rect.height * plan_.pixel_bytes());
    }

    Result<ConvertReport> run() {
        auto const start = Clock::now();
        SLUICE_CHECK(prepare());
        Status const written = all_images(Purpose::write);
        // What was done before an error is kept for --resume.
        SLUICE_CHECK(write_journal(journal_path_, journal_));
        if (!written) return explained(written.error());
        report_.seconds = seconds_since(start);
        report_.chunks = journal_.chunks;
        report_.chunks_empty = journal_.chunks_empty;
        report_.bytes_written = journal_.bytes_written;
        if (options_.verify) {
            auto const again = Clock::now();
            Status const same = all_images(Purpose::compare);
            if (!same) return explained(same.error());
            report_.verify_seconds = seconds_since(again);
        }
        SLUICE_CHECK(give_name());
        describe();
        return std::move(report_);
    }

  private:
    Status prepare();
    Status check_free(std::string const& folder) const;
    Status resume();
    Status write_groups() const;
    Status all_images(Purpose purpose);
    Status image(std::size_t number, Purpose purpose, index& step);
    Status pass(Output& output, Pass const& pass, std::size_t number, index& step);
    Status begin_strip(std::vector<Cascade>& lanes, Output const& output, index first, index strip,
                       index bands) const;
    Status band(std::vector<Cascade>& lanes, Output const& output, Pass const& pass, index first);
    Status fill_band(Cascade& lane, ImagePlan const& image, index plane, bool alone);
    bool go_on(std::uint64_t extra);
    Status step_done(Output const& output, std::size_t number);
    Status give_name() const;
    void describe();
    Error explained(Error error) const;

    Slide const& slide_;
    ConvertOptions const& options_;
    Plan plan_;
    std::string path_, part_, journal_path_;
    TileCache cache_;
    Journal journal_;
    ConvertReport report_;
    std::uint64_t total_ = 0, done_ = 0;
    Clock::time_point noted_ = Clock::now();
};

Error Conversion::explained(Error error) const {
    if (error.code == Code::cancelled || error.code == Code::io)
        error.message +=
            fmt::format(" (what is done is kept in {}); --resume goes on from there", part_);
    return error;
}

// Only what such a conversion made may be removed.
Status Conversion::check_free(std::string const& folder) const {
    if (!fs::exists(folder)) return {};
    if (!options_.overwrite)
        return Error{Code::invalid_argument,
                     folder == part_ ? "an unfinished conversion is there; go on with --resume, or "
                                       "begin again with --overwrite"
                                     : "exists already; choose another name, or --overwrite it",
                     folder};
    if (!zarr::is_node(folder) && !fs::exists(folder + "/sluice-convert.json") &&
        !fs::is_empty(folder))
        return Error{Code::invalid_argument,
                     "is no Zarr folder (--overwrite would remove it) choose another name", folder};
    return {};
}

Status Conversion::resume() {
    SLUICE_TRY(Journal found, read_journal(journal_path_));
    if (found.of != journal_.of)
        return Error{Code::invalid_argument,
                     "is of another slide or of other options (the parts would not fit together) "
                     "give the same ones, or begin again with --overwrite",
                     journal_path_};
    bool fits = found.ranges.size() == plan_.images.size();
    for (std::size_t i = 0; fits && i < found.ranges.size(); ++i)
        fits = found.ranges[i].size() == plan_.images[i].components.size();
    if (!fits || found.steps < 0)
        return Error{Code::corrupt, "does not fit its own options; begin again with --overwrite",
                     journal_path_};
    journal_ = std::move(found);
    report_.resumed = true;
    // Of a program that was killed while it wrote.
    std::vector<fs::path> left;
    for (auto const& entry : fs::recursive_directory_iterator(part_))
        if (entry.path().filename().string().find(".part-") != std::string::npos)
            left.push_back(entry.path());
    for (fs::path const& p : left) fs::remove(p);
    return {};
}

Status Conversion::prepare() {
    journal_.of = identity_of(slide_, options_);
    for (ImagePlan const& image : plan_.images)
        journal_.ranges.emplace_back(image.components.size());
    SLUICE_CHECK(check_free(path_));
    if (options_.resume && fs::exists(journal_path_)) return resume();
    SLUICE_CHECK(check_free(part_));
    std::error_code error;
    fs::remove_all(part_, error);
    if (error) return Error{Code::io, "cannot be removed (" + error.message() + ")", part_};
    SLUICE_CHECK(write_groups());
    return write_journal(journal_path_, journal_);
}

Status Conversion::write_groups() const {
    int const v = plan_.zarr;
    SLUICE_CHECK(zarr::write_group(part_, v, root_attributes(plan_)));
    SLUICE_CHECK(zarr::write_group(part_ + "/OME", v, ome_attributes(plan_)));
    std::string const xml = ome_xml(plan_);
    SLUICE_TRY(NewFile file, NewFile::create(part_ + "/OME/METADATA.ome.xml"));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(xml))));
    SLUICE_CHECK(file.commit());
    for (ImagePlan const& image : plan_.images) {
        if (image.well) {
            std::string const row = part_ + "/" + image.well->row;
            SLUICE_CHECK(zarr::write_group(row, v));
            SLUICE_CHECK(zarr::write_group(row + "/" + image.well->column, v,
                                           well_attributes(plan_, *image.well)));
        }
        for (std::size_t l = 0; l < image.levels.size(); ++l)
            if (auto array =
                    zarr::Array::create(fmt::format("{}/{}/{}", part_, image.group, l),
                                        spec_of(plan_, image, static_cast<int>(l), options_.fill));
                !array)
                return array.error();
    }
    return {};
}

Status Conversion::all_images(Purpose purpose) {
    index step = 0;
    for (std::size_t i = 0; i < plan_.images.size(); ++i) SLUICE_CHECK(image(i, purpose, step));
    return {};
}

Status Conversion::image(std::size_t number, Purpose purpose, index& step) {
    ImagePlan const& plan = plan_.images[number];
    Output output{plan_, plan, {}, purpose, options_.fill, journal_.ranges[number]};
    if (purpose == Purpose::write) {
        output.chunks = journal_.chunks;
        output.chunks_empty = journal_.chunks_empty;
        output.bytes_written = journal_.bytes_written;
    }
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
        SLUICE_TRY(auto array, zarr::Array::open(fmt::format("{}/{}/{}", part_, plan.group, l)));
        if (array.spec() != spec_of(plan_, plan, static_cast<int>(l), options_.fill))
            return Error{Code::corrupt,
                         "the metadata is not what was written; begin again with --overwrite",
                         array.path()};
        output.levels.push_back(std::move(array));
    }
    for (Pass const& p : plan.passes) SLUICE_CHECK(pass(output, p, number, step));
    if (purpose == Purpose::compare) {
        report_.chunks_verified += output.chunks;
        return {};
    }
    return zarr::write_group(part_ + "/" + plan.group, plan_.zarr,
                             image_attributes(plan_, plan, journal_.ranges[number]));
}

// Which component a plane begins with, counting planes with z fastest, then c, then t.
PlaneAt place_of(ImagePlan const& image, index plane, int samples) {
    auto const c = static_cast<index>(image.channels.size());
    return {plane / image.z / c, plane / image.z % c * samples, plane % image.z};
}

Position position_of(ImagePlan const& image, index plane) {
    auto const c = static_cast<index>(image.channels.size());
    Position at = image.first;
    at[czi::Z] += static_cast<std::int32_t>(plane % image.z);
    at[czi::C] = image.channels[static_cast<std::size_t>(plane / image.z % c)];
    at[czi::T] += static_cast<std::int32_t>(plane / image.z / c);
    return at;
}

Status Conversion::begin_strip(std::vector<Cascade>& lanes, Output const& output, index first,
                               index strip, index bands) const {
    for (std::size_t k = 0; k < lanes.size(); ++k)
        SLUICE_CHECK(lanes[k].begin(
            place_of(output.image, first + static_cast<index>(k), plan_.samples), strip, bands));
    return {};
}

Status Conversion::pass(Output& output, Pass const& pass, std::size_t number, index& step) {
    ImagePlan const& image = output.image;
    LevelPlan const& source = image.levels[static_cast<std::size_t>(pass.source)];
    index const strips = ceil_div(source.width, pass.strip);
    index const bands = ceil_div(source.height, plan_.block);
    index const skip = output.purpose == Purpose::write ? journal_.steps : 0;
    std::vector<Cascade> lanes;
    for (index first = 0; first < image.planes(); first += image.lanes) {
        auto const n = static_cast<std::size_t>(std::min(image.lanes, image.planes() - first));
        while (lanes.size() > n) lanes.pop_back();
        while (lanes.size() < n) lanes.emplace_back(output, pass);
        for (index strip = 0; strip < strips; ++strip) {
            index const before = std::clamp<index>(skip - step, 0, bands);
            step += before;
            if (pass.source == 0)
                for (index b = 0; b < before; ++b)
                    done_ += static_cast<std::uint64_t>(
                        std::min(plan_.block, source.height - b * plan_.block) *
                        std::min(pass.strip, source.width - strip * pass.strip) *
                        plan_.pixel_bytes() * static_cast<index>(n));
            if (before == bands) continue;
            SLUICE_CHECK(begin_strip(lanes, output, first, strip, before));
            for (index b = before; b < bands; ++b, ++step) {
                SLUICE_CHECK(band(lanes, output, pass, first));
                SLUICE_CHECK(step_done(output, number));
            }
        }
    }
    return {};
}

Status Conversion::band(std::vector<Cascade>& lanes, Output const& output, Pass const& pass,
                        index first) {
    if (!go_on(0)) return Error{Code::cancelled, "stopped"};
    auto const one = [&](std::size_t k, bool alone) -> Status {
        SLUICE_CHECK(pass.source == 0
                         ? fill_band(lanes[k], output.image, first + static_cast<index>(k), alone)
                         : lanes[k].load());
        return lanes[k].finish();
    };
    std::uint64_t bytes = 0;
    for (Cascade const& lane : lanes)
        bytes += static_cast<std::uint64_t>(lane.where().width * lane.where().height *
                                            plan_.pixel_bytes());
    std::vector<Status> statuses(lanes.size());
    if (lanes.size() == 1)
        statuses[0] = one(0, true);
    else
        parallel_for(static_cast<index>(lanes.size()), plan_.threads, 1, [&](index k, int) {
            statuses[static_cast<std::size_t>(k)] = one(static_cast<std::size_t>(k), false);
        });
    for (Status& s : statuses)
        if (!s) return std::move(s);
    if (pass.source == 0) done_ += bytes;
    return {};
}

Status Conversion::fill_band(Cascade& lane, ImagePlan const& image, index plane, bool alone) {
    PixelRows const rows = lane.source();
    Rect const where = lane.where();
    Position const at = position_of(image, plane);
    Rect const rect{image.rect.x + where.x, image.rect.y + where.y, where.width, where.height};
    if (slide_.find(at, 0, rect).empty()) {
        paint(plan_.dtype, rows, options_.fill);
        return {};
    }
    auto const bytes = static_cast<std::uint64_t>(where.width * where.height * plan_.pixel_bytes());
    ReadOptions read;
    read.threads = plan_.threads;
    read.background = options_.fill;
    if (plan_.cache_memory > 0) read.cache = &cache_;
    if (alone)
        read.progress = [this, bytes](std::uint64_t done, std::uint64_t all) {
            return go_on(all > 0 ? bytes / 2 * done / all : 0);
        };
    return slide_.read({at, image.scene, rect}, 0, read, {rows.data, bytes});
}

bool Conversion::go_on(std::uint64_t extra) {
    return !options_.progress ||
           options_.progress(done_ + extra, options_.verify ? 2 * total_ : total_);
}

// The journal costs as much as a small chunk, so it is written now and then.
Status Conversion::step_done(Output const& output, std::size_t number) {
    if (output.purpose == Purpose::compare) return {};
    ++journal_.steps;
    journal_.ranges[number] = output.ranges;
    journal_.chunks = output.chunks;
    journal_.chunks_empty = output.chunks_empty;
    journal_.bytes_written = output.bytes_written;
    if (seconds_since(noted_) < 0.5) return {};
    noted_ = Clock::now();
    return write_journal(journal_path_, journal_);
}

Status Conversion::give_name() const {
    std::error_code error;
    fs::remove(journal_path_, error);
    if (!error) fs::remove_all(path_, error);
    if (!error) fs::rename(part_, path_, error);
    if (error)
        return Error{Code::io, fmt::format("cannot get its name ({})", error.message()), part_};
    return {};
}

void Conversion::describe() {
    report_.path = path_;
    report_.bytes = total_;
    report_.band_memory = plan_.band_memory + plan_.cache_memory;
    for (ImagePlan const& image : plan_.images) {
        report_.pixels += image.planes() * image.rect.width * image.rect.height;
        report_.images.push_back({image.group,
                                  image.name,
                                  {image.t, static_cast<index>(image.components.size()), image.z,
                                   image.rect.height, image.rect.width},
                                  std::string(name_of(plan_.dtype)),
                                  static_cast<int>(image.levels.size())});
    }
    report_.notes = slide_.notes();
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    report_.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace
}  // namespace ome

Result<ConvertReport> convert(Slide const& slide, std::string const& path,
                              ConvertOptions const& options) {
    SLUICE_TRY(ome::Plan plan, ome::make_plan(slide, options));
    std::string name = path;
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    return ome::Conversion(slide, std::move(name), options, std::move(plan)).run();
}

}  // namespace sluice::slide
