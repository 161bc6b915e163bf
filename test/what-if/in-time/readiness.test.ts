import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished, isPodReady } from '../../../src/api/pod-conditions.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';
import { Readiness, type WorkloadReadiness } from '../../../src/what-if/in-time/readiness.ts';

const NODES = ['a', 'b'];
const WORKLOADS = ['web', 'db', undefined];

type Step =
  | { readonly kind: 'create'; readonly node: string | undefined; readonly workload: string | undefined }
  | { readonly kind: 'ready'; readonly pod: number; readonly isReady: boolean }
  | { readonly kind: 'end' | 'delete'; readonly pod: number }
  | { readonly kind: 'toggle'; readonly node: string }
  | { readonly kind: 'second' };

const pod = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    node: fc.constantFrom(...NODES, undefined),
    workload: fc.constantFrom(...WORKLOADS),
  }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ready' as const), pod, isReady: fc.boolean() }) },
  fc.record({ kind: fc.constantFrom('end' as const, 'delete' as const), pod }),
  fc.record({ kind: fc.constant('toggle' as const), node: fc.constantFrom(...NODES) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('second' as const) }) },
);

/** A few pods on two nodes that come and go. */
class Stage {
  readonly loop = new VirtualEventLoop();
  readonly store = new Store({ clock: this.loop, names: new RandomNames(new Prng(1)) });
  readonly running = new Set(NODES);
  #created = 0;

  take(taken: Step): void {
    switch (taken.kind) {
      case 'create':
        this.#create(taken.node, taken.workload);
        return;
      case 'ready':
        this.#patch(taken.pod, { conditions: [{ type: 'Ready', status: taken.isReady ? 'True' : 'False' }] });
        return;
      case 'end':
        this.#patch(taken.pod, { phase: 'Succeeded' });
        return;
      case 'delete':
        if (this.#named(taken.pod)) this.store.delete('pods', 'default', `pod-${taken.pod}`, { gracePeriodSeconds: 0 });
        return;
      case 'toggle':
        if (!this.running.delete(taken.node)) this.running.add(taken.node);
        return;
      case 'second':
        this.loop.runUntil(this.loop.nowMillis() + 1000);
    }
  }

  #create(nodeName: string | undefined, workload: string | undefined): void {
    const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: workload ?? '', uid: 'u', controller: true };
    const ownerReferences = workload === undefined ? undefined : [owner];
    this.store.create('pods', {
      metadata: { name: `pod-${this.#created++}`, namespace: 'default', ownerReferences },
      spec: { containers: [{ name: 'c', image: 'i' }], nodeName },
    });
  }

  #named(number: number): Pod | undefined {
    return this.store.find('pods', 'default', `pod-${number}`);
  }

  #patch(number: number, status: object): void {
    if (this.#named(number) === undefined) return;
    this.store.patch('pods', 'default', `pod-${number}`, { type: 'merge', body: { status } }, 'status');
  }
}

/** The same counts, by a look at all pods each second. */
class SlowReadiness {
  readonly counts = new Map<string, { before: number; least: number; end: number; backMillis: number | null }>();
  withoutNode: number[] = [];
  readonly #stage: Stage;
  readonly #startMillis: number;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#startMillis = stage.loop.nowMillis();
    for (const [workload, before] of this.#ready())
      this.counts.set(workload, { before, least: before, end: before, backMillis: 0 });
  }

  look(): void {
    const ready = this.#ready();
    for (const workload of ready.keys())
      if (!this.counts.has(workload)) this.counts.set(workload, { before: 0, least: 0, end: 0, backMillis: 0 });
    for (const [workload, counts] of this.counts) {
      counts.end = ready.get(workload) ?? 0;
      counts.least = Math.min(counts.least, counts.end);
      if (counts.end < counts.before) counts.backMillis = null;
      else counts.backMillis ??= this.#stage.loop.nowMillis() - this.#startMillis;
    }
  }

  concerned(): WorkloadReadiness[] {
    return [...this.counts]
      .map(([workload, counts]) => ({ workload, ...counts }))
      .filter(({ before, least, end }) => least < before || end > before)
      .sort((a, b) => b.before - b.end - (a.before - a.end) || (a.workload < b.workload ? -1 : 1));
  }

  #ready(): Map<string, number> {
    const ready = new Map<string, number>();
    let waiting = 0;
    for (const each of this.#stage.store.list('pods').items) {
      if (isPodFinished(each)) continue;
      const { nodeName } = each.spec ?? {};
      if (!nodeName) waiting++;
      if (!nodeName || !isPodReady(each) || !this.#stage.running.has(nodeName)) continue;
      const [owner] = each.metadata?.ownerReferences ?? [];
      const workload = owner ? `StatefulSet default/${owner.name}` : `Pod default/${each.metadata?.name}`;
      ready.set(workload, (ready.get(workload) ?? 0) + 1);
    }
    this.withoutNode.push(waiting);
    return ready;
  }
}

it('counts as a look at all pods each second', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), fc.array(step, { maxLength: 40 }), (before, after) => {
      const stage = new Stage();
      const { loop, store: client, running } = stage;
      for (const each of before) stage.take(each);
      const modules = { client, loop, runningNodes: () => running, lastChangeMillis: () => Number.POSITIVE_INFINITY };
      const readiness = new Readiness(modules);
      const slow = new SlowReadiness(stage);
      readiness.start();
      loop.runUntil(loop.nowMillis());
      slow.look();
      for (const each of after) {
        stage.take(each);
        if (each.kind !== 'second') continue;
        slow.look();
        expect(readiness.concerned()).toEqual(slow.concerned());
      }
      stage.take({ kind: 'second' });
      slow.look();
      expect(readiness.concerned()).toEqual(slow.concerned());
      const [first, ...others] = slow.withoutNode;
      const { before: waitingBefore, most, end } = readiness.withoutNode;
      expect([waitingBefore, most, end]).toEqual([first, Math.max(...slow.withoutNode), others.at(-1)]);
    }),
  );
});
