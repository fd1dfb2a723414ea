// Reads the messages of DECTRIS' Stream V2.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/messages.h"

#include <fmt/format.h>

#include "codec/bitshuffle/bitshuffle.h"

namespace sluice::net::dectris {
namespace {

using cbor::Items;
using cbor::Reader;

// Names are short; one in pieces is put together in `room`.
Result<std::string_view> read_key(Reader& reader, std::vector<std::byte>& room) {
    return reader.text(room);
}

// [numerator, denominator], or a number.
Result<double> rational(Reader& reader) {
    SLUICE_TRY(cbor::Head const head, reader.look());
    if (head.kind != cbor::Kind::array) return reader.number();
    SLUICE_TRY(Items items, reader.array());
    double parts[2] = {0, 0};
    for (double& part : parts) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) return reader.wrong("a rational number that is not [number, number]");
        SLUICE_TRY(part, reader.number());
    }
    SLUICE_TRY(bool const more, reader.more(items));
    if (more || parts[1] == 0)
        return reader.wrong("a rational number that is not [number, number]");
    return parts[0] / parts[1];
}

Result<index> extent(Reader& reader) {
    SLUICE_TRY(std::uint64_t const n, reader.natural());
    if (n < 1 || n > most_extent)
        return reader.wrong(
            fmt::format("an image of {} rows or columns (there are 1 to {})", n, most_extent));
    return static_cast<index>(n);
}

Result<std::string> text(Reader& reader, std::vector<std::byte>& room) {
    SLUICE_TRY(std::string_view const read, reader.text(room));
    return std::string(read);
}

Result<std::string> date(Reader& reader, std::vector<std::byte>& room) {
    SLUICE_TRY(cbor::Head const head, reader.look());
    if (head.kind == cbor::Kind::tag) SLUICE_CHECK(reader.next());
    return text(reader, room);
}

Result<DType> dtype(Reader& reader, std::vector<std::byte>& room) {
    SLUICE_TRY(std::string_view const name, reader.text(room));
    for (DType const t : {DType::u8, DType::u16, DType::u32})
        if (name == name_of(t)) return t;
    return reader.wrong(fmt::format("images of '{}' (uint8, uint16 and uint32 are read)", name));
}

// A mask is small beside what it masks, and comes once: it is decoded here.
Result<std::vector<std::uint32_t>> mask(Reader& reader) {
    std::vector<std::byte> room;
    SLUICE_TRY(cbor::TypedArray const array, cbor::read_typed_array(reader, room));
    if (array.dtype != DType::u32 || array.dimensions != 2)
        return reader.wrong("a pixel mask that is not [row][column] of uint32");
    // LZ4 makes of a byte 255 at most.
    if (array.bytes.size() < static_cast<std::size_t>(array.elements()) / 64)
        return reader.wrong(fmt::format("{} bytes for a pixel mask of {} pixels",
                                        array.bytes.size(), array.elements()));
    std::vector<std::uint32_t> values(static_cast<std::size_t>(array.elements()));
    auto const out = std::as_writable_bytes(std::span(values));
    if (array.compression.empty()) {
        std::copy(array.bytes.begin(), array.bytes.end(), out.begin());
    } else if (array.compression == "bslz4" && array.modifier == 4) {
        SLUICE_CHECK(codec::decode_bitshuffle(array.bytes, codec::Compression::lz4, 4, out));
    } else if (array.compression == "lz4") {
        SLUICE_CHECK(codec::decode_lz4(array.bytes, out));
    } else {
        return reader.wrong(fmt::format("a pixel mask compressed by '{}'", array.compression));
    }
    return values;
}

Status masks(Reader& reader, Start& start) {
    SLUICE_TRY(Items items, reader.map());
    std::vector<std::byte> room;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) return {};
        SLUICE_TRY(std::string name, text(reader, room));
        SLUICE_TRY(std::vector<std::uint32_t> values, mask(reader));
        start.pixel_masks.insert_or_assign(std::move(name), std::move(values));
    }
}

Status thresholds(Reader& reader, Start& start) {
    SLUICE_TRY(Items items, reader.map());
    std::vector<std::byte> room;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) return {};
        SLUICE_TRY(std::string name, text(reader, room));
        SLUICE_TRY(double const ev, reader.number());
        start.threshold_ev.insert_or_assign(std::move(name), ev);
    }
}

Status channels(Reader& reader, Start& start) {
    SLUICE_TRY(Items items, reader.array());
    std::vector<std::byte> room;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) return {};
        SLUICE_TRY(std::string name, text(reader, room));
        start.channels.push_back(std::move(name));
    }
}

// User data are anything; only a scan in them is looked for.
Status user_data(Reader& reader, Start& start) {
    Reader probe = reader;
    SLUICE_CHECK(reader.skip());
    std::vector<std::byte> room;
    auto items = probe.map();
    while (items) {
        auto const more = probe.more(*items);
        if (!more || !*more) return {};
        auto const key = read_key(probe, room);
        if (!key) return {};
        if (*key != "scan") {
            if (!probe.skip()) return {};
            continue;
        }
        auto shape = probe.array();
        if (!shape || shape->indefinite || shape->left != 2) return {};
        auto const rows = probe.natural();
        if (!rows) return {};
        auto const cols = probe.natural();
        if (cols && *rows > 0 && *cols > 0 && *rows <= most_images && *cols <= most_images / *rows)
            start.scan = {static_cast<index>(*rows), static_cast<index>(*cols)};
        return {};
    }
    return {};
}

Status read_start_value(Reader& reader, std::string_view key, Start& s) {
    std::vector<std::byte> room;
    if (key == "series_id") {
        SLUICE_TRY(s.series_id, reader.natural());
    } else if (key == "series_unique_id") {
        SLUICE_TRY(s.series_unique_id, text(reader, room));
    } else if (key == "number_of_images") {
        SLUICE_TRY(std::uint64_t const n, reader.natural());
        if (n < 1 || n > most_images) return reader.wrong(fmt::format("a series of {} images", n));
        s.images = static_cast<index>(n);
    } else if (key == "image_size_x") {
        SLUICE_TRY(s.cols, extent(reader));
    } else if (key == "image_size_y") {
        SLUICE_TRY(s.rows, extent(reader));
    } else if (key == "image_dtype") {
        SLUICE_TRY(s.dtype, dtype(reader, room));
    } else if (key == "channels") {
        return channels(reader, s);
    } else if (key == "saturation_value") {
        SLUICE_TRY(s.saturation, reader.natural());
    } else if (key == "pixel_mask_enabled") {
        SLUICE_TRY(s.mask_applied, reader.boolean());
    } else if (key == "pixel_mask") {
        return masks(reader, s);
    } else if (key == "incident_energy") {
        SLUICE_TRY(s.energy_ev, reader.number());
    } else if (key == "frame_time") {
        SLUICE_TRY(s.frame_time_s, rational(reader));
    } else if (key == "count_time") {
        SLUICE_TRY(s.count_time_s, rational(reader));
    } else if (key == "pixel_size_x") {
        SLUICE_TRY(s.pixel_m, reader.number());
    } else if (key == "sensor_material") {
        SLUICE_TRY(s.sensor, text(reader, room));
    } else if (key == "sensor_thickness") {
        SLUICE_TRY(s.sensor_m, reader.number());
    } else if (key == "threshold_energy") {
        return thresholds(reader, s);
    } else if (key == "detector_description") {
        SLUICE_TRY(s.detector, text(reader, room));
    } else if (key == "detector_serial_number") {
        SLUICE_TRY(s.serial_number, text(reader, room));
    } else if (key == "arm_date") {
        SLUICE_TRY(s.arm_date, date(reader, room));
    } else if (key == "user_data") {
        return user_data(reader, s);
    } else {
        return reader.skip();
    }
    return {};
}

Status check(Reader const& reader, Start const& s) {
    std::string_view missing;
    if (s.images == 0) missing = "number_of_images";
    if (s.rows == 0) missing = "image_size_y";
    if (s.cols == 0) missing = "image_size_x";
    if (!missing.empty()) return reader.wrong(fmt::format("a start without {}", missing));
    for (auto const& [name, values] : s.pixel_masks)
        if (std::ssize(values) != s.rows * s.cols)
            return reader.wrong(fmt::format("a pixel mask of {} pixels for images of {}x{}",
                                            values.size(), s.rows, s.cols));
    return {};
}

Status read_channels(Reader& reader, std::string_view wanted, std::vector<std::byte>& room,
                     Image& image) {
    SLUICE_TRY(Items items, reader.map());
    std::vector<std::byte> name_room;
    for (index count = 0;; ++count) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) return {};
        SLUICE_TRY(std::string_view const name, read_key(reader, name_room));
        bool const this_one = wanted.empty() ? count == 0 : name == wanted;
        if (this_one && !image.has_channel) {
            SLUICE_TRY(image.data, cbor::read_typed_array(reader, room));
            image.has_channel = true;
            continue;
        }
        if (image.other.empty() && name_room.empty()) image.other = name;
        SLUICE_CHECK(reader.skip());
    }
}

}  // namespace

Result<Opened> open_message(Reader& reader) {
    Opened opened;
    SLUICE_TRY(opened.items, reader.map());
    std::vector<std::byte> room;
    SLUICE_TRY(bool const more, reader.more(opened.items));
    if (!more) return reader.wrong("an empty message");
    SLUICE_TRY(std::string_view const key, read_key(reader, room));
    if (key != "type") return reader.wrong("a message whose first key is not 'type'");
    SLUICE_TRY(opened.name, text(reader, room));
    if (opened.name == "image") opened.type = Type::image;
    if (opened.name == "start") opened.type = Type::start;
    if (opened.name == "end") opened.type = Type::end;
    return opened;
}

Result<Start> read_start(Reader& reader, Items items) {
    Start start;
    std::vector<std::byte> room;
    bool has_type = false;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) break;
        SLUICE_TRY(std::string_view const key, read_key(reader, room));
        has_type |= key == "image_dtype";
        SLUICE_CHECK(read_start_value(reader, key, start));
    }
    if (!has_type) return reader.wrong("a start without image_dtype");
    SLUICE_CHECK(check(reader, start));
    return start;
}

Result<Image> read_image(Reader& reader, Items items, std::string_view channel,
                         std::vector<std::byte>& room) {
    Image image;
    std::vector<std::byte> key_room;
    bool series = false, number = false;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) break;
        SLUICE_TRY(std::string_view const key, read_key(reader, key_room));
        if (key == "series_id") {
            SLUICE_TRY(image.series_id, reader.natural());
            series = true;
        } else if (key == "image_id") {
            SLUICE_TRY(image.image_id, reader.natural());
            number = true;
        } else if (key == "data") {
            SLUICE_CHECK(read_channels(reader, channel, room, image));
        } else {
            SLUICE_CHECK(reader.skip());
        }
    }
    if (!series || !number) return reader.wrong("an image without series_id or image_id");
    return image;
}

Result<std::uint64_t> read_end(Reader& reader, Items items) {
    std::vector<std::byte> room;
    std::optional<std::uint64_t> series;
    for (;;) {
        SLUICE_TRY(bool const more, reader.more(items));
        if (!more) break;
        SLUICE_TRY(std::string_view const key, read_key(reader, room));
        if (key == "series_id") {
            SLUICE_TRY(series, reader.natural());
        } else {
            SLUICE_CHECK(reader.skip());
        }
    }
    if (!series) return reader.wrong("an end without series_id");
    return *series;
}

}  // namespace sluice::net::dectris
