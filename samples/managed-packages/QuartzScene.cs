using Quartz;
using Quartz.Impl;

namespace Dump.Samples.Managed.Packages;

/// <summary>A job of Quartz that stops its scheduler, and waits for all jobs to end: for itself.</summary>
internal static class QuartzScene
{
    /// <summary>Plays it.</summary>
    public static void Play(Stage stage)
    {
        IScheduler scheduler = new StdSchedulerFactory().GetScheduler().GetAwaiter().GetResult();
        scheduler.Start().GetAwaiter().GetResult();
        stage.Keep(scheduler);
        StopJob.Stage = stage;
        scheduler.ScheduleJob(JobBuilder.Create<StopJob>().Build(), TriggerBuilder.Create().StartNow().Build()).GetAwaiter().GetResult();
        stage.Until("the job", () => StopJob.Thread is { ThreadState: var state } && (state & ThreadState.WaitSleepJoin) != 0);
    }
}

/// <summary>Stops the scheduler that runs it.</summary>
internal sealed class StopJob : IJob
{
    /// <summary>Told the thread of the job.</summary>
    public static Stage? Stage { get; set; }

    /// <summary>The thread of the job, once it runs.</summary>
    public static Thread? Thread { get; private set; }

    /// <inheritdoc/>
    public Task Execute(IJobExecutionContext context)
    {
        Stage!.Role("job");
        Thread = Thread.CurrentThread;
        context.Scheduler.Shutdown(waitForJobsToComplete: true).GetAwaiter().GetResult();  // StopJob.Execute waits here
        return Task.CompletedTask;
    }
}
