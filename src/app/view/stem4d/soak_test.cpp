// Random interaction of four clients, replayed fast: no error, no growth of memory. The suite
// replays a little; SLUICE_SOAK=200000 replays a day of work. SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

#include "app/view/stem4d/test_scans.h"

namespace sluice::app {
namespace {

class SoakTest : public ScansFixture {};

double resident_mb() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
    return 0;
}

class RandomUser {
  public:
    RandomUser(std::uint16_t port, unsigned seed) : port_(port), random_(seed) {
        page_ = std::make_unique<ScanPage>(port_);
    }

    // What a hand does in a second: some drags, each many requests in one slot.
    int burst() {
        if (pick(200) == 0) page_ = std::make_unique<ScanPage>(port_);
        std::set<std::uint64_t> awaited;
        int sent = 0;
        for (int drag = pick(3); drag >= 0; --drag) {
            int const slot = pick(6), steps = 1 + pick(20);
            std::uint64_t last = 0;
            for (int i = 0; i < steps; ++i, ++sent) last = one(slot);
            latest_[slot] = last;
        }
        for (auto const& [slot, id] : latest_) awaited.insert(id);
        latest_.clear();
        while (!awaited.empty()) {
            Reply const r = page_->next();
            if (r.header["op"] == "error") errors.push_back(r.header.dump());
            if (r.header.contains("id")) awaited.erase(r.header["id"].get<std::uint64_t>());
        }
        return sent;
    }

    std::vector<std::string> errors;

  private:
    int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
    std::string shape() {
        return fmt::format(R"({{"shape":"disk","center":[{},{}],"outer":{}}})", 8 + pick(16),
                           8 + pick(16), 1 + pick(12));
    }
    std::uint64_t one(int slot) {
        std::string const name = fmt::format("slot{}", slot);
        char const* const modes[] = {"sum", "mean", "com_row", "com_vector", "divergence", "icom"};
        switch (slot) {
            case 0:
            case 1:
                return page_->ask("image", name,
                                  fmt::format(R"("mode":"{}","detectors":[{}],"rotation":"auto")",
                                              modes[pick(6)], shape()));
            case 2:
                return page_->ask("image", name,
                                  fmt::format(R"("mode":"sum","detectors":[{},{},{}])", shape(),
                                              shape(), shape()));
            case 3:
                return page_->ask(
                    "region", name,
                    fmt::format(R"("kind":"{}","region":{})", pick(2) ? "mean" : "max", shape()));
            default:
                return page_->ask("frame", name,
                                  fmt::format(R"("row":{},"col":{})", pick(40), pick(48)));
        }
    }

    std::uint16_t port_;
    std::mt19937 random_;
    std::unique_ptr<ScanPage> page_;
    std::map<int, std::uint64_t> latest_;
};

TEST_F(SoakTest, RandomInteractionNeitherFailsNorGrows) {
    char const* const wish = std::getenv("SLUICE_SOAK");
    int const messages = wish ? std::atoi(wish) : 4000;
    start({"synthetic:stem4d?scan=40x48&detector=32x32&dose=200"});
    ScanPage(port()).dataset_in("ready");
    std::atomic<int> sent = 0;
    std::vector<std::string> errors;
    std::mutex mutex;
    std::vector<std::thread> users;
    for (unsigned seed = 1; seed <= 4; ++seed)
        users.emplace_back([&, seed] {
            RandomUser user(port(), seed);
            while (sent < messages) sent += user.burst();
            std::lock_guard lock(mutex);
            errors.insert(errors.end(), user.errors.begin(), user.errors.end());
        });
    // Warm after a quarter: pools, arenas and buffers have the size that they need.
    while (sent < messages / 4) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    double const warm = resident_mb();
    for (std::thread& user : users) user.join();
    double const end = resident_mb();
    fmt::print("{} messages, {:.1f} MB after a quarter, {:.1f} MB at the end\n", sent.load(), warm,
               end);
    EXPECT_LT(end, 1.1 * warm + 8);
    EXPECT_TRUE(errors.empty()) << errors.size() << " errors, first: " << errors.front();
}

}  // namespace
}  // namespace sluice::app
