/**
 * One long life of a scheduler: ever new shapes of pods, bad input, forks and restores, which are compared with a fresh
 * scheduler that is built from the same objects.
 */
import fc from 'fast-check';
import { type Node, type Pod, Scheduler, SchedulerError } from '../../src/index.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { Prng } from '../../src/lib/prng.ts';
import { arbitraryBadValue, spoiled } from '../core/spoil.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly nodes: number;
  /** The calls between two comparisons. */
  readonly interval: number;
  readonly clock: Clock;
  /** Whether to go on after so many calls. */
  goesOn(calls: number): boolean;
  /** Receives the figures at every interval. */
  report(figures: SoakFigures): void;
}

export interface SoakFigures {
  readonly calls: number;
  readonly refusals: number;
  readonly maxMillis: number;
  readonly p9999Millis: number;
  readonly microsPerCall: number;
  readonly kernelBytes: number;
}

const MOST_PODS = 200;

export class Soak {
  readonly #options: SoakOptions;
  readonly #prng: Prng;
  readonly #bad: readonly unknown[];
  readonly #scheduler = new Scheduler();
  readonly #placed: string[] = [];
  #shape = 0;
  #refusals = 0;
  #times: number[] = [];

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#prng = new Prng(options.seed);
    this.#bad = fc.sample(arbitraryBadValue, { numRuns: 300, seed: options.seed });
    for (let i = 0; i < options.nodes; i++) this.#scheduler.addNode(this.#node(i));
  }

  /** Returns the first difference; null if there is none. */
  run(): string | null {
    const { interval, goesOn, clock } = this.#options;
    let calls = 0;
    let start = clock.nowMillis();
    while (goesOn(calls)) {
      const wrong = this.#step();
      if (wrong !== null) return wrong;
      calls++;
      if (calls % interval > 0) continue;
      this.#report(calls, clock.nowMillis() - start);
      const difference = this.#compare();
      if (difference !== null) return difference;
      start = clock.nowMillis();
    }
    return null;
  }

  #step(): string | null {
    const draw = this.#prng.below(100);
    if (draw < 3) return this.#misuse();
    if (draw < 5) this.#timed(() => this.#scheduler.updateNode(this.#node(this.#prng.below(this.#options.nodes))));
    else if (draw < 10)
      this.#timed(() => this.#scheduler.scheduleBatch([this.#newPod(), this.#newPod()]).scheduledCount);
    else this.#timed(() => this.#scheduler.schedule(this.#newPod()).status);
    while (this.#placed.length > MOST_PODS) this.#removeOldest();
    return null;
  }

  #removeOldest(): void {
    const name = this.#placed.shift() ?? '';
    if (this.#scheduler.has('Pod', name)) this.#timed(() => this.#scheduler.removePod('default', name));
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
    for (const { node } of origin.nodes()) fresh.addNode(node);
    for (const { pods, name } of origin.nodes()) {
      for (const pod of pods) fresh.addPod({ ...pod, spec: { ...pod.spec, nodeName: name } });
    }
    const others = { fork: origin.fork(), restored: Scheduler.restore(origin.snapshot()) };
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

  #timed(act: () => unknown): void {
    const { clock } = this.#options;
    const start = clock.nowMillis();
    act();
    this.#times.push(clock.nowMillis() - start);
  }

  #report(calls: number, millis: number): void {
    const sorted = Float64Array.from(this.#times).sort();
    this.#times = [];
    this.#options.report({
      calls,
      refusals: this.#refusals,
      maxMillis: sorted.at(-1) ?? 0,
      p9999Millis: sorted[Math.floor(sorted.length * 0.9999)] ?? 0,
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
