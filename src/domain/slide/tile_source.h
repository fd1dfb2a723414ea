// TileSource: tiles as a format stores them. Slide sorts them and puts them together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/model.h"
#include "domain/slide/pixels.h"

namespace sluice::slide {

/// The size of a decoded tile: stored size, or ceil(size / reduction).
inline index reduced(index size, int reduction) {
    return (size + reduction - 1) / reduction;
}

/// The tiles of one slide. Everything is const and may be called from many threads.
class TileSource {
  public:
    virtual ~TileSource() = default;

    /// "czi" or "ome-zarr".
    virtual std::string_view format() const = 0;
    /// The path, as errors name it.
    virtual std::string const& name() const = 0;
    /// Bytes that the tiles and their description can have.
    virtual std::uint64_t bytes() const = 0;

    /// Fills the model's notes, and its tiles with their levels, in drawing order unless the format
    /// says otherwise.
    virtual void list(Model& model) const = 0;
    /// Looks for tiles that lie elsewhere than the format's index says.
    virtual Status compare_all() const { return {}; }
    /// An error as soon as bytes that were read are known to be wrong.
    virtual Status intact() const { return {}; }
    /// The format's metadata; `notes` receives their errors.
    virtual Metadata metadata(std::vector<std::string>& notes) const = 0;
    /// The text that metadata() reads.
    virtual Result<std::string> xml() const { return std::string(); }
    virtual SlideFacts facts(Model const& model) const = 0;
    virtual SlideOpenOptions opened_with() const { return {}; }
    /// The file, where the slide is one.
    virtual Source const* source() const { return nullptr; }
    virtual Result<std::vector<Attachment>> attachments() const {
        return std::vector<Attachment>{};
    }
    virtual Result<std::vector<std::byte>> read(Attachment const& attachment) const;
    virtual Result<std::vector<double>> time_stamps() const { return std::vector<double>{}; }
    virtual Result<std::vector<Violation>> check() const;

    virtual std::string compression(Tile const& tile) const = 0;
    /// Where the tile begins in the file: tiles are read in this order, and errors tell it.
    virtual std::optional<std::uint64_t> offset(Tile const& tile) const = 0;
    /// Where the file describes the tile.
    virtual std::optional<std::uint64_t> described_at(Tile const&) const { return {}; }
    virtual bool in_other_file(Tile const&) const { return false; }
    /// Whether decode() takes a reduction of 4 and 16.
    virtual bool reducible(Tile const&) const { return false; }
    /// Whether reading a tile again costs more than keeping it.
    virtual bool worth_keeping(Tile const& tile) const = 0;
    /// The bytes that hold the tile's pixels row by row as they are, from TilePlace::data on,
    /// colours in the order B, G, R; empty where no such bytes exist.
    virtual Source const* plain(Tile const&) const { return nullptr; }

    /// `head` may be empty; else it receives the first bytes from offset() on, which may spare a
    /// read.
    virtual Result<TilePlace> locate(Tile const& tile, std::span<std::byte> head) const = 0;
    /// The mask of a tile that has an attachment; empty without one.
    virtual Result<std::unique_ptr<Mask>> mask(Tile const&, TilePlace const&) const {
        return std::unique_ptr<Mask>();
    }
    /// Whether the tile can come out of the bytes at a place: asked before memory is taken for it.
    virtual Status check_size(Tile const& tile, TilePlace const& place) const = 0;
    /// The tile's bytes, in `memory` or mapped.
    virtual Result<Bytes> fetch(Tile const& tile, TilePlace const& place, Buffer& memory) const = 0;
    /// Decodes them into `out`, whose memory the result refers to (or to that of `bytes`).
    virtual Result<Pixels> decode(Tile const& tile, Bytes bytes, int reduction,
                                  Buffer& out) const = 0;
};

}  // namespace sluice::slide
