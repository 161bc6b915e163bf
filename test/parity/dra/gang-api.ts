import type { Pod, PodCondition } from '../../../src/api/pod.ts';
import type { PodGroup } from '../../../src/api/pod-group.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import type { PodLister, SchedulerApi } from '../../../src/scheduler/scheduler-api.ts';
import { ApiError } from '../../../src/store/objects/api-error.ts';
import { strategicMerge } from '../../../src/store/patch/strategic-merge.ts';
import { START_MILLIS } from '../control/control-case.ts';
import type { StubObjects } from '../queue/stub-objects.ts';

type Call = Readonly<Record<string, unknown>>;

/** The API server of the gang scenarios. The scheduler's own writes come back as watch events before a call returns. */
export class GangApi implements SchedulerApi, PodLister {
  readonly #objects: StubObjects;
  readonly #log: (call: Call) => void;
  /** The pods whose next binding fails. */
  readonly failBind = new Set<string>();
  readonly #arrivals: string[] = [];

  constructor(objects: StubObjects, log: (call: Call) => void) {
    this.#objects = objects;
    this.#log = log;
  }

  /** Notes that a pod has arrived; the order of arrival decides when pods start. */
  arrived(name: string): void {
    this.#arrivals.push(name);
  }

  get(namespace: string, name: string): Pod | undefined {
    return this.#objects.listed('Pod', namespace, name);
  }

  bindPod({ metadata }: Pod, nodeName: string): undefined {
    const name = metadata?.name ?? '';
    const call = { verb: 'create', resource: 'pods', subresource: 'binding', name, node: nodeName };
    this.#call(call, () => {
      if (this.failBind.delete(name)) throw new Error('the binding failed');
      const known = this.#mustGet<Pod>('Pod', 'pods', name);
      const { nominatedNodeName: _taken, ...status } = known.status ?? {};
      const startTime = timeText(START_MILLIS + (1 + this.#arrivals.indexOf(name)) * 1000);
      this.#objects.write('Pod', {
        ...known,
        spec: { ...known.spec, nodeName },
        status: { ...status, startTime, conditions: withScheduled(status.conditions ?? []) },
      } as Pod);
    });
  }

  patchPodStatus(_namespace: string, name: string, patch: Call): void {
    const call = { verb: 'patch', resource: 'pods', subresource: 'status', name, body: withoutTimes(patch) };
    this.#call(call, () => {
      const known = this.#mustGet<Pod>('Pod', 'pods', name);
      this.#objects.write('Pod', strategicMerge('pods', known as Record<string, unknown>, patch) as Pod);
    });
  }

  patchPodGroupStatus(_namespace: string, name: string, patch: Call): void {
    const call = { verb: 'patch', resource: 'podgroups', subresource: 'status', name, body: withoutTimes(patch) };
    this.#call(call, () => {
      const known = this.#mustGet<PodGroup>('PodGroup', 'podgroups.scheduling.k8s.io', name);
      this.#objects.write('PodGroup', strategicMerge('pods', known as Record<string, unknown>, patch) as PodGroup);
    });
  }

  deletePod(_namespace: string, name: string): void {
    this.#call({ verb: 'delete', resource: 'pods', name }, () => this.remove(name));
  }

  /** A pod on a node is asked to stop first. */
  remove(name: string): void {
    const known = this.#mustGet<Pod>('Pod', 'pods', name);
    if (!known.spec?.nodeName) this.#objects.remove('Pod', known);
    else if (!known.metadata?.deletionTimestamp) {
      const metadata = { ...known.metadata, deletionTimestamp: timeText(START_MILLIS) };
      this.#objects.write('Pod', { ...known, metadata });
    }
  }

  updatePersistentVolume(): never {
    throw new Error('no gang scenario has volumes');
  }

  updatePersistentVolumeClaim(): never {
    throw new Error('no gang scenario has volumes');
  }

  createResourceClaim(): never {
    throw new Error('no gang scenario has extended resources');
  }

  deleteResourceClaim(): never {
    throw new Error('no gang scenario has extended resources');
  }

  getResourceClaim(_namespace: string, name: string): ResourceClaim {
    return this.#mustGet<ResourceClaim>('ResourceClaim', 'resourceclaims.resource.k8s.io', name);
  }

  updateResourceClaim(claim: ResourceClaim): ResourceClaim {
    return this.#updateClaim(claim, { finalizers: claim.metadata?.finalizers ?? [] }, false);
  }

  updateResourceClaimStatus(claim: ResourceClaim): ResourceClaim {
    return this.#updateClaim(claim, { subresource: 'status', status: claim.status ?? {} }, true);
  }

  patchResourceClaimStatus(_namespace: string, name: string, patch: Call): void {
    this.#call({ verb: 'patch', resource: 'resourceclaims', subresource: 'status', name, body: patch }, () => {
      const known = this.getResourceClaim('default', name);
      const merged = strategicMerge('resourceclaims', known as Record<string, unknown>, patch);
      this.#objects.write('ResourceClaim', merged as ResourceClaim);
    });
  }

  #updateClaim(claim: ResourceClaim, fields: Call, isStatus: boolean): ResourceClaim {
    const name = claim.metadata?.name ?? '';
    const known = this.getResourceClaim('default', name);
    if (known.metadata?.resourceVersion !== claim.metadata?.resourceVersion) {
      throw new ApiError('Conflict', `Operation cannot be fulfilled on resourceclaims.resource.k8s.io "${name}"`);
    }
    return this.#call({ verb: 'update', resource: 'resourceclaims', name, ...fields }, () => {
      const { status: given, ...rest } = claim;
      const status = isStatus ? given : known.status;
      return this.#objects.write<ResourceClaim>('ResourceClaim', status === undefined ? rest : { ...rest, status });
    });
  }

  #call<T>(call: Call, run: () => T): T {
    let result: T;
    try {
      result = run();
    } catch (error) {
      this.#log({ ...call, error: (error as Error).message });
      throw error;
    }
    this.#log(call);
    this.#objects.deliver();
    return result;
  }

  #mustGet<T>(kind: 'Pod' | 'PodGroup' | 'ResourceClaim', resource: string, name: string): T {
    const known = this.#objects.get(kind, 'default', name);
    if (known === undefined) throw new ApiError('NotFound', `${resource} "${name}" not found`);
    return known as T;
  }
}

function withScheduled(conditions: readonly PodCondition[]): readonly PodCondition[] {
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timeText(START_MILLIS) };
  const others = conditions.filter(({ type }) => type !== 'PodScheduled');
  return [...others, scheduled];
}

function timeText(millis: number): string {
  return new Date(millis).toISOString().replace('.000', '');
}

/** The patch without the times of its conditions, which are not compared. */
function withoutTimes(patch: Call): Call {
  const { conditions, ...status } = patch['status'] as { readonly conditions?: readonly Call[] };
  if (conditions === undefined) return { status };
  const bare = conditions.map(({ lastTransitionTime: _at, lastProbeTime: _probed, ...condition }) => condition);
  return { status: { ...status, conditions: bare } };
}
