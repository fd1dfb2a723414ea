// Receives DECTRIS' Stream V2.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/stream2.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

namespace sluice::net::dectris {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds glance{50};

double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

Encoding encoding_of(std::string_view compression) {
    if (compression.empty()) return Encoding::values;
    return compression == "lz4" ? Encoding::lz4 : Encoding::bitshuffle_lz4;
}

}  // namespace

Stream2::Stream2(Socket socket, StreamOptions options)
    : socket_(std::move(socket)), options_(std::move(options)) {}

Result<std::unique_ptr<Stream2>> Stream2::connect(std::string const& address,
                                                  StreamOptions options) {
    SLUICE_TRY(Socket socket, Socket::pull(address, {.queue = options.queue}));
    return std::unique_ptr<Stream2>(new Stream2(std::move(socket), std::move(options)));
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

Series Stream2::series() const {
    Series s{.name = fmt::format("{}", start_.series_id),
             .images = start_.images,
             .scan = start_.scan,
             .description = description_};
    Dataset& d = s.dataset;
    d.path = socket_.address();
    d.format = "DECTRIS Stream V2";
    d.dtype = start_.dtype;
    d.rows = start_.rows, d.cols = start_.cols;
    d.saturation = start_.saturation;
    d.sentinel = start_.mask_applied;
    if (auto const it = start_.pixel_masks.find(channel()); it != start_.pixel_masks.end())
        d.pixel_mask = it->second;
    else
        d.notes.emplace_back("the stream says no pixel mask: only --mask leaves pixels out");
    d.energy_kv = start_.energy_ev / 1e3;
    d.detector_pixel_um = start_.pixel_m * 1e6;
    d.dwell_s = start_.frame_time_s;
    // The names are those of files (format/nxmx/detector.cpp).
    auto const add = [&](char const* name, std::string const& value) {
        if (!value.empty()) d.metadata.push_back({name, value, ""});
    };
    auto const number = [&](char const* name, double value, char const* unit) {
        if (value > 0) d.metadata.push_back({name, fmt::format("{:.6g}", value), unit});
    };
    add("detector", start_.detector);
    add("detector number", start_.serial_number);
    add("date", start_.arm_date);
    add("sensor material", start_.sensor);
    number("sensor thickness", start_.sensor_m * 1e6, "um");
    number("count time", start_.count_time_s * 1e6, "us");
    if (auto const it = start_.threshold_ev.find(channel()); it != start_.threshold_ev.end())
        number("threshold energy", it->second * 1e-3, "keV");
    add("series", s.name);
    add("channel", channel());
    return s;
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
    return std::optional<Series>(series());
}

void Stream2::receive(FrameRing& ring, GoOn const& go_on) {
    auto last = Clock::now(), asked = last;
    for (;;) {
        FeedState const now = ring.state();
        if (now.ended) return;
        // Of a longer series what belongs to no point is counted up to its end.
        if (now.received == ring.images() && start_.images <= ring.images()) return ring.complete();
        if (seconds_since(asked) > 0.05) {
            asked = Clock::now();
            if (!go_on()) return ring.end("the scan was stopped by the user");
        }
        // Looking at the ring and the clock for every message would cost as much as the message.
        for (int i = 0; i < 64; ++i) {
            Message message;
            auto const came = socket_.receive(message, glance);
            if (!came) return ring.end(came.error().text());
            if (!*came) {
                if (seconds_since(last) < options_.patience_s) break;
                return ring.end(
                    fmt::format("the sender was silent for {:g} s, without an end of "
                                "the series",
                                options_.patience_s));
            }
            if (i == 0) last = Clock::now();
            take_message(message, ring);
            if (next_)
                return ring.end(
                    fmt::format("series {} began before the end of this one", next_->series_id));
        }
    }
}

void Stream2::take_message(Message const& message, FrameRing& ring) {
    if (message.more())
        return problems().tell("messages in several parts",
                               "Stream V2 has none; is it the port of another stream?");
    cbor::Reader reader(message.bytes());
    auto const opened = open_message(reader);
    if (!opened) return problems().tell("messages that cannot be read", opened.error().message);
    switch (opened->type) {
        case Type::image:
            return take_image(message, reader, opened->items, ring);
        case Type::start:
            if (Status s = take_start(message, reader, opened->items); !s)
                problems().tell("starts of series that cannot be read", s.error().message);
            return;
        case Type::end: {
            auto const series = read_end(reader, opened->items);
            if (!series)
                problems().tell("messages that cannot be read", series.error().message);
            else if (*series != start_.series_id)
                problems().tell("ends of another series", fmt::format("of series {} in series {}",
                                                                      *series, start_.series_id));
            else
                ring.complete();
            return;
        }
        case Type::unknown:
            problems().tell("messages of an unknown type", fmt::format("'{}'", opened->name));
    }
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
    if (a.dtype != start_.dtype) {
        problems().tell("images of another type",
                        fmt::format("image {} is {}, the series {}", image.image_id,
                                    name_of(a.dtype), name_of(start_.dtype)));
        return false;
    }
    if (a.dimensions != 2 || a.shape[0] != start_.rows || a.shape[1] != start_.cols) {
        problems().tell("images of another size",
                        fmt::format("image {} has {}x{} pixels, the series {}x{}", image.image_id,
                                    a.shape[0], a.shape[1], start_.rows, start_.cols));
        return false;
    }
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
    index const first = options_.first_image.value_or(0);
    bool const outside = image.image_id > static_cast<std::uint64_t>(INT64_MAX);
    index const number = outside ? -1 : static_cast<index>(image.image_id) - first;
    EncodedFrame const frame{.encoding = encoding_of(image.data.compression),
                             .bytes = image.data.bytes,
                             .at = static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(0, at))};
    switch (ring.put(number, frame, std::move(owner))) {
        case Arrival::duplicate:
            return problems().tell("images that came twice",
                                   fmt::format("image {}", image.image_id));
        case Arrival::late:
            return problems().tell("images that came after they were given up",
                                   fmt::format("image {}", image.image_id));
        case Arrival::outside:
            return problems().tell("images that the scan does not have",
                                   fmt::format("image {}, of {} to {}", image.image_id, first,
                                               first + ring.images() - 1));
        default:
            return;
    }
}

}  // namespace sluice::net::dectris
