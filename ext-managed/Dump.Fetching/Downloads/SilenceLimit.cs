using System.Globalization;

namespace Dump.Fetching.Downloads;

/// <summary>Ends a request when the server has sent nothing for too long, or takes too long for the whole.</summary>
internal sealed class SilenceLimit : IDisposable
{
    private readonly DownloadLimits _limits;
    private readonly CancellationToken _user;
    private readonly CancellationTokenSource _silence;
    private readonly CancellationTokenSource _whole;
    private readonly CancellationTokenSource _either;

    /// <summary>Begins to count.</summary>
    /// <param name="limits">The limits.</param>
    /// <param name="user">Ends the request for another reason.</param>
    public SilenceLimit(DownloadLimits limits, CancellationToken user)
    {
        _limits = limits;
        _user = user;
        _silence = new CancellationTokenSource(limits.Silence);
        _whole = new CancellationTokenSource(limits.Whole);
        _either = CancellationTokenSource.CreateLinkedTokenSource(user, _silence.Token, _whole.Token);
    }

    /// <summary>Cancelled when a limit is over, or by the user.</summary>
    public CancellationToken Token => _either.Token;

    /// <summary>True when a limit is over, and the user did not want the end.</summary>
    public bool IsOver => !_user.IsCancellationRequested && (_silence.IsCancellationRequested || _whole.IsCancellationRequested);

    /// <summary>What the server did, as the rest of a sentence.</summary>
    public string Reason => _silence.IsCancellationRequested ? $"sent nothing for {Shown(_limits.Silence)}" : $"took longer than {Shown(_limits.Whole)}";

    /// <summary>The server has sent something: it may be silent anew.</summary>
    public void Heard() => _silence.CancelAfter(_limits.Silence);

    /// <inheritdoc/>
    public void Dispose()
    {
        _either.Dispose();
        _silence.Dispose();
        _whole.Dispose();
    }

    private static string Shown(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.##} s");
}
