import type { Node } from '../../../src/api/node.ts';
import { podKey } from '../../../src/api/object-name.ts';
import type { Pod } from '../../../src/api/pod.ts';
import type { SeenRequest } from './rule-server.ts';

/** What was sent to an extender, as recordings say it. */
export interface RecordedRequest {
  readonly extender: number;
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly fields: readonly string[];
  readonly nullFields?: readonly string[];
  readonly pod?: string;
  readonly nodes?: readonly string[];
  readonly nodeNames?: readonly string[];
  readonly victims?: unknown;
  readonly metaVictims?: unknown;
  readonly body?: unknown;
}

interface Form {
  /** Node lists stand in snapshot order, whatever the order on the wire. */
  readonly order: readonly string[];
  readonly withBodies: boolean;
}

interface Body {
  readonly Pod?: Pod;
  readonly Nodes?: { readonly items: readonly Node[] } | null;
  readonly NodeNames?: readonly string[] | null;
  readonly NodeNameToVictims?: Victims<Pod> | null;
  readonly NodeNameToMetaVictims?: Victims<{ readonly UID: string }> | null;
}

type Victims<T> = Readonly<Record<string, { readonly Pods: readonly T[]; readonly NumPDBViolations: number }>>;

/** Prioritize requests are sent side by side: they stand by extender. */
export function recordedForm(seen: readonly SeenRequest[], form: Form): RecordedRequest[] {
  const firstPrioritize = seen.findIndex(({ role }) => role === 'prioritize');
  const rank = (request: SeenRequest, i: number): number =>
    request.role === 'prioritize' ? firstPrioritize + request.extender / 1000 : i;
  return seen
    .map((request, i) => ({ request, rank: rank(request, i) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ request }) => asRecorded(request, form));
}

function asRecorded(request: SeenRequest, { order, withBodies }: Form): RecordedRequest {
  const { extender, role, method, path, contentType } = request;
  const fields = Object.keys(request.body).sort();
  const nullFields = fields.filter((name) => request.body[name] === null);
  const body: Body = inOrder(request.body, order);
  const { Pod, Nodes, NodeNames, NodeNameToVictims, NodeNameToMetaVictims } = body;
  return {
    ...{ extender, verb: role, method, path, contentType, fields },
    ...(nullFields.length > 0 && { nullFields }),
    ...(Pod && { pod: podKey(Pod) }),
    ...(Nodes && { nodes: Nodes.items.map(nameOf) }),
    ...(NodeNames && { nodeNames: NodeNames }),
    ...(NodeNameToVictims && { victims: victimsOf(NodeNameToVictims, podKey) }),
    ...(NodeNameToMetaVictims && { metaVictims: victimsOf(NodeNameToMetaVictims, ({ UID }) => UID) }),
    ...((withBodies || role === 'bind') && { body }),
  };
}

function inOrder(body: Body, order: readonly string[]): Body {
  const { Nodes, NodeNames } = body;
  return {
    ...body,
    ...(Nodes && { Nodes: { ...Nodes, items: bySnapshot(Nodes.items, nameOf, order) } }),
    ...(NodeNames && { NodeNames: bySnapshot(NodeNames, (name) => name, order) }),
  };
}

/** A node that is not in the snapshot counts as its first. */
export function bySnapshot<T>(list: readonly T[], nameOfItem: (item: T) => string, order: readonly string[]): T[] {
  const position = (item: T): number => Math.max(0, order.indexOf(nameOfItem(item)));
  return list.toSorted((a, b) => position(a) - position(b));
}

function nameOf({ metadata }: Node): string {
  return metadata?.name ?? '';
}

function victimsOf<T>(victims: Victims<T>, name: (pod: T) => string): unknown {
  const entries = Object.entries(victims).map(([node, { Pods, NumPDBViolations }]) => {
    return [node, { pods: Pods.map(name), numPDBViolations: NumPDBViolations }];
  });
  return Object.fromEntries(entries);
}
