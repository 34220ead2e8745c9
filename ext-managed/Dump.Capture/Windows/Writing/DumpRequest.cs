using Microsoft.Win32.SafeHandles;

namespace Dump.Capture.Windows.Writing;

/// <summary>A dump that is to be written.</summary>
/// <param name="Process">Process id.</param>
/// <param name="File">The open file.</param>
/// <param name="Content">What it holds.</param>
/// <param name="Comment">Its comment stream.</param>
/// <param name="Cancellation">Ends the writing early.</param>
internal sealed record DumpRequest(int Process, SafeFileHandle File, DumpContent Content, string Comment, CancellationToken Cancellation);
