using System.Runtime.InteropServices;
using Dump.Readers.Minidump;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// The threads of a runtime as its data-access library lists them, and its walks of their stacks. Asked for a thread by its id, as ClrMD asks for each stack, the
/// library reads all threads before it in the list again: with 2,500 threads half of what a walk took.
/// </summary>
internal sealed unsafe class ListedThreads : IDisposable
{
    private const int MostThreads = 100_000;
    private const int LongestName = 256;
    private const int Success = 0;
    private readonly Dictionary<uint, nint> _tasks = [];
    private readonly Dictionary<ulong, string> _markers = [];
    private readonly IDataReader _memory;
    private readonly nint _process, _tools;

    /// <summary>Lists them; none where the library or the processor is one that is not asked so.</summary>
    /// <param name="runtime">The runtime, which must live longer.</param>
    public ListedThreads(ClrRuntime runtime)
    {
        _memory = runtime.DataTarget.DataReader;
        if (runtime.ClrInfo.Flavor != ClrFlavor.Core || _memory.Architecture != Architecture.X64 || DataAccessProcess.Of(runtime) is not { } process)
        {
            return;
        }

        _process = process.QueryInterface(DataAccessLayout.Process);
        _tools = process.QueryInterface(DataAccessLayout.Tools);
        if (_process != 0 && _tools != 0)
        {
            List();
        }
    }

    /// <summary>The frames of a thread, innermost first; null for one that the list does not have.</summary>
    /// <param name="thread">Its id in the operating system.</param>
    /// <param name="most">Most frames to read.</param>
    public IReadOnlyList<LibraryFrame>? Walk(uint thread, int most)
    {
        if (!_tasks.TryGetValue(thread, out nint task))
        {
            return null;
        }

        nint walk = 0;
        var create = (delegate* unmanaged<nint, uint, nint*, int>)DataAccessProcess.Slot(task, DataAccessLayout.CreateStackWalk);
        if (create(task, DataAccessLayout.AllFrames, &walk) != Success)
        {
            return null;
        }

        try
        {
            return Frames(walk, most);
        }
        finally
        {
            DataAccessProcess.Release(walk);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (nint task in _tasks.Values)
        {
            DataAccessProcess.Release(task);
        }

        _tasks.Clear();
        DataAccessProcess.Release(_tools);
        DataAccessProcess.Release(_process);
    }

    private void List()
    {
        ulong place = 0;
        if (((delegate* unmanaged<nint, ulong*, int>)DataAccessProcess.Slot(_process, DataAccessLayout.StartEnumTasks))(_process, &place) != Success)
        {
            return;
        }

        var next = (delegate* unmanaged<nint, ulong*, nint*, int>)DataAccessProcess.Slot(_process, DataAccessLayout.EnumTask);
        nint task = 0;
        for (int i = 0; i < MostThreads && next(_process, &place, &task) == Success; i++)
        {
            uint id = 0;
            if (((delegate* unmanaged<nint, uint*, int>)DataAccessProcess.Slot(task, DataAccessLayout.GetOSThreadID))(task, &id) != Success || id == 0
                || !_tasks.TryAdd(id, task))
            {
                DataAccessProcess.Release(task);
            }
        }

        _ = ((delegate* unmanaged<nint, ulong, int>)DataAccessProcess.Slot(_process, DataAccessLayout.EndEnumTasks))(_process, place);
    }

    private List<LibraryFrame> Frames(nint walk, int most)
    {
        List<LibraryFrame> frames = [];
        byte[] context = new byte[ContextRegisters.SizeOf(_memory.Architecture)];
        var registers = (delegate* unmanaged<nint, uint, uint, uint*, byte*, int>)DataAccessProcess.Slot(walk, DataAccessLayout.GetContext);
        var next = (delegate* unmanaged<nint, int>)DataAccessProcess.Slot(walk, DataAccessLayout.Next);
        fixed (byte* start = context)
        {
            uint size = 0;
            while (frames.Count < most && registers(walk, DataAccessLayout.X64Registers, (uint)context.Length, &size, start) >= Success
                && ContextRegisters.Pointers(context, _memory.Architecture) is ({ } instruction, { } stack))
            {
                LibraryFrame frame = MarkerAt(walk) is not 0 and var marker ? Marked(instruction, marker) : new LibraryFrame(instruction, stack, null, 0);
                if (frame is { Marker: null, InstructionPointer: 0 })
                {
                    // A thread that handles signals, for one: the library knows no registers and says nothing of it. What ClrMD takes for them is left over
                    // from the stack before.
                    break;
                }

                frames.Add(frame);
                if (next(walk) != Success)
                {
                    break;
                }
            }
        }

        return frames;
    }

    /// <summary>A place that is the end of the chain of markers, or cannot be read, is no marker (as for ClrMD).</summary>
    private LibraryFrame Marked(ulong instruction, ulong marker) =>
        _memory.ReadPointer(marker) is not 0 and var kind
            ? new LibraryFrame(instruction, marker, NameOf(kind), MethodOf(marker))
            : new LibraryFrame(instruction, marker, null, 0);

    /// <summary>Address of the runtime's own frame where a walk stands at one; else 0.</summary>
    private static ulong MarkerAt(nint walk)
    {
        ulong marker = 0;
        return ((delegate* unmanaged<nint, uint, uint, byte*, uint, byte*, int>)DataAccessProcess.Slot(walk, DataAccessLayout.Request))(
            walk, DataAccessLayout.FrameData, 0, null, sizeof(ulong), (byte*)&marker) >= Success ? marker : 0;
    }

    private ulong MethodOf(ulong marker)
    {
        ulong method = 0;
        return ((delegate* unmanaged<nint, ulong, ulong*, int>)DataAccessProcess.Slot(_tools, DataAccessLayout.GetMethodDescPtrFromFrame))(_tools, marker, &method)
            >= Success ? method : 0;
    }

    private static string UpToNull(ReadOnlySpan<char> text) => new(text[..Math.Max(0, text.IndexOf('\0'))]);

    /// <summary>Name of a kind of marker by its table of methods, or by its number since .NET 9; "" where the library has none.</summary>
    private string NameOf(ulong kind)
    {
        ref string? name = ref CollectionsMarshal.GetValueRefOrAddDefault(_markers, kind, out bool isKnown);
        if (!isKnown)
        {
            char* text = stackalloc char[LongestName];
            new Span<char>(text, LongestName).Clear();
            uint needed = 0;
            name = ((delegate* unmanaged<nint, ulong, uint, char*, uint*, int>)DataAccessProcess.Slot(_tools, DataAccessLayout.GetFrameName))(
                _tools, kind, LongestName, text, &needed) >= Success ? UpToNull(new ReadOnlySpan<char>(text, LongestName)) : "";
        }

        return name!;
    }
}

/// <summary>A frame as the data-access library gives it.</summary>
/// <param name="InstructionPointer">Instruction pointer.</param>
/// <param name="StackPointer">Stack pointer; of a marker, its own address.</param>
/// <param name="Marker">Name of a marker of the runtime, "" for one without; null for a frame of code.</param>
/// <param name="MarkedMethod">Handle of the method that a marker stands for; 0 for none.</param>
internal readonly record struct LibraryFrame(ulong InstructionPointer, ulong StackPointer, string? Marker, ulong MarkedMethod);
