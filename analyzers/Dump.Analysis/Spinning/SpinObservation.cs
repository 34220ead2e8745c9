using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Analysis.Spinning;

/// <summary>A thread that spins: it gives up its time slice, or runs, directly inside a module's code.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Module">Module that spins, as the frames spell it.</param>
/// <param name="ModuleStem">The same, lower case without extension.</param>
/// <param name="FrameIndex">Index of the module's innermost frame.</param>
/// <param name="Grade">How sure it is that the thread spins: proven with yield frames and times of a thread
/// that polls, derived with yield frames alone, suspected otherwise.</param>
/// <param name="BurnsProcessorTime">True when measured processor times show it; false when they show little; null when there are none.</param>
public sealed record SpinObservation(
    ThreadSnapshot Thread,
    string Module,
    string ModuleStem,
    int FrameIndex,
    Grade Grade,
    bool? BurnsProcessorTime);
