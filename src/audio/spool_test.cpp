// Tests of Spool: what was kept comes back from any place, and nothing stays on the disk.
// SPDX-License-Identifier: Apache-2.0
#include "audio/spool.h"

#include <sys/resource.h>

#include <csignal>

#include "audio/files_test.h"

namespace sluice::audio {
namespace {

TEST(AudioSpool, GivesBackWhatWasKept) {
    SoundFolder const folder;
    Spool spool = Spool::create(folder.file(""), 2).value();
    auto samples = noise(3000, 2);
    samples[77] = -1.5f;
    for (std::size_t k = 0; k < samples.size(); k += 600)
        ASSERT_TRUE(spool.write(std::span(samples).subspan(k, 600)));
    EXPECT_EQ(spool.frames(), 3000);
    EXPECT_EQ(spool.peak(), 1.5f);
    std::vector<float> block(2 * 700);
    for (index const first : {0, 1, 1234, 2299, 2300, 2999, 3000, 4000}) {
        index const got = spool.read(first, block).value();
        ASSERT_EQ(got, std::clamp<index>(3000 - first, 0, 700));
        EXPECT_TRUE(std::equal(block.begin(), block.begin() + 2 * got,
                               samples.begin() + 2 * std::min<index>(first, 3000)));
    }
    EXPECT_TRUE(folder.empty());
}

TEST(AudioSpool, SaysWhenTheDiskIsFull) {
    SoundFolder const folder;
    Spool spool = Spool::create(folder.file(""), 1).value();
    // Files of this process cannot grow beyond a limit, as on a full disk.
    auto const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit const limit{1000, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    Status const end = spool.write(noise(1000, 1));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, Code::io);
    EXPECT_EQ(end.error().file, folder.file(""));
    EXPECT_NE(end.error().message.find("free some space"), std::string::npos) << end.error().text();
    EXPECT_EQ(spool.frames(), 0);
}

TEST(AudioSpool, NamesTheFolderThatIsNone) {
    SoundFolder const folder;
    auto const made = Spool::create(folder.file("none"), 2);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().file, folder.file("none"));
}

}  // namespace
}  // namespace sluice::audio
