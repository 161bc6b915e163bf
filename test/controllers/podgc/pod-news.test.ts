import fc from 'fast-check';
import { expect, test } from 'vitest';
import { podGcApi } from '../../../src/controllers/podgc/pod-gc-api.ts';
import { newPodGcController, PodGcController } from '../../../src/controllers/podgc/pod-gc-controller.ts';
import { ifFound } from '../../../src/store/objects/api-error.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { ControlPlane } from '../control-plane.ts';

const PODS = ['a', 'b', 'c', 'd', 'e'];
const NODES = ['m', 'n'];
const THRESHOLD = 1;

/** A control plane with a collector that surveys all pods in every pass, or only when changes say so. */
class World {
  readonly plane = new ControlPlane();
  readonly gc: PodGcController;

  constructor(hasNews: boolean) {
    const { client, informers, loop, reportError } = this.plane;
    const [pods, nodes] = [informers.of('pods'), informers.of('nodes')];
    const shared = { loop, reportError, terminatedPodThreshold: THRESHOLD };
    this.gc = hasNews
      ? newPodGcController({ client, informers, ...shared })
      : new PodGcController({
          ...{ ...shared, api: podGcApi(client), pods: pods.lister, nodes: nodes.lister },
          hasSynced: () => pods.hasSynced() && nodes.hasSynced(),
        });
    informers.start();
    this.gc.start();
    this.plane.runSeconds(1);
  }

  do({ kind, pod, node, seconds }: Step): void {
    const { store } = this.plane;
    ifFound(() => {
      if (kind === 'node') store.create('nodes', makeNode(node));
      else if (kind === 'node goes') store.delete('nodes', '', node);
      else if (kind === 'pod') store.create('pods', makePod(pod));
      else if (kind === 'held') {
        const made = makePod(pod);
        store.create('pods', { ...made, metadata: { ...made.metadata, finalizers: ['example.com/held'] } });
      } else if (kind === 'bind') store.bind('default', pod, { target: { name: node } });
      else if (kind === 'delete') store.delete('pods', 'default', pod);
      else {
        store.patch('pods', 'default', pod, { type: 'merge', body: { status: { phase: 'Succeeded' } } }, 'status');
      }
    });
    this.plane.runSeconds(seconds);
  }

  /** Everything that the collector may change, and what it counts. */
  get state(): unknown {
    return { pods: this.plane.store.list('pods').items, metrics: this.gc.metrics };
  }
}

const KINDS = ['node', 'node goes', 'pod', 'held', 'bind', 'delete', 'end'] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly pod: string;
  readonly node: string;
  readonly seconds: number;
}

test('passes that changes make unnecessary would have found nothing', () => {
  const step = fc.record({
    kind: fc.constantFrom(...KINDS, 'pod' as const, 'bind' as const, 'end' as const),
    pod: fc.constantFrom(...PODS),
    node: fc.constantFrom(...NODES),
    seconds: fc.constantFrom(0, 1, 21, 70),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const [withNews, plain] = [new World(true), new World(false)];
      for (const each of steps) {
        const outcomes = [withNews, plain].map((world) => {
          try {
            world.do(each);
            return 'done';
          } catch (error) {
            return String(error);
          }
        });
        expect(outcomes[0]).toBe(outcomes[1]);
        expect(withNews.state).toEqual(plain.state);
      }
      for (const world of [withNews, plain]) world.plane.runSeconds(200);
      expect(withNews.state).toEqual(plain.state);
    }),
    { numRuns: 100 },
  );
});
