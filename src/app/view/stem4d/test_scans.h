// Acquisitions for tests, a viewer of them, and a page that remembers what it was told of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "app/view/stem4d/scans.h"
#include "app/view/test_viewer.h"
#include "format/nxmx/writer.h"

namespace sluice::app {

/// Writes an acquisition of 8-bit counts: a disk whose brightness grows with the frame's number.
/// The files appear whole, the master last.
inline void write_scan(std::string const& prefix, std::array<index, 2> scan, index size = 32,
                       nxmx::Damage damage = nxmx::Damage::none) {
    namespace fs = std::filesystem;
    fs::path const folder = fs::path(prefix).parent_path(), making = folder / ".making";
    fs::create_directories(making);
    nxmx::Acquisition a;
    a.prefix = (making / fs::path(prefix).filename()).string();
    a.scan = scan;
    a.rows = a.cols = size;
    a.dtype = DType::u8;
    a.frames_per_file = (scan[0] * scan[1] + 1) / 2;
    a.damage = damage;
    auto const files = nxmx::write(a, [&](index frame, std::span<std::byte> values) -> Status {
        for (index r = 0; r < size; ++r)
            for (index c = 0; c < size; ++c) {
                index const dr = r - size / 2, dc = c - size / 2;
                bool const inside = dr * dr + dc * dc <= size * size / 25;
                values[static_cast<std::size_t>(r * size + c)] =
                    static_cast<std::byte>(inside ? 5 + frame % 90 : (frame + r + c) % 11 == 0);
            }
        return {};
    });
    ASSERT_TRUE(files) << files.error().text();
    for (auto const& file : fs::directory_iterator(making))
        if (!file.path().string().ends_with("_master.h5"))
            fs::rename(file.path(), folder / file.path().filename());
    for (auto const& file : fs::directory_iterator(making))
        fs::rename(file.path(), folder / file.path().filename());
    fs::remove_all(making);
}

/// A page of scans without a browser.
class ScanPage : public Page {
  public:
    explicit ScanPage(std::uint16_t port) : Page(port) { remember(hello); }

    Reply next() override {
        Reply reply = Page::next();
        remember(reply.header);
        return reply;
    }
    /// Asks about the first dataset; fields are JSON without braces.
    std::uint64_t ask(std::string const& op, std::string const& slot, std::string const& fields) {
        return Page::ask(op, slot, R"("dataset":"d1")" + (fields.empty() ? "" : "," + fields));
    }
    /// Waits until the last that was told of a dataset is that it is in this state. A state that
    /// passes may never be told: of messages in one slot the page gets the newest.
    Json dataset_in(std::string const& state, std::string const& which = "d1") {
        while (!told.contains(which) || told[which]["state"] != state) next();
        return told[which];
    }

    std::map<std::string, Json> told;  ///< the newest of each dataset

  private:
    void remember(Json const& header) {
        if (header.contains("datasets"))
            for (Json const& d : header["datasets"]) told[d["id"]] = d;
        if (header.value("op", "") == "dataset") told[header["dataset"]["id"]] = header["dataset"];
    }
};

class ScansFixture : public ViewerFixture {
  protected:
    void start(std::vector<std::string> paths, LoadOptions load = {}) {
        ScansOptions options;
        options.paths = std::move(paths);
        options.load = std::move(load);
        options.look_every = std::chrono::milliseconds(20);
        ViewerFixture::start(Scans::open(std::move(options)));
    }
};

}  // namespace sluice::app
