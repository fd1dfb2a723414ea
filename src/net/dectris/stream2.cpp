// Receives DECTRIS' Stream V2.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/stream2.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "net/dectris/series.h"

namespace sluice::net::dectris {
namespace {

Encoding encoding_of(std::string_view compression) {
    if (compression.empty()) return Encoding::values;
    return compression == "lz4" ? Encoding::lz4 : Encoding::bitshuffle_lz4;
}

}  // namespace

Stream2::Stream2(Socket socket, StreamOptions options)
    : socket_(std::move(socket)), options_(std::move(options)) {}

Result<std::unique_ptr<Receiver>> Stream2::connect(std::string const& address,
                                                   StreamOptions options) {
    SLUICE_TRY(Socket socket, Socket::pull(address, {.queue = most_queue}));
    return std::unique_ptr<Receiver>(new Stream2(std::move(socket), std::move(options)));
}

std::string Stream2::channel() const {
    if (!options_.channel.empty() || start_.channels.empty()) return options_.channel;
    return start_.channels.front();
}

Status Stream2::check_channel() const {
    auto const& all = start_.channels;
    if (options_.channel.empty() && all.size() > 1)
        return Error{Code::invalid_argument,
                     fmt::format("the series has {} channels ({}) choose one by --channel",
                                 all.size(), fmt::join(all, ", ")),
                     socket_.address()};
    if (!options_.channel.empty() && !all.empty() &&
        std::ranges::find(all, options_.channel) == all.end())
        return Error{Code::not_found,
                     fmt::format("the series has no channel '{}' (it has {}) choose one of these",
                                 options_.channel, fmt::join(all, ", ")),
                     socket_.address()};
    return {};
}

Status Stream2::take_start(Message const& message, cbor::Reader& reader, cbor::Items items) {
    SLUICE_TRY(next_, read_start(reader, items));
    description_.assign(message.bytes().begin(), message.bytes().end());
    return {};
}

Result<std::optional<Series>> Stream2::wait_for_series(GoOn const& go_on) {
    while (!next_) {
        if (!go_on()) return std::optional<Series>();
        Message message;
        SLUICE_TRY(bool const came, socket_.receive(message, glance));
        if (!came) continue;
        cbor::Reader reader(message.bytes());
        auto const opened = open_message(reader);
        if (!opened) {
            problems().tell("messages that cannot be read", opened.error().message);
        } else if (opened->type == Type::start) {
            if (Status s = take_start(message, reader, opened->items); !s)
                problems().tell("starts of series that cannot be read", s.error().message);
        } else if (opened->type == Type::image) {
            problems().tell("images before the start of a series",
                            "their series had begun, or its start did not come");
        }
    }
    start_ = std::move(*next_);
    next_.reset();
    SLUICE_CHECK(check_channel());
    socket_.hold(options_.queue_bytes, image_bytes(start_));
    Series series = series_of(start_, channel(), socket_.address(), "DECTRIS Stream V2");
    series.description = description_;
    return std::optional(std::move(series));
}

void Stream2::receive(FrameRing& ring, GoOn const& go_on) {
    Listening how{.images = start_.images, .patience_s = options_.patience_s};
    how.next = [&]() -> Result<Came> {
        Message message;
        SLUICE_TRY(bool const came, socket_.receive(message, glance));
        return came ? take_message(message, ring) : Came::nothing;
    };
    how.cut_short = [&] {
        return next_ ? fmt::format("series {} began before the end of this one", next_->series_id)
                     : std::string();
    };
    listen(ring, go_on, how);
}

Came Stream2::take_message(Message const& message, FrameRing& ring) {
    auto const tell = [&](std::string_view what, std::string first) {
        problems().tell(what, std::move(first));
        return Came::message;
    };
    if (message.more())
        return tell("messages in several parts",
                    "Stream V2 has none; is it the port of another stream?");
    cbor::Reader reader(message.bytes());
    auto const opened = open_message(reader);
    if (!opened) return tell("messages that cannot be read", opened.error().message);
    switch (opened->type) {
        case Type::image:
            take_image(message, reader, opened->items, ring);
            return Came::message;
        case Type::start:
            if (Status s = take_start(message, reader, opened->items); !s)
                return tell("starts of series that cannot be read", s.error().message);
            return Came::message;
        case Type::end: {
            auto const series = read_end(reader, opened->items);
            if (!series) return tell("messages that cannot be read", series.error().message);
            if (*series == start_.series_id) return Came::end;
            return tell("ends of another series",
                        fmt::format("of series {} in series {}", *series, start_.series_id));
        }
        case Type::unknown:
            break;
    }
    return tell("messages of an unknown type", fmt::format("'{}'", opened->name));
}

void Stream2::take_image(Message const& message, cbor::Reader& reader, cbor::Items items,
                         FrameRing& ring) {
    std::vector<std::byte> room;
    auto const image = read_image(reader, items, options_.channel, room);
    if (!image) return problems().tell("images that cannot be read", image.error().message);
    if (image->series_id != start_.series_id)
        return problems().tell("images of another series",
                               fmt::format("image {} of series {} in series {}", image->image_id,
                                           image->series_id, start_.series_id));
    if (!image->has_channel)
        return problems().tell("images without the channel",
                               fmt::format("image {} has '{}'", image->image_id, image->other));
    if (!fits(*image)) return;
    if (room.empty()) return put(message, *image, message.share(), ring);
    // Bytes that came in pieces are in the room.
    auto const own = std::make_shared<std::vector<std::byte>>(std::move(room));
    Image copy = *image;
    copy.data.bytes = *own;
    put(message, copy, own, ring);
}

bool Stream2::fits(Image const& image) {
    cbor::TypedArray const& a = image.data;
    // Of another number of axes it has another size as well.
    bool const plane = a.dimensions == 2;
    if (!net::fits(problems(), image.image_id,
                   {a.dtype, plane ? a.shape[0] : 0, plane ? a.shape[1] : 0},
                   {start_.dtype, start_.rows, start_.cols}))
        return false;
    bool const shuffled = a.compression == "bslz4";
    if (!a.compression.empty() && a.compression != "lz4" && !shuffled) {
        problems().tell("images with an unknown compression",
                        fmt::format("image {}: '{}'", image.image_id, a.compression));
        return false;
    }
    if (shuffled && a.modifier != static_cast<std::uint64_t>(size_of(a.dtype))) {
        problems().tell("images shuffled for another type",
                        fmt::format("image {}: elements of {} bytes, not {}", image.image_id,
                                    a.modifier, size_of(a.dtype)));
        return false;
    }
    return true;
}

void Stream2::put(Message const& message, Image const& image, std::shared_ptr<void const> owner,
                  FrameRing& ring) {
    auto const at = image.data.bytes.data() - message.bytes().data();
    EncodedFrame const frame{.encoding = encoding_of(image.data.compression),
                             .bytes = image.data.bytes,
                             .at = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, at))};
    put_image(ring, problems(), image.image_id, options_.first_image.value_or(0), frame,
              std::move(owner));
}

}  // namespace sluice::net::dectris
