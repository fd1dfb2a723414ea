// Hears acquisitions while their files are written.
// SPDX-License-Identifier: Apache-2.0
#include "net/files/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "net/files/folder.h"

namespace sluice::net::files {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view master_end = "_master.h5";

std::string name_of_series(std::string const& path) {
    std::string name = fs::path(path).filename().string();
    if (name.ends_with(master_end)) return name.substr(0, name.size() - master_end.size());
    return fs::path(path).stem().string();
}

// "run/scan" of run/scan_master.h5.
std::string file_meant(std::string const& path) {
    std::string const master = path + std::string(master_end);
    return !stamp_of(path) && stamp_of(master) ? master : path;
}

Status check(StreamOptions const& o, std::string const& path) {
    auto const wrong = [&](std::string_view option) {
        return Error{Code::invalid_argument,
                     fmt::format("{} is of streams, and this is a path; leave it out", option),
                     path};
    };
    if (o.protocol != Protocol::by_port) return wrong("protocol (--protocol)");
    if (o.first_image) return wrong("first_image (--first-image)");
    if (!o.open.axis_order.empty()) return wrong("axis_order (--axis-order)");
    return {};
}

}  // namespace

bool is_path(std::string const& where, OpenOptions const& options) {
    if (where.starts_with("tcp://") || where.starts_with("ipc://")) return false;
    return stamp_of(where) || stamp_of(where + std::string(master_end)) ||
           may_begin(fs::path(where).filename().string(), options) || where.ends_with(".hdr");
}

Files::Files(std::string path, StreamOptions options, bool folder)
    : path_(std::move(path)), options_(std::move(options)), folder_(folder) {}

Result<std::unique_ptr<Receiver>> Files::watch(std::string const& path, StreamOptions options) {
    SLUICE_CHECK(check(options, path));
    if (!options.channel.empty()) options.open.format.of<NxmxOptions>().channel = options.channel;
    std::string const meant = file_meant(path);
    auto const there = stamp_of(meant);
    bool const folder = there && there->folder;
    fs::path const parent = fs::path(meant).parent_path();
    if (!there && !parent.empty() && !stamp_of(parent.string()))
        return Error{Code::not_found,
                     "there is no such folder to watch; make it, or check the name",
                     parent.string()};
    std::unique_ptr<Files> files(new Files(meant, std::move(options), folder));
    // What is there before is not what comes.
    if (folder && !files->options_.existing)
        for (std::string const& old : acquisitions_in(meant, files->options_.open))
            if (auto const stamp = stamp_of(old)) files->known_.insert(stamp->identity);
    return std::unique_ptr<Receiver>(std::move(files));
}

// What has come is a candidate; what went away is none.
void Files::look_around() {
    std::vector<std::string> paths{path_};
    if (folder_) paths = acquisitions_in(path_, options_.open);
    std::erase_if(candidates_, [&](Growing const& c) {
        return std::ranges::find(paths, c.path()) == paths.end();
    });
    std::set<Identity> there;
    for (std::string const& path : paths)
        if (auto const stamp = stamp_of(path)) there.insert(stamp->identity);
    // The number of a file that went away may be the next one's.
    std::erase_if(known_, [&](Identity const& one) { return !there.contains(one); });
    for (std::string const& path : paths) {
        auto const stamp = stamp_of(path);
        if (!stamp || known_.contains(stamp->identity)) continue;
        if (std::ranges::find(candidates_, path, &Growing::path) == candidates_.end())
            candidates_.emplace_back(path, options_.open);
    }
}

// Whether enough is known of it. Of a file that does not open, what is wrong is an error only
// when nothing changes any more.
Result<bool> Files::opens(Growing& c) {
    SLUICE_CHECK(c.look());
    bool const quiet = c.quiet_s() > options_.patience_s;
    if (c.trouble() && (quiet || c.trouble()->code == Code::invalid_argument)) return *c.trouble();
    if (!c.dataset() || c.trouble()) return false;
    auto const& a = c.announced();
    // Who reads on without knowing says what is missing.
    return a.images > 0 || a.scan || options_.open.scan_shape || quiet;
}

void Files::know(Growing const& files) {
    // Of what was opened: what has its name now may be the next one.
    for (Identity const& one : files.identities()) known_.insert(one);
}

Series Files::series() const {
    auto const& a = now_->announced();
    Series s{.name = name_of_series(now_->path()),
             .images = a.images,
             .scan = a.scan,
             .scan_from = a.scan_from,
             .dataset = *now_->dataset()};
    Dataset& d = s.dataset;
    d.frames = d.missing = 0;
    d.missing_runs.clear();
    d.source.reset();
    // They are of what was there at the first look.
    d.files.clear();
    d.warnings.clear();
    d.notes = {"the files were read while they were written"};
    return s;
}

Result<std::optional<Series>> Files::wait_for_series(GoOn const& go_on) {
    now_.reset();
    while (go_on()) {
        look_around();
        for (auto it = candidates_.begin(); it != candidates_.end();) {
            auto const enough = opens(*it);
            if (enough && !*enough) {
                ++it;
                continue;
            }
            know(*it);
            now_ = std::move(*it);
            it = candidates_.erase(it);
            if (enough) return std::optional<Series>(series());
            if (!folder_) return enough.error();
            problems().tell("files that cannot be opened", enough.error().text());
        }
        std::this_thread::sleep_for(between_looks);
    }
    return std::optional<Series>();
}

void Files::receive(FrameRing& ring, GoOn const& go_on) {
    Listening how{.images = now_->announced().images, .patience_s = options_.patience_s};
    how.next = [&] { return take(ring); };
    how.cut_short = [] { return std::string(); };
    how.all_sent = [&] { return now_->taken() >= ring.images(); };
    how.broken = [&] {
        std::string why = fmt::format("nothing was written for {:g} s, without the last image",
                                      options_.patience_s);
        if (now_->trouble()) why += fmt::format(" ({})", now_->trouble()->text());
        return why;
    };
    listen(ring, go_on, how);
    for (auto const& [image, why] : now_->unread())
        problems().tell("images that cannot be read",
                        fmt::format("image {}: {}", image, why.text()));
    if (now_->announced().images == 0 && now_->dataset()->frames > ring.images())
        problems().tell("images that the scan does not have",
                        fmt::format("image {}, of 0 to {}", ring.images(), ring.images() - 1));
    know(*now_);
}

Result<Came> Files::take(FrameRing& ring) {
    auto images = now_->take();
    if (images.empty()) {
        SLUICE_CHECK(now_->look());
        images = now_->take();
    }
    // A new run may have begun in the same file since the last look.
    if (!images.empty()) SLUICE_CHECK(now_->still_same());
    // Nobody says where files end that announce nothing: what the scan does not have is told once.
    if (now_->announced().images == 0)
        std::erase_if(images, [&](auto const& one) { return one.number >= ring.images(); });
    for (Growing::Image& one : images)
        put_image(ring, problems(), static_cast<std::uint64_t>(one.number), 0, one.frame,
                  std::move(one.owner));
    if (!images.empty()) return Came::message;
    index const all = now_->announced().images;
    if (all > 0 && now_->taken() >= all) return Came::end;
    std::this_thread::sleep_for(between_looks);
    return Came::nothing;
}

}  // namespace sluice::net::files
