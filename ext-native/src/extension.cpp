#include "commands/commands.hpp"
#include "commands/single_command.hpp"
#include "model/data_model.hpp"
#include "model/unheard_answer.hpp"
#include "target/target_changes.hpp"
#include "version.hpp"

// What a debugger calls. The names are listed in dumpext.def. Nothing happens when the library is loaded.

using dumpext::Question;

extern "C" {

HRESULT CALLBACK DebugExtensionInitialize(PULONG version, PULONG flags) {
    *version = DEBUG_EXTENSION_VERSION(DUMPEXT_VERSION_MAJOR, DUMPEXT_VERSION_MINOR);
    *flags = 0;
    dumpext::register_data_model();
    return S_OK;
}

void CALLBACK DebugExtensionUninitialize() {
    dumpext::unregister_data_model();
    dumpext::stop_watching_target();
    dumpext::end_idle_engine();
}

/// Called by the debugger when it has opened or closed a target, and when a target stops or goes on: with a closed one the engine ends that has read it.
void CALLBACK DebugExtensionNotify(ULONG event, ULONG64) {
    dumpext::note_target_change();
    if (event == DEBUG_NOTIFY_SESSION_INACTIVE) {
        dumpext::end_idle_engine();
    }
}

HRESULT CALLBACK DebugExtensionCanUnload() { return dumpext::is_data_model_free() && !dumpext::SingleCommand::is_running_elsewhere() ? S_OK : S_FALSE; }

HRESULT CALLBACK verdict(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::answer(client, Question::verdict, "verdict", arguments); }

HRESULT CALLBACK lockchain(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::answer(client, Question::lock_chain, "lockchain", arguments); }

HRESULT CALLBACK heldlocks(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::answer(client, Question::held_locks, "heldlocks", arguments); }

HRESULT CALLBACK dictloop(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::answer(client, Question::broken_collections, "dictloop", arguments); }

HRESULT CALLBACK spinners(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::answer(client, Question::spinners, "spinners", arguments); }

HRESULT CALLBACK uihang(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::answer(client, Question::user_interface, "uihang", arguments); }

/// For this library alone, not for users.
HRESULT CALLBACK dxanswer(PDEBUG_CLIENT, PCSTR) { return dumpext::answer_unheard(); }

HRESULT CALLBACK dumphelp(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::show_help(client, arguments); }

HRESULT CALLBACK help(PDEBUG_CLIENT client, PCSTR arguments) { return dumpext::show_help(client, arguments); }

}
