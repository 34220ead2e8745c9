namespace Dump.Analysis.UserInterface;

/// <summary>A message that was delivered while another one was being handled: the outer handler goes on only when the inner one has returned.</summary>
/// <param name="OuterIndex">Index of the outer handler's frame.</param>
/// <param name="CallIndex">Index of the frame in whose call the message was delivered.</param>
/// <param name="InnerIndex">Index of the outermost frame of the inner handler.</param>
public sealed record UiReentry(int OuterIndex, int CallIndex, int InnerIndex);
