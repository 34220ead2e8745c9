namespace Dump.Capture.Watching.Conditions;

/// <summary>Asks again and again, beside the watch, whether something works.</summary>
public interface IAnswerProbe
{
    /// <summary>What the last question that has ended came to, as a clause, where it failed; null when it was answered, or none has ended yet.</summary>
    string? Failure { get; }

    /// <summary>Begins anew: what fails while a process is captured says nothing of it.</summary>
    void Restart();
}
