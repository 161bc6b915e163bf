import type { Node, Taint } from '../../api/node.ts';

export const NOT_READY = 'node.kubernetes.io/not-ready';
export const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** The taints that keep new pods off a node, by type and status of its conditions. */
const TAINT_BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: 'node.kubernetes.io/memory-pressure' },
  DiskPressure: { True: 'node.kubernetes.io/disk-pressure' },
  PIDPressure: { True: 'node.kubernetes.io/pid-pressure' },
  NetworkUnavailable: { True: 'node.kubernetes.io/network-unavailable' },
};

const BY_CONDITION_KEYS: ReadonlySet<string> = new Set([
  UNSCHEDULABLE,
  ...Object.values(TAINT_BY_CONDITION).flatMap((byStatus) => Object.values(byStatus)),
]);

/**
 * The node's taints with the NoSchedule taints that follow from its conditions; undefined when it has them already.
 * Upstream: doNoScheduleTaintingPass in pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
export function withConditionTaints(node: Node, now: string): readonly Taint[] | undefined {
  const wanted = new Set<string>();
  for (const { type, status } of node.status?.conditions ?? []) {
    const key = TAINT_BY_CONDITION[type]?.[status];
    if (key !== undefined) wanted.add(key);
  }
  if (node.spec?.unschedulable) wanted.add(UNSCHEDULABLE);
  const taints = node.spec?.taints ?? [];
  const isOurs = ({ key, effect }: Taint): boolean => effect === 'NoSchedule' && BY_CONDITION_KEYS.has(key);
  const present = new Set(taints.filter(isOurs).map(({ key }) => key));
  const missing = [...wanted].filter((key) => !present.has(key));
  if (missing.length === 0 && present.size === wanted.size) return undefined;
  const kept = taints.filter((taint) => !isOurs(taint) || wanted.has(taint.key));
  return [...kept, ...missing.map((key): Taint => ({ key, effect: 'NoSchedule', timeAdded: now }))];
}

/** The NoExecute taint of a node that is not ready or unreachable, or none. */
export type ExecuteTaint = typeof NOT_READY | typeof UNREACHABLE | undefined;

/** The node's taints with only the wanted one of the two NoExecute taints; undefined when nothing changes. */
export function withExecuteTaint({ spec }: Node, wanted: ExecuteTaint, now: string): readonly Taint[] | undefined {
  const taints = spec?.taints ?? [];
  const present = taints.filter(isExecuteTaint);
  if (present.length === (wanted === undefined ? 0 : 1) && present.every(({ key }) => key === wanted)) return undefined;
  const kept = taints.filter((taint) => !isExecuteTaint(taint) || taint.key === wanted);
  if (wanted === undefined || present.some(({ key }) => key === wanted)) return kept;
  return [...kept, { key: wanted, effect: 'NoExecute', timeAdded: now }];
}

export function hasExecuteTaint({ spec }: Node): boolean {
  return spec?.taints?.some(isExecuteTaint) ?? false;
}

function isExecuteTaint({ key, effect }: Taint): boolean {
  return effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);
}
