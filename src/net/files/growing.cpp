// Looks at files again and again while they grow.
// SPDX-License-Identifier: Apache-2.0
#include "net/files/growing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/file.h"
#include "base/plural.h"
#include "net/check_frame.h"

namespace sluice::net::files {
namespace {

// Frames that share memory, and how much of it.
constexpr index most_together = 16;
constexpr index most_bytes_together = index{8} << 20;
// Stamps may miss a change, so that files are opened without one, too.
constexpr std::chrono::milliseconds anyway_after{500};
constexpr std::chrono::milliseconds settles_after{100};
constexpr std::size_t begin_bytes = 4096;

// Frames that follow each other without an index: their bytes alone tell that they are whole.
bool is_flat(Dataset const& d) {
    return d.format == "mib" || d.format == "raw" || d.format == "npy";
}

bool is_packed(EncodedFrame const& f) {
    return f.encoding != Encoding::values && f.encoding != Encoding::big_endian &&
           f.encoding != Encoding::medipix;
}

std::string folder_of(std::string const& path) {
    std::filesystem::path const p(path);
    return p.has_parent_path() ? p.parent_path().string() : ".";
}

/// What frames that were fetched together point into.
struct Owner {
    FetchScratch scratch = {};
    std::shared_ptr<FrameSource const> source = {};

    bool holds(Bytes bytes) const {
        auto const less = std::less_equal<std::byte const*>();
        std::byte const* const begin = scratch.bytes.data();
        return less(begin, bytes.data()) &&
               less(bytes.data() + bytes.size(), begin + scratch.bytes.size());
    }
};

}  // namespace

Growing::Growing(std::string path, OpenOptions options, Clock::duration between)
    : path_(std::move(path)),
      options_(std::move(options)),
      between_(between),
      changed_(Clock::now()) {
    options_.allow_incomplete = true;
    options_.scan_shape.reset();
}

double Growing::quiet_s() const {
    return std::chrono::duration<double>(Clock::now() - changed_).count();
}

// Files that are not there yet show in their folder.
Growing::Stamps Growing::stamps() const {
    Stamps now;
    now[path_] = stamp_of(path_);
    std::set<std::string> folders{folder_of(path_)};
    if (dataset_)
        for (std::string const& file : dataset_->files) {
            now[file] = stamp_of(file);
            folders.insert(folder_of(file));
        }
    for (std::string const& folder : folders) now[folder] = stamp_of(folder);
    return now;
}

std::vector<Identity> Growing::identities() const {
    std::vector<Identity> all;
    for (auto const& [path, stamp] : stamps_)
        if (stamp && !stamp->folder) all.push_back(stamp->identity);
    return all;
}

// What describes an acquisition may be written anew at its end: the HDR of Merlin, and what a
// microscope writes beside a master.
bool Growing::is_beside(std::string const& file) const {
    namespace fs = std::filesystem;
    return file.ends_with(".hdr") ||
           fs::path(path_).filename() == fs::path(file).stem().string() + "_master.h5";
}

Status Growing::check_same(Stamps const& now) const {
    if (!dataset_) return {};
    for (auto const& [path, before] : stamps_) {
        auto const it = now.find(path);
        if (!before || before->folder || it == now.end() || is_beside(path)) continue;
        auto const& after = it->second;
        if (!after)
            return Error{Code::io, "was taken away while it was read; what was read is kept", path};
        if (after->identity != before->identity)
            return Error{Code::io,
                         "was replaced by another file while it was read; what was read is kept",
                         path};
        // HDF5 gives room back when it closes a file.
        if (is_flat(*dataset_) && after->size < before->size)
            return Error{Code::io,
                         fmt::format("became shorter while it was read ({} bytes, {} before); what "
                                     "was read is kept",
                                     after->size, before->size),
                         path};
    }
    return {};
}

Status Growing::check_begin() {
    if (!is_flat(*dataset_)) return {};
    SLUICE_TRY(File const file, File::open(dataset_->files.front()));
    std::vector<std::byte> bytes(
        std::min<std::uint64_t>(file.size(), begin_.empty() ? begin_bytes : begin_.size()));
    SLUICE_CHECK(file.read(0, bytes));
    if (begin_.empty())
        begin_ = std::move(bytes);
    else if (bytes != begin_)
        return Error{Code::io,
                     "was written anew while it was read (its first bytes have changed); what was "
                     "read is kept",
                     path_};
    return {};
}

Status Growing::check_form(Dataset const& now, WhileWritten::Announced const& announced) const {
    if (!dataset_) return {};
    Dataset const& before = *dataset_;
    auto const changed = [&](std::string what) {
        return Error{Code::corrupt, std::move(what) + " while it was read; what was read is kept",
                     path_};
    };
    if (now.rows != before.rows || now.cols != before.cols || now.dtype != before.dtype)
        return changed(fmt::format("its frames of {}x{} {} became {}x{} {}", before.rows,
                                   before.cols, name_of(before.dtype), now.rows, now.cols,
                                   name_of(now.dtype)));
    if (announced_.images > 0 && announced.images > 0 && announced.images != announced_.images)
        return changed(fmt::format("it announced {}, and then {}",
                                   plural(announced_.images, "image"), announced.images));
    return {};
}

// A file that is written anew in its place has fewer frames for a while. An index that is being
// written may lack some for a moment.
Status Growing::check_taken(Dataset const& now) {
    constexpr index most = index{1} << 28;
    if (now.frames > most)
        return Error{Code::corrupt,
                     fmt::format("has {} frames by what describes it; at most {} are received",
                                 now.frames, most),
                     path_};
    // A damaged number may make millions of frames missing.
    auto const taken = [&](index first, index end) {
        auto const after = taken_runs_.lower_bound(end);
        return first < end && after != taken_runs_.begin() && std::prev(after)->second > first;
    };
    bool gone = taken(now.frames, std::ssize(done_));
    for (FrameRun const& m : now.missing_runs) gone = gone || taken(m.first, m.first + m.count);
    constexpr int looks = 5;
    gone_ = gone ? gone_ + 1 : 0;
    if (gone_ < looks) return {};
    return Error{Code::io,
                 "was written anew while it was read (frames that were read are not there any "
                 "more); what was read is kept",
                 path_};
}

Status Growing::still_same() {
    if (!dataset_) return {};
    SLUICE_CHECK(check_same(stamps()));
    return check_begin();
}

std::optional<Error> Growing::hole() const {
    if (!is_flat(*dataset_)) return {};
    for (std::string const& file : dataset_->files) {
        // One that stayed open was looked at before.
        HeldFile const* const kept = files_.find(file);
        if (kept && !kept->opened_now) continue;
        if (ends_in_hole(file))
            return Error{Code::unsupported,
                         "has room that was not written yet (as a memory map makes it), so that "
                         "nobody sees which frames are there; write frame after frame, or open it "
                         "when it is finished",
                         file};
    }
    return {};
}

// What is known of a file holds while its stamp is that of the time before it was opened: of one
// that was found later, while it did not become longer since. Without any change all are opened
// again, for stamps may miss one.
void Growing::keep_open(Clock::time_point begin, Stamps const& now, bool same) {
    files_.begin(begin, [&](std::string const& path) {
        if (same) return true;
        auto const after = now.find(path);
        Stamps::const_iterator const before = stamps_.find(path);
        if (before == stamps_.end() || after == now.end() || !after->second) return true;
        return before->second != after->second || files_.find(path)->size != after->second->size ||
               !settled(path);
    });
}

// Files that are written in their places may change twice within the time that stamps tell. Of
// others each change shows in the size.
bool Growing::settled(std::string const& path) const {
    if (dataset_ && is_flat(*dataset_)) return true;
    auto const since = since_.find(path);
    return since != since_.end() && files_.find(path)->opened - since->second > settles_after;
}

Status Growing::look(Clock::time_point begin) {
    if (begin < next_) return {};
    Stamps now = stamps();
    SLUICE_CHECK(check_same(now));
    bool const same = now == stamps_;
    if (!same) changed_ = begin;
    if (same && begin - opened_ < anyway_after) return {};
    opened_ = begin;
    for (auto const& [path, stamp] : now) {
        Stamps::const_iterator const before = stamps_.find(path);
        bool const is_known = before != stamps_.end() && since_.contains(path);
        if (!is_known || before->second != stamp) since_[path] = begin;
    }
    keep_open(begin, now, same);
    stamps_ = std::move(now);
    if (!stamps_[path_]) return {};
    WhileWritten written(&files_);
    auto found = open(path_, options_);
    // A large index takes long: at most half of the time goes there.
    if (between_ > Clock::duration::zero())
        next_ = Clock::now() + std::max(between_, Clock::now() - begin);
    if (!found) {
        trouble_ = found.error();
        return {};
    }
    trouble_.reset();
    SLUICE_CHECK(check_form(*found, written.announced));
    SLUICE_CHECK(check_taken(*found));
    if (gone_ > 0) {
        trouble_ = Error{Code::io, "lacks frames that were read from it", path_};
        return {};
    }
    dataset_ = *std::move(found);
    if (announced_.images == 0 || written.announced.images > 0) announced_ = written.announced;
    trouble_ = hole();
    if (trouble_) return {};
    SLUICE_CHECK(check_begin());
    // Those that were found just now have no stamp yet; the others are still the same.
    Stamps after = stamps();
    SLUICE_CHECK(check_same(after));
    for (auto& [path, stamp] : after) stamps_.try_emplace(path, stamp);
    list_new();
    return {};
}

void Growing::list_new() {
    new_.clear();
    done_.resize(std::max(done_.size(), static_cast<std::size_t>(dataset_->frames)));
    auto const add = [&](index first, index end) {
        for (index i = std::max(first, done_before_); i < end; ++i) {
            if (done_[static_cast<std::size_t>(i)]) continue;
            if (new_.empty() || new_.back().first + new_.back().count != i) new_.push_back({i, 0});
            ++new_.back().count;
        }
    };
    index next = 0;
    for (FrameRun const& m : dataset_->missing_runs) {
        add(next, m.first);
        next = m.first + m.count;
    }
    add(next, dataset_->frames);
}

void Growing::add_taken(index number) {
    auto const next = taken_runs_.find(number + 1);
    index const end = next == taken_runs_.end() ? number + 1 : next->second;
    if (next != taken_runs_.end()) taken_runs_.erase(next);
    auto const after = taken_runs_.upper_bound(number);
    if (after != taken_runs_.begin() && std::prev(after)->second == number)
        std::prev(after)->second = end;
    else
        taken_runs_.emplace(number, end);
}

// What cannot be read may not be whole yet: it is tried again at the next look.
void Growing::fetch(index first, std::size_t count, std::vector<Image>& out) {
    auto const owner = std::make_shared<Owner>();
    std::vector<EncodedFrame> frames(count);
    Status read = dataset_->source->fetch(first, frames, owner->scratch);
    if (!read && count > 1) {
        for (std::size_t i = 0; i < count; ++i) fetch(first + static_cast<index>(i), 1, out);
        return;
    }
    FrameSize const size{dataset_->rows, dataset_->cols,
                         static_cast<int>(size_of(dataset_->dtype))};
    for (std::size_t i = 0; i < count; ++i) {
        index const number = first + static_cast<index>(i);
        EncodedFrame const& f = frames[i];
        if (read && (f.encoding == Encoding::missing || f.partial)) continue;
        Status const whole = !read || !is_packed(f) ? read : check_frame(f, size, room_);
        if (!whole) {
            unread_.insert_or_assign(number, whole.error());
            continue;
        }
        if (!owner->holds(f.bytes)) owner->source = dataset_->source;
        unread_.erase(number);
        done_[static_cast<std::size_t>(number)] = true;
        add_taken(number);
        ++taken_;
        out.push_back({number, f, owner});
    }
    while (done_before_ < std::ssize(done_) && done_[static_cast<std::size_t>(done_before_)])
        ++done_before_;
}

std::vector<Growing::Image> Growing::take() {
    std::vector<Image> out;
    while (out.empty() && !new_.empty()) {
        FrameRun& run = new_.front();
        index const bytes = dataset_->pixels() * static_cast<index>(size_of(dataset_->dtype));
        index const count =
            std::min({run.count, most_together, std::max<index>(1, most_bytes_together / bytes)});
        index const first = run.first;
        run.first += count, run.count -= count;
        if (run.count == 0) new_.pop_front();
        fetch(first, static_cast<std::size_t>(count), out);
    }
    return out;
}

}  // namespace sluice::net::files
