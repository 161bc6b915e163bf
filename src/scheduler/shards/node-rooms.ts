import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { isPodFinished } from '../../api/pod-conditions.ts';
import { podRequests } from '../../api/pod-requests.ts';
import { allocatable, type Resources } from '../../api/resources.ts';
import { type HostPort, hostPorts, UsedPorts } from '../../framework/host-ports.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { type Int64, toFloat64 } from '../../lib/int64.ts';
import type { Resources as ObjectsOf, Resource } from '../../store/objects/resources.ts';
import type { StoreClient, Watch } from '../../store/objects/store-client.ts';

interface Room {
  offered: Amounts;
  podsOffered: number;
  readonly used: Map<string, number>;
  podCount: number;
  readonly ports: UsedPorts;
}

interface Tenant {
  readonly room: Room;
  readonly requests: Amounts;
  readonly ports: readonly HostPort[];
}

/** Amounts that are not 0, by resource; cpu in thousandths. */
type Amounts = ReadonlyMap<string, number>;

/**
 * What each node has left, by all that is in the store at this moment. It is what an optimistic scheduler is judged by:
 * its own cache may lack what others have bound since it looked.
 */
export class NodeRooms {
  readonly #rooms = new Map<string, Room>();
  /** The pods that hold room, by uid. */
  readonly #tenants = new Map<string, Tenant>();
  readonly #watches: { stop(): void }[] = [];

  /** Follows the store from inside of its writes, so that nothing is missing when the next write comes. */
  start(store: Pick<StoreClient, 'list' | 'watch'>): void {
    this.#follow(
      store,
      'nodes',
      (node) => this.setNode(node),
      (node) => this.#removeNode(node),
    );
    this.#follow(
      store,
      'pods',
      (pod) => this.setPod(pod),
      (pod) => this.#leave(pod.metadata?.uid ?? ''),
    );
  }

  stop(): void {
    for (const watch of this.#watches.splice(0)) watch.stop();
  }

  /** Why the pod has no room on the node; null if it has. */
  refusal(pod: Pod, nodeName: string): string | null {
    const room = this.#rooms.get(nodeName);
    if (room === undefined || room.podsOffered < 0) return `node ${nodeName} is gone`;
    if (room.podCount + 1 > room.podsOffered) return `node ${nodeName} has no room for another pod`;
    for (const [name, amount] of amountsOf(podRequests(pod))) {
      if ((room.used.get(name) ?? 0) + amount > (room.offered.get(name) ?? 0)) {
        return `node ${nodeName} has not enough ${name} any more`;
      }
    }
    return room.ports.conflictsWith(hostPorts(pod)) ? `node ${nodeName} has no free host port any more` : null;
  }

  setNode(node: Node): void {
    const { resources, podCount } = allocatable(node.status?.allocatable);
    const room = this.#roomOf(node.metadata?.name ?? '');
    room.offered = amountsOf(resources);
    room.podsOffered = podCount;
  }

  #removeNode(node: Node): void {
    const name = node.metadata?.name ?? '';
    const room = this.#roomOf(name);
    room.offered = NOTHING;
    room.podsOffered = -1;
    // Its pods are removed later, and a node of the same name may come back before.
    if (room.podCount === 0) this.#rooms.delete(name);
  }

  setPod(pod: Pod): void {
    const uid = pod.metadata?.uid ?? '';
    this.#leave(uid);
    const nodeName = pod.spec?.nodeName;
    if (!nodeName || isPodFinished(pod)) return;
    const room = this.#roomOf(nodeName);
    const tenant = { room, requests: amountsOf(podRequests(pod)), ports: hostPorts(pod) };
    this.#tenants.set(uid, tenant);
    charge(tenant, 1);
    room.ports.add(tenant.ports);
  }

  #leave(uid: string): void {
    const tenant = this.#tenants.get(uid);
    if (tenant === undefined) return;
    this.#tenants.delete(uid);
    charge(tenant, -1);
    tenant.room.ports.remove(tenant.ports);
  }

  /** A pod may be seen before its node, and stay when the node is gone; such a node offers nothing. */
  #roomOf(name: string): Room {
    return getOrMake(this.#rooms, name, () => {
      return { offered: NOTHING, podsOffered: -1, used: new Map(), podCount: 0, ports: new UsedPorts() };
    });
  }

  #follow<R extends Resource>(
    store: Pick<StoreClient, 'list' | 'watch'>,
    resource: R,
    set: (object: ObjectsOf[R]) => void,
    remove: (object: ObjectsOf[R]) => void,
  ): void {
    const { items, resourceVersion } = store.list(resource);
    for (const object of items) set(object);
    const watch: Watch<ObjectsOf[R]> = store.watch(resource, { resourceVersion });
    this.#watches.push(watch);
    watch.onReady(() => {
      for (let event = watch.next(); event !== undefined; event = watch.next()) {
        if (!('object' in event)) continue;
        if (event.type === 'DELETED') remove(event.object);
        else set(event.object);
      }
    });
  }
}

const NOTHING: Amounts = new Map();

function charge({ room, requests }: Tenant, sign: 1 | -1): void {
  room.podCount += sign;
  for (const [name, amount] of requests) room.used.set(name, (room.used.get(name) ?? 0) + sign * amount);
}

function amountsOf({ milliCPU, memoryBytes, ephemeralStorageBytes, scalar }: Resources): Amounts {
  const all: [string, Int64][] = [
    ['cpu', milliCPU],
    ['memory', memoryBytes],
    ['ephemeral-storage', ephemeralStorageBytes],
    ...scalar,
  ];
  return new Map(all.map(([name, amount]) => [name, toFloat64(amount)] as const).filter(([, amount]) => amount > 0));
}
