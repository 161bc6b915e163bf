/**
 * One long life of a scheduler: ever new shapes of pods, bad input, forks and restores, which are compared with a fresh
 * scheduler that is built from the same objects.
 */
import fc from 'fast-check';
import { type Node, type Pod, Scheduler, SchedulerError } from '../../src/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { Prng } from '../../src/lib/prng.ts';
import { arbitraryBadValue, spoiled } from '../core/spoil.ts';
import { CallTimes } from './call-times.ts';
import { countedMillis, LongCalls } from './long-calls.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly nodes: number;
  /** The calls between two comparisons. */
  readonly interval: number;
  readonly clock: Clock;
  /** The time for which the calling thread has had a processor. */
  cpuMillis(): number;
  /** Whether to go on after so many calls. */
  goesOn(calls: number): boolean;
  /** Receives the figures at every interval. */
  report(figures: SoakFigures): void;
}

export interface SoakFigures {
  readonly calls: number;
  readonly refusals: number;
  readonly microsPerCall: number;
  readonly kernelBytes: number;
}

/** The calls that are timed. Those of the second list take longer in a larger cluster, and are made for all of it. */
const METHODS = ['schedule', 'scheduleBatch', 'explain', 'addPod', 'updatePod', 'removePod', 'updateNode'] as const;
const WHOLE = ['fork', 'snapshot', 'restore', 'nodes'] as const;

type Method = (typeof METHODS)[number] | (typeof WHOLE)[number];

const MOST_PODS = 200;
const MOST_LONG_CALLS = 12;
const IS_WHOLE: ReadonlySet<Method> = new Set(WHOLE);

export class Soak {
  readonly #options: SoakOptions;
  readonly #prng: Prng;
  readonly #bad: readonly unknown[];
  readonly #scheduler = new Scheduler();
  readonly #placed: string[] = [];
  #shape = 0;
  #refusals = 0;
  #calls = 0;
  /** The longest calls of those that must be short however large the cluster is. */
  readonly longest = new LongCalls(MOST_LONG_CALLS);
  /** The times of the calls by method. */
  readonly times = new Map<Method, CallTimes>([...METHODS, ...WHOLE].map((method) => [method, new CallTimes()]));

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#prng = new Prng(options.seed);
    this.#bad = fc.sample(arbitraryBadValue, { numRuns: 300, seed: options.seed });
    for (let i = 0; i < options.nodes; i++) this.#scheduler.addNode(this.#node(i));
  }

  /** Lives, with a pause after every interval. Returns the first difference; null if there is none. */
  *life(): Generator<undefined, string | null, undefined> {
    const { interval, goesOn, clock } = this.#options;
    let start = clock.nowMillis();
    while (goesOn(this.#calls)) {
      const wrong = this.#step();
      if (wrong !== null) return wrong;
      this.#calls++;
      if (this.#calls % interval > 0) continue;
      this.#report(clock.nowMillis() - start);
      const difference = this.#compare();
      if (difference !== null) return difference;
      yield;
      start = clock.nowMillis();
    }
    return null;
  }

  #step(): string | null {
    const draw = this.#prng.below(100);
    const scheduler = this.#scheduler;
    const nodeName = `n${this.#prng.below(this.#options.nodes)}`;
    if (draw < 3) return this.#misuse();
    if (draw < 5) {
      const node = this.#node(this.#prng.below(this.#options.nodes));
      this.#timed('updateNode', () => scheduler.updateNode(node));
    } else if (draw < 10) {
      const pods = [this.#newPod(), this.#newPod()];
      this.#timed('scheduleBatch', () => scheduler.scheduleBatch(pods));
    } else {
      const pod = this.#newPod();
      if (draw < 13) this.#timed('explain', () => scheduler.explain(pod));
      if (draw < 90) {
        this.#timed('schedule', () => scheduler.schedule(pod));
      } else {
        const placed = { ...pod, spec: { containers: [], ...pod.spec, nodeName } };
        this.#timed('addPod', () => scheduler.addPod(placed));
        const labels = { ...pod.metadata?.labels, changed: 'yes' };
        const changed = { ...placed, metadata: { ...pod.metadata, labels } };
        if (draw < 95) this.#timed('updatePod', () => scheduler.updatePod(changed));
      }
    }
    while (this.#placed.length > MOST_PODS) this.#removeOldest();
    return null;
  }

  #removeOldest(): void {
    const name = this.#placed.shift() ?? '';
    if (this.#scheduler.has('Pod', name)) this.#timed('removePod', () => this.#scheduler.removePod('default', name));
  }

  /** Hands in something bad, which must be refused by a coded error if it is refused. */
  #misuse(): string | null {
    const scheduler = this.#scheduler;
    const bad = this.#bad[this.#prng.below(this.#bad.length)];
    const pod = spoiled(this.#newPod(), this.#prng.below(60), bad);
    const node = spoiled(this.#node(0), this.#prng.below(40), bad);
    const acts: readonly (() => unknown)[] = [
      () => scheduler.explain(pod),
      () => scheduler.schedule(bad as Pod),
      () => scheduler.scheduleBatch([this.#newPod(), bad as Pod]),
      () => scheduler.addNode(bad as Node),
      () => scheduler.updateNode(node),
      () => scheduler.load(bad as object),
      () => scheduler.removePod(bad as string, 'p'),
      () => scheduler.setObject('PersistentVolume', bad as never),
      () => Scheduler.restore(bad as Uint8Array),
      () => scheduler.node(bad as string),
    ];
    try {
      acts[this.#prng.below(acts.length)]?.();
    } catch (error) {
      if (!(error instanceof SchedulerError)) return `an error without a code: ${String(error)}`;
      this.#refusals++;
    }
    return null;
  }

  /** Lets a fork, a restored scheduler and a fresh one decide for the same pods. */
  #compare(): string | null {
    const origin = this.#scheduler;
    const fresh = new Scheduler();
    for (const { node } of this.#timed('nodes', () => origin.nodes())) fresh.addNode(node);
    for (const { pods, name } of origin.nodes()) {
      for (const pod of pods) fresh.addPod({ ...pod, spec: { ...pod.spec, nodeName: name } });
    }
    const bytes = this.#timed('snapshot', () => origin.snapshot());
    const others = {
      fork: this.#timed('fork', () => origin.fork()),
      restored: this.#timed('restore', () => Scheduler.restore(bytes)),
    };
    for (let i = 0; i < 10; i++) {
      const pod = this.#newPod();
      const expected = JSON.stringify(fresh.schedule(pod));
      for (const [name, other] of Object.entries(others)) {
        const found = JSON.stringify(other.schedule(pod));
        if (found !== expected) return `${name}: pod ${JSON.stringify(pod)}: ${found} instead of ${expected}`;
      }
    }
    return null;
  }

  #timed<T>(method: Method, act: () => T): T {
    const { clock, cpuMillis } = this.#options;
    const bytes = this.#scheduler.sharedMemoryBytes;
    const [startMillis, cpuStart] = [clock.nowMillis(), cpuMillis()];
    const result = act();
    const spent = { millis: clock.nowMillis() - startMillis, cpuMillis: cpuMillis() - cpuStart };
    const counted = countedMillis(spent);
    this.times.get(method)?.add(counted);
    if (counted > this.longest.leastMillis && !IS_WHOLE.has(method)) {
      const grownBytes = this.#scheduler.sharedMemoryBytes - bytes;
      this.longest.add({ method, number: this.#calls, startMillis, ...spent, grownBytes });
    }
    return result;
  }

  #report(millis: number): void {
    this.#options.report({
      calls: this.#calls,
      refusals: this.#refusals,
      microsPerCall: (millis * 1000) / this.#options.interval,
      kernelBytes: this.#scheduler.sharedMemoryBytes,
    });
  }

  #node(i: number): Node {
    const labels = { 'kubernetes.io/hostname': `n${i}`, 'topology.kubernetes.io/zone': `z${i % 5}` };
    const cpu = String(16 + this.#prng.below(3) * 16);
    return { metadata: { name: `n${i}`, labels }, status: { allocatable: { cpu, memory: '256Gi', pods: '110' } } };
  }

  /** A pod of a shape that was never seen: some spread, some keep apart, some are plain. */
  #newPod(): Pod {
    const i = this.#shape++;
    const name = `p${i}`;
    this.#placed.push(name);
    const labels = { app: `a${i}` };
    const requests = { cpu: '1', memory: String(2 ** 26 + i * 4096) };
    const kind = this.#prng.below(4);
    const labelSelector = { matchLabels: labels };
    const zones = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', labelSelector };
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector };
    return {
      metadata: { name, namespace: 'default', labels },
      spec: {
        containers: [{ name: 'c', image: 'x', resources: { requests } }],
        ...(kind === 1 && { topologySpreadConstraints: [{ ...zones, whenUnsatisfiable: 'DoNotSchedule' }] }),
        ...(kind === 2 && {
          affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
        }),
      },
    };
  }
}
