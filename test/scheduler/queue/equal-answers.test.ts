import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import { defaultSchedulerConfiguration } from '../../../src/caller/load-configuration.ts';
import { PodTemplates } from '../../../src/core/pod-templates.ts';
import { NominatedPods } from '../../../src/framework/cluster/nominated-pods.ts';
import {
  ActionType,
  type ClusterEvent,
  type ClusterEventWithHint,
  clusterEvent,
} from '../../../src/framework/events.ts';
import type { Plugin } from '../../../src/framework/plugin.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { VirtualEventLoop } from '../../../src/lib/event-loop.ts';
import { pluginsOf } from '../../../src/plugins/make-plugins.ts';
import {
  nodeSchedulingPropertiesChange,
  podSchedulingPropertiesChange,
} from '../../../src/scheduler/queue/cluster-events.ts';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { SchedulingQueue } from '../../../src/scheduler/queue/scheduling-queue.ts';
import { arbitraryNode, arbitraryPodSpec, PLAIN_AMOUNTS } from '../../builders/arbitrary-cluster.ts';
import { makeCluster } from '../../builders/make-cluster.ts';

/** The plugins of the default profile, each once. */
function defaultPlugins(): Plugin[] {
  const [profile] = defaultSchedulerConfiguration().profiles;
  if (profile === undefined) throw new Error('the default configuration has one profile');
  return [...new Set(Object.values(pluginsOf(profile, makeCluster([])).byPoint).flat())] as Plugin[];
}

const PLUGINS = defaultPlugins().filter(({ eventsToRegister }) => eventsToRegister !== undefined);
const NAMES = PLUGINS.map(({ name }) => name);
/** Those with keys. */
const KEYED = PLUGINS.filter((plugin) => plugin.eventsToRegister?.().some(({ keys }) => keys !== undefined)).map(
  ({ name }) => name,
);

/** The plugin, asking its hints about every pod. */
function withPlainHints(plugin: Plugin): Plugin {
  const plain = ({ event, hint }: ClusterEventWithHint): ClusterEventWithHint => {
    return hint === undefined ? { event } : { event, hint };
  };
  return { name: plugin.name, eventsToRegister: () => (plugin.eventsToRegister?.() ?? []).map(plain) };
}

function makeQueue(plugins: readonly Plugin[], sharesTemplates: boolean) {
  const loop = new VirtualEventLoop(0);
  const templates = new PodTemplates({ of: podRequirements, besideNode: null }, () => undefined);
  const moved: string[] = [];
  const log = {
    name: 'Log',
    preEnqueue({ uid }: PodInfo): null {
      moved.push(uid);
      return null;
    },
  };
  const queue = new SchedulingQueue({
    loop,
    profiles: new Map([['default-scheduler', { plugins, preEnqueuePlugins: [log] }]]),
    podInfoOf: (pod) => new PodInfo(pod, podRequirements(pod), ''),
    templateOf: sharesTemplates ? (pod) => templates.of(pod) : (pod) => pod,
    nominated: new NominatedPods(() => {}),
    isPending: () => true,
    observer: { podIncoming: (place, _isGated, event) => moved.push(`${place} ${event}`) },
  });
  return { queue, loop, moved };
}

type Rig = ReturnType<typeof makeQueue>;

const LABELS = [undefined, { app: 'web' }, { app: 'web', tier: 'gold' }, { app: 'db' }, { app: 'db', tier: 'tin' }];

interface Waiting {
  readonly spec: number;
  readonly labels: number;
  readonly namespace: 'ns1' | 'ns2';
  readonly rejectors: readonly string[];
  readonly pending: readonly string[];
  /** The claim that the pod uses; 0 for none. Templates leave its name out. */
  readonly claim: number;
}

const kind: fc.Arbitrary<Waiting> = fc.record({
  spec: fc.nat(2),
  labels: fc.nat(LABELS.length - 1),
  namespace: fc.constantFrom('ns1', 'ns2'),
  rejectors: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...KEYED).map((name) => [name]) },
    { weight: 1, arbitrary: fc.subarray(NAMES, { minLength: 1, maxLength: 3 }) },
  ),
  pending: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.subarray(NAMES) }),
  claim: fc.nat(3),
});

/** Pods of few kinds, so that there are equal ones, and some that differ in one part alone. */
const waiting: fc.Arbitrary<Waiting[]> = fc
  .tuple(
    fc.array(kind, { minLength: 2, maxLength: 2 }),
    fc.array(fc.record({ like: fc.nat(1), other: kind, part: fc.nat(9) }), { minLength: 4, maxLength: 12 }),
  )
  .map(([kinds, pods]) =>
    pods.map(({ like, other, part }) => {
      const { labels, namespace, claim } = other;
      const changed = part === 0 ? { labels } : part === 1 ? { namespace } : part < 6 ? { claim } : {};
      return { ...(kinds[like] as Waiting), ...changed };
    }),
  );

type Looks = readonly [spec: number, labels: number, claim: number];

/** A change of some object: of another pod, of a waiting pod, or of a node. */
interface Change {
  readonly kind: 'podAdd' | 'podUpdate' | 'podDelete' | 'own' | 'nodeAdd' | 'nodeUpdate' | 'nodeDelete' | 'relabel';
  readonly which: number;
  readonly from: Looks;
  readonly to: Looks;
  readonly atMostPriority: number | null;
}

const looks = fc.tuple(fc.nat(2), fc.nat(LABELS.length - 1), fc.nat(3));
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(
    ...(['podAdd', 'podUpdate', 'podDelete', 'own', 'nodeAdd', 'nodeUpdate', 'nodeDelete', 'relabel'] as const),
  ),
  which: fc.nat(11),
  from: looks,
  to: looks,
  atMostPriority: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(1) }),
});

const ADD = clusterEvent('AssignedPod', ActionType.Add);
const DELETE = clusterEvent('AssignedPod', ActionType.Delete);
const NODE_ADD = clusterEvent('Node', ActionType.Add);
const NODE_DELETE = clusterEvent('Node', ActionType.Delete);

/** One queue whose hints are asked once for equal pods and by keys, and one whose hints are asked about every pod. */
class Pair {
  readonly #rigs: readonly Rig[] = [makeQueue(PLUGINS, true), makeQueue(PLUGINS.map(withPlainHints), false)];
  readonly #specs: readonly PodSpec[];
  readonly #nodes: readonly Node[];
  readonly #pods: Pod[] = [];

  constructor(specs: readonly PodSpec[], nodes: readonly Node[], pods: readonly Waiting[]) {
    this.#specs = specs.map((spec) => ({ ...spec, schedulerName: 'default-scheduler' }));
    this.#nodes = nodes;
    for (const [i, pod] of pods.entries()) this.#add(i, pod);
  }

  #add(i: number, { spec, labels, namespace, rejectors, pending, claim }: Waiting): void {
    const pod = this.#pod(`p${i}`, [spec, labels, claim], namespace);
    this.#pods.push(pod);
    for (const { queue } of this.#rigs) {
      queue.add(pod);
      const queued = queue.pop() as QueuedPodInfo;
      queued.unschedulablePlugins = new Set(rejectors);
      queued.pendingPlugins = new Set(pending);
      queue.addUnschedulableIfNotPresent(queued);
    }
  }

  #pod(name: string, [spec, labels, claim]: Looks, namespace: string): Pod {
    const own = { persistentVolumeClaim: { claimName: `c${claim}` }, name: 'own' };
    const { volumes = [], ...rest } = this.#specs[spec] ?? {};
    return {
      metadata: { name, namespace, uid: name, labels: LABELS[labels], annotations: { of: name } },
      spec: { ...rest, hostname: name, volumes: claim === 0 ? volumes : [...volumes, own] },
    };
  }

  run({ kind, which, from, to, atMostPriority }: Change): void {
    if (kind === 'relabel') {
      this.#relabel(which % this.#pods.length, to);
      return;
    }
    for (const [event, before, after] of this.#events(kind, which, from, to)) {
      const preCheck =
        atMostPriority === null ? null : ({ uid }: PodInfo): boolean => Number(uid.slice(1)) % 2 === atMostPriority;
      for (const { queue } of this.#rigs) queue.moveAllToActiveOrBackoffQueue(event, before, after, preCheck);
    }
  }

  #relabel(which: number, looks: Looks): void {
    const before = this.#pods[which] as Pod;
    const after = this.#pod(`p${which}`, looks, before.metadata?.namespace ?? '');
    this.#pods[which] = after;
    for (const { queue } of this.#rigs) queue.update(before, after);
  }

  #events(kind: Change['kind'], which: number, from: Looks, to: Looks) {
    const node = (i: number): Node => this.#nodes[i % this.#nodes.length] as Node;
    const namespace = which % 3 === 0 ? 'ns2' : 'ns1';
    const placed = (looks: Looks): Pod => {
      const pod = this.#pod('other', looks, namespace);
      return { ...pod, spec: { ...pod.spec, nodeName: 'n' } };
    };
    const [before, after] = [placed(from), placed(to)];
    const own = this.#pods[which % this.#pods.length] as Pod;
    const events: Readonly<Record<string, () => (readonly [ClusterEvent, unknown, unknown])[]>> = {
      podAdd: () => [[ADD, undefined, after]],
      podUpdate: () => podSchedulingPropertiesChange(before, after).map((event) => [event, before, after] as const),
      podDelete: () => [[DELETE, before, undefined]],
      own: () => [[DELETE, own, undefined]],
      nodeAdd: () => [[NODE_ADD, undefined, node(to[0])]],
      nodeUpdate: () =>
        nodeSchedulingPropertiesChange(node(from[0]), node(to[0])).map(
          (event) => [event, node(from[0]), node(to[0])] as const,
        ),
      nodeDelete: () => [[NODE_DELETE, node(from[0]), undefined]],
    };
    return events[kind]?.() ?? [];
  }

  compare(): void {
    const [one, other] = this.#rigs.map(({ queue, moved }) => ({
      places: this.#pods.map(({ metadata }) => queue.queuedPod(metadata?.uid ?? '')?.place),
      moved,
    }));
    expect(one).toEqual(other);
  }

  /** Pops a few pods, which are rejected again, so that groups come and go. */
  requeueAll(pods: readonly Waiting[]): void {
    for (const { loop } of this.#rigs) loop.runUntil(loop.nowMillis() + 1500);
    for (let next = this.#pop(); next !== null; next = this.#pop()) {
      for (const [i, queued] of next.entries()) {
        const { rejectors, pending } = pods[Number(queued.podInfo.uid.slice(1))] as Waiting;
        queued.unschedulablePlugins = new Set(rejectors);
        queued.pendingPlugins = new Set(pending);
        (this.#rigs[i] as Rig).queue.addUnschedulableIfNotPresent(queued);
      }
    }
  }

  #pop(): QueuedPodInfo[] | null {
    const [one, other] = this.#rigs.map(({ queue }) => queue.pop()) as [QueuedPodInfo | null, QueuedPodInfo | null];
    expect(one?.podInfo.uid).toBe(other?.podInfo.uid);
    return one === null || other === null ? null : [one, other];
  }
}

it('to ask hints once for equal pods, and by keys only, moves the same pods as to ask about every pod', () => {
  const specs = fc.array(arbitraryPodSpec(PLAIN_AMOUNTS), { minLength: 3, maxLength: 3 });
  const nodes = fc.array(arbitraryNode(PLAIN_AMOUNTS), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(specs, nodes, waiting, fc.array(change, { minLength: 10, maxLength: 25 }), (...[s, n, p, changes]) => {
      const pair = new Pair(s, n, p);
      for (const [i, each] of changes.entries()) {
        pair.run(each);
        pair.compare();
        if (i % 6 === 5) pair.requeueAll(p);
      }
    }),
    { numRuns: 300 },
  );
});
