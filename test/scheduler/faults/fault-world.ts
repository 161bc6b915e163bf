import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { checkConfiguration } from '../../../src/caller/load-configuration.ts';
import { API_VERSION } from '../../../src/config/decode/group-version.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { pluginsOf } from '../../../src/plugins/make-plugins.ts';
import { storeApi } from '../../../src/scheduler/store-api.ts';
import { isApiError } from '../../../src/store/objects/api-error.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { SchedulerRig } from '../scheduler-rig.ts';
import { FaultyApi } from './faulty-api.ts';
import { FaultyExtender } from './faulty-extender.ts';
import { FaultyPlugin, type Mischief } from './faulty-plugin.ts';

const GPU = 'example.com/gpu';

const NODES = 5;
const PODS = 14;
const STEPS = 50;
const QUIET_MILLIS = 16 * 60_000;

const EXTENDER = {
  urlPrefix: 'http://extender',
  filterVerb: 'filter',
  nodeCacheCapable: true,
  managedResources: [{ name: GPU, ignoredByScheduler: true }],
};

/** A scheduler in a world in which everything goes wrong for a while, in an order that the seed draws. */
export class FaultWorld {
  readonly rig: SchedulerRig;
  readonly plugin: FaultyPlugin;
  /** Where pods were when they were deleted. */
  readonly deletedFrom = new Set<string>();
  readonly api: FaultyApi;
  readonly extender: FaultyExtender;
  readonly #prng: Prng;
  readonly #mischief: Mischief = { rejects: 10, fails: 5, throws: 5, talksNonsense: 3, waits: 40 };
  #isBusy = false;

  constructor(seed: number) {
    const prng = new Prng(seed);
    this.#prng = prng;
    let plugin: FaultyPlugin | null = null;
    let late: FaultyApi | null = null;
    let extender: FaultyExtender | null = null;
    const loaded = checkConfiguration({
      apiVersion: API_VERSION,
      kind: 'KubeSchedulerConfiguration',
      extenders: [{ ...EXTENDER, ignorable: prng.below(4) === 0 }],
    });
    if (!loaded.ok) throw new Error(loaded.errors[0]?.message);
    this.rig = new SchedulerRig(
      {
        configuration: loaded.configuration,
        tieBreak: 'random',
        seed,
        extenderTransport: {
          send: (request, done) => {
            extender ??= new FaultyExtender(this.rig.loop, prng);
            return extender.send(request, done);
          },
        },
      },
      (rig) => {
        late = new FaultyApi(storeApi(rig.store), prng);
        return {
          api: late,
          makePlugins: (profile, cluster, handle) => {
            const plugins = pluginsOf(profile, cluster, handle);
            if (handle === undefined) throw new Error('no handle');
            plugin = new FaultyPlugin(handle, prng, this.#mischief);
            const { reserve = [], permit = [], preBind = [], postBind = [] } = plugins.byPoint;
            const added = {
              reserve: [...reserve, plugin],
              permit: [...permit, plugin],
              preBind: [...preBind, plugin],
              postBind: [...postBind, plugin],
            };
            return { ...plugins, byPoint: { ...plugins.byPoint, ...added } };
          },
        };
      },
    );
    this.extender = extender ?? new FaultyExtender(this.rig.loop, prng);
    extender = this.extender;
    if (plugin === null || late === null) throw new Error('the scheduler was not made');
    this.plugin = plugin;
    this.api = late;
    this.#populate();
  }

  /** Trouble, then peace for as long as it takes to come to rest. `check` is called all the time. */
  run(check: () => void): void {
    const { loop } = this.rig;
    this.api.meanwhile = () => this.#interfere();
    for (let step = 0; step < STEPS; step++) {
      this.api.refusedPercent = this.#prng.below(3) === 0 ? 40 : 0;
      this.extender.isOut = this.#prng.below(3) === 0;
      this.#act();
      this.rig.runMillis(this.#prng.below(1500));
      check();
    }
    this.api.meanwhile = () => {};
    this.api.refusedPercent = 0;
    this.extender.isOut = false;
    Object.assign(this.#mischief, { rejects: 0, fails: 0, throws: 0, talksNonsense: 0, waits: 0 });
    const end = loop.nowMillis() + QUIET_MILLIS;
    while (loop.nowMillis() < end) {
      this.rig.runMillis(30_000);
      check();
    }
  }

  #populate(): void {
    const { store, informers } = this.rig;
    for (const [name, value] of Object.entries({ low: -10, high: 1000 })) {
      store.create('priorityclasses', { metadata: { name }, value });
    }
    for (let i = 0; i < NODES; i++) store.create('nodes', nodeOf(i));
    // The node agent: what is asked to end does so after a while.
    informers.of('pods').addHandler({
      onAdd: () => {},
      onUpdate: (_, { metadata, spec }) => {
        if (!metadata?.deletionTimestamp || !spec?.nodeName) return;
        this.rig.loop.after(this.#prng.below(2000), () => this.#tolerant(() => this.#remove(metadata.name ?? '')));
      },
      onDelete: () => {},
    });
  }

  /** Another client writes while the scheduler does: nodes and pods go in the middle of a cycle. */
  #interfere(): void {
    if (this.#isBusy || this.#prng.below(12) > 0) return;
    this.#isBusy = true;
    if (this.#prng.below(2) === 0) this.#toggleNode();
    else this.#deletePod();
    this.#isBusy = false;
  }

  #act(): void {
    const draw = this.#prng.below(10);
    if (draw < 4) this.#createPod();
    else if (draw < 6) this.#deletePod();
    else if (draw < 8) this.#toggleNode();
    else if (draw === 8) this.#openGate();
    else this.#touchNode();
  }

  #createPod(): void {
    const name = this.#podName();
    const gpu = this.#prng.below(5) === 0 ? { [GPU]: 1 } : {};
    const pod = makePod(name, {
      requests: { cpu: `${1 + this.#prng.below(5)}`, ...gpu },
      ...(this.#prng.below(10) === 0 && { gates: ['later'] }),
    });
    const labels = this.#prng.below(2) === 0 ? { trouble: 'yes' } : undefined;
    const priorityClassName = ['low', 'high', undefined][this.#prng.below(3)];
    this.#tolerant(() =>
      this.rig.store.create('pods', {
        ...pod,
        metadata: { ...pod.metadata, labels },
        spec: { ...pod.spec, priorityClassName },
      }),
    );
  }

  #deletePod(): void {
    const name = this.#podName();
    this.#tolerant(() => {
      this.deletedFrom.add(this.#placeOf(this.rig.pod(name)));
      this.#remove(name);
    });
  }

  /** The place where the scheduler has the pod. */
  #placeOf(pod: Pod): string {
    const { queue, waitingPods, cache } = this.rig.scheduler;
    const uid = pod.metadata?.uid ?? '';
    for (const queued of queue.pendingPods()) {
      if (queued.podInfo.uid === uid) return queued.isGated ? 'gated' : (queued.place ?? 'nowhere');
    }
    if (waitingPods.get(uid) !== undefined) return 'waiting';
    if (cache.isAssumedPod(pod)) return 'assumed';
    return pod.spec?.nodeName ? 'bound' : 'inFlight';
  }

  #remove(name: string): void {
    this.rig.store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });
  }

  #toggleNode(): void {
    const i = this.#prng.below(NODES);
    const { store } = this.rig;
    const isThere = store.list('nodes').items.some(({ metadata }) => metadata?.name === `n${i}`);
    if (isThere) store.delete('nodes', '', `n${i}`);
    else store.create('nodes', nodeOf(i));
  }

  #touchNode(): void {
    this.#tolerant(() => {
      const { store } = this.rig;
      const node = store.get('nodes', '', `n${this.#prng.below(NODES)}`);
      const unschedulable = this.#prng.below(3) === 0;
      store.update('nodes', { ...node, spec: { ...node.spec, unschedulable } } as Node);
    });
  }

  #openGate(): void {
    this.#tolerant(() => {
      const { store } = this.rig;
      const pod = this.rig.pod(this.#podName());
      const { schedulingGates: _gates, ...spec } = pod.spec ?? {};
      store.update('pods', { ...pod, spec });
    });
  }

  #podName(): string {
    return `p${this.#prng.below(PODS)}`;
  }

  /** What the API refuses is no trouble. */
  #tolerant(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!isApiError(error, 'NotFound') && !isApiError(error, 'AlreadyExists')) throw error;
    }
  }
}

function nodeOf(i: number): Node {
  return makeNode(`n${i}`, { cpu: 6, pods: 4 });
}
