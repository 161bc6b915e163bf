import { owningGroupOf } from '../../../src/api/claims-of-pod.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { isPodFinished } from '../../../src/api/pod-conditions.ts';
import { podGroupNameOf } from '../../../src/api/pod-group.ts';
import type { ResourceClaim } from '../../../src/api/resource-claims.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { NodeClaim } from '../../../src/kubelet/dynamic-resources/claim-manager.ts';
import { getOrMake } from '../../../src/lib/get-or-make.ts';
import { type Mirror, nameOf, uidOf } from '../mirror.ts';
import type { Request } from '../recording-client.ts';
import type { Violated } from '../violation.ts';

const NOTHING_LEFT = 'nothing stays prepared for pods that are gone';
const ONCE = 'a device is never given twice';
const EVICTED = 'no pod stays on a device with a NoExecute taint';
const PREPARED_ONCE = 'a device is never prepared for two claims at once';
const NO_ORPHANS = 'a claim that was made for a group goes with it';
const PRE_BIND_FAILED = 'running PreBind plugin';
const WHOLE = 'a gang is never split below its minimum';

/** What must hold of claims and of gangs, write by write. */
export class DevicesAndGangs {
  readonly #cluster: Cluster;
  readonly #violated: Violated;
  /** The claims that have devices, by uid. */
  readonly #claims = new Map<string, ResourceClaim>();
  /** The holder of each device. */
  readonly #holders = new Map<string, string>();
  /** The claims of which a write seemed to fail, which may have been done and its answer lost. */
  readonly #unsure = new Set<string>();
  /** The devices that were given in this step although a claim held them. */
  #taken: { readonly device: string; readonly holder: string; readonly name: string }[] = [];
  /** The pods that were deleted, by name: a scheduler that has not seen it still binds them. */
  readonly #gone = new Map<string, Pod>();
  /** The pods of each group that ever had a place. */
  readonly #placed = new Map<string, Set<string>>();
  /** The pods of groups that were bound in this step. */
  #bound: Pod[] = [];

  constructor(cluster: Cluster, mirror: Mirror, violated: Violated) {
    this.#cluster = cluster;
    this.#violated = violated;
    const { store } = cluster;
    const { resourceVersion } = store.list('resourceclaims');
    const watch = store.watch('resourceclaims', { resourceVersion });
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if ('object' in event) this.#written(event.object as ResourceClaim, event.type === 'DELETED');
      }
    });
    mirror.onPod((before, after) => {
      if (after === undefined && before !== undefined) this.#gone.set(nameOf(before), before);
      if (after === undefined || podGroupNameOf(after) === '') return;
      if (!before?.spec?.nodeName && after.spec?.nodeName) this.#bound.push(after);
    });
  }

  /**
   * A binding that is refused undoes nothing for the others of a gang, here as upstream: its pod had a place. So had
   * one that failed before, such as those for whose common claim another pod of the group has just written the devices.
   */
  requested({ verb, resource, name, outcome, pod = this.#gone.get(name), body }: Request): void {
    if (resource === 'resourceclaims' && outcome !== 'done') this.#unsure.add(name);
    if (pod === undefined || podGroupNameOf(pod) === '') return;
    const hasFailed = verb === 'patch' && JSON.stringify(body ?? null).includes(PRE_BIND_FAILED);
    if (verb === 'bind' || hasFailed) this.#placedOf(podGroupNameOf(pod)).add(uidOf(pod));
  }

  #placedOf(group: string): Set<string> {
    return getOrMake(this.#placed, group, () => new Set<string>());
  }

  /** Looks at what was bound in the step, and notes who has a place now. */
  check(): void {
    const bound = this.#bound;
    this.#bound = [];
    for (const group of this.#cluster.store.list('podgroups').items) {
      const minCount = group.spec?.schedulingPolicy?.gang?.minCount ?? 0;
      const name = nameOf(group);
      const placed = this.#placedOf(name);
      const { cluster } = (this.#cluster.scheduler as NonNullable<Cluster['scheduler']>).cache;
      for (const pod of this.#cluster.store.list('pods').items) {
        if (podGroupNameOf(pod) !== name) continue;
        const known = cluster.pods.get('default', nameOf(pod));
        if (pod.spec?.nodeName || known?.nodeName) placed.add(uidOf(pod));
      }
      for (const pod of bound) {
        if (podGroupNameOf(pod) !== name || placed.size >= minCount) continue;
        const detail = `${nameOf(pod)} is bound, and ${placed.size} of ${minCount} pods of ${name} have a place`;
        this.#violated(WHOLE, detail);
      }
    }
  }

  /**
   * Looks whether a device was given twice in the step. A scheduler takes devices back when the write of their claim
   * seems to have failed, and may give them again before it sees that the write was done, here as upstream.
   */
  checkGiven(): void {
    for (const { device, holder, name } of this.#taken) {
      if (!this.#unsure.has(holder)) this.#violated(ONCE, `${device} belongs to ${holder} and to ${name}`);
    }
    this.#taken = [];
  }

  /** Looks at what the drivers of the nodes have prepared. */
  checkPrepared(): void {
    const { nodeAgents } = this.#cluster;
    for (const node of nodeAgents?.nodeNames ?? []) {
      const users = new Map<string, NodeClaim>();
      for (const claim of nodeAgents?.claimsOf(node) ?? []) {
        if (claim.pods.size === 0) this.#violated(NOTHING_LEFT, `nobody uses ${claim.name} on ${node}`);
        for (const device of claim.isPrepared ? claim.devices : []) {
          const other = users.get(device);
          if (other !== undefined) this.#violated(PREPARED_ONCE, `${device}: ${other.name} and ${claim.name}`);
          users.set(device, claim);
        }
      }
    }
  }

  /**
   * Looks whether anything is prepared for pods that do not run, or some run on devices that broke. Nothing has
   * happened for a long while.
   */
  checkRest(pods: Iterable<Pod>): void {
    const { nodeAgents } = this.#cluster;
    const unfinished = [...pods].filter((pod) => !isPodFinished(pod));
    this.#checkBroken(unfinished);
    for (const node of nodeAgents?.nodeNames ?? []) {
      const own = new Set(unfinished.filter(({ spec }) => spec?.nodeName === node).map(uidOf));
      for (const { name, pods: users } of nodeAgents?.claimsOf(node) ?? []) {
        if ([...users].some((uid) => !own.has(uid))) this.#violated(NOTHING_LEFT, `${name} on ${node}`);
      }
    }
    const groups = new Set(this.#cluster.store.list('podgroups').items.map(uidOf));
    for (const claim of this.#cluster.store.list('resourceclaims').items) {
      const owner = owningGroupOf(claim);
      if (owner !== undefined && !groups.has(owner.uid)) this.#violated(NO_ORPHANS, nameOf(claim));
    }
  }

  #checkBroken(unfinished: readonly Pod[]): void {
    const broken = new Set<string>();
    for (const { spec } of this.#cluster.store.list('resourceslices').items) {
      for (const { name, taints = [] } of spec.devices ?? []) {
        if (taints.some(({ effect }) => effect === 'NoExecute')) broken.add(`${spec.driver}/${spec.pool.name}/${name}`);
      }
    }
    if (broken.size === 0) return;
    for (const claim of this.#claims.values()) {
      const users = new Set(claim.status?.reservedFor?.map(({ uid }) => uid));
      const device = devicesOf(claim).find((each) => broken.has(each));
      const pod = unfinished.find((each) => users.has(uidOf(each)) && each.spec?.nodeName);
      if (device !== undefined && pod !== undefined) this.#violated(EVICTED, `${nameOf(pod)} uses ${device}`);
    }
  }

  /** Notes who has the devices. What seemed to fail in the same step is known at its end. */
  #written(claim: ResourceClaim, isGone: boolean): void {
    const uid = uidOf(claim);
    for (const device of devicesOf(this.#claims.get(uid))) this.#holders.delete(device);
    this.#claims.delete(uid);
    if (isGone || claim.status?.allocation === undefined) return;
    this.#claims.set(uid, claim);
    for (const device of devicesOf(claim)) {
      const holder = this.#holders.get(device);
      if (holder !== undefined) this.#taken.push({ device, holder, name: nameOf(claim) });
      this.#holders.set(device, nameOf(claim));
    }
  }
}

function devicesOf(claim: ResourceClaim | undefined): string[] {
  const results = claim?.status?.allocation?.devices?.results ?? [];
  return results.map(({ driver, pool, device }) => `${driver}/${pool}/${device}`);
}
