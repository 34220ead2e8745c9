using Dump.Readers.ElfCore;

namespace Dump.Capture.Tracing;

/// <summary>A thread on its way into a stop and out of it. Used by the tracing thread only.</summary>
internal sealed class TracedThread
{
    private const int EventShift = 16;
    private bool _isStopped;
    private int _signal;

    private TracedThread(uint id, int error)
    {
        Id = id;
        Error = error;
    }

    public uint Id { get; }

    /// <summary>Why it could not be seized, 0 when it could.</summary>
    public int Error { get; }

    public bool HasEnded { get; private set; }

    /// <summary>Seizes a thread and asks it to stop.</summary>
    public static TracedThread Seize(uint id)
    {
        int error = LinuxTracing.TrySeize(id);
        TracedThread thread = new(id, error) { HasEnded = error != 0 };
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
        ulong[] registers = new ulong[ElfCoreLayout.RegisterCount];
        return new StoppedThread(Id, _isStopped && LinuxTracing.TryReadRegisters(Id, registers) ? registers : []);
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
