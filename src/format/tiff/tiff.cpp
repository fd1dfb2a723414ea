// From the pages of a file to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/tiff.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "format/raw/flat_scan.h"
#include "format/tiff/pages.h"

namespace sluice::tiff {
namespace {

using namespace std::string_view_literals;

FlatScan scan_of(Stack const& s) {
    Page const& p = s.first;
    FlatScan f{.format = "tiff", .rows = p.rows, .cols = p.cols};
    f.layout.stored = p.stored, f.layout.pixels = p.rows * p.cols;
    f.scan = s.about.scan, f.scan_from = s.about.scan_from;
    return f;
}

// Of stacks of more than 4 GB ImageJ writes one page, and the frames one after the other.
bool one_page_for_all(Stack const& s) {
    return s.about.follow && s.directories.size() == 1 && s.plain.size() == 1;
}

Result<Dataset> open_as(Stack const& s, std::shared_ptr<Source const> const& bytes, FlatScan f,
                        OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(bytes->name()));
    if (one_page_for_all(s)) {
        f.announced = s.about.frames, f.layout.offset = s.plain.front();
        return open_flat(std::move(file), std::move(f), options);
    }
    auto const pages = std::ssize(s.directories);
    // A description that counts more frames tells of pages that were lost; one that counts fewer,
    // of another array.
    if (s.about.frames > pages) f.announced = s.about.frames;
    if (s.about.frames < pages) f.scan.reset();
    if (s.plain.empty())
        return open_frames(packed_frames(bytes, s), pages, {bytes->name()}, f, options);
    auto const shared = std::make_shared<File const>(std::move(file));
    FlatRuns runs = runs_of(shared, s.plain, f.layout.frame_bytes());
    f.layout.stride = runs.stride;
    return open_pieces(std::move(runs.pieces), f, options);
}

void tell(Stack const& s, Dataset& d) {
    d.metadata = s.fields;
    d.metadata.insert(d.metadata.end(), s.about.fields.begin(), s.about.fields.end());
    if (s.left_out > 0)
        d.notes.push_back(plural(s.left_out, "page is", "pages are") +
                          " left out: smaller copies, or masks");
    if (s.first.white_is_zero)
        d.notes.emplace_back("the file says that 0 is shown white; values are as they are stored");
}

Result<Dataset> open_stack(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(auto const bytes, open_source(path));
    SLUICE_TRY(Stack const s, read_stack(*bytes));
    SLUICE_TRY(Dataset d, open_as(s, bytes, scan_of(s), options));
    d.path = path;
    tell(s, d);
    return d;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    bool const marked = text.starts_with("II*\0"sv) || text.starts_with("MM\0*"sv) ||
                        text.starts_with("II+\0"sv) || text.starts_with("MM\0+"sv);
    constexpr std::string_view others[] = {".eer", ".svs", ".ndpi", ".scn"};
    return marked &&
           std::ranges::none_of(others, [&](std::string_view end) { return path.ends_with(end); });
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    auto d = open_stack(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    return d;
}

}  // namespace sluice::tiff
