// A receiver in tests: waits that end, what it was told, the frames that it put.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "format/decode_frame.h"
#include "net/receiver.h"

namespace sluice::net {

struct TestReceiver {
    std::unique_ptr<Receiver> stream;
    int asked = 0;

    GoOn bounded() {
        return [this] { return ++asked < 200; };
    }
    /// How often a problem was told, and its first words.
    std::string first(std::string_view what) {
        for (Problem const& p : stream->problems().list())
            if (p.what == what) return fmt::format("{}, {}", p.count, p.first);
        return "none";
    }
};

/// A character for each of the first frames: its last byte as a digit, or a dot where it is lost.
/// `planes` is the size of those that came as values and are planes.
inline std::string marks(FrameRing const& ring, index frames, FrameSize planes = {4, 6, 2}) {
    FetchScratch scratch;
    std::vector<EncodedFrame> out(static_cast<std::size_t>(frames));
    if (Status s = ring.fetch(0, out, scratch); !s) return s.error().message;
    std::string text;
    for (EncodedFrame const& f : out) {
        std::vector<std::byte> values(f.bytes.begin(), f.bytes.end());
        if (f.encoding == Encoding::row_planes) {
            values.resize(planes.bytes());
            if (Status s = decode_frame(f, planes, values); !s) return s.error().message;
        }
        text += f.encoding == Encoding::missing
                    ? '.'
                    : static_cast<char>('0' + std::to_integer<int>(values.back()));
    }
    return text;
}

}  // namespace sluice::net
