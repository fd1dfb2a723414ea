// Slides: regions of a CZI file or an OME-Zarr image at any level, put together from tiles that are
// decoded in parallel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "sluice/progress.h"
#include "sluice/slide_model.h"
#include "sluice/source.h"
#include "sluice/trace.h"

namespace sluice::slide {

/// One image of the file: an entry of the directory, or one plane of an entry with several.
struct Tile {
    Rect rect;  ///< pixels of the full resolution, in the file's coordinates
    index stored_width = 0, stored_height = 0;
    PlaneIndex at = {};
    std::int32_t scene = none, m = none;
    PixelType pixel_type = PixelType::gray8;
    std::int32_t entry = 0;  ///< the stored piece it is in, by its number in the file
    std::int32_t plane = 0;  ///< which plane of the entry
    std::int32_t level = 0;  ///< index into Slide::levels()
    /// Later tiles of a plane are drawn over earlier ones: scene by scene, of each by M.
    std::int32_t order = 0;
};

/// A level of the pyramid.
struct Level {
    int factor = 1;  ///< full-resolution pixels per pixel, along each side
    index tiles = 0;
};

/// A scene. A file without scenes has one, with the id none.
struct Scene {
    std::int32_t id = none;  ///< S, as the file numbers it
    Rect bounds;             ///< of its tiles of level 0
    index tiles = 0;         ///< of level 0
};

/// What a read did.
struct Stats {
    index tiles_hit = 0;      ///< tiles that meet the region
    index tiles_hidden = 0;   ///< of those, tiles wholly under others: not read
    index tiles_decoded = 0;  ///< read and decoded, or copied where not compressed
    index tiles_bad = 0;
    std::uint64_t bytes_read = 0;
    index pixels_decoded = 0, pixels_returned = 0;
    index pixels_region = 0;      ///< of the level, in the region
    index pixels_background = 0;  ///< of those, under no tile; what masks leave out is not counted
    index tiles_rounded = 0;      ///< tiles of a pyramid whose last row or column was repeated
    Stats& operator+=(Stats const& other);
};

/// The decoded tiles that were used last, up to a number of bytes.
class TileCache {
  public:
    explicit TileCache(std::size_t bytes);
    ~TileCache();
    struct Impl;
    Impl& impl() { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
};

/// A tile that could not be read, with fill_bad.
struct BadTile {
    std::int32_t tile = 0;
    Error error;
};

struct ReadOptions {
    int threads = 0;  ///< 0: one per processor
    /// Where there is no tile.
    double background = 0;
    /// Instead of failing at a damaged tile, fill it with this and go on.
    std::optional<double> fill_bad = {};
    Trace* trace = nullptr;  ///< made for at least `threads` workers
    Stats* stats = nullptr;
    std::vector<BadTile>* bad = nullptr;
    /// Decodes JPEG XR tiles from their coarse bands only, at 1/4 or 1/16 of their size: read()
    /// then returns ceil(width / factor / reduction) pixels. These are low-pass values, not means.
    int reduction = 1;
    /// Lets read_at() choose a reduction where a file has no pyramid.
    bool reduced = false;
    /// Keeps decoded tiles between reads; shared by as many threads as like.
    TileCache* cache = nullptr;
    /// Called with tiles done and all, from one thread at a time; returning false cancels.
    Progress progress = {};
};

/// What to read.
struct Selection {
    PlaneIndex plane = {};
    std::optional<std::int32_t> scene = {};  ///< none: all scenes together
    /// Pixels of the full resolution in the file's coordinates; none: the bounds of the scene, or
    /// of everything.
    std::optional<Rect> rect = {};
};

/// The shape of what a read returns: [height][width][samples], samples in the order R, G, B (, A).
struct Shape {
    index height = 0, width = 0;
    int samples = 1;
    DType sample = DType::u8;
    std::size_t bytes() const;
};

/// Memory that is not cleared before it is written, which std::vector would do. Of 4 to 256 MB the
/// one given up last is kept for the next of its size: clearing its pages would cost as much time
/// as copying them.
class Buffer {
  public:
    Buffer() = default;
    /// Throws std::bad_alloc.
    explicit Buffer(std::size_t bytes);
    /// An error for more than the machine's memory, instead of what the system does then.
    static Result<Buffer> allocate(std::size_t bytes);
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    ~Buffer();
    std::byte* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::span<std::byte> span() const { return {data_, size_}; }
    /// Makes it at least this large; what it held is lost then.
    std::byte* reserve(std::size_t bytes);

  private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Pixels in memory.
struct Image {
    Shape shape;
    Buffer pixels;
};

/// An open slide. Reading is const and may be done from many threads at once.
class Slide {
  public:
    /// A CZI file, or the folder of one OME-Zarr image, which refuses options and a mapping.
    static Result<Slide> open(std::string const& path, SlideOpenOptions options = {},
                              Access access = Access::read);
    /// A CZI file.
    static Result<Slide> open(std::shared_ptr<Source const> source, SlideOpenOptions options = {});
    Slide(Slide&&) noexcept;
    Slide& operator=(Slide&&) noexcept;
    ~Slide();

    /// "czi" or "ome-zarr".
    std::string_view format() const;
    std::string const& path() const;
    /// Scaling, channels and scenes; `notes` receives what is wrong with their description.
    Metadata metadata(std::vector<std::string>& notes) const;
    /// The text that metadata() reads, as the file has it; empty where there is none.
    Result<std::string> xml() const;
    SlideFacts facts() const;
    SlideOpenOptions opened_with() const;
    /// The bytes of the file; null where the slide is a folder.
    Source const* source() const;
    /// Empty where the format has none; read anew by every call.
    Result<std::vector<Attachment>> attachments() const;
    Result<std::vector<std::byte>> read(Attachment const& attachment) const;
    /// In seconds, of an attachment that has them; empty where there is none.
    Result<std::vector<double>> time_stamps() const;
    /// The name of a tile's compression: "none" where its pixels are stored as they are.
    std::string compression(std::int32_t tile) const;
    /// Where a tile begins in the file, and where the file describes it; empty for folders.
    std::optional<std::uint64_t> offset(std::int32_t tile) const;
    std::optional<std::uint64_t> described_at(std::int32_t tile) const;
    /// Where the parts of a tile are; an error where it is damaged or in another file.
    Result<TilePlace> locate(std::int32_t tile) const;
    /// Whether a tile lies in another of several files.
    bool in_other_file(std::int32_t tile) const;
    /// Looks for tiles that lie elsewhere than a CZI's directory says; done once.
    Status compare_all() const;
    /// The rules of its format that the file breaks; an error where there are none to check.
    Result<std::vector<Violation>> check() const;
    std::vector<Tile> const& tiles() const;
    std::vector<Level> const& levels() const;  ///< finest first; levels()[0].factor is 1
    std::vector<Scene> const& scenes() const;
    /// Of all tiles of level 0.
    Rect bounds() const;
    /// Smallest index and number of indices (last - first + 1) along each dimension; 0 and 1 where
    /// no tile has the dimension.
    PlaneIndex first() const;
    PlaneIndex counts() const;
    /// The pixel type of a plane's tiles; an error if there is no tile or they differ.
    Result<PixelType> pixel_type(PlaneIndex const& plane) const;
    std::vector<std::string> const& notes() const;

    /// The level at its own resolution: ceil(width / factor) by ceil(height / factor). Reading a
    /// rectangle wholly outside of the slide, or of the scene, is an error; so is reading
    /// everything where a tile far from the others makes it large and nearly empty.
    Result<Shape> shape(Selection const& region, int level, int reduction = 1) const;
    Status read(Selection const& region, int level, ReadOptions const& options,
                std::span<std::byte> out) const;
    Result<Image> read(Selection const& region, int level, ReadOptions const& options = {}) const;

    /// At any zoom in (0, 1]: floor(width * zoom) by floor(height * zoom), at least 1. Each pixel
    /// is the mean of the pixels it covers on the coarsest level that is at least as fine and
    /// complete.
    Result<Shape> shape_at(Selection const& region, double zoom) const;
    Result<Image> read_at(Selection const& region, double zoom,
                          ReadOptions const& options = {}) const;

    /// One tile as it is stored, without its neighbours.
    Result<Shape> tile_shape(std::int32_t tile) const;
    /// Many tiles into memory of the caller, one span each.
    Status read_tiles(std::span<std::int32_t const> tiles, ReadOptions const& options,
                      std::span<std::span<std::byte> const> out) const;
    Result<Image> read_tile(std::int32_t tile, ReadOptions const& options = {}) const;
    /// Decodes tiles and drops their pixels. The memory follows their data, and not the sizes that
    /// their heads claim; with options.fill_bad, all are looked at, and options.bad names those
    /// that cannot be read.
    Status try_tiles(std::span<std::int32_t const> tiles, ReadOptions const& options) const;
    /// The bytes of a tile that is not compressed, in a mapped file; they may start at any address,
    /// and colours are in the order B, G, R.
    Result<Bytes> view_tile(std::int32_t tile) const;

    /// Tiles of a plane and level that meet a rectangle, in the order they are drawn.
    std::vector<std::int32_t> find(PlaneIndex const& plane, int level, Rect const& rect) const;

  private:
    struct Impl;
    explicit Slide(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The slides at a path, each a path for Slide::open(): several where an OME-Zarr folder has
/// several images or a plate, else the path itself.
Result<std::vector<std::string>> slides_in(std::string const& path);

}  // namespace sluice::slide
