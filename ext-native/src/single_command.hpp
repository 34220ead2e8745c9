#pragma once

namespace dumpext {

/// Holds the right to run the one command that may run at a time.
class SingleCommand {
public:
    /// @throws CommandError when another thread of the debugger runs a command of this extension.
    SingleCommand();
    ~SingleCommand();

    SingleCommand(const SingleCommand&) = delete;
    SingleCommand& operator=(const SingleCommand&) = delete;
};

}
