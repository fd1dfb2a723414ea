// From the frames of an EMPAD and their XML to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/empad/empad.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "format/empad/sidecar.h"
#include "format/raw/flat_scan.h"

namespace sluice::empad {
namespace {

namespace fs = std::filesystem;

// Of 130 rows that are stored the detector has 128; the others hold its own state.
constexpr index side = 128, stored_rows = 130;
constexpr std::uint64_t stored_bytes = stored_rows * side * 4;
constexpr std::uint64_t most_xml_bytes = 16 << 20;

bool ends_with(fs::path const& path, std::string_view ending) {
    std::string e = path.extension().string();
    std::ranges::transform(e, e.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return e == ending;
}

bool is_there(fs::path const& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

// The file of the same name with another ending; empty: there is none.
std::string beside(fs::path const& path, std::string const& ending, std::string const& upper) {
    for (std::string const& e : {ending, upper})
        if (fs::path const other = fs::path(path).replace_extension(e); is_there(other))
            return other.string();
    return {};
}

bool is_sidecar_file(std::string const& path) {
    auto const file = File::open(path);
    if (!file) return false;
    std::vector<std::byte> head(std::min<std::uint64_t>(file->size(), 4096));
    return file->read(0, head) && is_sidecar(head);
}

bool size_is(std::string_view path, ScanGrid const& grid) {
    std::error_code failed;
    auto const size = fs::file_size(path, failed);
    return !failed && size == static_cast<std::uint64_t>(grid[0] * grid[1]) * stored_bytes;
}

/// Both files of a scan.
struct Pair {
    std::string raw, xml;
    Sidecar sidecar = {};
    std::vector<std::string> notes = {};
};

Status find_frames(Pair& p) {
    fs::path const named = fs::path(p.xml).parent_path() / p.sidecar.raw_file;
    if (!p.sidecar.raw_file.empty() && is_there(named)) {
        p.raw = named.string();
        return {};
    }
    p.raw = beside(p.xml, ".raw", ".RAW");
    if (p.raw.empty())
        return Error{Code::not_found,
                     fmt::format("the frames, {}, are not beside it; copy them there",
                                 p.sidecar.raw_file.empty() ? "a .raw file of the same name"
                                                            : p.sidecar.raw_file),
                     p.xml};
    p.notes.push_back(fmt::format("the XML names {}, which is not there; {} has the XML's own name",
                                  p.sidecar.raw_file.empty() ? "no file" : p.sidecar.raw_file,
                                  fs::path(p.raw).filename().string()));
    return {};
}

Result<Pair> find_pair(std::string const& path) {
    Pair p;
    bool const is_xml = ends_with(path, ".xml");
    p.xml = is_xml ? path : beside(path, ".xml", ".XML");
    if (!is_xml) p.raw = path;
    if (p.xml.empty()) {
        if (auto const grid = scan_of_name(fs::path(path).filename().string()))
            p.sidecar.scans.push_back({*grid, "the file's name"});
        p.notes.emplace_back("no XML lies beside the frames");
        return p;
    }
    SLUICE_TRY(auto const bytes, read_file(p.xml, most_xml_bytes));
    auto sidecar = parse_sidecar({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    if (!sidecar) {
        sidecar.error().file = p.xml;
        return sidecar.error();
    }
    p.sidecar = std::move(*sidecar);
    if (is_xml) SLUICE_CHECK(find_frames(p));
    return p;
}

// The first scan that has as many points as there are frames, or the first.
void choose_scan(Pair& p, std::uint64_t size, FlatScan& s) {
    auto const& scans = p.sidecar.scans;
    if (scans.empty()) return;
    auto const fits = [&](StatedScan const& c) {
        return static_cast<std::uint64_t>(c.grid[0] * c.grid[1]) == size / stored_bytes;
    };
    auto const found = std::ranges::find_if(scans, fits);
    StatedScan const& chosen = found == scans.end() ? scans.front() : *found;
    if (&chosen != scans.data())
        p.notes.push_back(fmt::format("{} do not fit the frames; the shape is that of {}",
                                      scans.front().from, chosen.from));
    s.scan = chosen.grid, s.scan_from = chosen.from;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    fs::path const file(path);
    if (ends_with(file, ".xml")) return is_sidecar(head);
    if (!ends_with(file, ".raw")) return false;
    std::string const xml = beside(file, ".xml", ".XML");
    if (!xml.empty()) return is_sidecar_file(xml);
    auto const grid = scan_of_name(file.filename().string());
    return grid && size_is(path, *grid);
}

bool is_part(std::string const& path) {
    if (!ends_with(path, ".xml") || !is_sidecar_file(path)) return false;
    return !beside(path, ".raw", ".RAW").empty();
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(Pair p, find_pair(path));
    SLUICE_TRY(File file, File::open(p.raw));
    FlatScan s{.format = "empad", .rows = side, .cols = side};
    s.layout.stored = {StoredType::Kind::floating, 4};
    s.layout.stride = stored_bytes;
    choose_scan(p, file.size(), s);
    auto d = open_flat(std::move(file), s, options);
    if (!d) {
        if (d.error().file.empty()) d.error().file = p.raw;
        return d;
    }
    d->path = path;
    if (!p.xml.empty()) d->files.push_back(p.xml);
    d->energy_kv = p.sidecar.energy_kv;
    d->metadata = std::move(p.sidecar.fields);
    d->notes.insert(d->notes.end(), p.notes.begin(), p.notes.end());
    d->notes.emplace_back(
        "of 130 rows that are stored the last 2 are the detector's state and left out");
    return d;
}

}  // namespace sluice::empad
