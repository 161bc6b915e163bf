import { podKey } from '../api/object-name.ts';
import type { Pod } from '../api/pod.ts';
import type { Budgets } from './budgets.ts';
import { successionOf } from './replacement.ts';
import type { Trial } from './trial.ts';

const CAUSE = 'its node is drained';

export interface DrainOptions {
  readonly budgets: Budgets;
  /** Whether pods without a controller are evicted, too (`kubectl drain --force`). */
  readonly evictsBare: boolean;
}

/** A node after `kubectl drain`. */
export interface DrainedNode {
  readonly node: string;
  readonly evicted: number;
  /** The pods that could not be evicted. */
  readonly blocked: number;
}

/**
 * Drains nodes as `kubectl drain --ignore-daemonsets --delete-emptydir-data` does: all are cordoned, and then emptied
 * one after the other. An eviction that a PodDisruptionBudget refuses is tried again when others of the node have come
 * back elsewhere.
 */
export async function drainNodes(
  trial: Trial,
  names: readonly string[],
  options: DrainOptions,
): Promise<readonly DrainedNode[]> {
  const { scheduler } = trial;
  for (const name of names) {
    const node = scheduler.node(name)?.node;
    if (node !== undefined) scheduler.updateNode({ ...node, spec: { ...node.spec, unschedulable: true } });
  }
  trial.changed();
  const drained: DrainedNode[] = [];
  for (const name of names) drained.push(await drainNode(trial, name, options));
  return drained;
}

async function drainNode(trial: Trial, node: string, options: DrainOptions): Promise<DrainedNode> {
  const { budgets } = options;
  let open = (trial.scheduler.node(node)?.pods ?? []).filter((pod) => isEvictable(pod));
  let evicted = 0;
  for (let before = -1; before !== evicted; ) {
    before = evicted;
    const refused: Pod[] = [];
    for (const pod of open) {
      const reason = refusalOf(pod, options);
      const key = podKey(pod);
      if (reason !== null) {
        refused.push(pod);
        trial.note({ pod: key, outcome: 'blocked', from: node, to: node, cause: CAUSE, reason });
        continue;
      }
      evicted++;
      budgets.evicted(pod);
      trial.displace(pod, node, CAUSE);
      for (const placed of await trial.settleNew()) budgets.returned(placed);
    }
    open = refused;
    for (const placed of await trial.settle()) budgets.returned(placed);
  }
  return { node, evicted, blocked: open.length };
}

function isEvictable(pod: Pod): boolean {
  const succession = successionOf(pod);
  return succession === 'replaced' || succession === 'lost';
}

function refusalOf(pod: Pod, { budgets, evictsBare }: DrainOptions): string | null {
  if (successionOf(pod) === 'lost' && !evictsBare) return 'no controller makes it again (kubectl drain needs --force)';
  return budgets.refusalOf(pod);
}
