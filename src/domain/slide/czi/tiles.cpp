// Tiles out of the sub-blocks of a CZI file.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/czi/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/plural.h"
#include "domain/slide/czi/decode.h"
#include "domain/slide/czi/facts.h"
#include "domain/slide/czi/far.h"

namespace sluice::slide {
namespace {

// More planes in one sub-block than any instrument writes, and many for a file of this size.
constexpr index many_planes = 4096;
index most_planes(czi::File const& file) {
    return std::clamp<index>(static_cast<index>(file.source().size() / 16), many_planes, 1 << 20);
}

// Sparse scans store every fourth row. A tile that claims far more than it stores, along one side
// alone, is a damaged number, and would be drawn over a canvas of its own.
bool is_stretched(czi::Entry const& e) {
    constexpr index most = 64;
    bool const wide = e.rect.width / most > e.stored_width;
    bool const high = e.rect.height / most > e.stored_height;
    bool const reduced = e.stored_width < e.rect.width && e.stored_height < e.rect.height;
    return (wide || high) && !reduced;
}

void expand(czi::File const& file, Model& m) {
    index const max_planes = most_planes(file);
    index left_out = 0, stretched = 0;
    for (std::size_t i = 0; i < file.entries().size(); ++i) {
        czi::Entry const& e = file.entries()[i];
        if (is_stretched(e)) {
            ++stretched;
            continue;
        }
        index planes = 1;
        for (std::int32_t const n : e.size) planes = std::min(planes * n, max_planes + 1);
        // Those of compressed tiles may cost next to no bytes each.
        bool const plain = e.compression == czi::Compression::none;
        if (planes > (plain ? max_planes : std::min(max_planes, many_planes))) {
            ++left_out;
            continue;
        }
        for (index p = 0; p < planes; ++p) {
            Tile t;
            t.rect = e.rect;
            t.stored_width = e.stored_width;
            t.stored_height = e.stored_height;
            t.scene = e.scene;
            t.m = e.m;
            t.pixel_type = e.pixel_type;
            t.entry = static_cast<std::int32_t>(i);
            t.plane = static_cast<std::int32_t>(p);
            index rest = p;
            for (std::size_t d = 0; d < e.size.size(); ++d) {
                t.at[d] = e.start[d] + static_cast<std::int32_t>(rest % e.size[d]);
                rest /= e.size[d];
            }
            m.tiles.push_back(t);
        }
        if (m.tiles.size() > file.entries().size() + static_cast<std::size_t>(max_planes)) {
            left_out += static_cast<index>(file.entries().size() - i - 1);
            break;
        }
    }
    if (left_out > 0)
        m.notes.push_back(
            fmt::format("left out {} sub-blocks of more than {} planes, or {} that are compressed",
                        left_out, max_planes, many_planes));
    if (stretched > 0)
        m.notes.push_back(
            fmt::format("left out {} that would be stretched more than 64 times "
                        "along one side (a size is damaged)",
                        plural(stretched, "tile")));
}

// Whether a sub-block says that it has a mask, and that mask, which has the size of the tile.
Result<std::unique_ptr<Mask>> read_mask(czi::File const& file, czi::Entry const& entry,
                                        TilePlace const& where) {
    std::unique_ptr<Mask> none;
    if (where.attachment_size == 0) return none;
    std::vector<std::byte> bytes(where.metadata_size);
    SLUICE_CHECK(file.source().read(where.metadata, bytes));
    std::string_view const xml(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (xml.find("CHUNKCONTAINER") == std::string_view::npos) return none;
    std::vector<std::byte> attachment(where.attachment_size);
    SLUICE_CHECK(file.source().read(where.attachment, attachment));
    SLUICE_TRY(Mask mask, czi::parse_mask(attachment));
    if (mask.width == 0) return none;
    if (mask.width != entry.stored_width || mask.height != entry.stored_height)
        return Error{Code::corrupt,
                     fmt::format("its mask has {} x {} pixels (the tile has {} x {})", mask.width,
                                 mask.height, entry.stored_width, entry.stored_height)};
    return std::make_unique<Mask>(std::move(mask));
}

class CziTiles final : public TileSource {
  public:
    explicit CziTiles(czi::File file) : file_(std::move(file)) {}

    std::string_view format() const override { return "czi"; }
    std::string const& name() const override { return file_.source().name(); }
    std::uint64_t bytes() const override { return file_.source().size(); }
    void list(Model& model) const override {
        model.notes = file_.notes();
        model.tiles.reserve(file_.entries().size());
        expand(file_, model);
        set_levels(model);
        note_far_tiles(model);
    }
    Status compare_all() const override { return file_.compare_all(); }
    // A mapped file that became shorter meanwhile had zeros where its end was.
    Status intact() const override { return file_.source().intact(); }
    // A file whose description is damaged still has its pixels.
    Metadata metadata(std::vector<std::string>& notes) const override {
        auto const xml = file_.xml();
        auto parsed = xml ? czi::parse_metadata(*xml) : xml.error();
        if (!parsed) {
            notes.push_back(parsed.error().text());
            return {};
        }
        for (std::string& text : czi::compare(*parsed, file_.entries()))
            notes.push_back(std::move(text));
        return *std::move(parsed);
    }
    Result<std::string> xml() const override { return file_.xml(); }
    SlideFacts facts(Model const&) const override { return facts_of(file_); }
    SlideOpenOptions opened_with() const override { return file_.options(); }
    Source const* source() const override { return &file_.source(); }
    Result<std::vector<Attachment>> attachments() const override { return listed(); }
    Result<std::vector<std::byte>> read(Attachment const& a) const override {
        return file_.read(a);
    }
    Result<std::vector<double>> time_stamps() const override {
        auto const& list = listed();
        return list ? time_stamps_of(file_, *list) : list.error();
    }
    Result<std::vector<Violation>> check() const override { return czi::check(file_); }

    std::string compression(Tile const& t) const override { return named(entry_of(t).compression); }
    std::optional<std::uint64_t> offset(Tile const& t) const override { return entry_of(t).offset; }
    std::optional<std::uint64_t> described_at(Tile const& t) const override {
        return entry_of(t).entry_offset;
    }
    bool in_other_file(Tile const& t) const override {
        return entry_of(t).file_part != file_.header().file_part;
    }
    bool reducible(Tile const& t) const override {
        return entry_of(t).compression == czi::Compression::jpeg_xr;
    }
    bool worth_keeping(Tile const& t) const override {
        return entry_of(t).compression != czi::Compression::none;
    }
    Source const* plain(Tile const& t) const override {
        return is_plain(entry_of(t)) ? &file_.source() : nullptr;
    }

    Result<TilePlace> locate(Tile const& t, std::span<std::byte> head) const override {
        return head.empty() ? file_.locate(entry_of(t)) : file_.locate(entry_of(t), head);
    }
    Result<std::unique_ptr<Mask>> mask(Tile const& t, TilePlace const& place) const override {
        return read_mask(file_, entry_of(t), place);
    }
    Status check_size(Tile const& t, TilePlace const& place) const override {
        czi::Entry const& e = entry_of(t);
        SLUICE_CHECK(slide::check_size(e, place.data_size));
        // Data that could hold so many pixels may say that they do not. Small tiles are not read
        // twice for that.
        constexpr double large = 16e6;
        if (static_cast<double>(e.stored_width) * static_cast<double>(e.stored_height) < large)
            return {};
        Buffer memory;
        SLUICE_TRY(Bytes const data, fetch(t, place, memory));
        return check_claim(e, t, data);
    }
    Result<Bytes> fetch(Tile const&, TilePlace const& place, Buffer& memory) const override {
        if (Bytes const mapped = file_.source().mapped(); !mapped.empty())
            return mapped.subspan(place.data, place.data_size);
        std::span<std::byte> const to(memory.reserve(place.data_size), place.data_size);
        SLUICE_CHECK(file_.source().read(place.data, to));
        return Bytes(to);
    }
    Result<Pixels> decode(Tile const& t, Bytes bytes, int reduction, Buffer& out) const override {
        return slide::decode(entry_of(t), t, bytes, reduction, out);
    }

  private:
    czi::File file_;
    mutable std::once_flag listing_;
    mutable Result<std::vector<Attachment>> list_ = std::vector<Attachment>{};

    // Each attachment has a segment of its own, far from the others, so that they are read once.
    Result<std::vector<Attachment>> const& listed() const {
        std::call_once(listing_, [&] { list_ = file_.attachments(); });
        return list_;
    }
    czi::Entry const& entry_of(Tile const& t) const {
        return file_.entries()[static_cast<std::size_t>(t.entry)];
    }
};

}  // namespace

Result<std::unique_ptr<TileSource const>> open_czi_tiles(std::shared_ptr<Source const> source,
                                                         SlideOpenOptions options) {
    SLUICE_TRY(czi::File file, czi::File::open(std::move(source), options));
    return std::unique_ptr<TileSource const>(std::make_unique<CziTiles>(std::move(file)));
}

}  // namespace sluice::slide
