// damage_scan FOLDER FILE FIRST COUNT OPEN [NAME=VALUE ...]: damages FILE in FOLDER again and
// again, opens OPEN there, and reads all frames, in processes of its own. Prints what came of it.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "damage_tool/damage.h"
#include "format/decode_frame.h"
#include "format/fields.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

// What becomes of a damaged file; a worker writes one letter of it.
constexpr char refused = 'r', same = '=', told = 't', counts = 'c', silent = 's', nothing = 'n';
constexpr index most_frames = 256;
constexpr rlim_t memory = rlim_t{4} << 30;
constexpr std::uint64_t in_batch = 250;

/// All that a caller sees of a file.
struct Seen {
    bool opened = false;
    std::string about;              ///< its shape and type
    std::vector<std::string> said;  ///< notes and warnings
    index missing = 0;
    std::vector<std::vector<std::byte>> frames;
    /// Bytes of the file that are values as they are.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> raw;
};

Status read(Dataset const& d, std::string const& damaged, Seen& seen) {
    FrameSize const size{
        .rows = d.rows, .cols = d.cols, .pixel_bytes = static_cast<int>(size_of(d.dtype))};
    if (d.pixels() > index{1} << 24) return {};
    for (index first = 0; first < std::min(d.frames, most_frames); first += 16) {
        std::vector<EncodedFrame> frames(
            static_cast<std::size_t>(std::min<index>(16, d.frames - first)));
        FetchScratch scratch;
        SLUICE_CHECK(d.source->fetch(first, frames, scratch));
        for (EncodedFrame const& f : frames) {
            std::vector<std::byte> values(size.bytes());
            SLUICE_CHECK(decode_frame(f, size, values));
            bool const plain = f.encoding == Encoding::values ||
                               f.encoding == Encoding::big_endian ||
                               f.encoding == Encoding::medipix;
            if (plain && f.file && fs::path(*f.file).filename() == damaged)
                seen.raw.emplace_back(f.at, f.at + f.bytes.size());
            seen.frames.push_back(std::move(values));
        }
    }
    return {};
}

Seen look(std::string const& path, OpenOptions const& options, std::string const& damaged) {
    Seen seen;
    auto const d = open(path, options);
    if (!d) return seen;
    seen.about =
        fmt::format("{}x{} {}x{} {}", d->scan[0], d->scan[1], d->rows, d->cols, name_of(d->dtype));
    seen.missing = d->missing;
    seen.said = d->notes;
    seen.said.insert(seen.said.end(), d->warnings.begin(), d->warnings.end());
    seen.opened = read(*d, damaged, seen).has_value();
    return seen;
}

char verdict(Seen const& healthy, Seen const& seen, damage::Damaged const& how) {
    if (!seen.opened) return refused;
    bool const equal = seen.about == healthy.about && seen.frames == healthy.frames;
    if (equal) return same;
    if (seen.missing != healthy.missing || seen.said != healthy.said) return told;
    auto const within = [&](std::uint64_t at) {
        return std::ranges::any_of(healthy.raw,
                                   [&](auto const& r) { return at >= r.first && at < r.second; });
    };
    bool const raw = !how.changed.empty() && std::ranges::all_of(how.changed, within);
    return raw && seen.about == healthy.about ? counts : silent;
}

struct Job {
    fs::path folder, file;
    std::string open = {}, whole = {};
    OpenOptions options = {};
    Seen healthy = {};
};

void write(fs::path const& path, std::string const& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

[[noreturn]] void work(Job const& job, std::uint64_t first, std::uint64_t count, int to) {
    rlimit const room{memory, memory};
    setrlimit(RLIMIT_AS, &room);
    for (std::uint64_t n = first; n < first + count; ++n) {
        auto const damaged = damage::damage(job.whole, n);
        write(job.file, damaged.bytes);
        // Processor time, for the machine may be busy; and what waits for ever.
        itimerval const limit{{}, {10, 0}};
        setitimer(ITIMER_PROF, &limit, nullptr);
        alarm(300);
        char out = nothing;
        try {
            out = verdict(job.healthy, look(job.open, job.options, job.file.filename().string()),
                          damaged);
        } catch (std::bad_alloc const&) {
            out = 'm';
        }
        if (::write(to, &out, 1) != 1) _exit(3);
    }
    _exit(0);
}

// Runs some, and goes on behind one that ended its process.
void batch(Job const& job, std::uint64_t first, std::uint64_t count,
           std::map<std::string, index>& found) {
    std::uint64_t done = 0;
    while (done < count) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) std::exit(2);
        pid_t const child = fork();
        if (child == 0) {
            close(ends[0]);
            if (!std::freopen("/dev/null", "w", stderr)) _exit(3);
            work(job, first + done, count - done, ends[1]);
        }
        close(ends[1]);
        for (char c = 0; ::read(ends[0], &c, 1) == 1; ++done) {
            ++found[std::string(1, c)];
            if (c == silent || c == 'm')
                fmt::print("  {} {}: {}\n", c == 'm' ? "memory" : "silent", first + done,
                           damage::damage(job.whole, first + done).how);
        }
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) != 0)) {
            bool const late =
                WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
            ++found[late ? "hang" : "crash"];
            fmt::print("  {} {}: signal {}\n", late ? "hang" : "crash", first + done,
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
            ++done;
        }
    }
}

int run(std::vector<std::string> const& words) {
    Job job{.folder = words[0], .file = fs::path(words[0]) / words[1]};
    job.open = (job.folder / words[4]).string();
    for (std::size_t i = 5; i < words.size(); ++i) {
        auto const equals = words[i].find('=');
        auto const* field = config::find_field(open_fields(), words[i].substr(0, equals));
        if (!field || !field->set(job.options, words[i].substr(equals + 1))) return 2;
    }
    std::ifstream in(job.file, std::ios::binary);
    job.whole.assign(std::istreambuf_iterator<char>(in), {});
    in.close();
    job.healthy = look(job.open, job.options, words[1]);
    if (!job.healthy.opened) {
        auto const why = open(job.open, job.options);
        fmt::print("the undamaged file does not open: {}\n", why ? "" : why.error().text());
        return 2;
    }
    std::map<std::string, index> found;
    std::uint64_t const from = std::stoull(words[2]), count = std::stoull(words[3]);
    for (std::uint64_t n = 0; n < count; n += in_batch)
        batch(job, from + n, std::min(in_batch, count - n), found);
    write(job.file, job.whole);
    auto const of = [&](char c) { return found[std::string(1, c)]; };
    fmt::print(
        "{} damaged, {} refused, {} same, {} told, {} counts, {} silent, {} memory, {} "
        "crash, {} hang\n",
        count, of(refused), of(same), of(told), of(counts), of(silent), of('m'), found["crash"],
        found["hang"]);
    return found["crash"] + found["hang"] + of('m') > 0 ? 1 : 0;
}

}  // namespace

int damage_scan(std::vector<std::string> const& words) {
    return run(words);
}

}  // namespace sluice

int main(int argc, char** argv) {
    if (argc < 6) return 2;
    return sluice::damage_scan({argv + 1, argv + argc});
}
