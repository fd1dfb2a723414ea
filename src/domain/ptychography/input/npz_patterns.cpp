// npz files of patterns: data, scan and probe, as tike has them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.h"
#include "domain/ptychography/input/frames_in.h"
#include "format/npy/npz.h"

namespace sluice::ptycho {

namespace {

using npy::Npz;
using npy::NpzArray;

class ArrayFrames final : public FramesIn {
  public:
    NpzArray array = {};

    Status read(index first, index frames, std::span<float> out) override {
        auto const element = static_cast<std::size_t>(array.header.type.bytes);
        auto const size = static_cast<std::size_t>(frames * pixels());
        Bytes const stored = array.elements().subspan(
            static_cast<std::size_t>(first * pixels()) * element, size * element);
        convert(array.header.type, stored, out.first(size));
        return {};
    }
};

// The beam is in the middle, or at the corners: whichever half of the pixels is brighter.
Result<bool> beam_at_corners(FramesIn& frames) {
    auto const [rows, cols] = frames.detector;
    std::vector<float> values(static_cast<std::size_t>(frames.pixels()));
    double middle = 0, corners = 0;
    index const by = frames.count / 16 + 1;
    for (index f = 0; f < frames.count; f += by) {
        SLUICE_CHECK(frames.read(f, 1, values));
        for (index r = 0; r < rows; ++r)
            for (index c = 0; c < cols; ++c) {
                bool const row_in = 4 * r >= rows && 4 * r < 3 * rows;
                bool const col_in = 4 * c >= cols && 4 * c < 3 * cols;
                auto const v = static_cast<double>(values[static_cast<std::size_t>(r * cols + c)]);
                if (!std::isfinite(v)) continue;
                if (row_in && col_in) middle += v;
                if (!row_in && !col_in) corners += v;
            }
    }
    return corners > middle;
}

Result<std::optional<NpzArray>> first_of(Npz const& npz, std::vector<std::string> const& names,
                                         std::uint64_t most) {
    for (std::string const& name : names) {
        SLUICE_TRY(auto array, npz.read(name, most));
        if (array) return array;
    }
    return std::optional<NpzArray>{};
}

Status add_npz_probe(Npz const& npz, std::uint64_t most, FoundPatterns& found) {
    SLUICE_TRY(auto const probe, npz.read("probe", most));
    if (!probe) return {};
    auto const& shape = probe->header.shape;
    std::size_t const rank = shape.size();
    if (rank < 2 || shape[rank - 1] != shape[rank - 2] || shape[rank - 1] < 1 ||
        shape[rank - 1] > 4096 || probe->count() == 0) {
        found.notes.emplace_back("the file's probe is not square and is left out");
        return {};
    }
    constexpr std::size_t most_modes = 64;  // of a reconstruction
    found.probe_side = shape[rank - 1];
    auto const pixels = static_cast<std::size_t>(found.probe_side * found.probe_side);
    std::size_t const modes = probe->count() / pixels;
    auto const numbers = numbers_of(*probe);
    for (std::size_t i = 0; i < pixels * std::min(modes, most_modes); ++i)
        found.probe.push_back(probe->header.complex
                                  ? std::complex<float>(static_cast<float>(numbers[2 * i]),
                                                        static_cast<float>(numbers[2 * i + 1]))
                                  : std::complex<float>(static_cast<float>(numbers[i])));
    if (modes > most_modes)
        found.notes.push_back(
            fmt::format("of the file's {} probes the first {} are read", modes, most_modes));
    return {};
}

Result<double> npz_number(Npz const& npz, std::string const& name) {
    SLUICE_TRY(auto const array, npz.read(name, 1 << 16));
    if (!array || array->count() != 1 || array->header.complex) return 0.0;
    return numbers_of(*array).front();
}

// tike's arrays begin with an axis for each angle of a tomogram, which is 1 where there is one.
std::vector<index> without_ones(std::vector<index> shape, std::size_t rank) {
    while (shape.size() > rank && shape.front() == 1) shape.erase(shape.begin());
    return shape;
}

}  // namespace

Result<FoundPatterns> read_npz(std::string const& path, stem4d::PatternFileOptions const& options) {
    SLUICE_TRY(auto const source, open_source(path));
    SLUICE_TRY(Npz const npz, Npz::open(source));
    std::uint64_t const most = options.memory_limit ? options.memory_limit : memory_available();
    SLUICE_TRY(auto data, first_of(npz, {"data", "counts"}, most));
    SLUICE_TRY(auto const scan, first_of(npz, {"scan", "positions"}, most));
    if (!data || !scan)
        return wrong_file(
            path, Code::unsupported,
            "has no arrays data and scan (data holds patterns [pattern][row][col], scan their "
            "positions in pixels of the object) save them with these names");
    auto const shape = without_ones(data->header.shape, 3);
    if (shape.size() != 3 || data->header.complex || data->count() == 0 || shape[1] > 65536 ||
        shape[2] > 65536)
        return wrong_file(path, Code::unsupported, "its data must be an array [pattern][row][col]");
    auto const places = without_ones(scan->header.shape, 2);
    if (places.size() != 2 || places[1] != 2 || scan->header.complex)
        return wrong_file(path, Code::unsupported, "its scan must be an array [pattern][2]");
    FoundPatterns found;
    found.format = "npz";
    found.metres = false;
    auto const numbers = numbers_of(*scan);
    for (std::size_t j = 0; 2 * j + 1 < numbers.size(); ++j)
        found.positions.push_back({numbers[2 * j], numbers[2 * j + 1]});
    auto frames = std::make_unique<ArrayFrames>();
    frames->count = shape[0];
    frames->detector = {shape[1], shape[2]};
    frames->array = *std::move(data);
    found.frames = std::move(frames);
    if (options.propagation == stem4d::Propagation::far) {
        SLUICE_TRY(found.corners, beam_at_corners(*found.frames));
        found.notes.emplace_back(
            found.corners
                ? "zero frequency is taken to be at [0][0], since the corners are brighter"
                : "zero frequency is taken to be in the middle, which is brighter");
    }
    found.frames->rounded = 0;
    index const middle[] = {shape[1] / 2, shape[2] / 2};
    found.center = {static_cast<double>(middle[0]), static_cast<double>(middle[1])};
    found.notes.emplace_back(options.propagation == stem4d::Propagation::far
                                 ? "scan is taken as rows and columns in pixels of the object"
                                 : "scan is taken as rows and columns in pixels of the detector");
    SLUICE_CHECK(add_npz_probe(npz, most, found));
    SLUICE_TRY(auto const bad, npz.read("bad", most));
    if (bad && !bad->header.complex &&
        bad->header.shape ==
            std::vector<index>{found.frames->detector[0], found.frames->detector[1]})
        for (double v : numbers_of(*bad)) found.bad.push_back(v != 0);
    else if (bad)
        return wrong_file(path, Code::corrupt, "its bad pixels must be an array [row][col]");
    SLUICE_TRY(found.wavelength_nm, npz_number(npz, "wavelength_nm"));
    SLUICE_TRY(found.pixel_nm, npz_number(npz, "pixel_nm"));
    return found;
}

}  // namespace sluice::ptycho
