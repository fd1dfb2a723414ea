// What the process answers for each file: whether it worked, and so many bytes.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/apart_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/apart.h"
#include "base/file.h"
#include "format/dicom/dcmtk/files.h"
#include "format/dicom/packed.h"

namespace sluice::dicom {
namespace {

// What the process says of a file before the bytes: of an error they are its text.
struct Head {
    std::uint32_t failed = 0;
    std::uint32_t code = 0;
    std::uint64_t bytes = 0;
};
// A structure set of 100 MB is as large as they come.
constexpr std::uint64_t most_dataset = 1 << 30, most_message = 10'000;
// Beside what the answer takes: DCMTK's dictionary, and a file's values three times.
constexpr std::uint64_t room = 256 << 20;

bool answer(Apart::Out const& out, Result<std::vector<std::byte>> const& found) {
    std::string const message = found ? std::string() : found.error().message;
    Bytes const bytes = found ? Bytes(*found) : std::as_bytes(std::span(message));
    Head const head{found ? 0u : 1u, found ? 0u : static_cast<std::uint32_t>(found.error().code),
                    bytes.size()};
    return out(std::as_bytes(std::span(&head, 1))) && out(bytes);
}

Error ended(std::string const& path, Apart& process) {
    std::string const how = process.end();
    return {Code::corrupt,
            fmt::format("cannot be read (the process that reads it {}) copy or export it again",
                        how.empty() ? "stopped" : how),
            path};
}

// The next answer, about `path`.
Result<std::vector<std::byte>> hear(Apart& process, std::string const& path, std::uint64_t most) {
    Head head;
    SLUICE_TRY(index const got, process.read(std::as_writable_bytes(std::span(&head, 1))));
    if (got != sizeof head || head.bytes > (head.failed ? most_message : most))
        return ended(path, process);
    std::vector<std::byte> bytes(static_cast<std::size_t>(head.bytes));
    SLUICE_TRY(index const more, process.read(bytes));
    if (static_cast<std::size_t>(more) != bytes.size()) return ended(path, process);
    if (!head.failed) return bytes;
    constexpr auto last = static_cast<std::uint32_t>(Code::unavailable);
    return Error{static_cast<Code>(std::min(head.code, last)),
                 {reinterpret_cast<char const*>(bytes.data()), bytes.size()},
                 path};
}

}  // namespace

Result<std::vector<Dataset>> read_datasets(std::vector<std::string> const& paths) {
    auto const work = [&](Apart::Out const& out) {
        for (std::string const& path : paths) {
            auto found = read_by_dcmtk(path);
            if (!answer(out, found ? Result(pack(*found)) : found.error())) return;
        }
    };
    std::vector<Dataset> all;
    std::uint64_t largest = 0;
    for (std::string const& path : paths) {
        SLUICE_TRY(File const file, File::open(path));
        largest = std::max(largest, file.size());
    }
    SLUICE_TRY(Apart process, Apart::start(work, room + 16 * std::min(largest, most_dataset)));
    for (std::string const& path : paths) {
        SLUICE_TRY(auto const bytes, hear(process, path, most_dataset));
        auto dataset = unpack(bytes);
        if (!dataset) return Error{Code::corrupt, dataset.error().message, path};
        all.push_back(*std::move(dataset));
    }
    return all;
}

Result<Dataset> read_dataset(std::string const& path) {
    SLUICE_TRY(auto all, read_datasets({path}));
    return std::move(all[0]);
}

Status read_pixels(std::vector<std::string> const& paths, std::uint64_t bytes,
                   std::function<void(std::size_t, Bytes)> const& take) {
    auto const work = [&](Apart::Out const& out) {
        for (std::string const& path : paths)
            if (!answer(out, pixels_by_dcmtk(path, bytes))) return;
    };
    SLUICE_TRY(Apart process, Apart::start(work, room + 8 * bytes));
    for (std::size_t i = 0; i < paths.size(); ++i) {
        SLUICE_TRY(auto const got, hear(process, paths[i], bytes));
        if (got.size() != bytes) return ended(paths[i], process);
        take(i, got);
    }
    return {};
}

Status write_dataset(std::string const& path, Dataset const& dataset,
                     std::span<std::uint32_t const> pixels) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    auto const work = [&](Apart::Out const& out) {
        Status const done = write_by_dcmtk(file.temporary(), dataset, pixels);
        answer(out, done ? Result(std::vector<std::byte>()) : done.error());
    };
    SLUICE_TRY(Apart process, Apart::start(work, room + 8 * pixels.size_bytes()));
    SLUICE_TRY(auto const nothing, hear(process, path, 0));
    if (std::string const how = process.end(); !nothing.empty() || !how.empty())
        return Error{Code::io,
                     fmt::format("cannot be written (the process that writes it {})", how), path};
    return file.commit();
}

}  // namespace sluice::dicom
