import type { ObjectReference } from '../../../src/api/meta.ts';
import type { Pod, PodCondition, PodStatus } from '../../../src/api/pod.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../src/api/storage.ts';
import { SELECTED_NODE_ANNOTATION } from '../../../src/api/volume-claims.ts';
import type { PodLister, SchedulerApi } from '../../../src/scheduler/scheduler-api.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import { strategicMerge } from '../../../src/store/patch/strategic-merge.ts';
import { displayName, type LogEntry } from './queue-case.ts';
import type { StubFaults } from './stub-faults.ts';
import type { StubObjects } from './stub-objects.ts';

const START_MILLIS = Date.UTC(2026, 0, 1);
const START_TIME = new Date(START_MILLIS).toISOString().replace('.000', '');
const NO_CLAIMS = 'no recording of the queue has claims to devices';
const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';

/** The API server of the recordings, as far as the scheduler writes to it. */
export class StubApi implements SchedulerApi, PodLister {
  readonly #objects: StubObjects;
  readonly #faults: StubFaults;
  readonly #log: (entry: LogEntry) => void;
  readonly #isEager: boolean;
  #bindings = 0;

  /** `isEager`: the watch shows the scheduler's own pod writes before the call returns. */
  constructor(objects: StubObjects, faults: StubFaults, log: (entry: LogEntry) => void, isEager: boolean) {
    this.#objects = objects;
    this.#faults = faults;
    this.#log = log;
    this.#isEager = isEager;
  }

  get(namespace: string, name: string): Pod | undefined {
    return this.#objects.listed('Pod', namespace, name);
  }

  bindPod(pod: Pod, nodeName: string): Pod | undefined {
    const call = { k: 'api', verb: 'create', resource: 'pods/binding', pod: displayName(pod), node: nodeName };
    return this.#call(call, pod.metadata?.name ?? '', () => {
      const known = this.#mustGet(pod.metadata?.namespace, pod.metadata?.name);
      const problem = bindingProblem(known, pod);
      const name = known.metadata?.name ?? '';
      if (problem !== null) {
        throw new ApiError('Conflict', `Operation cannot be fulfilled on pods/binding "${name}": ${problem}`);
      }
      this.#bindings++;
      this.#objects.write('Pod', boundTo(known, nodeName, this.#bindings));
      return undefined;
    });
  }

  patchPodStatus(namespace: string, name: string, patch: Readonly<Record<string, unknown>>): void {
    const pod = displayName({ metadata: { namespace, name } });
    const body = { status: withoutTimes(patch['status']) };
    this.#call({ k: 'api', verb: 'patch', resource: 'pods/status', pod, body }, name, () => {
      const known = this.#mustGet(namespace, name);
      const patched = strategicMerge('pods', known as Record<string, unknown>, patch) as Pod;
      this.#objects.write('Pod', withProbeTimes(patched));
    });
  }

  deletePod(namespace: string, name: string): void {
    const pod = displayName({ metadata: { namespace, name } });
    this.#call({ k: 'api', verb: 'delete', resource: 'pods', pod }, name, () => this.remove(namespace, name));
  }

  /** A pod on a node is asked to stop first. */
  remove(namespace: string, name: string): void {
    const known = this.#mustGet(namespace, name);
    if (!known.spec?.nodeName) {
      this.#objects.remove('Pod', known);
      return;
    }
    this.#objects.write('Pod', { ...known, metadata: { ...known.metadata, deletionTimestamp: START_TIME } });
  }

  patchPodGroupStatus(): never {
    throw new Error('no recording of the queue has groups of pods');
  }

  updatePersistentVolume(volume: PersistentVolume): PersistentVolume {
    const { name = '', annotations } = volume.metadata ?? {};
    const claimRef = referenceText(volume.spec?.claimRef);
    const call = { k: 'api', verb: 'update', resource: 'persistentvolumes', name, claimRef, annotations };
    return this.#call(call, name, () => {
      const written = this.#objects.write('PersistentVolume', volume);
      this.#bindVolume(written);
      this.#objects.deliver();
      return written;
    });
  }

  updatePersistentVolumeClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
    const { name = '', annotations } = claim.metadata ?? {};
    const call = { k: 'api', verb: 'update', resource: 'persistentvolumeclaims', name, annotations };
    return this.#call(call, name, () => {
      const written = this.#objects.write('PersistentVolumeClaim', claim);
      if (annotations?.[SELECTED_NODE_ANNOTATION] && !claim.spec?.volumeName) this.#provision(written);
      this.#objects.deliver();
      return written;
    });
  }

  createResourceClaim(): never {
    throw new Error(NO_CLAIMS);
  }

  deleteResourceClaim(): never {
    throw new Error(NO_CLAIMS);
  }

  getResourceClaim(): never {
    throw new Error(NO_CLAIMS);
  }

  updateResourceClaim(): never {
    throw new Error(NO_CLAIMS);
  }

  patchResourceClaimStatus(): never {
    throw new Error('no queue scenario has claims');
  }

  updateResourceClaimStatus(): never {
    throw new Error(NO_CLAIMS);
  }

  #call<T>(entry: LogEntry, name: string, run: () => T): T {
    try {
      const fault = this.#faults.take(String(entry['verb']), String(entry['resource']), name);
      if (fault !== null) throw fault;
    } catch (error) {
      this.#log({ ...entry, error: (error as Error).message });
      throw error;
    }
    return this.#logged(entry, run);
  }

  /** What a call leads to comes after it in the log; whether it is refused is known before. */
  #logged<T>(entry: LogEntry, run: () => T): T {
    let result: T;
    const isVolume = String(entry['resource']).startsWith('persistentvolume');
    if (isVolume) this.#log(entry);
    try {
      result = run();
    } catch (error) {
      this.#log({ ...entry, error: (error as Error).message });
      throw error;
    }
    if (!isVolume) this.#log(entry);
    if (this.#isEager && !isVolume) this.#objects.deliver();
    return result;
  }

  /** The volume controller binds at once. */
  #bindVolume(volume: PersistentVolume): void {
    const { namespace = 'default', name = '' } = volume.spec?.claimRef ?? {};
    const claim = this.#objects.get<PersistentVolumeClaim>('PersistentVolumeClaim', namespace, name);
    if (claim === undefined) return;
    this.#objects.write('PersistentVolume', { ...volume, status: { ...volume.status, phase: 'Bound' } });
    const annotations = { ...claim.metadata?.annotations, [BIND_COMPLETED]: 'yes' };
    this.#objects.write('PersistentVolumeClaim', {
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName: volume.metadata?.name },
      status: { ...claim.status, phase: 'Bound' },
    });
  }

  #provision(claim: PersistentVolumeClaim): void {
    const { namespace, name, uid } = claim.metadata ?? {};
    const { accessModes, storageClassName, volumeMode, resources } = claim.spec ?? {};
    const volume = this.#objects.write<PersistentVolume>('PersistentVolume', {
      metadata: { name: `pvc-${name}`, uid: `uid-pvc-${name}` },
      spec: {
        accessModes,
        storageClassName,
        volumeMode,
        capacity: resources?.requests,
        claimRef: { namespace, name, uid },
      },
    });
    this.#bindVolume(volume);
  }

  #mustGet(namespace: string | undefined, name: string | undefined): Pod {
    const known = this.#objects.get<Pod>('Pod', namespace || 'default', name ?? '');
    if (known === undefined) throw new ApiError('NotFound', `pods "${name}" not found`);
    return known;
  }
}

/** The API server writes out the probe time that a condition lacks. */
function withProbeTimes(pod: Pod): Pod {
  const conditions = pod.status?.conditions?.map((condition) => ({ lastProbeTime: null, ...condition }));
  return conditions === undefined ? pod : { ...pod, status: { ...pod.status, conditions } };
}

function bindingProblem(known: Pod, asked: Pod): string | null {
  const { name, uid, deletionTimestamp } = known.metadata ?? {};
  if (deletionTimestamp) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (known.spec?.nodeName) return `pod ${name} is already assigned to node "${known.spec.nodeName}"`;
  const asksFor = asked.metadata?.uid;
  if (asksFor === uid) return null;
  return `Precondition failed: UID in precondition: ${asksFor}, UID in object meta: ${uid}`;
}

function boundTo(pod: Pod, nodeName: string, number: number): Pod {
  const { nominatedNodeName: _taken, ...status }: PodStatus = pod.status ?? {};
  const scheduled: PodCondition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: START_TIME,
  };
  const others = (status.conditions ?? []).map((each) => (each.type === 'PodScheduled' ? scheduled : each));
  const conditions = others.includes(scheduled) ? others : [...others, scheduled];
  const startTime = new Date(START_MILLIS + number * 1000).toISOString().replace('.000', '');
  return { ...pod, spec: { ...pod.spec, nodeName }, status: { ...status, conditions, startTime } };
}

function withoutTimes(status: unknown): unknown {
  const { conditions, ...others } = status as { readonly conditions?: readonly PodCondition[] };
  if (conditions === undefined) return others;
  return { ...others, conditions: conditions.map(({ lastTransitionTime: _left, ...condition }) => condition) };
}

function referenceText(reference: ObjectReference | null | undefined): string | undefined {
  return reference ? `${reference.namespace}/${reference.name}` : undefined;
}
