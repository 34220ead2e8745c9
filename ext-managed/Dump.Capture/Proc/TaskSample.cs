namespace Dump.Capture.Proc;

/// <summary>A thread at the moment of a sample.</summary>
/// <param name="Id">Kernel thread id as the process knows it, by which its own memory names its threads.</param>
/// <param name="VisibleId">The same as this program sees it, by which <c>/proc</c> lists it: another one for a process in a container.</param>
/// <param name="Stat">Its line of <c>stat</c>.</param>
/// <param name="VoluntarySwitches">How often it gave up the processor to wait, or null when not counted.</param>
internal sealed record TaskSample(uint Id, uint VisibleId, TaskStat Stat, long? VoluntarySwitches)
{
    /// <summary>True when it had a processor or was ready for one.</summary>
    public bool IsReady => Stat.State == 'R';
}
