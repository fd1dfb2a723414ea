// Receives DECTRIS' Stream V1.
// SPDX-License-Identifier: Apache-2.0
#include "net/dectris/stream1.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/md5/md5.h"
#include "net/dectris/series.h"

namespace sluice::net::dectris {

Stream1::Stream1(Socket socket, StreamOptions options)
    : socket_(std::move(socket)), options_(std::move(options)) {}

Result<std::unique_ptr<Receiver>> Stream1::connect(std::string const& address,
                                                   StreamOptions options) {
    if (!options.channel.empty())
        return Error{Code::invalid_argument,
                     "Stream V1 names no channels; leave --channel away, or take Stream V2",
                     address};
    SLUICE_TRY(Socket socket, Socket::pull(address, {.queue = most_queue}));
    return std::unique_ptr<Receiver>(new Stream1(std::move(socket), std::move(options)));
}

Result<bool> Stream1::receive(Whole& whole) {
    SLUICE_TRY(bool const came, socket_.receive(whole.messages, most_parts, glance));
    whole.parts.clear();
    for (Message const& m : whole.messages) whole.parts.push_back(m.bytes());
    return came;
}

// What the message is; empty: the beginning of a header, whose configuration some senders (the
// simulator of LiberTEM-live) send as a message of its own.
Result<std::optional<OpenedParts>> Stream1::open(Whole& whole) {
    SLUICE_TRY(OpenedParts opened, open_parts(whole.parts));
    bool const alone = whole.parts.size() == 1;
    if (begun_ && alone && opened.name.empty()) {
        whole.messages.insert(whole.messages.begin(), begun_->messages.front());
        whole.parts.insert(whole.parts.begin(), begun_->parts.front());
        begun_.reset();
        SLUICE_TRY(opened, open_parts(whole.parts));
        return std::optional(opened);
    }
    begun_.reset();
    if (opened.type != Type::start || opened.detail == "none" || !alone)
        return std::optional(opened);
    begun_ = std::move(whole);
    return std::optional<OpenedParts>();
}

// What comes within a glance; empty: nothing, or what does not say yet what it is.
Result<std::optional<OpenedParts>> Stream1::hear(Whole& whole) {
    SLUICE_TRY(bool const came, receive(whole));
    if (!came) return std::optional<OpenedParts>();
    auto read = open(whole);
    if (read) return std::move(*read);
    problems().tell("messages that cannot be read", read.error().message);
    return std::optional<OpenedParts>();
}

void Stream1::take_header(Whole const& whole, OpenedParts const& opened) {
    auto header = read_header(whole.parts, opened);
    if (!header)
        return problems().tell("starts of series that cannot be read", header.error().message);
    if (!header->lacks.empty()) problems().tell("headers that lack parts", header->lacks);
    next_ = std::move(*header);
}

// What the header does not say the first image does, which waits for the ring.
Result<bool> Stream1::complete_header(GoOn const& go_on) {
    while (!header_.complete() && !next_) {
        if (!go_on()) return false;
        Whole whole;
        SLUICE_TRY(auto const heard, hear(whole));
        if (!heard) continue;
        OpenedParts const& opened = *heard;
        if (opened.type == Type::start) {
            take_header(whole, opened);
        } else if (opened.type == Type::image && opened.series == header_.start.series_id) {
            auto const image = read_image(whole.parts, opened);
            if (!image) {
                problems().tell("images that cannot be read", image.error().message);
                continue;
            }
            header_.start.rows = image->rows, header_.start.cols = image->cols;
            header_.dtype = image->dtype;
            first_ = std::move(whole);
        }
    }
    return true;
}

Result<std::optional<Series>> Stream1::wait_for_series(GoOn const& go_on) {
    first_.reset();
    for (;;) {
        while (!next_) {
            if (!go_on()) return std::optional<Series>();
            Whole whole;
            SLUICE_TRY(auto const heard, hear(whole));
            if (!heard) continue;
            if (heard->type == Type::start)
                take_header(whole, *heard);
            else if (heard->type == Type::image)
                problems().tell("images before the start of a series",
                                "their series had begun, or its start did not come");
        }
        header_ = std::move(*next_);
        next_.reset();
        SLUICE_TRY(bool const goes_on, complete_header(go_on));
        if (!goes_on) return std::optional<Series>();
        if (!next_) break;
        problems().tell("series without images", fmt::format("series {}", header_.start.series_id));
    }
    header_.start.dtype = *header_.dtype;
    socket_.hold(options_.queue_bytes, image_bytes(header_.start));
    return std::optional<Series>(
        series_of(header_.start, "", socket_.address(), "DECTRIS Stream V1"));
}

void Stream1::receive(FrameRing& ring, GoOn const& go_on) {
    Listening how{.images = header_.start.images, .patience_s = options_.patience_s};
    how.next = [&]() -> Result<Came> {
        Whole whole;
        if (first_) {
            whole = std::move(*first_);
            first_.reset();
        } else {
            SLUICE_TRY(bool const came, receive(whole));
            if (!came) return Came::nothing;
        }
        return take(whole, ring);
    };
    how.cut_short = [&] {
        return next_ ? fmt::format("series {} began before the end of this one",
                                   next_->start.series_id)
                     : std::string();
    };
    listen(ring, go_on, how);
}

Came Stream1::take(Whole& whole, FrameRing& ring) {
    auto const read = open(whole);
    if (!read) problems().tell("messages that cannot be read", read.error().message);
    if (!read || !*read) return Came::message;
    OpenedParts const& opened = **read;
    switch (opened.type) {
        case Type::image:
            take_image(whole, opened, ring);
            break;
        case Type::start:
            take_header(whole, opened);
            break;
        case Type::end:
            if (opened.series == header_.start.series_id) return Came::end;
            problems().tell(
                "ends of another series",
                fmt::format("of series {} in series {}", opened.series, header_.start.series_id));
            break;
        case Type::unknown:
            problems().tell("messages of an unknown type", fmt::format("'{}'", opened.name));
    }
    return Came::message;
}

void Stream1::take_image(Whole const& whole, OpenedParts const& opened, FrameRing& ring) {
    auto const image = read_image(whole.parts, opened);
    if (!image) return problems().tell("images that cannot be read", image.error().message);
    if (image->series != header_.start.series_id)
        return problems().tell("images of another series",
                               fmt::format("image {} of series {} in series {}", image->frame,
                                           image->series, header_.start.series_id));
    auto const packed = fits(*image);
    if (!packed || !has_hash(*image, opened.hash)) return;
    EncodedFrame const frame{.encoding = packed->encoding,
                             .bytes = image->bytes,
                             .shuffled_bytes = packed->shuffled_bytes};
    put_image(ring, problems(), image->frame, options_.first_image.value_or(0), frame,
              whole.messages[2].share());
}

// Bytes that are damaged and can be decompressed all the same show nowhere else.
bool Stream1::has_hash(ImageParts const& image, std::string const& said) {
    if (!options_.verify) return true;
    bool const is_one =
        said.size() == 32 && said.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (!is_one) {
        problems().tell("images without a hash", fmt::format("image {}: '{}'", image.frame, said));
        return true;
    }
    std::string const found = codec::md5(image.bytes);
    bool const same = std::ranges::equal(said, found, {}, [](char c) {
        return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (!same)
        problems().tell("images with another hash",
                        fmt::format("image {} has the MD5 {} where the stream says {}", image.frame,
                                    found, said));
    return same;
}

std::optional<Packed> Stream1::fits(ImageParts const& image) {
    Start const& s = header_.start;
    if (!net::fits(problems(), image.frame, {image.dtype, image.rows, image.cols},
                   {s.dtype, s.rows, s.cols}))
        return {};
    auto const packed = packed_of(image.encoding);
    if (!packed)
        problems().tell("images with an unknown compression",
                        fmt::format("image {}: '{}'", image.frame, image.encoding));
    return packed;
}

}  // namespace sluice::net::dectris
