using Dump.Readers.Minidump;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>The saved registers of a thread, as the dump or the process has them.</summary>
internal static class ThreadContext
{
    /// <summary>The CONTEXT structure; null where the registers cannot be read, or are of an architecture that is not.</summary>
    public static byte[]? Of(ClrThread thread)
    {
        IDataReader reader = thread.Runtime.DataTarget.DataReader;
        byte[] context = new byte[ContextRegisters.SizeOf(reader.Architecture)];
        return context.Length > 0 && reader.GetThreadContext(thread.OSThreadId, 0, context) ? context : null;
    }
}
