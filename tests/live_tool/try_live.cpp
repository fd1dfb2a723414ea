// try_live ADDRESS PROTOCOL ROWS COLS FILE: receives a series, writes its frames decoded, one after
// the other, and prints what it heard. Lost frames are zeros.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "net/receiver.h"
#include "net/words.h"
#include "store/frame_planes.h"

namespace {

using namespace sluice;

Status run(char** argv) {
    StreamOptions options{.patience_s = 5};
    std::string_view const name = argv[2];
    for (auto const& word : words(net::Protocol{}))
        if (word.name == name) options.protocol = word.value;
    std::array<sluice::index, 2> const scan{std::atoll(argv[3]), std::atoll(argv[4])};
    SLUICE_TRY(auto const receiver, net::connect(argv[1], options));
    int asked = 0;
    SLUICE_TRY(auto const series, receiver->wait_for_series([&] { return ++asked < 2000; }));
    if (!series) return Error{Code::unavailable, "no series came"};
    auto const ring = std::make_shared<net::FrameRing>(
        net::RingOptions{.name = argv[1], .frames = scan[0] * scan[1]});
    Dataset const d = live_dataset(*series, scan, "test", ring);
    std::jthread const receives([&] { receiver->receive(*ring, [] { return true; }); });
    store::FrameGeometry const geometry{d.rows, d.cols, d.dtype};
    std::vector<std::byte> values(static_cast<std::size_t>(d.pixels() * size_of(d.dtype)));
    std::ofstream out(argv[5], std::ios::binary);
    FetchScratch scratch;
    for (sluice::index i = 0; i < d.frames; ++i) {
        EncodedFrame frame;
        store::Tally tally;
        SLUICE_CHECK(ring->fetch(i, {&frame, 1}, scratch));
        SLUICE_CHECK(decode_values(frame, geometry, {}, values, tally));
        out.write(reinterpret_cast<char const*>(values.data()), std::ssize(values));
    }
    fmt::print("{} {} {} {} {} {}\n", d.rows, d.cols, name_of(d.dtype), series->images,
               ring->state().received, ring->state().gaps);
    if (series->scan) fmt::print("scan {} {}\n", (*series->scan)[0], (*series->scan)[1]);
    for (net::Problem const& p : receiver->problems().list()) fmt::print("{}\n", text_of(p));
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) return 2;
    Status const done = run(argv);
    if (!done) fmt::print(stderr, "try_live: {}\n", done.error().text());
    return done ? 0 : 1;
}
