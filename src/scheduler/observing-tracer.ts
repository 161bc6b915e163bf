import { schedulerNameOf } from '../api/defaults.ts';
import type { Pod } from '../api/pod.ts';
import type { ExtensionPoint } from '../config/extension-points.ts';
import type { Code } from '../framework/status.ts';
import type { Phase, Trace, Tracer } from '../framework/tracing/tracer.ts';
import type { Clock } from '../lib/clock.ts';
import type { SchedulerObserver } from './observer.ts';

type Observer = Required<Pick<SchedulerObserver, 'extensionPointFinished' | 'pluginFinished'>>;

/** The extension points of the phases of a decision; other phases belong to none. */
const POINTS: { readonly [P in Phase]?: ExtensionPoint } = {
  preEnqueue: 'preEnqueue',
  preFilter: 'preFilter',
  filter: 'filter',
  postFilter: 'postFilter',
  preScore: 'preScore',
  score: 'score',
};

/** Plugins are timed in every tenth cycle; upstream times them in a random tenth. */
const SAMPLED = 10;

/** Reports the durations of extension points to an observer, and in sampled cycles those of plugins. */
class ObservingTracer implements Tracer {
  readonly eachPod = false;
  readonly #trace: ObservingTrace;
  #decisions = 0;

  constructor(observer: Observer, clock: Clock) {
    this.#trace = new ObservingTrace(observer, clock);
  }

  begin(pod: Pod): Trace {
    this.#trace.begin(schedulerNameOf(pod), this.#decisions++ % SAMPLED === 0);
    return this.#trace;
  }

  rare(): Trace {
    return this.#trace;
  }

  work(): void {}
}

/** A nested phase or a call of a plugin that has not ended. */
interface Started {
  readonly point: ExtensionPoint | undefined;
  /** The name of the plugin; '' for a phase. */
  readonly plugin: string;
  readonly startMillis: number;
}

/** The trace of the current decision. One object serves all decisions, since they do not overlap. */
class ObservingTrace implements Trace {
  readonly #observer: Observer;
  readonly #clock: Clock;
  readonly #started: Started[] = [];
  #profile = '';
  #isSampled = false;
  #point: ExtensionPoint | undefined;
  #startMillis = 0;
  /** The last code other than Success that a plugin returned at this point. */
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
    if (point === undefined && this.#point === undefined) return;
    // One phase begins when the other ends.
    const nowMillis = this.#clock.nowMillis();
    this.#endPhase(nowMillis);
    this.#point = point;
    if (point === undefined) return;
    this.#code = 'Success';
    this.#startMillis = nowMillis;
  }

  start(phase: Phase): void {
    const point = POINTS[phase];
    this.#started.push({ point, plugin: '', startMillis: point === undefined ? 0 : this.#clock.nowMillis() });
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
      this.#report(point, startMillis, this.#clock.nowMillis());
      this.#code = 'Success';
    } else if (this.#isSampled) {
      this.#observer.pluginFinished(plugin, point, code, this.#clock.nowMillis() - startMillis);
    }
  }

  atNode(): Trace | null {
    return this.#isSampled ? this : null;
  }

  get showsCalls(): boolean {
    return this.#isSampled;
  }

  finish(): void {
    if (this.#point === undefined) return;
    this.#endPhase(this.#clock.nowMillis());
    this.#point = undefined;
  }

  #endPhase(nowMillis: number): void {
    if (this.#point !== undefined) this.#report(this.#point, this.#startMillis, nowMillis);
  }

  #report(point: ExtensionPoint, startMillis: number, nowMillis: number): void {
    this.#observer.extensionPointFinished(point, this.#profile, this.#code, nowMillis - startMillis);
  }
}

/** Returns a tracer for the observer; null if the observer does not receive durations. */
export function tracerFor(observer: SchedulerObserver | null, clock: Clock): Tracer | null {
  if (observer?.extensionPointFinished === undefined || observer.pluginFinished === undefined) return null;
  return new ObservingTracer(observer as Observer, clock);
}
