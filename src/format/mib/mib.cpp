// From MIB files and their HDR to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/mib/mib.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/plural.h"
#include "format/mib/frames.h"
#include "format/mib/sequence.h"
#include "format/while_written.h"

namespace sluice::mib {
namespace {

/// The files of an acquisition, opened, and what they hold.
struct Found {
    std::vector<std::shared_ptr<File const>> files = {};
    std::vector<Piece> pieces = {};
    FrameForm form = {};
    std::vector<std::string> notes = {};
};

std::uint64_t end_of(Piece const& p) {
    return p.first + static_cast<std::uint64_t>(p.count);
}

bool growing() {
    return WhileWritten::now() != nullptr;
}

Error damaged(Error e) {
    e.message += "; copy the file again, or open it with --allow-incomplete";
    return e;
}

// The end of a file, or what in it is no frame.
Status check(File const& file, FileFrames const& frames, OpenOptions const& options, Found& out) {
    if (frames.damage && !options.allow_incomplete && !growing()) return damaged(*frames.damage);
    if (frames.damage) out.notes.push_back("left out as missing: " + frames.damage->text());
    if (frames.left_over == 0 || growing()) return {};
    std::string const what = fmt::format("the last frame is cut off ({} of {} are there)",
                                         frames.left_over, plural(out.form.stride(), "byte"));
    if (!options.allow_incomplete)
        return Error{Code::truncated,
                     what + "; copy the file again, or open it with --allow-incomplete",
                     file.path(), file.size() - frames.left_over};
    out.notes.push_back(fmt::format("{}: {}", file.path(), what));
    return {};
}

// Of files that grow those that have not changed stay open.
Result<HeldFile*> open_file(std::string const& path, HeldFiles& files) {
    return WhileWritten::now() ? WhileWritten::now()->files().open(path) : files.open(path);
}

// Whoever writes a file has finished the one before it.
bool begun(std::string const& path, HeldFiles& files) {
    auto const kept = open_file(path, files);
    std::array<std::byte, header_start_bytes> head{};
    if (!kept || (*kept)->file->size() < head.size()) return false;
    return (*kept)->file->read(0, head) && header_bytes_of(head);
}

/// What was found in a file, and by what.
struct KnownFrames {
    FrameForm form = {};
    int depth = 0;
    FileFrames frames = {};
};

// A file that is whole is not read again while it stays open.
Result<FileFrames> frames_of(HeldFile& kept, std::size_t which, FrameForm const& form, int depth,
                             bool thorough) {
    auto const* known = std::any_cast<KnownFrames>(&kept.found);
    if (!known || known->form != form || known->depth != depth) {
        SLUICE_TRY(FileFrames found, find_frames(*kept.file, which, form, depth, thorough));
        kept.found = KnownFrames{form, depth, std::move(found)};
        known = std::any_cast<KnownFrames>(&kept.found);
    }
    FileFrames its = known->frames;
    for (Piece& piece : its.pieces) piece.file = which;
    return its;
}

Result<Found> find(Sequence const& sequence, int depth, OpenOptions const& options) {
    Found out;
    HeldFiles opened;
    bool const first_grows =
        growing() && (sequence.files.size() < 2 || !begun(sequence.files[1], opened));
    for (std::string const& path : sequence.files) {
        SLUICE_TRY(HeldFile* const kept, open_file(path, opened));
        File const& file = *kept->file;
        // The last of files that grow may have no whole header.
        if (growing() && !out.files.empty() && file.size() < out.form.stride()) break;
        if (out.files.empty()) {
            SLUICE_TRY(out.form, form_of(file, depth, first_grows));
        }
        bool const thorough = options.allow_incomplete && !growing();
        SLUICE_TRY(FileFrames const its,
                   frames_of(*kept, out.files.size(), out.form, depth, thorough));
        SLUICE_CHECK(check(file, its, options, out));
        out.pieces.insert(out.pieces.end(), its.pieces.begin(), its.pieces.end());
        out.files.push_back(kept->file);
    }
    if (out.pieces.empty())
        return Error{Code::truncated, "holds no whole frame; copy it again", sequence.files.front(),
                     0};
    std::ranges::stable_sort(out.pieces, {}, &Piece::first);
    for (std::size_t i = 1; i < out.pieces.size(); ++i) {
        Piece const& p = out.pieces[i];
        if (p.first < end_of(out.pieces[i - 1]))
            return Error{Code::corrupt,
                         fmt::format("frame {} is there twice, also in {} (files of several "
                                     "acquisitions?) put the files of each into a folder, or its "
                                     "HDR beside each",
                                     p.first, out.files[out.pieces[i - 1].file]->path()),
                         out.files[p.file]->path(), p.at};
    }
    return out;
}

// The number of the first frame: 1, or where the frames are as many as the HDR says, any.
std::uint64_t first_number(Found const& found, AcquisitionHeader const& hdr) {
    std::uint64_t const first = found.pieces.front().first;
    std::uint64_t const frames = end_of(found.pieces.back()) - first;
    bool const whole = hdr.frames > 0 && frames == static_cast<std::uint64_t>(hdr.frames);
    return first == 0 || (whole && !growing()) ? first : 1;
}

Result<ScanShape> scan_of(Found const& found, AcquisitionHeader const& hdr, std::uint64_t first,
                          OpenOptions const& options) {
    ScanQuery q{.expected = hdr.frames,
                .user = options.scan_shape,
                .attribute = hdr.scan,
                .attribute_from = hdr.scan_from,
                .allow_incomplete = options.allow_incomplete};
    std::uint64_t next = first;
    for (Piece const& p : found.pieces) {
        add_run(q.holes, {static_cast<index>(next - first), static_cast<index>(p.first - next)});
        next = end_of(p);
    }
    q.present = static_cast<index>(next - first);
    return resolve_scan_shape(q);
}

Result<AcquisitionHeader> hdr_of(Sequence const& sequence) {
    if (sequence.hdr.empty()) return AcquisitionHeader{};
    SLUICE_TRY(auto const bytes, read_file(sequence.hdr, most_hdr_bytes));
    return read_hdr(bytes);
}

Dataset describe(Found const& found, AcquisitionHeader const& hdr, ScanShape& scan) {
    FrameLayout const& layout = found.form.layout;
    Dataset d;
    d.format = "mib";
    d.dtype = layout.dtype;
    d.frames = scan.frames;
    d.missing = scan.missing;
    d.missing_runs = std::move(scan.missing_runs);
    d.rows = layout.rows, d.cols = layout.cols;
    d.scan = scan.grid;
    d.scan_from = scan.from;
    d.notes = found.notes;
    d.notes.insert(d.notes.end(), scan.notes.begin(), scan.notes.end());
    d.warnings = std::move(scan.warnings);
    d.metadata = hdr.fields;
    if (layout.encoding == Encoding::medipix)
        d.metadata.push_back({"counter depth", fmt::format("{}", layout.medipix.depth), "bit"});
    d.notes.emplace_back("the files say no pixel mask: only --mask leaves pixels out");
    for (auto const& file : found.files) d.files.push_back(file->path());
    return d;
}

Result<double> exposure_of(File const& file, FrameForm const& form) {
    std::vector<std::byte> bytes(form.header_bytes);
    SLUICE_CHECK(file.read(0, bytes));
    SLUICE_TRY(auto const header, read_frame_header(bytes));
    return header.exposure_s;
}

}  // namespace

bool recognises(std::string_view path, Bytes head) {
    std::string_view const text(reinterpret_cast<char const*>(head.data()), head.size());
    return text.starts_with("MQ1,") || (is_name(path) && text.starts_with("HDR,"));
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(Sequence const sequence, sequence_of(path));
    SLUICE_TRY(AcquisitionHeader const hdr, hdr_of(sequence));
    SLUICE_TRY(Found found, find(sequence, hdr.depth, options));
    std::uint64_t const first = first_number(found, hdr);
    SLUICE_TRY(ScanShape scan, scan_of(found, hdr, first, options));
    Dataset d = describe(found, hdr, scan);
    d.path = path;
    SLUICE_TRY(d.dwell_s, exposure_of(*found.files.front(), found.form));
    if (!sequence.hdr.empty()) d.files.push_back(sequence.hdr);
    d.source = std::make_shared<MibSource>(std::move(found.files), std::move(found.pieces),
                                           found.form, hdr.depth, first);
    return d;
}

}  // namespace sluice::mib
