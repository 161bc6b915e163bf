import type { Pod, ResourceRequirements } from '../../api/pod.ts';
import type { ResourceList } from '../../api/quantity.ts';
import type { NodeState } from '../../caller/cluster-view.ts';
import { groupBy } from '../../lib/group-by.ts';
import { toFloat64 } from '../../lib/int64.ts';
import { type Amounts, amountIn, amountsOf, podsInRoom } from './pod-room.ts';
import type { Change } from './remedy.ts';

type PodChange = Change & Required<Pick<Change, 'spec'>>;

/** More nodes than these say nothing new about how much less the pod would have to request. */
const REDUCTIONS_MAX = 8;
/** More kinds of free room than these are not compared for a group of pods. */
const ROOMS_MAX = 50;

/** What is free on nodes that have as much of everything. */
interface Room {
  readonly free: Amounts;
  readonly nodeCount: number;
}

/**
 * Requests with which so many pods fit into what is free on the nodes, those first that are the least reduced: each
 * shares the room of one node among some pods.
 */
export function smallerRequests(pod: Pod, nodes: readonly NodeState[], podCount: number): readonly PodChange[] {
  const wanted = amountsOf(pod);
  const rooms = podCount === 1 ? roomsOf(wanted, nodes) : roomsOf(wanted, nodes).slice(0, ROOMS_MAX);
  const found = new Map<string, PodChange>();
  for (const { free } of rooms) {
    for (let sharers = 1; sharers <= podCount; sharers++) {
      const deficits = deficitsOf(wanted, free, sharers);
      if (deficits === null || !hasRoom(rooms, less(wanted, deficits), podCount)) continue;
      const change = reduction(pod, wanted, deficits);
      if (change !== null) found.set(change.text, change);
    }
  }
  return [...found.values()].sort((a, b) => a.cost - b.cost).slice(0, REDUCTIONS_MAX);
}

function roomsOf(wanted: Amounts, nodes: readonly NodeState[]): readonly Room[] {
  const names = ['pods', ...wanted.keys()];
  const all = nodes.map(({ usage }) => new Map(names.map((name) => [name, toFloat64(usage[name]?.free ?? 0)])));
  const alike = groupBy(all, (free) => [...free.values()].join());
  return Array.from(alike.values(), (same): Room => ({ free: same[0] as Amounts, nodeCount: same.length }));
}

function hasRoom(rooms: readonly Room[], wanted: Amounts, podCount: number): boolean {
  // One pod fits into the room that it was made for.
  if (podCount === 1) return true;
  let count = 0;
  for (const { free, nodeCount } of rooms) {
    count += nodeCount * podsInRoom(wanted, (name) => free.get(name) ?? 0);
    if (count >= podCount) return true;
  }
  return false;
}

function less(wanted: Amounts, deficits: Amounts): Amounts {
  return new Map([...wanted].map(([name, amount]) => [name, amount - (deficits.get(name) ?? 0)]));
}

/** What each pod requests beyond its share of what is free; null when no request could be small enough. */
function deficitsOf(wanted: Amounts, room: Amounts, sharers: number): Amounts | null {
  const deficits = new Map<string, number>();
  for (const [name, amount] of wanted) {
    const free = (room.get(name) ?? 0) / sharers;
    if (amount <= free || amount === 0) continue;
    if (free <= 0) return null;
    deficits.set(name, amount - free);
  }
  return deficits.size === 0 || (room.get('pods') ?? 0) < sharers ? null : deficits;
}

/** The requests less these amounts, each taken from the container that requests most. */
function reduction(pod: Pod, wanted: Amounts, deficits: Amounts): PodChange | null {
  const containers = pod.spec?.containers ?? [];
  const less = new Map<number, Record<string, string>>();
  const texts: string[] = [];
  let cost = 0;
  for (const [name, deficit] of deficits) {
    const requests = containers.map(({ resources }) => amountIn(resources?.requests, name));
    const most = requests.indexOf(Math.max(...requests));
    const left = (requests[most] ?? 0) - deficit;
    if (left < 0) return null;
    const amount = amountText(name, left);
    less.set(most, { ...less.get(most), [name]: amount });
    const container = containers.length === 1 ? '' : ` in container ${containers[most]?.name}`;
    texts.push(`${name} ${amount} instead of ${containers[most]?.resources?.requests?.[name]}${container}`);
    cost += deficit / (wanted.get(name) ?? 1);
  }
  return {
    ...{ kind: 'requests', text: `request ${texts.join(' and ')}`, cost },
    spec: (old) => ({
      ...old,
      containers: (old.containers ?? []).map((container, i) => {
        return less.has(i) ? { ...container, resources: lowered(container.resources, less.get(i) ?? {}) } : container;
      }),
    }),
  };
}

/** The requests with these amounts. Where they must be as high as limits, as of devices, limits are lowered, too. */
function lowered(resources: ResourceRequirements = {}, limits: ResourceList): ResourceRequirements {
  // Other pods of the group may request less.
  const isLess = ([name]: readonly [string, unknown]) => {
    return amountIn(limits, name) < amountIn(resources.requests, name);
  };
  const amounts = Object.fromEntries(Object.entries(limits).filter(isLess));
  const strict = Object.entries(amounts).filter(
    ([name]) => resources.limits?.[name] !== undefined && !NATIVE.has(name),
  );
  return {
    ...resources,
    requests: { ...resources.requests, ...amounts },
    ...(strict.length > 0 && { limits: { ...resources.limits, ...Object.fromEntries(strict) } }),
  };
}

const NATIVE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Whole mebibytes, so that people can read the amount; it may be a little less than is free. */
function amountText(name: string, amount: number): string {
  if (name === 'cpu') return `${Math.floor(amount)}m`;
  const isBytes = name === 'memory' || name === 'ephemeral-storage';
  return isBytes && amount >= 2 ** 20 ? `${Math.floor(amount / 2 ** 20)}Mi` : String(Math.floor(amount));
}
