// A conversion from its plan to the finished folder: step by step, so that it can go on later.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/convert.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "device/workers.h"
#include "domain/slide/ngff/attributes.h"
#include "domain/slide/ngff/cascade.h"
#include "domain/slide/ngff/check.h"
#include "domain/slide/ngff/ome_xml.h"
#include "domain/slide/ngff/place.h"
#include "zarr/group.h"

namespace sluice::slide {
namespace ome {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Whether a folder is a Zarr folder or the beginning of one.
bool is_ours(std::string const& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error)) return false;
    // An earlier version wrote its journal under the second name.
    if (zarr::is_node(folder) || fs::exists(folder + "/" + std::string(journal_name), error) ||
        fs::exists(folder + "/sluice-convert.json", error))
        return true;
    // Nothing, or what a program left that was killed before the journal got its name.
    bool ours = true;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error))
        ours = ours && entry->path().filename().string().starts_with(journal_name);
    return ours && !error;
}

class Conversion {
  public:
    Conversion(Slide const& slide, std::string path, ConvertOptions const& options, Plan plan)
        : slide_(slide),
          options_(options),
          plan_(std::move(plan)),
          path_(std::move(path)),
          part_(path_ + ".part"),
          cache_(plan_.cache_memory) {
        seen_.resize(plan_.images.size());
        for (ImagePlan const& image : plan_.images)
            total_ += static_cast<std::uint64_t>(image.planes() * image.rect.width *
                                                 image.rect.height * plan_.pixel_bytes());
    }

    Result<ConvertReport> run() {
        auto const start = Clock::now();
        SLUICE_TRY(OutputLock const lock, OutputLock::take(path_));
        SLUICE_CHECK(prepare());
        Status const written = all_images(Purpose::write);
        if (!written) return explained(written.error());
        report_.seconds = seconds_since(start);
        if (options_.verify) {
            auto const again = Clock::now();
            Status const same = all_images(Purpose::compare);
            if (!same) return explained(same.error());
            report_.verify_seconds = seconds_since(again);
        }
        auto const naming = Clock::now();
        Status const named = give_name();
        if (!named) return explained(named.error());
        report_.seconds += seconds_since(naming);
        describe();
        return std::move(report_);
    }

  private:
    Status prepare();
    Status check_free(std::string const& folder) const;
    Result<bool> resume();
    Status begin();
    void count(StepRecord const& step);
    Status write_groups() const;
    Status all_images(Purpose purpose);
    Status image(std::size_t number, Purpose purpose, index& step);
    Status pass(Output& output, Pass const& pass, std::size_t number, index& step);
    Status begin_strip(std::vector<Cascade>& lanes, Output const& output, index first, index strip,
                       index bands) const;
    Status step(std::vector<Cascade>& lanes, Output& output, Pass const& pass, index first);
    Status band(std::vector<Cascade>& lanes, Output& output, Pass const& pass, index first);
    Status fill_band(Cascade& lane, Output& output, index plane, bool alone);
    std::uint64_t bytes_of(LevelPlan const& source, Pass const& pass, index strip, index band,
                           std::size_t lanes) const;
    bool go_on(std::uint64_t extra);
    Status give_name();
    void describe();
    Error explained(Error error) const;

    Slide const& slide_;
    ConvertOptions const& options_;
    Plan plan_;
    std::string path_, part_;
    TileCache cache_;
    std::optional<Journal> journal_;
    std::set<index> kept_;    ///< steps of an earlier run
    std::vector<Seen> seen_;  ///< [image]
    ConvertReport report_;
    std::uint64_t total_ = 0, done_ = 0;
};

Error Conversion::explained(Error error) const {
    if (error.code == Code::cancelled || error.code == Code::io)
        error.message +=
            fmt::format(" (what is done is kept in {}); --resume goes on from there", part_);
    return error;
}

// Only what such a conversion made may be removed.
Status Conversion::check_free(std::string const& folder) const {
    if (!is_there(folder)) return {};
    if (!options_.overwrite)
        return Error{Code::invalid_argument,
                     folder == part_ ? "an unfinished conversion is there; go on with --resume, or "
                                       "begin again with --overwrite"
                                     : "exists already; choose another name, or --overwrite it",
                     folder};
    if (!is_ours(folder))
        return Error{Code::invalid_argument,
                     "is no Zarr folder (--overwrite would remove it) choose another name", folder};
    return {};
}

void Conversion::count(StepRecord const& s) {
    Seen& seen = seen_[static_cast<std::size_t>(s.image)];
    seen.ranges.resize(s.ranges.size());
    for (std::size_t c = 0; c < s.ranges.size(); ++c) seen.ranges[c].add(s.ranges[c]);
    for (FilledTile const& t : s.filled) seen.filled.emplace(t.tile, t.reason);
    report_.chunks += s.chunks;
    report_.chunks_empty += s.chunks_empty;
    for (FileRecord const& f : s.files)
        report_.bytes_written += static_cast<std::uint64_t>(f.written.length);
}

// Whether there is something to go on with. Nothing is trusted for having a name: the files of each
// step must be there as they were written, or the step is made again.
Result<bool> Conversion::resume() {
    auto found = read_journal(part_);
    if (!found && (found.error().code == Code::not_found || found.error().code == Code::corrupt)) {
        if (is_ours(part_)) {
            report_.notes.push_back(
                "the unfinished output had no journal that can be read; all was made again");
            return false;
        }
        return Error{Code::invalid_argument,
                     "is no unfinished conversion (it holds other files) choose another name",
                     part_};
    }
    if (!found) return found.error();
    if (found->of != identity_of(slide_, options_)) {
        if (options_.overwrite) return false;
        return Error{Code::invalid_argument,
                     "is of another slide, other options or another version of the program (the "
                     "parts may not fit together) give the same ones, or begin again with "
                     "--overwrite",
                     part_};
    }
    SLUICE_TRY(Kept const kept,
               check_files(plan_, part_, std::move(found->steps), [this] { return go_on(0); }));
    for (auto const& [number, step] : kept.steps) {
        count(step);
        kept_.insert(number);
    }
    std::set<std::string> files = kept.files;
    files.emplace(journal_name);
    SLUICE_CHECK(keep_only(part_, files));
    SLUICE_TRY(journal_, Journal::append_to(part_));
    report_.resumed = true;
    report_.files_made_again = kept.damaged;
    if (kept.damaged > 0)
        report_.notes.push_back(fmt::format(
            "{} {} of the unfinished output {} missing or damaged; made again", kept.damaged,
            kept.damaged == 1 ? "file" : "files", kept.damaged == 1 ? "was" : "were"));
    return true;
}

// The journal comes first and goes last, so that what is there can always be gone on with.
Status Conversion::begin() {
    SLUICE_CHECK(make_folder(part_));
    SLUICE_TRY(journal_, Journal::create(part_, identity_of(slide_, options_)));
    return keep_only(part_, {std::string(journal_name)});
}

Status Conversion::prepare() {
    for (std::size_t i = 0; i < plan_.images.size(); ++i) {
        seen_[i].ranges.resize(plan_.images[i].components.size());
        seen_[i].fill_bad = options_.fill_bad.value_or(0);
    }
    restore_name(path_);
    SLUICE_CHECK(check_free(path_));
    bool going_on = false;
    if (options_.resume && is_there(part_)) {
        SLUICE_TRY(going_on, resume());
    } else {
        SLUICE_CHECK(check_free(part_));
    }
    if (!going_on) SLUICE_CHECK(begin());
    return write_groups();
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
    Output output{plan_, plan, {}, purpose, options_.fill};
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
        SLUICE_TRY(auto array, zarr::Array::open(fmt::format("{}/{}/{}", part_, plan.group, l)));
        if (array.spec() != spec_of(plan_, plan, static_cast<int>(l), options_.fill))
            return Error{Code::corrupt,
                         "the metadata is not what was written; begin again with --overwrite",
                         array.path()};
        output.levels.push_back(std::move(array));
    }
    for (Pass const& p : plan.passes) SLUICE_CHECK(pass(output, p, number, step));
    if (purpose == Purpose::compare) return {};
    return zarr::write_group(part_ + "/" + plan.group, plan_.zarr,
                             image_attributes(plan_, plan, seen_[number]));
}

// Of one band of all lanes, in the full resolution.
std::uint64_t Conversion::bytes_of(LevelPlan const& source, Pass const& pass, index strip,
                                   index band, std::size_t lanes) const {
    return static_cast<std::uint64_t>(std::min(plan_.block, source.height - band * plan_.block) *
                                      std::min(pass.strip, source.width - strip * pass.strip) *
                                      plan_.pixel_bytes() * static_cast<index>(lanes));
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
    std::vector<Cascade> lanes;
    for (index first = 0; first < image.planes(); first += image.lanes) {
        auto const n = static_cast<std::size_t>(std::min(image.lanes, image.planes() - first));
        while (lanes.size() > n) lanes.pop_back();
        while (lanes.size() < n) lanes.emplace_back(output, pass);
        for (index strip = 0; strip < strips; ++strip) {
            // Whether the lanes hold what came before the band.
            bool current = false;
            for (index b = 0; b < bands; ++b, ++step) {
                if (output.purpose == Purpose::write && kept_.contains(step)) {
                    current = false;
                    if (pass.source == 0) done_ += bytes_of(source, pass, strip, b, n);
                    continue;
                }
                if (!current) SLUICE_CHECK(begin_strip(lanes, output, first, strip, b));
                current = true;
                output.step = {.step = step, .image = static_cast<index>(number)};
                output.step.ranges.resize(image.components.size());
                SLUICE_CHECK(this->step(lanes, output, pass, first));
            }
        }
    }
    return {};
}

// What is written is in the journal, and what is not equal when it is read again is taken out.
Status Conversion::step(std::vector<Cascade>& lanes, Output& output, Pass const& pass,
                        index first) {
    Status done = band(lanes, output, pass, first);
    if (output.purpose == Purpose::write) {
        SLUICE_CHECK(done);
        count(output.step);
        return journal_->add(output.step);
    }
    report_.chunks_verified += output.step.chunks;
    bool const unequal = !done && done.error().code != Code::cancelled;
    if (unequal) SLUICE_CHECK(journal_->take_back(output.step.step));
    return done;
}

Status Conversion::band(std::vector<Cascade>& lanes, Output& output, Pass const& pass,
                        index first) {
    if (!go_on(0)) return Error{Code::cancelled, "stopped"};
    auto const one = [&](std::size_t k, bool alone) -> Status {
        SLUICE_CHECK(pass.source == 0
                         ? fill_band(lanes[k], output, first + static_cast<index>(k), alone)
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

Status Conversion::fill_band(Cascade& lane, Output& output, index plane, bool alone) {
    ImagePlan const& image = output.image;
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
    std::vector<BadTile> bad;
    read.fill_bad = options_.fill_bad;
    read.bad = &bad;
    if (plan_.cache_memory > 0) read.cache = &cache_;
    if (alone)
        read.progress = [this, bytes](std::uint64_t done, std::uint64_t all) {
            return go_on(all > 0 ? bytes / 2 * done / all : 0);
        };
    SLUICE_CHECK(slide_.read({at, image.scene, rect}, 0, read, {rows.data, bytes}));
    std::lock_guard const lock(output.mutex);
    for (BadTile const& t : bad)
        output.step.filled.push_back(
            {t.tile, t.error.message.substr(0, t.error.message.find("; --fill-bad"))});
    return {};
}

bool Conversion::go_on(std::uint64_t extra) {
    return !options_.progress ||
           options_.progress(done_ + extra, options_.verify ? 2 * total_ : total_);
}

// Names are given to files that are on the disk: a machine that stops leaves all or nothing. Until
// they are there the journal stays, with which the work can be gone on with.
Status Conversion::give_name() {
    // In the hours of a conversion others may have written there.
    SLUICE_CHECK(check_free(path_));
    SLUICE_CHECK(flush_files(part_));
    std::error_code error;
    journal_.reset();
    fs::remove(part_ + "/" + std::string(journal_name), error);
    if (error)
        return Error{Code::io, fmt::format("cannot be removed ({})", error.message()),
                     part_ + "/" + std::string(journal_name)};
    return take_name(part_, path_, options_.overwrite);
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
    report_.notes.insert(report_.notes.begin(), slide_.notes().begin(), slide_.notes().end());
    std::set<std::int32_t> filled;
    for (Seen const& seen : seen_)
        for (auto const& [tile, reason] : seen.filled)
            if (filled.insert(tile).second) report_.tiles_filled.push_back(reason);
    if (!filled.empty())
        report_.notes.push_back(fmt::format("{} damaged {} filled with {}", filled.size(),
                                            filled.size() == 1 ? "tile is" : "tiles are",
                                            *options_.fill_bad));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    report_.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace
}  // namespace ome

namespace {

// Nothing here can tell whether the place of such a tile is right, and the canvas follows it.
Status check_parts(Slide const& slide, ConvertOptions const& options) {
    if (options.fill_bad) return {};
    czi::File const& file = slide.file();
    for (Tile const& t : slide.tiles()) {
        czi::Entry const& e = file.entries()[static_cast<std::size_t>(t.entry)];
        if (e.file_part == file.header().file_part) continue;
        auto const located = file.locate(e);
        if (located) continue;
        Error error = located.error();
        error.message += "; --fill-bad goes on without it";
        return error;
    }
    return {};
}

}  // namespace

Result<ConvertReport> convert(Slide const& slide, std::string const& path,
                              ConvertOptions const& options) {
    SLUICE_CHECK(slide.file().compare_all());
    SLUICE_CHECK(check_parts(slide, options));
    SLUICE_TRY(ome::Plan plan, ome::make_plan(slide, options));
    std::string name = path;
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    return ome::Conversion(slide, std::move(name), options, std::move(plan)).run();
}

}  // namespace sluice::slide
