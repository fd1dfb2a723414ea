// Reads one image as a frame of its file.
// SPDX-License-Identifier: Apache-2.0
#include "format/npy/plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/plural.h"
#include "base/with_type.h"
#include "format/npy/header.h"

namespace sluice::npy {
namespace {

template <class T>
void convert(Bytes bytes, std::vector<float>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        T v;
        std::memcpy(&v, bytes.data() + i * sizeof(T), sizeof(T));
        out[i] = static_cast<float>(v);
    }
}

// Of what lies column by column, as numpy.save leaves a transposed array.
std::vector<float> by_rows(std::vector<float> const& columns, index rows) {
    std::vector<float> turned;
    turned.reserve(columns.size());
    for (index r = 0; r < rows; ++r)
        for (index i = r; i < std::ssize(columns); i += rows)
            turned.push_back(columns[static_cast<std::size_t>(i)]);
    return turned;
}

// "1x4x5" and "4x5x1" are planes, too.
void drop_single_axes(std::vector<index>& shape) {
    while (shape.size() > 2) {
        auto const single = std::ranges::find(shape, 1);
        if (single == shape.end()) return;
        shape.erase(single);
    }
}

Error wrong_size(Header const& h, File const& file, std::uint64_t bytes) {
    std::uint64_t const held = file.size() - h.data_at;
    std::string const what =
        fmt::format("{}x{} elements of {} bytes", h.shape[0], h.shape[1], h.type.bytes);
    if (held < bytes)
        return {Code::truncated, what + " do not fit into the file", file.path(), h.data_at};
    return {Code::corrupt,
            fmt::format("the file has {} more than {} take, so that they may have been "
                        "shifted; save the array again",
                        plural(held - bytes, "byte"), what),
            file.path(), h.data_at + bytes};
}

}  // namespace

Result<Array<float>> load_plane(std::string const& path) {
    constexpr std::uint64_t largest_header = 1 << 20, largest_plane = 1 << 28;
    SLUICE_TRY(File file, File::open(path));
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), largest_header));
    SLUICE_CHECK(file.read(0, head));
    Result<Header> header = Error{Code::unsupported, "not an NPY file; write one with numpy.save"};
    if (is_npy(head)) header = parse_header(head);
    if (!header) {
        Error error = std::move(header).error();
        error.file = path;
        return error;
    }
    drop_single_axes(header->shape);
    if (header->shape.size() != 2)
        return Error{
            Code::unsupported,
            fmt::format("must be a 2-D array of rows and columns (the number of its axes is {})",
                        header->shape.size()),
            path};
    auto const rows = static_cast<std::uint64_t>(header->shape[0]);
    auto const cols = static_cast<std::uint64_t>(header->shape[1]);
    auto const bytes = static_cast<std::uint64_t>(header->type.bytes);
    if (rows == 0 || cols == 0 || rows > largest_plane || cols > largest_plane / rows)
        return Error{Code::unsupported,
                     fmt::format("an array of {}x{} elements; give 1 to {} in all", rows, cols,
                                 largest_plane),
                     path, header->data_at};
    if (file.size() - header->data_at != rows * cols * bytes)
        return wrong_size(*header, file, rows * cols * bytes);
    DType const dtype = read_as(header->type);
    FlatLayout const layout{header->type, header->data_at, 1, static_cast<index>(rows * cols)};
    FlatSource const source(std::move(file), layout);
    EncodedFrame frame;
    FetchScratch scratch;
    SLUICE_CHECK(source.fetch(0, {&frame, 1}, scratch));
    Array<float> out = Array<float>::zeros(header->shape);
    with_detector_type(dtype, [&]<class T>(T) { convert<T>(frame.bytes, out.values); });
    if (header->fortran_order) out.values = by_rows(out.values, header->shape[0]);
    return out;
}

}  // namespace sluice::npy
