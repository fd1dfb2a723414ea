// From the files of an acquisition to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/frms6/frms6.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/plural.h"
#include "format/frms6/frames.h"
#include "format/raw/flat_scan.h"

namespace sluice::frms6 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".frms6";
constexpr std::uint64_t most_info = 1 << 20;
constexpr int most_files = 1000;  // three digits

/// "scan" of "scan_012.frms6", and 12; the number is -1 where there is none.
struct Name {
    std::string base;
    int number = -1;
};

Name name_of(std::string const& path) {
    std::string const stem = path.substr(0, path.size() - ending.size());
    auto const bar = stem.rfind('_');
    Name n{stem, -1};
    if (bar == std::string::npos || stem.size() - bar != 4) return n;
    auto const [end, error] =
        std::from_chars(stem.data() + bar + 1, stem.data() + stem.size(), n.number);
    if (error != std::errc() || end != stem.data() + stem.size() || n.number < 0) return {stem, -1};
    n.base.resize(bar);
    return n;
}

std::string file_of(Name const& name, int number) {
    return fmt::format("{}_{:03}{}", name.base, number, ending);
}

bool is_there(std::string const& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

struct Acquisition {
    Header header;
    std::vector<FilePiece> pieces = {};
    std::vector<std::string> files = {};
    index frames = 0;
    bool cut = false;
};

Status add_file(Acquisition& a, std::string const& path, bool allow_incomplete) {
    SLUICE_TRY(File file, File::open(path));
    std::vector<std::byte> head(std::min(file.size(), file_header_bytes));
    SLUICE_CHECK(file.read(0, head));
    auto header = parse_header(head);
    if (!header) {
        header.error().file = path;
        return header.error();
    }
    if (a.pieces.empty()) a.header = *header;
    if (header->rows != a.header.rows || header->cols != a.header.cols)
        return Error{Code::unsupported,
                     fmt::format("its frames have {} lines of {} values, and those before {} of "
                                 "{}; the files are of several acquisitions",
                                 header->rows, header->cols, a.header.rows, a.header.cols),
                     path};
    std::uint64_t const held = file.size() - file_header_bytes;
    auto const whole = static_cast<index>(held / header->stride());
    index const frames = header->frames > 0 ? std::min(header->frames, whole) : whole;
    bool const cut =
        header->frames > whole || (header->frames == 0 && held % header->stride() != 0);
    if (cut && !allow_incomplete)
        return Error{Code::truncated,
                     fmt::format("the file ends within a frame ({} are whole); copy it again, or "
                                 "open it with --allow-incomplete",
                                 whole),
                     path, file.size()};
    a.cut = a.cut || cut;
    a.frames += frames;
    a.files.push_back(path);
    a.pieces.push_back({std::make_shared<File const>(std::move(file)), frames});
    return {};
}

Result<Acquisition> find_files(std::string const& path, bool allow_incomplete) {
    Name const name = name_of(path);
    Acquisition a;
    if (name.number < 0) {
        SLUICE_CHECK(add_file(a, path, allow_incomplete));
        return a;
    }
    for (int i = 1; i < most_files && is_there(file_of(name, i)); ++i)
        SLUICE_CHECK(add_file(a, file_of(name, i), allow_incomplete));
    if (static_cast<int>(a.pieces.size()) < std::max(1, name.number))
        return Error{
            Code::incomplete,
            fmt::format(
                "{} is not beside it; copy it there",
                fs::path(file_of(name, static_cast<int>(a.pieces.size()) + 1)).filename().string()),
            path};
    return a;
}

Result<Info> find_info(Name const& name, std::string& path) {
    if (!is_there(name.base + ".hdr")) return Info{};
    path = name.base + ".hdr";
    SLUICE_TRY(auto const bytes, read_file(path, most_info));
    return parse_info({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
}

void warn(Dataset& d, std::string text) {
    d.notes.push_back(text);
    d.warnings.push_back(std::move(text));
}

void describe(Info const& info, Name const& name, Dataset& d) {
    if (info.dwell_s > 0) d.dwell_s = info.dwell_s;
    if (info.binning > 1)
        d.notes.push_back(
            fmt::format("rows of pixels were binned by {} when they were read out, "
                        "and columns were not",
                        info.binning));
    if (info.scan && d.scan == *info.scan && d.scan[0] != d.scan[1] && d.scan_from != "user")
        warn(d, fmt::format("the .hdr says a scan of {}x{}, which is taken as rows and columns; no "
                            "description says so (--scan overrules it)",
                            d.scan[0], d.scan[1]));
    if (is_there(file_of(name, 0)))
        warn(d, fmt::format("the dark frames of {} are not subtracted; give their mean by --dark",
                            fs::path(file_of(name, 0)).filename().string()));
}

Result<Dataset> open_files(std::string const& path, OpenOptions const& options) {
    Name const name = name_of(path);
    SLUICE_TRY(Acquisition a, find_files(path, options.allow_incomplete));
    std::string hdr;
    SLUICE_TRY(Info const info, find_info(name, hdr));
    FlatScan s{.format = "frms6", .rows = 2 * a.header.rows, .cols = a.header.cols / 2};
    SLUICE_CHECK(check_frame(s.rows, s.cols));
    s.layout.stored = {StoredType::Kind::unsigned_int, 2};
    s.layout.pixels = s.rows * s.cols;
    s.announced = info.signal_frames;
    s.scan = info.scan, s.scan_from = "the .hdr";
    index const present = s.announced > 0 ? std::min(a.frames, s.announced) : a.frames;
    std::vector<std::string> files = a.files;
    if (!hdr.empty()) files.push_back(hdr);
    SLUICE_TRY(Dataset d, open_frames(folded_frames(std::move(a.pieces), a.header), present,
                                      std::move(files), s, options));
    if (a.cut) d.notes.emplace_back("bytes at the end of a file fill no frame");
    if (a.frames > present)
        d.notes.push_back(fmt::format("{} behind the scan {} left out",
                                      plural(a.frames - present, "frame"),
                                      a.frames - present == 1 ? "is" : "are"));
    describe(info, name, d);
    d.path = path;
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    return path.ends_with(ending) && !head.empty();
}

bool is_part(std::string const& path) {
    if (!path.ends_with(ending)) return false;
    Name const name = name_of(path);
    return name.number >= 0 && name.number != 1 && is_there(file_of(name, 1));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    auto d = open_files(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::frms6
