#pragma once

#include "system/debugger_headers.hpp"

#include <string>
#include <string_view>

// Commands of this host that bring an extension into trouble, or show that it kept out of it:
//   @kill N                     stops the dumpanalyze.exe that this process has started, or starts next, and ends it, by its id, N ms later
//   @hold N PATH                has a file open for itself alone, from now on and N ms long
//   @die                        ends this process as soon as an engine process reads a snapshot (a file dumpext-*.dmp in the directory for temporary files)
//   @copy-snapshot FILE         copies the next snapshot of the extension (a file dumpext-*.dmp) into FILE; @copied waits until that is done
//   @pretend CLASS QUALIFIER    the engine says from now on that its target is of that class and kind; "@pretend" alone ends that
//   @suspends                   "THREAD COUNT" for each thread of the target: how often it is suspended
//   @space BYTES                the disk has only so much space left for dumpext.dll; "@space" alone ends that
//   @interrupted-write          Ctrl+Break from now on whenever dumpext.dll is about to write of a process: "@space" alone ends that
//   @no-writer                  dumpext.dll finds no dbgcore.dll; "@space" alone ends that
//   @environment NAME=VALUE     sets a variable
//   @directory PATH             makes that this process' current directory
//   @bytes NAME HEX             calls dumpext's export NAME with these bytes as its arguments
//   @program PATH ARGUMENTS     runs a program, reads what it prints, and waits for its end
class TroubleCommands {
public:
    explicit TroubleCommands(IDebugClient8* client) : client_(client) {}

    // E_INVALIDARG for other commands.
    HRESULT run(std::wstring_view name, std::wstring_view text);

    // To call after each command: a killer that has found its engine has said what it did, and holds no handle any more. On a busy machine the command is done before it.
    void wait_for_killer();

    // True when a dumpanalyze.exe runs that this process has started, and has loaded a library (any, without one).
    static bool runs_engine(const std::wstring& library);

    // Waits until a dumpanalyze.exe that this process started has loaded a library (any moment without one), and stops it for ever. Gives its id.
    static DWORD stop_engine(const std::wstring& library);

    // How many dumpanalyze.exe this process has started that still run.
    static int count_engine_processes();

private:
    HRESULT start_killer(DWORD milliseconds);
    HRESULT pretend(std::wstring_view text);
    HRESULT print_suspend_counts();
    HRESULT call_with_bytes(std::wstring_view text);

    IDebugClient8* client_;
    HANDLE killer_ = nullptr;
};
