// Messages over the loopback: they come whole, waiting ends, and full queues say so.
// SPDX-License-Identifier: Apache-2.0
#include "net/socket.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::net {
namespace {

using namespace std::chrono_literals;

std::vector<std::byte> bytes(std::size_t size, int value) {
    return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

TEST(Socket, MessagesComeWholeAndStay) {
    Socket push = Socket::push("tcp://127.0.0.1:*").value();
    Socket pull = Socket::pull(push.address()).value();
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(push.send(bytes(1000, i), 5s).value());
    std::vector<Message> came(3);
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(pull.receive(came[static_cast<std::size_t>(i)], 5s).value());
    }
    for (int i = 0; i < 3; ++i) {
        Message const& m = came[static_cast<std::size_t>(i)];
        EXPECT_EQ(m.bytes().size(), 1000u);
        EXPECT_EQ(m.bytes().back(), static_cast<std::byte>(i));
        EXPECT_FALSE(m.more());
    }
}

TEST(Socket, PartsComeTogether) {
    Socket push = Socket::push("tcp://127.0.0.1:*").value();
    Socket pull = Socket::pull(push.address()).value();
    auto const part = [](std::size_t size, int value) {
        return std::make_shared<std::vector<std::byte> const>(bytes(size, value));
    };
    std::vector<Socket::Part> const all{part(10, 1), part(0, 0), part(100000, 3), part(5, 4)};
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(push.send(all, 5s).value());
    std::vector<Message> came;
    ASSERT_TRUE(pull.receive(came, 8, 5s).value());
    ASSERT_EQ(came.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(came[i].bytes().size(), all[i]->size());
        EXPECT_EQ(came[i].more(), i < 3);
    }
    // What is too much is passed over, and the next message is whole.
    ASSERT_TRUE(push.send(bytes(7, 7), 5s).value());
    ASSERT_TRUE(pull.receive(came, 2, 5s).value());
    EXPECT_EQ(came.size(), 2u);
    ASSERT_TRUE(pull.receive(came, 2, 5s).value());
    ASSERT_EQ(came.size(), 1u);
    EXPECT_EQ(came[0].bytes().size(), 7u);
    EXPECT_FALSE(pull.receive(came, 2, 20ms).value());
}

TEST(Socket, WaitingEnds) {
    Socket const push = Socket::push("tcp://127.0.0.1:*").value();
    Socket pull = Socket::pull(push.address()).value();
    Message message;
    EXPECT_FALSE(pull.receive(message, 20ms).value());
}

TEST(Socket, NobodyTakesWhatIsSent) {
    Socket push = Socket::push("tcp://127.0.0.1:*", {.queue = 4, .linger = 0ms}).value();
    EXPECT_FALSE(push.send(bytes(10, 1), 0ms).value());
    EXPECT_FALSE(push.send(bytes(10, 1), 20ms).value());
    // A peer that does not read: some messages find room on the way, and then no more.
    Socket const pull = Socket::pull(push.address(), {.queue = 1}).value();
    ASSERT_TRUE(push.send(bytes(1 << 20, 1), 5s).value());
    int taken = 1;
    while (taken < 1000 && push.send(bytes(1 << 20, 1), 0ms).value()) ++taken;
    EXPECT_LT(taken, 1000);
}

TEST(Socket, AddressesAreChecked) {
    EXPECT_EQ(Socket::pull("127.0.0.1:31001").error().code, Code::invalid_argument);
    EXPECT_EQ(Socket::pull("tcp://").error().code, Code::io);
    EXPECT_NE(Socket::pull("tcp://127.0.0.1:99999").error().message.find("ports end at 65535"),
              std::string::npos);
    Socket const one = Socket::push("tcp://127.0.0.1:*").value();
    auto const two = Socket::push(one.address());
    ASSERT_FALSE(two);
    EXPECT_NE(two.error().message.find("another port"), std::string::npos);
}

// A sender that waited for room in the queue goes on when the queue has got another length.
TEST(Socket, AQueueOfAnotherLengthLosesNothing) {
    Socket sender = Socket::push("tcp://127.0.0.1:*", {.queue = 4000}).value();
    Socket receiver = Socket::pull(sender.address(), {.queue = 500}).value();
    for (int i = 0; i < 3000; ++i)
        ASSERT_TRUE(sender.send(std::vector<std::byte>(40000), std::chrono::seconds{20}).value());
    Message message;
    for (int i = 0; i < 3000; ++i) {
        if (i == 1) receiver.hold(100 * 40000, 40000);
        if (i == 700) std::this_thread::sleep_for(std::chrono::milliseconds{100});  // it is full
        if (i == 700) receiver.hold(4000 * 40000, 40000);
        ASSERT_TRUE(receiver.receive(message, std::chrono::seconds{20}).value()) << i;
    }
}

}  // namespace
}  // namespace sluice::net
