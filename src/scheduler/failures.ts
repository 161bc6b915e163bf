import { fitErrorMessage } from '../framework/fit-error.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { NodeToStatus } from '../framework/post-filter.ts';
import { type Code, isRejection, type Status } from '../framework/status.ts';
import type { Nomination } from './queue/nominator.ts';

/** Why a pod is not on a node. */
export interface Failure {
  readonly code: Code;
  readonly message: string;
  /** Who rejected the pod, and decides what news may help it; nobody: an error, after which it is tried again. */
  readonly unschedulablePlugins: ReadonlySet<string>;
  /** Those of them that wait for something. */
  readonly pendingPlugins: ReadonlySet<string>;
  /** The nomination from now on; null: as it is. */
  readonly nomination: Nomination;
  /** Why each node was rejected. */
  readonly statuses: NodeToStatus | null;
}

const NOBODY: ReadonlySet<string> = new Set();

/** Takes an earlier nomination back. */
export const NO_NOMINATION = { nodeName: '' };

/** Something failed, and nobody has rejected the pod: it is tried again after back-off. */
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

/** Reserve, Permit or the wait for it said no: as if the chosen node were the only one there is. */
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
    statuses: new OneNodeStatus(node, status),
  };
}

class OneNodeStatus implements NodeToStatus {
  readonly #node: NodeInfo;
  readonly #status: Status;

  constructor(node: NodeInfo, status: Status) {
    this.#node = node;
    this.#status = status;
  }

  nodesWithCode(code: Code): readonly NodeInfo[] {
    return this.#status.code === code ? [this.#node] : [];
  }

  statusOf(nodeName: string): Status | null {
    return nodeName === this.#node.name ? this.#status : null;
  }

  distinct(): Iterable<Status> {
    return [this.#status];
  }
}
