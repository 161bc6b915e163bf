import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { makeQueue, NODE_ADD, pendingPod } from '../../builders/make-queue.ts';
import { QueueModel } from './queue-model.ts';

type Step =
  | { readonly op: 'add' | 'delete' | 'activate'; readonly pod: number }
  | { readonly op: 'pop' | 'event' }
  | { readonly op: 'fail' | 'error' | 'done'; readonly pod: number }
  | { readonly op: 'advance'; readonly millis: number };

const PODS = 6;
const pod = fc.nat(PODS - 1);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('add' as const, 'delete' as const), pod }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('pop' as const, 'event' as const) }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constantFrom('fail' as const, 'error' as const, 'done' as const), pod }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('activate' as const), pod }) },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('advance' as const), millis: fc.oneof(fc.nat(3000), fc.nat(400_000)) }),
  },
);

/** The queue and the model, side by side. */
class Pair {
  readonly #rig = makeQueue();
  readonly #model = new QueueModel();
  readonly #inFlight = new Map<string, QueuedPodInfo>();

  run(step: Step): void {
    const { queue, loop } = this.#rig;
    switch (step.op) {
      case 'add':
        // The API reports a pod once.
        if (this.#model.pods.has(nameOf(step.pod))) return;
        this.#model.add(nameOf(step.pod), priorityOf(step.pod));
        queue.add(podOf(step.pod));
        return;
      case 'delete':
        if (this.#inFlight.has(nameOf(step.pod))) return;
        this.#model.forget(nameOf(step.pod));
        queue.delete(podOf(step.pod));
        return;
      case 'activate':
        this.#model.activate(nameOf(step.pod));
        queue.activate([podOf(step.pod)]);
        return;
      case 'pop':
        this.#pop();
        return;
      case 'event':
        this.#model.event();
        queue.moveAllToActiveOrBackoffQueue(NODE_ADD, undefined, 'Queue');
        return;
      case 'advance':
        this.#model.advance(step.millis);
        loop.runUntil(loop.nowMillis() + step.millis);
        return;
      default:
        this.#conclude(nameOf(step.pod), step.op);
    }
  }

  #pop(): void {
    const popped = this.#rig.queue.pop();
    expect(popped?.podInfo.name).toBe(this.#model.pop());
    if (popped !== null) this.#inFlight.set(popped.podInfo.name, popped);
  }

  #conclude(name: string, outcome: 'fail' | 'error' | 'done'): void {
    const queued = this.#inFlight.get(name);
    if (queued === undefined) return;
    this.#inFlight.delete(name);
    if (outcome === 'done') {
      this.#model.forget(name);
      this.#rig.queue.done(name);
      return;
    }
    this.#model.fail(name, outcome === 'fail');
    queued.unschedulablePlugins = new Set(outcome === 'fail' ? ['Fit'] : []);
    this.#rig.queue.addUnschedulableIfNotPresent(queued);
  }

  /** Every pod is in one place, the same in both. */
  compare(): void {
    const places = Array.from({ length: PODS }, (_, i) => [nameOf(i), this.#rig.placeOf(nameOf(i))] as const);
    expect(places).toEqual(places.map(([name]) => [name, this.#model.pods.get(name)?.place ?? 'none']));
    const waiting = [...this.#model.pods.values()].filter(({ place }) => place !== 'inFlight');
    expect([...this.#rig.queue.pendingPods()]).toHaveLength(waiting.length);
  }
}

const nameOf = (i: number): string => `p${i}`;
const priorityOf = (i: number): number => (i % 3) * 10;
const podOf = (i: number) => pendingPod(nameOf(i), priorityOf(i));

it('whatever happens, every pod is in exactly one place, and they are popped in order', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 120 }), (steps) => {
      const pair = new Pair();
      for (const each of steps) {
        pair.run(each);
        pair.compare();
      }
    }),
    { numRuns: 100 },
  );
});
