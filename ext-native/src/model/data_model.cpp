#include "model/data_model.hpp"

#include <string_view>

#include "model/hang_function.hpp"
#include "model/model_implementation.hpp"
#include "model/model_objects.hpp"

namespace dumpext {

template <>
const IID& identity_of<IHostDataModelAccess>() { return IID_IHostDataModelAccess; }

template <>
const IID& identity_of<IDebugHostExtensibility>() { return IID_IDebugHostExtensibility; }

template <>
const IID& identity_of<IDebugHostExtensibility2>() { return IID_IDebugHostExtensibility2; }

namespace {

constexpr const wchar_t* hang_function_name = L"hang";

/// The debugger's data model, as far as it is needed here.
struct DataModel {
    ComPointer<IDataModelManager> manager;
    ComPointer<IDebugHostExtensibility> host;
};

constexpr std::string_view function_help = "hang() - Why this process hangs: the verdicts, as !verdict prints them, with their claims, chains and threads";

/// What debuggers show of a function besides its name ("Help"); empty where the data model keeps no such thing.
ComPointer<IKeyStore> make_help(IDataModelManager& manager) {
    ComPointer<IKeyStore> help;
    if (FAILED(manager.CreateMetadataStore(nullptr, help.receive())) || FAILED(help->SetKey(L"Help", make_text(manager, function_help).get(), nullptr))) {
        return {};
    }

    return help;
}

/// Gives the function its name. Refused when that is taken; then the function ends here.
void name_function(const DataModel& model, IModelObject* function) {
    const auto host = ComPointer<IDebugHostExtensibility2>::query(model.host.get());
    const ComPointer<IKeyStore> help = make_help(*model.manager.get());
    if (!host || !help || host->CreateFunctionAliasWithMetadata(hang_function_name, function, help.get()) == E_NOTIMPL) {
        model.host->CreateFunctionAlias(hang_function_name, function);
    }
}

/// Empty where there is none.
DataModel find_data_model() {
    const ComPointer<IDebugClient> client = make_client();
    const auto access = ComPointer<IHostDataModelAccess>::query(client.get());
    DataModel model;
    ComPointer<IDebugHost> host;
    if (access && SUCCEEDED(access->GetDataModel(model.manager.receive(), host.receive()))) {
        model.host = ComPointer<IDebugHostExtensibility>::query(host.get());
    }

    return model;
}

}

void register_data_model() noexcept {
    try {
        const DataModel model = find_data_model();
        if (!model.manager || !model.host) {
            return;
        }

        const ComPointer<IModelMethod> function = make_hang_function(*model.manager.get());
        VARIANT value{};
        value.vt = VT_UNKNOWN;
        value.punkVal = function.get();
        ComPointer<IModelObject> object;
        if (SUCCEEDED(model.manager->CreateIntrinsicObject(ObjectMethod, &value, object.receive()))) {
            name_function(model, object.get());
        }
    } catch (...) {
        // The commands work without it.
        return;
    }
}

void unregister_data_model() noexcept {
    try {
        // The debugger would remove whatever has the name. It is ours as long as the debugger holds our function.
        const DataModel model = find_data_model();
        if (model.host && lives_hang_function()) {
            model.host->DestroyFunctionAlias(hang_function_name);
        }
    } catch (...) {
        return;
    }
}

bool is_data_model_free() noexcept { return model_object_count() == 0; }

}
