#pragma once

namespace dumpext {

/// Holds the right to run the one command that may run at a time.
class SingleCommand {
public:
    /// @throws CommandError when another thread of the debugger runs a command of this extension.
    SingleCommand();
    ~SingleCommand();

    /// True when another thread of the debugger runs a command.
    static bool is_running_elsewhere() noexcept;

    SingleCommand(const SingleCommand&) = delete;
    SingleCommand& operator=(const SingleCommand&) = delete;
};

}
