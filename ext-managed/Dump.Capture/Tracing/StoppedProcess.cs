using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.Versioning;
using Dump.Capture.Proc;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Tracing;

/// <summary>
/// A process whose threads are stopped until this object is disposed. Threads are seized and interrupted (ptrace(2), PTRACE_SEIZE), not attached to: no stop
/// signal is ever sent, and the kernel lets every thread go on when the tracing thread ends for whatever reason, SIGKILL included.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class StoppedProcess : IDisposable
{
    private const int MostPasses = 100;
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_stopLimit = TimeSpan.FromSeconds(3);
    private readonly int _process;
    private readonly int _mostThreads;
    private readonly CancellationToken _cancellation;
    private readonly Dictionary<uint, TracedThread> _traced = [];
    private readonly ConcurrentQueue<uint> _seized = [];
    private readonly ManualResetEventSlim _isStopped = new();
    private readonly object _gate = new();
    private readonly Thread _tracer;
    private readonly DeferredStops _stops = new();
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private TimeSpan? _deadline;
    private bool _isReleased;
    private Exception? _failure;

    private StoppedProcess(int process, int mostThreads, CancellationToken cancellation)
    {
        _process = process;
        _mostThreads = mostThreads;
        _cancellation = cancellation;

        // Only the thread that seized may ask for registers and let go; it does nothing else, so that a hang of the analysis cannot keep it from letting go.
        _tracer = new Thread(Trace) { IsBackground = true, Name = "tracer" };
    }

    /// <summary>The threads, ascending.</summary>
    public IReadOnlyList<StoppedThread> Threads { get; private set; } = [];

    /// <summary>True when the process was let go before this object was disposed.</summary>
    public bool WasReleasedEarly { get; private set; }

    /// <summary>How long the process has been stopped, or was.</summary>
    public TimeSpan StoppedFor => _clock.Elapsed;

    /// <summary>Stops a process.</summary>
    /// <param name="process">Process id.</param>
    /// <param name="mostThreads">Further threads are left alone.</param>
    /// <param name="cancellation">Ends the stopping early.</param>
    /// <exception cref="TracingRefusedException">The kernel refuses to let the process be traced.</exception>
    public static StoppedProcess Stop(int process, int mostThreads, CancellationToken cancellation)
    {
        StoppedProcess stopped = new(process, mostThreads, cancellation);
        stopped._tracer.Start();
        for (int before = -1; !stopped._isStopped.Wait(s_look, CancellationToken.None);)
        {
            int now = stopped._seized.Count;
            if (now == before)
            {
                stopped.BuryEnded();
            }

            before = now;
        }

        if (stopped._failure is { } failure)
        {
            stopped.Dispose();
            throw failure;
        }

        return stopped;
    }

    /// <summary>
    /// Lets the process go after a time even when nobody disposes this object; null takes such a limit back, unless its time is over. The tracing thread itself
    /// watches the time: a timer of the thread pool would come late in a program whose pool is busy.
    /// </summary>
    public void ReleaseAfter(TimeSpan? limit)
    {
        lock (_gate)
        {
            WasReleasedEarly |= _deadline < _clock.Elapsed;
            _deadline = _clock.Elapsed + limit;
            Monitor.PulseAll(_gate);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            _isReleased = true;
            Monitor.PulseAll(_gate);
        }

        _tracer.Join();
        _clock.Stop();
        _stops.Dispose();
    }

    private void Trace()
    {
        try
        {
            StopAll();
            Threads = [.. _traced.Values.OrderBy(t => t.Id).Where(t => !t.HasEnded).Select(t => t.Read())];
        }
        catch (Exception failure)
        {
            // It belongs to the thread that waits; without a catch here it would end the program.
            _failure = failure;
        }

        _isStopped.Set();
        if (_failure is null)
        {
            AwaitRelease();
        }

        foreach (TracedThread thread in _traced.Values)
        {
            thread.Release();
        }
    }

    private void AwaitRelease()
    {
        lock (_gate)
        {
            while (!_isReleased && !WasReleasedEarly)
            {
                if (_deadline - _clock.Elapsed is not { } left)
                {
                    Monitor.Wait(_gate);
                }
                else if (left > TimeSpan.Zero)
                {
                    // Waits count whole milliseconds and must not end before the time.
                    Monitor.Wait(_gate, left + TimeSpan.FromMilliseconds(1));
                }
                else
                {
                    WasReleasedEarly = true;
                }
            }
        }
    }

    /// <summary>Threads that were started meanwhile are found by looking again, until there is none that is not stopped.</summary>
    private void StopAll()
    {
        for (int pass = 0; pass < MostPasses; pass++)
        {
            bool foundNew = false;
            foreach (uint id in ProcFile.ThreadIds(_process).Where(id => !_traced.ContainsKey(id)).Take(_mostThreads - _traced.Count))
            {
                _cancellation.ThrowIfCancellationRequested();
                TracedThread thread = TracedThread.Seize(id);
                if (thread.Error == LinuxTracing.NotPermitted && pass == 0 && _traced.Count == 0 && id == _process && !IsEnded(id))
                {
                    throw new TracingRefusedException(_process);
                }

                _traced.Add(id, thread);
                _seized.Enqueue(id);
                foundNew = true;
            }

            if (!foundNew)
            {
                return;
            }

            WaitForStops();
        }
    }

    /// <summary>
    /// A thread that executes another program waits in the kernel until all other threads of its process are gone, and those that are traced go only when they are
    /// waited for; whoever would seize it waits for it. Any thread of this program may wait for those, so that neither waits for ever.
    /// </summary>
    private void BuryEnded()
    {
        foreach (uint id in _seized.Where(IsEnded))
        {
            _ = LinuxTracing.TryWait(id);
        }
    }

    private void WaitForStops()
    {
        Stopwatch clock = Stopwatch.StartNew();
        while (_traced.Values.Count(t => !t.Poll()) > 0 && clock.Elapsed < s_stopLimit)
        {
            _cancellation.ThrowIfCancellationRequested();
            Thread.Sleep(TimeSpan.FromMilliseconds(0.2));
        }
    }

    private bool IsEnded(uint thread) => TaskStat.Parse(ProcFile.Text($"/proc/{_process}/task/{thread}/stat")) is null or { State: 'Z' or 'X' };
}

/// <summary>A thread on its way into a stop and out of it. Used by the tracing thread only.</summary>
internal sealed class TracedThread
{
    private const int EventShift = 16;
    private readonly TaskSystemCall? _before;
    private bool _isStopped;
    private int _signal;

    private TracedThread(uint id, int error, TaskSystemCall? before)
    {
        Id = id;
        Error = error;
        _before = before;
    }

    public uint Id { get; }

    /// <summary>Why it could not be seized, 0 when it could.</summary>
    public int Error { get; }

    public bool HasEnded { get; private set; }

    /// <summary>Seizes a thread and asks it to stop.</summary>
    public static TracedThread Seize(uint id)
    {
        TaskSystemCall? before = LinuxMachine.OfThisProcess.TellsCall ? null : TaskSystemCall.Parse(ProcFile.Text($"/proc/{id}/syscall"));
        int error = LinuxTracing.TrySeize(id);
        TracedThread thread = new(id, error, before) { HasEnded = error != 0 };
        if (error == 0)
        {
            thread.HasEnded = LinuxTracing.TryInterrupt(id) == LinuxTracing.NoSuchProcess;
        }

        return thread;
    }

    /// <summary>True once it has stopped or ended.</summary>
    public bool Poll()
    {
        if (_isStopped || HasEnded || LinuxTracing.TryWait(Id) is not { } status)
        {
            return _isStopped || HasEnded;
        }

        if (status < 0 || (status & 0x7F) != 0x7F)
        {
            HasEnded = true;
            return true;
        }

        // Stopped by a signal on its way instead of by the request: the signal must reach the thread when it goes on.
        _signal = status >> EventShift == 0 ? (status >> 8) & 0xFF : 0;
        _isStopped = true;
        return true;
    }

    /// <summary>Its registers, when it has stopped.</summary>
    public StoppedThread Read()
    {
        LinuxMachine machine = LinuxMachine.OfThisProcess;
        ulong[] registers = new ulong[machine.RegisterCount];
        if (!_isStopped || !LinuxTracing.TryReadRegisters(Id, LinuxTracing.ThreadStatusNote, registers))
        {
            return new StoppedThread(Id, []);
        }

        if (machine.ThreadPointer is not null)
        {
            return new StoppedThread(Id, registers);
        }

        ulong[] pointer = new ulong[1], masks = new ulong[2];
        return new StoppedThread(Id, registers)
        {
            Call = _before?.EndedIn(machine, registers),
            ThreadPointer = LinuxTracing.TryReadRegisters(Id, ElfCoreLayout.NoteArm64ThreadPointer, pointer) ? pointer[0] : null,
            AuthenticationMask = LinuxTracing.TryReadRegisters(Id, ElfCoreLayout.NoteArm64AuthenticationMask, masks) ? masks[1] : null,
        };
    }

    /// <summary>Lets it go on. One that has not stopped yet is let go by the kernel when the tracing thread ends.</summary>
    public void Release()
    {
        if (_isStopped)
        {
            _ = LinuxTracing.TryDetach(Id, _signal);
        }
    }
}

/// <summary>A thread that is kept stopped.</summary>
/// <param name="Id">Kernel thread id.</param>
/// <param name="Registers">As <see cref="LinuxMachine"/> orders them; empty when the thread did not stop in time or ended.</param>
internal sealed record StoppedThread(uint Id, IReadOnlyList<ulong> Registers)
{
    /// <summary>Address of the thread's own data where that is no register of these; null where it is, or is unknown.</summary>
    public ulong? ThreadPointer { get; init; }

    /// <summary>The bits that a pointer authentication code takes of an address of code; null where the system does not tell.</summary>
    public ulong? AuthenticationMask { get; init; }

    /// <summary>The system call that it is in; null where its registers tell, or the instruction at which it stands.</summary>
    public EnteredCall? Call { get; init; }

    /// <summary>The same as a core has it.</summary>
    /// <param name="index">Its place among the threads.</param>
    public ElfThread AsThread(int index) => new(Id, index, TimeSpan.Zero, TimeSpan.Zero, Registers)
    {
        Machine = LinuxMachine.OfThisProcess, NotedThreadPointer = ThreadPointer, AuthenticationMask = AuthenticationMask, Call = Call,
    };
}

/// <summary>The kernel does not let this program trace a process.</summary>
internal sealed class TracingRefusedException(int process) : Exception($"Process {process} may not be traced.");
