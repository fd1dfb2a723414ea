// Datasets of frames of any layout, filters and type of numbers.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/input/hdf5_frames.h"

#include <fmt/format.h>

#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"
#include "format/hdf5/readers.h"

namespace sluice::ptycho {

namespace {

using boxes::Box;

struct DatasetOfFrames {
    hdf5::StoredDataset stored;
    std::shared_ptr<boxes::BoxReader const> reader;
};

class Hdf5Frames final : public FramesIn {
  public:
    std::vector<DatasetOfFrames> parts = {};

    Status read(index first, index frames, std::span<float> out) override {
        for (index f = 0; f < frames; ++f) {
            index number = first + f;
            auto part = parts.begin();
            for (; number >= part->stored.frames(); ++part) number -= part->stored.frames();
            SLUICE_CHECK(read_one(*part, number,
                                  out.subspan(static_cast<std::size_t>(f * pixels()),
                                              static_cast<std::size_t>(pixels()))));
        }
        return {};
    }

  private:
    Status read_one(DatasetOfFrames const& part, index number, std::span<float> out) {
        auto const& extent = part.stored.extent;
        Box box{boxes::Sides(extent.size(), 0), boxes::Sides(extent.size(), 1)};
        auto rest = static_cast<std::uint64_t>(number);
        for (std::size_t d = extent.size() - 2; d-- > 0; rest /= extent[d])
            box.start[d] = rest % extent[d];
        box.count[extent.size() - 2] = extent[extent.size() - 2];
        box.count[extent.size() - 1] = extent[extent.size() - 1];
        auto const element = static_cast<std::size_t>(part.stored.element.bytes);
        stored_.resize(out.size() * element);
        block_.resize(static_cast<std::size_t>(part.reader->memory_bytes()));
        SLUICE_CHECK(part.reader->read(box, {stored_.data(), boxes::strides_of(box.count, element)},
                                       block_));
        convert(part.stored.element, stored_, out);
        return {};
    }

    std::vector<std::byte> stored_, block_;
};

// The data that a file declares must exist before memory is taken for them.
Status check_written(DatasetOfFrames const& part) {
    Box whole{boxes::Sides(part.stored.extent.size(), 0), part.stored.extent};
    auto const bytes = boxes::product_of(part.stored.extent, std::uint64_t{1} << 50);
    if (!bytes || *bytes == 0)
        return wrong_file(part.stored.file, Code::corrupt,
                          part.stored.path + " has no frames, or far too many");
    if (!part.reader->complete(whole))
        return wrong_file(part.stored.file, Code::incomplete,
                          part.stored.path +
                              " lacks frames (they were never written) finish the "
                              "measurement, or copy the file again");
    // No filter packs tighter.
    constexpr std::uint64_t densest = 65536;
    if (*bytes / densest > part.reader->stored_bytes())
        return wrong_file(part.stored.file, Code::corrupt,
                          part.stored.path + " is almost empty for its shape");
    return {};
}

}  // namespace

Result<std::unique_ptr<FramesIn>> hdf5_frames(hdf5::object::Object const& root,
                                              std::vector<std::string> const& datasets) {
    auto frames = std::make_unique<Hdf5Frames>();
    hdf5::Opening opening;
    for (std::string const& name : datasets) {
        DatasetOfFrames part;
        SLUICE_TRY(part.stored, hdf5::describe(root, name, 2));
        if (part.stored.rank() > 6)
            return wrong_file(root.file(), Code::unsupported, name + " has over 6 dimensions");
        SLUICE_TRY(part.reader,
                   hdf5::make_reader(part.stored, boxes::usual_axes(part.stored.rank()), opening));
        SLUICE_CHECK(check_written(part));
        std::array<index, 2> const detector = {part.stored.rows(), part.stored.cols()};
        if (frames->count > 0 && detector != frames->detector)
            return wrong_file(root.file(), Code::unsupported,
                              name + " has frames of another size than those before");
        frames->detector = detector;
        frames->count += part.stored.frames();
        frames->parts.push_back(std::move(part));
    }
    if (frames->count == 0 || frames->detector[0] > 65536 || frames->detector[1] > 65536)
        return wrong_file(root.file(), Code::corrupt,
                          "has no frames, or frames that are far too large");
    return std::unique_ptr<FramesIn>(std::move(frames));
}

Result<std::optional<SmallArray>> small_array(hdf5::object::Object const& root,
                                              std::string const& name) {
    SLUICE_TRY(auto const found, root.find(name));
    if (!found || !found->is_dataset()) return std::optional<SmallArray>{};
    SLUICE_TRY(auto const elements, hdf5::object::read_elements(*found, std::uint64_t{1} << 30));
    SmallArray array{.shape = elements.space.extent};
    if (!elements.type.check_number() || elements.count() == 0) return std::optional<SmallArray>{};
    for (std::size_t i = 0; i < elements.count(); ++i)
        array.values.push_back(
            hdf5::object::number_of(elements.type, elements.bytes.data() + i * elements.type.size));
    return std::optional(std::move(array));
}

Result<std::optional<double>> first_number(hdf5::object::Object const& root,
                                           std::vector<std::string> const& names) {
    for (std::string const& name : names) {
        SLUICE_TRY(auto const number, hdf5::object::read_number(root, name));
        if (number) return number;
    }
    return std::optional<double>{};
}

Result<std::vector<std::uint8_t>> mask_of(SmallArray const& mask, FramesIn const& frames,
                                          bool (*is_bad)(double), std::string const& path,
                                          std::vector<std::string>& notes) {
    auto const rank = mask.shape.size();
    auto const rows = static_cast<std::uint64_t>(frames.detector[0]);
    auto const cols = static_cast<std::uint64_t>(frames.detector[1]);
    auto const pixels = static_cast<std::size_t>(frames.pixels());
    if (rank < 2 || mask.shape[rank - 2] != rows || mask.shape[rank - 1] != cols)
        return wrong_file(path, Code::corrupt,
                          "its mask is not as large as its frames; correct the file");
    std::vector<std::uint8_t> bad(pixels);
    bool differ = false;
    for (std::size_t i = 0; i < mask.values.size(); ++i) {
        bool const here = is_bad(mask.values[i]);
        bad[i % pixels] |= static_cast<std::uint8_t>(here);
        differ = differ || here != is_bad(mask.values[i % pixels]);
    }
    if (differ)
        notes.emplace_back(
            "the frames have different masks: a pixel that is bad in one of them is left out of "
            "all");
    return bad;
}

}  // namespace sluice::ptycho
