import type { Pod } from '../api/pod.ts';
import type { ExtensionPoint } from '../config/extension-points.ts';
import { schedulerName } from '../core/profiles.ts';
import type { Code } from '../framework/status.ts';
import type { Phase, Trace, Tracer } from '../framework/tracing/tracer.ts';
import type { Clock } from '../lib/clock.ts';
import type { SchedulerObserver } from './observer.ts';

type Observer = Required<Pick<SchedulerObserver, 'extensionPointFinished' | 'pluginFinished'>>;

/** Phases of a decision that are extension points; the others belong to none. */
const POINTS: { readonly [P in Phase]?: ExtensionPoint } = {
  preEnqueue: 'preEnqueue',
  preFilter: 'preFilter',
  filter: 'filter',
  postFilter: 'postFilter',
  preScore: 'preScore',
  score: 'score',
};

/** Upstream: plugins are timed in a tenth of the cycles. Here: every tenth. */
const SAMPLED = 10;

/** Reports to an observer how long the extension points of decisions take, and in some cycles the plugins. */
class ObservingTracer implements Tracer {
  readonly eachPod = false;
  readonly #trace: ObservingTrace;
  #decisions = 0;

  constructor(observer: Observer, clock: Clock) {
    this.#trace = new ObservingTrace(observer, clock);
  }

  begin(pod: Pod): Trace {
    this.#trace.begin(schedulerName(pod), this.#decisions++ % SAMPLED === 0);
    return this.#trace;
  }

  rare(): Trace {
    return this.#trace;
  }

  work(): void {}
}

/** What was started within a phase. */
interface Started {
  readonly point: ExtensionPoint | undefined;
  /** '' for a phase. */
  readonly plugin: string;
  readonly startMillis: number;
}

/** One object serves all decisions: they come one after the other. */
class ObservingTrace implements Trace {
  readonly #observer: Observer;
  readonly #clock: Clock;
  readonly #started: Started[] = [];
  #profile = '';
  #isSampled = false;
  #point: ExtensionPoint | undefined;
  #startMillis = 0;
  /** The last word of a plugin on this point that was not Success. */
  #code: Code = 'Success';

  constructor(observer: Observer, clock: Clock) {
    this.#observer = observer;
    this.#clock = clock;
  }

  begin(profile: string, isSampled: boolean): void {
    this.#profile = profile;
    this.#isSampled = isSampled;
    this.#point = undefined;
    this.#started.length = 0;
  }

  phase(phase: Phase): void {
    const point = POINTS[phase];
    if (point !== undefined && point === this.#point) return;
    this.#endPhase();
    this.#point = point;
    if (point === undefined) return;
    this.#code = 'Success';
    this.#startMillis = this.#clock.nowMillis();
  }

  start(phase: Phase): void {
    this.#started.push({ point: POINTS[phase], plugin: '', startMillis: this.#clock.nowMillis() });
  }

  startPlugin(point: ExtensionPoint, plugin: string): void {
    this.#started.push({ point, plugin, startMillis: this.#isSampled ? this.#clock.nowMillis() : 0 });
  }

  end(code: Code = 'Success'): void {
    const ended = this.#started.pop();
    if (ended === undefined) return;
    const { point, plugin, startMillis } = ended;
    if (code !== 'Success' && code !== 'Skip') this.#code = code;
    if (point === undefined) return;
    if (plugin === '') {
      this.#observer.extensionPointFinished(point, this.#profile, this.#code, this.#clock.nowMillis() - startMillis);
      this.#code = 'Success';
    } else if (this.#isSampled) {
      this.#observer.pluginFinished(plugin, point, code, this.#clock.nowMillis() - startMillis);
    }
  }

  atNode(): Trace | null {
    return this.#isSampled ? this : null;
  }

  finish(): void {
    this.#endPhase();
    this.#point = undefined;
  }

  #endPhase(): void {
    const point = this.#point;
    if (point === undefined) return;
    this.#observer.extensionPointFinished(
      point,
      this.#profile,
      this.#code,
      this.#clock.nowMillis() - this.#startMillis,
    );
  }
}

/** null for an observer that does not want to know. */
export function tracerFor(observer: SchedulerObserver | null, clock: Clock): Tracer | null {
  if (observer?.extensionPointFinished === undefined || observer.pluginFinished === undefined) return null;
  return new ObservingTracer(observer as Observer, clock);
}
