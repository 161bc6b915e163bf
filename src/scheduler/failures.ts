import { fitErrorMessage } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { NodeToStatus } from '../framework/post-filter.ts';
import { type Code, isRejection, type Status } from '../framework/status.ts';
import type { Nomination } from './queue/nominator.ts';

/** The reason why an attempt did not bind the pod. */
export interface Failure {
  readonly code: Code;
  readonly message: string;
  /** The plugins that rejected the pod, whose events may help it; empty after an error. */
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** The plugins among them that returned Pending. */
  readonly pendingPlugins: ReadonlySet<string>;
  /** The pod's nomination from now on; null leaves it unchanged. */
  readonly nomination: Nomination;
  /** The status of each rejected node, for observers; null if no node was rejected. */
  readonly statuses: Pick<NodeToStatus, 'statusOf'> | null;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Clears an earlier nomination. */
export const NO_NOMINATION = { nodeName: '' };

/** The failure of an attempt in which no plugin rejected the pod. The pod is tried again after its back-off. */
export function failureOf({ code, reasons }: Status): Failure {
  return {
    code,
    message: reasons.join(', '),
    unschedulablePlugins: NOBODY,
    pendingPlugins: NOBODY,
    nomination: NO_NOMINATION,
    statuses: null,
  };
}

/** The failure of a pod that Reserve, Permit or the wait rejected: as if the chosen node were the only node. */
export function failureOnNode(status: Status, node: NodeInfo): Failure {
  if (!isRejection(status)) return failureOf(status);
  const counts = new Map<string, number>();
  for (const reason of status.reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const plugins = status.plugin === '' ? NOBODY : new Set([status.plugin]);
  return {
    code: status.code,
    message: fitErrorMessage(1, counts),
    unschedulablePlugins: plugins,
    pendingPlugins: status.code === 'Pending' ? plugins : NOBODY,
    nomination: NO_NOMINATION,
    statuses: { statusOf: (nodeName) => (nodeName === node.name ? status : null) },
  };
}
