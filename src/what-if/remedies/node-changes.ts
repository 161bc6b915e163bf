import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import { podRequests } from '../../api/pod-requests.ts';
import { HOSTNAME_LABEL } from '../../api/topology-spread.ts';
import type { NodeState } from '../../caller/cluster-view.ts';
import { toFloat64 } from '../../lib/int64.ts';
import { amountIn, amountsOf, podsInRoom } from './pod-room.ts';
import type { Change } from './remedy.ts';
import type { RemedyTrial } from './remedy-trial.ts';

type NodeChange = Change & Required<Pick<Change, 'nodes'>>;

/** The most nodes that are tried for the same change. */
const NODES_MAX = 5;
const SHAPES_MAX = 5;

export function uncordoned(nodes: readonly NodeState[]): readonly NodeChange[] {
  return nodes.slice(0, NODES_MAX).map(({ name, node }, i): NodeChange => {
    const changed = { ...node, spec: { ...node.spec, unschedulable: false } };
    return { kind: 'uncordon', text: `uncordon node ${name}`, cost: i, nodes: [changed] };
  });
}

/** Nodes with the label that a selector, or a condition of the required affinity, asks for. */
export function labelled(pod: Pod, nodes: readonly NodeState[]): readonly NodeChange[] {
  return [...wantedLabels(pod)].flatMap(([key, value]) => {
    const without = nodes.filter(({ node }) => node.metadata?.labels?.[key] !== value);
    return without.slice(0, NODES_MAX).map(({ name, node }, i): NodeChange => {
      const labels = { ...node.metadata?.labels, [key]: value };
      const text = `label node ${name} with ${key}${value === '' ? '' : `=${value}`}`;
      return { kind: 'nodeLabel', text, cost: i, nodes: [{ ...node, metadata: { ...node.metadata, labels } }] };
    });
  });
}

/** The labels that the selector asks for, and the conditions of the required affinity. */
function wantedLabels({ spec }: Pod): ReadonlyMap<string, string> {
  const wanted = new Map(Object.entries(spec?.nodeSelector ?? {}));
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  for (const { key, operator, values = [] } of terms.flatMap(({ matchExpressions = [] }) => matchExpressions)) {
    if (operator === 'In' && values[0] !== undefined) wanted.set(key, values[0]);
    if (operator === 'Exists') wanted.set(key, '');
  }
  return wanted;
}

const GIBIBYTE = 2 ** 30;

/** New nodes that are made for the pod: with the labels that it selects, and with room for what it requests. */
export function fittingNodes(trial: RemedyTrial, pod: Pod, podCount: number): NodeChange {
  const { milliCPU, memoryBytes, scalar } = podRequests(pod);
  const labels = Object.fromEntries(wantedLabels(pod));
  const amounts = {
    cpu: String(Math.max(1, Math.ceil(toFloat64(milliCPU) / 1000))),
    memory: `${Math.max(1, Math.ceil(toFloat64(memoryBytes) / GIBIBYTE))}Gi`,
    ...Object.fromEntries([...scalar].map(([name, amount]) => [name, String(amount)])),
  };
  const parts = [
    ...Object.entries(amounts).map(([key, amount]) => `${key}=${amount}`),
    ...Object.entries(labels).map(([key, value]) => `label:${key}=${value}`),
  ];
  const shape: Node = { metadata: { labels }, status: { allocatable: { pods: '110', ...amounts } } };
  const nodes = copiesFor(trial, pod, podCount, shape);
  const cost = SHAPES_MAX + nodes.length - 1;
  return { kind: 'newNode', cost, text: `${added(nodes)} of shape ${parts.join(',')}`, nodes };
}

/** More nodes like those that there are, of each kind, the most frequent kinds first. */
export function newNodes(trial: RemedyTrial, pod: Pod, podCount: number): readonly NodeChange[] {
  const kinds = new Map<string, { readonly node: Node; count: number }>();
  for (const { node } of trial.nodes()) {
    const { [HOSTNAME_LABEL]: _, ...labels } = node.metadata?.labels ?? {};
    const key = JSON.stringify([node.status?.allocatable, labels, node.spec?.taints ?? []]);
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { node, count: 1 });
    else kind.count++;
  }
  const frequent = [...kinds.values()].sort((a, b) => b.count - a.count).slice(0, SHAPES_MAX);
  return frequent.map(({ node }, i): NodeChange => {
    const { cpu, memory } = node.status?.allocatable ?? {};
    const size = Object.entries({ cpu, memory }).flatMap(([key, amount]) => (amount ? [`${key}=${amount}`] : []));
    const { [HOSTNAME_LABEL]: _, ...labels } = node.metadata?.labels ?? {};
    const nodes = copiesFor(trial, pod, podCount, {
      metadata: { labels },
      spec: { ...(node.spec?.taints && { taints: node.spec.taints }) },
      status: { ...node.status },
    });
    const text = `${added(nodes)} like ${node.metadata?.name} (${size.join(', ')})`;
    return { kind: 'newNode', cost: i + nodes.length - 1, text, nodes };
  });
}

function added({ length }: readonly Node[]): string {
  return length === 1 ? 'add a node' : `add ${length} nodes`;
}

/** As many nodes like this as so many pods need. */
function copiesFor(trial: RemedyTrial, pod: Pod, podCount: number, shape: Node): readonly Node[] {
  const each = podsInRoom(amountsOf(pod), (resource) => amountIn(shape.status?.allocatable, resource));
  return freeNames(trial, each === 0 ? 1 : Math.ceil(podCount / each)).map((name): Node => {
    return { ...shape, metadata: { name, uid: name, labels: { [HOSTNAME_LABEL]: name, ...shape.metadata?.labels } } };
  });
}

function freeNames(trial: RemedyTrial, count: number): readonly string[] {
  for (let first = 'new'; ; first += '-more') {
    const names = Array.from({ length: count }, (_, i) => (i === 0 ? first : `${first}-${i + 1}`));
    if (names.every((name) => trial.node(name) === undefined)) return names;
  }
}
