using System.Collections.Immutable;
using System.ComponentModel;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Dump.Model.Text;

namespace Dump.Triage.Archives;

/// <summary>
/// Unpacks a cabinet by Windows' own library (SetupIterateCabinet). Native code that reads what a stranger wrote: to be called in a process of its own.
/// </summary>
[SupportedOSPlatform("windows")]
public static unsafe partial class SystemCabinet
{
    /// <summary>Most members of a cabinet that is unpacked; one of a crash report has five.</summary>
    public const int MostMembers = 1_000;

    private const int LongestName = 200;

    /// <summary>Unpacks all members into files named 0, 1, 2 and so on.</summary>
    /// <param name="cabinet">Its path.</param>
    /// <param name="folder">An empty folder.</param>
    /// <param name="most">Bytes that all of them together may have.</param>
    /// <returns>Their names in the cabinet, cleaned, in that order.</returns>
    /// <exception cref="InvalidDataException">It cannot be unpacked; the message says why.</exception>
    public static ImmutableArray<string> Unpack(string cabinet, string folder, long most)
    {
        Unpacking state = new(Path.GetFullPath(folder), most);
        var handle = GCHandle.Alloc(state);
        try
        {
            bool isDone = Iterate(Path.GetFullPath(cabinet), 0, &Notified, GCHandle.ToIntPtr(handle)) != 0;
            int error = Marshal.GetLastPInvokeError();
            return state.Refusal is { } refusal ? throw new InvalidDataException(refusal)
                : isDone ? [.. state.Names]
                : throw new InvalidDataException(error == 0 ? "it is damaged" : new Win32Exception(error).Message.TrimEnd('.'));
        }
        finally
        {
            handle.Free();
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvStdcall)])]
    private static uint Notified(nint context, uint notification, nuint first, nuint second)
    {
        _ = second;
        var state = (Unpacking)GCHandle.FromIntPtr(context).Target!;
        switch (notification)
        {
            case CabinetLayout.FileInCabinet:
                return state.Take((byte*)first) ? CabinetLayout.DoIt : CabinetLayout.Abort;
            case CabinetLayout.NeedNewCabinet:
                state.Refusal ??= "it continues in another file";
                return CabinetLayout.FileNotFound;
            default:
                return 0;
        }
    }

    [LibraryImport("setupapi", EntryPoint = "SetupIterateCabinetW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial int Iterate(string cabinet, uint reserved, delegate* unmanaged[Stdcall]<nint, uint, nuint, nuint, uint> notified, nint context);

    /// <summary>What has been unpacked so far, and into which folder.</summary>
    private sealed class Unpacking(string folder, long left)
    {
        private long _left = left;

        public List<string> Names { get; } = [];

        public string? Refusal { get; set; }

        /// <summary>Says where a member goes; false when it is not to be unpacked. Must not throw: native code calls it.</summary>
        public bool Take(byte* member)
        {
            char* name = *(char**)(member + CabinetLayout.Name);
            string target = Path.Combine(folder, Names.Count.ToString(CultureInfo.InvariantCulture));
            _left -= *(uint*)(member + CabinetLayout.Size);
            Refusal ??= Names.Count >= MostMembers ? string.Create(CultureInfo.InvariantCulture, $"it has more than {MostMembers} members")
                : _left < 0 ? "its members take more room than is allowed or free"
                : target.Length >= CabinetLayout.TargetLength ? "the path of the folder for temporary files is too long"
                : null;
            if (Refusal is not null)
            {
                return false;
            }

            Span<char> place = new(member + CabinetLayout.Target, CabinetLayout.TargetLength);
            target.CopyTo(place);
            place[target.Length] = '\0';
            Names.Add(SafeText.Clean(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(name), LongestName));
            return true;
        }
    }
}
