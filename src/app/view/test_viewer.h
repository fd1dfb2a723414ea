// A viewer of any domain on its own thread, with its clients, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "app/view/viewer.h"
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
    explicit Page(std::uint16_t port) : client(port) { hello = Page::next().header; }
    virtual ~Page() = default;

    virtual Reply next() {
        server::Message const m = client.receive();
        if (!m.binary) return {Json::parse(m.bytes), {}};
        std::uint32_t length = 0;
        std::memcpy(&length, m.bytes.data(), 4);
        return {Json::parse(m.bytes.substr(4, length)), m.bytes.substr(4 + length)};
    }
    /// Sends a request; fields are JSON without braces.
    std::uint64_t ask(std::string const& op, std::string const& slot,
                      std::string const& fields = "") {
        client.send(fmt::format(R"({{"op":"{}","id":{},"slot":"{}"{}{}}})", op, ++id, slot,
                                fields.empty() ? "" : ",", fields));
        return id;
    }
    /// The first message for which `wanted` holds; others are passed over.
    template <class F>
    Reply until(F&& wanted) {
        while (true)
            if (Reply r = next(); wanted(r.header)) return r;
    }
    /// The answer to a request, or its error.
    Reply answer_to(std::uint64_t request) {
        return until([&](Json const& h) {
            return h["op"] != "progress" && h.contains("id") && h["id"] == request;
        });
    }

    server::TestClient client;
    Json hello;
    std::uint64_t id = 0;
};

/// The viewer of one test.
class ViewerFixture : public testing::Test {
  protected:
    void start(Result<std::unique_ptr<Domain>> domain) {
        ASSERT_TRUE(domain) << domain.error().text();
        ViewerOptions options;
        options.server.token = "secret";
        auto viewer = Viewer::start(std::move(*domain), std::move(options));
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
        return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    }

    std::optional<Viewer> viewer_;
    std::thread thread_;
};

}  // namespace sluice::app
