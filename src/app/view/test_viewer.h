// A viewer on its own thread with its clients, and acquisitions for it, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include "app/view/viewer.h"
#include "format/nxmx/writer.h"
#include "server/test_client.h"

namespace sluice::app {

/// A fresh folder that is removed again.
struct Folder {
    std::string path;

    explicit Folder(std::string const& name)
        : path(testing::TempDir() + "sluice_view_" + name + "_" + std::to_string(::getpid())) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

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

/// The parts of a message.
struct Reply {
    Json header;
    std::string payload;

    std::vector<double> values(std::size_t array = 0) const {
        Json const& a = header.at("arrays").at(array);
        std::size_t n = 1;
        for (auto const& e : a.at("shape")) n *= e.get<std::size_t>();
        std::string const dtype = a.at("dtype");
        char const* const at = payload.data() + a.at("offset").get<std::size_t>();
        std::vector<double> out(n);
        auto const read = [&]<class T>(T) {
            for (std::size_t i = 0; i < n; ++i) {
                T v;
                std::memcpy(&v, at + i * sizeof(T), sizeof(T));
                out[i] = static_cast<double>(v);
            }
        };
        if (dtype == "uint8") read(std::uint8_t{});
        if (dtype == "uint16") read(std::uint16_t{});
        if (dtype == "uint32") read(std::uint32_t{});
        if (dtype == "float32") read(float{});
        if (dtype == "float64") read(double{});
        return out;
    }
};

/// A page without a browser.
class Page {
  public:
    explicit Page(std::uint16_t port) : client(port) { hello = next().header; }

    Reply next() {
        Reply reply = received();
        remember(reply.header);
        return reply;
    }
    /// Sends a request; fields are JSON without braces.
    std::uint64_t ask(std::string const& op, std::string const& slot, std::string const& fields) {
        client.send(fmt::format(R"({{"op":"{}","id":{},"slot":"{}","dataset":"d1"{}{}}})", op, ++id,
                                slot, fields.empty() ? "" : ",", fields));
        return id;
    }
    /// The first message for which `wanted` holds; others are passed over.
    template <class F>
    Reply until(F&& wanted) {
        while (true)
            if (Reply r = next(); wanted(r.header)) return r;
    }
    Reply answer_to(std::uint64_t request) {
        return until([&](Json const& h) { return h.contains("id") && h["id"] == request; });
    }
    /// Waits until the last that was told of a dataset is that it is in this state. A state that
    /// passes may never be told: of messages in one slot the page gets the newest.
    Json dataset_in(std::string const& state, std::string const& which = "d1") {
        while (!told.contains(which) || told[which]["state"] != state) next();
        return told[which];
    }

    server::TestClient client;
    Json hello;
    std::map<std::string, Json> told;  ///< the newest of each dataset
    std::uint64_t id = 0;

  private:
    Reply received() {
        server::Message const m = client.receive();
        if (!m.binary) return {Json::parse(m.bytes), {}};
        std::uint32_t length = 0;
        std::memcpy(&length, m.bytes.data(), 4);
        return {Json::parse(m.bytes.substr(4, length)), m.bytes.substr(4 + length)};
    }
    void remember(Json const& header) {
        if (header.contains("datasets"))
            for (Json const& d : header["datasets"]) told[d["id"]] = d;
        if (header.value("op", "") == "dataset") told[header["dataset"]["id"]] = header["dataset"];
    }
};

class ViewerFixture : public testing::Test {
  protected:
    void start(std::vector<std::string> paths, LoadOptions load = {}) {
        ViewerOptions options;
        options.paths = std::move(paths);
        options.server.token = "secret";
        options.load = std::move(load);
        options.look_every = std::chrono::milliseconds(20);
        auto viewer = Viewer::start(std::move(options));
        ASSERT_TRUE(viewer) << viewer.error().text();
        viewer_.emplace(std::move(*viewer));
        thread_ = std::thread([this] { viewer_->run([] { return false; }); });
    }
    void TearDown() override {
        if (!viewer_) return;
        viewer_->stop();
        thread_.join();
    }
    std::uint16_t port() const {
        std::string const url = viewer_->url();
        std::size_t const colon = url.rfind(':');
        return static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
    }

    std::optional<Viewer> viewer_;
    std::thread thread_;
};

}  // namespace sluice::app
