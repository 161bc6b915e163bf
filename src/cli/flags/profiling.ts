import { Session } from 'node:inspector/promises';
import type { Command } from 'commander';
import type { BenchTracers } from '../../benchmark/bench-case.ts';
import { type PhaseReport, PhaseTimes } from '../../framework/tracing/phase-times.ts';
import type { SpanSink } from '../../framework/tracing/span.ts';
import { SpanRecorder } from '../../framework/tracing/span-recorder.ts';
import { TraceEvents } from '../../framework/tracing/trace-events.ts';
import { ChromeTrace } from '../../lib/chrome-trace.ts';
import { RealClock } from '../../lib/clock.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { numberOption } from './options.ts';

export interface ProfilingFlags {
  readonly cpuProfile?: string;
  readonly trace?: string;
  readonly traceEvents: number;
  readonly phases?: true;
}

/** The events take about 80 MB of text, which viewers open with ease. */
const DEFAULT_TRACE_EVENTS = 500_000;
const TRACE_EVENTS_MAX = 100_000_000;

export function addProfilingOptions(command: Command): Command {
  return command
    .option('--phases', 'also say how long each phase and each plugin took')
    .option('--trace <file>', 'write what was done when, as Chrome trace events (ui.perfetto.dev opens it)')
    .addOption(
      numberOption('trace-events', 'events after which the trace ends', 1, TRACE_EVENTS_MAX).default(
        DEFAULT_TRACE_EVENTS,
      ),
    )
    .option('--cpu-profile <file>', "write V8's CPU profile (.cpuprofile: DevTools and VS Code open it)");
}

/** The tracers of the schedulers of one case, that is, of a cluster on an engine; the trace shows run 0. */
export interface CaseProfile extends BenchTracers {
  /** The phases of all runs together; null unless requested. */
  phases(): PhaseReport | null;
}

/** Does the work with all profiling that the flags request, and completes the files even if the work fails. */
export async function profiled<T>(
  flags: ProfilingFlags,
  terminal: Terminal,
  work: (profiling: Profiling) => Promise<T>,
): Promise<T> {
  // Both files are created first, so that a name that cannot be written is reported before the work begins.
  const profileFile = flags.cpuProfile === undefined ? null : terminal.createFile(flags.cpuProfile);
  const traceFile = flags.trace === undefined ? null : terminal.createFile(flags.trace);
  const profiling = new Profiling(flags, traceFile === null ? null : (text) => traceFile.write(text));
  const stopCpuProfile = profileFile === null ? null : await startCpuProfile();
  try {
    return await work(profiling);
  } finally {
    const profile = await stopCpuProfile?.();
    if (profile !== undefined) profileFile?.write(profile);
    profileFile?.close();
    for (const note of profiling.end()) terminal.log(`warning: ${note}`);
    traceFile?.close();
  }
}

/** The tracers for `--phases` and `--trace` of one command. */
export class Profiling {
  readonly #flags: ProfilingFlags;
  readonly #clock = new RealClock();
  readonly #trace: ChromeTrace | null;
  readonly #traced: { readonly label: string; readonly events: TraceEvents }[] = [];

  constructor(flags: ProfilingFlags, writeTrace: ((text: string) => void) | null) {
    this.#flags = flags;
    this.#trace = writeTrace === null ? null : new ChromeTrace(writeTrace, this.#clock.nowMillis());
  }

  /** `caseCount`: the number of cases that share the trace. */
  startCase(label: string, caseCount: number): CaseProfile {
    const phases = this.#flags.phases ? new PhaseTimes() : null;
    const events = this.#newEvents(label, caseCount);
    const runs = phases === null ? null : this.#recorder([phases], 'sampled');
    const traced = events === null ? runs : this.#recorder(phases === null ? [events] : [phases, events], 'every');
    return {
      // The warm-up has a tracer, too, since code that has never seen one is recompiled when it meets the first.
      warmUp: traced === null ? null : this.#recorder([new PhaseTimes()], events === null ? 'sampled' : 'every'),
      ofRun: (run) => (run === 0 ? traced : runs),
      phases: () => phases?.report() ?? null,
    };
  }

  /** Completes the trace. Returns remarks for its reader. */
  end(): string[] {
    this.#trace?.end();
    return this.#traced
      .filter(({ events }) => events.isFull)
      .map(({ label, events }) => {
        const limit = `${this.#flags.traceEvents} events (--trace-events)`;
        return `${this.#flags.trace}: has the first ${events.decisionCount} decisions of ${label}; it ends at ${limit}`;
      });
  }

  #newEvents(label: string, caseCount: number): TraceEvents | null {
    if (this.#trace === null) return null;
    const maxEvents = Math.ceil(this.#flags.traceEvents / caseCount);
    const processId = this.#traced.length + 1;
    const events = new TraceEvents({ trace: this.#trace, processId, processName: label, maxEvents });
    this.#traced.push({ label, events });
    return events;
  }

  #recorder(sinks: readonly SpanSink[], decisions: 'sampled' | 'every'): SpanRecorder {
    return new SpanRecorder({ sinks, clock: this.#clock, decisions });
  }
}

/** The sampling interval. V8's default of a millisecond would miss most kernels, which run for microseconds. */
const SAMPLING_MICROS = 200;

/** Starts V8's profiler for this thread. The returned function stops it, and returns the text of a .cpuprofile file. */
async function startCpuProfile(): Promise<() => Promise<string>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_MICROS });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return JSON.stringify(profile);
  };
}
