using System.CommandLine;
using Dump.Cli.Running;
using Dump.Clr.Collections;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Model.Collections;
using Dump.Model.Contract;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;

namespace Dump.Cli.Commands;

/// <summary>
/// <c>dumpanalyze managed-half FILE OUTPUT</c>, for this program itself: the Windows build under Wine hands
/// the managed half of a dump to the Linux build. Not shown in help.
/// </summary>
internal static class ManagedHalfCommand
{
    public static Command Create()
    {
        Argument<string> file = new("FILE");
        Argument<string> output = new("OUTPUT");
        Option<string?> dac = new("--dac");
        Command command = new(ManagedHalfExport.CommandName,
            "Writes the managed half of a Windows minidump to a file, for another process of this program.") { Hidden = true };
        command.Arguments.Add(file);
        command.Arguments.Add(output);
        command.Options.Add(dac);
        Option<CollectionScope?> scope = new(ManagedHalfExport.ScopeOption);
        Option<ulong?> address = new(ManagedHalfExport.AddressOption);
        Option<bool> tasks = new(ManagedHalfExport.AsyncTasksOption);
        Option<bool> waits = new(ManagedHalfExport.AsyncWaitsOption);
        Option<bool> requests = new(ManagedHalfExport.RequestsOption);
        Option<bool> values = new(ManagedHalfExport.RequestValuesOption);
        command.Options.Add(tasks);
        command.Options.Add(requests);
        command.Options.Add(values);
        command.Options.Add(waits);
        command.Options.Add(scope);
        command.Options.Add(address);
        BackgroundAction.Set(command, (parsed, cancellation) =>
        {
            string path = parsed.GetRequiredValue(file);
            using MinidumpFile dump = MinidumpFile.Open(path);
            var native = WindowsSnapshotReader.Read(dump, Path.GetFileName(path), null, null, cancellation);
            ManagedHalfExport.Write(native, path, parsed.GetRequiredValue(output), new ClrReadOptions
            {
                DacDirectory = parsed.GetValue(dac),
                CanFetch = true,
                AsyncTasks = parsed.GetValue(tasks),
                Requests = parsed.GetValue(requests),
                RequestValues = parsed.GetValue(values),
                AsyncWaitsHeap = parsed.GetValue(waits) ? ClrReadOptions.SmallHeap : null,
                Collections = parsed.GetValue(scope) is { } what ? new CollectionRequest(what, parsed.GetValue(address) ?? 0) : null,
            }, cancellation);
            return ExitCode.Success;
        });
        return command;
    }
}
