#pragma once

#include "output_collector.h"
#include "system/debugger_headers.hpp"
#include "trouble_commands.h"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

// Commands of this host that try out an extension (more in trouble_commands.h):
//   @handles             the number of this process' handles
//   @processes           the number of dumpanalyze.exe that this process started and that run
//   @milliseconds        time since the start of this host
//   @interrupt N         Ctrl+Break N ms from now
//   @interrupt from N    the same again and again, until the next command has ended
//   @interrupt engine [LIBRARY]  stops the dumpanalyze.exe that this process has started, or starts next, as soon as it has loaded the library, for ever, and then Ctrl+Break until the next
//                        command has ended
//   @links               runs each command that a link of the output so far has, once; "link COMMAND: HRESULT" for each
//   @analyze             calls the loaded dumpext's _EFN_Analyze in each phase, as !analyze would; prints the tags
//   @together NAME ARGS  calls dumpext's export NAME from another thread, and goes on as soon as that says that it waits (the command faultwait)
//   @wait                lets that thread go on, and waits for its end
//   @repeat N COMMAND    runs a command N times
//   @event [N]           waits for what happens next, as debuggers do behind a command that lets the target go; with a number the target goes, and is stopped after N ms. Prints how the
//                        waiting ended
class ExtensionCommands {
public:
    ExtensionCommands(IDebugClient8* client, IDebugControl7* control, OutputCollector& output);

    HRESULT run(std::wstring_view command);

    // To call after each command, before the next one is announced.
    void settle();

    // Remembers the commands of the links in a piece of output, and gives it back.
    std::string remember_links(std::string output);

private:
    HRESULT interrupt(const std::wstring& moment);
    HRESULT run_links();
    HRESULT analyze();
    HRESULT start_together(std::wstring_view call);
    HRESULT wait_for_other();
    HRESULT repeat(std::wstring_view text);
    HRESULT wait_for_event(const std::wstring& milliseconds);

    IDebugClient8* client_;
    IDebugControl7* control_;
    OutputCollector& output_;
    TroubleCommands trouble_;
    ULONGLONG start_;
    std::vector<std::string> links_;
    std::atomic<bool> interrupts_ = false;
    HANDLE interrupter_ = nullptr;
    int commands_to_interrupt_ = 0;
    HANDLE other_thread_ = nullptr;
    HANDLE goes_on_ = nullptr;
};
