import type { NodeSelectorRequirement } from '../../api/node-selector.ts';
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../api/pod.ts';
import type { PodAffinityTerm } from '../../api/pod-affinity.ts';
import { podRequests } from '../../api/pod-requests.ts';
import type { ResourceList } from '../../api/quantity.ts';
import { parseQuantity } from '../../api/quantity.ts';
import { DO_NOT_SCHEDULE, toleratesAny } from '../../api/taints.ts';
import type { NodeState, Usage } from '../../caller/cluster-view.ts';
import { toFloat64 } from '../../lib/int64.ts';
import type { Change } from './remedy.ts';

type PodChange = Change & Required<Pick<Change, 'spec'>>;

export function withoutGates({ spec }: Pod): readonly PodChange[] {
  const names = (spec?.schedulingGates ?? []).map(({ name }) => name);
  if (names.length === 0) return [];
  const text = `remove the scheduling gates ${names.join(', ')}`;
  return [{ kind: 'schedulingGates', text, cost: names.length, spec: (old) => ({ ...old, schedulingGates: [] }) }];
}

/** Tolerations of the taints of these nodes, each of them once. */
export function tolerations(pod: Pod, nodes: readonly NodeState[]): readonly PodChange[] {
  const found = new Map<string, PodChange>();
  for (const { node } of nodes) {
    for (const { key, value, effect } of node.spec?.taints ?? []) {
      if (!DO_NOT_SCHEDULE(effect) || toleratesAny(pod.spec?.tolerations, { key, value, effect })) continue;
      const text = `tolerate the taint ${key}${value ? `=${value}` : ''}:${effect}`;
      const toleration = { key, effect, ...(value ? { operator: 'Equal', value } : { operator: 'Exists' }) };
      const spec = (old: PodSpec) => ({ ...old, tolerations: [...(old.tolerations ?? []), toleration] });
      const cost = (found.get(text)?.cost ?? 0) - 1;
      found.set(text, { kind: 'toleration', text, cost, spec });
    }
  }
  return [...found.values()];
}

/** Selectors and required affinity to nodes, without one of their conditions. */
export function looserSelectors({ spec = { containers: [] } }: Pod): readonly PodChange[] {
  const selectors = Object.entries(spec.nodeSelector ?? {}).map(
    ([key, value]): PodChange => ({
      ...{ kind: 'nodeSelector', text: `remove ${key}=${value} from the node selector`, cost: 1 },
      spec: (old) => {
        const { [key]: _, ...nodeSelector } = old.nodeSelector ?? {};
        return { ...old, nodeSelector };
      },
    }),
  );
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return selectors;
  const expressions = terms.flatMap(({ matchExpressions = [] }) => matchExpressions);
  const single = [...new Map(expressions.map((each) => [conditionText(each), each])).values()];
  const looser = single.map((expression): PodChange => {
    const text = `remove ${conditionText(expression)} from the required node affinity`;
    return { kind: 'nodeAffinity', text, cost: 1, spec: (old) => withoutCondition(old, conditionText(expression)) };
  });
  return [...selectors, ...looser];
}

function conditionText({ key, operator, values = [] }: NodeSelectorRequirement): string {
  return `"${[key, operator, values.join(',')].filter((word) => word !== '').join(' ')}"`;
}

function withoutCondition(spec: PodSpec, text: string): PodSpec {
  const { nodeAffinity = {}, ...affinity } = spec.affinity ?? {};
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...preferred } = nodeAffinity;
  const terms = (required?.nodeSelectorTerms ?? []).map((term) => {
    return { ...term, matchExpressions: (term.matchExpressions ?? []).filter((each) => conditionText(each) !== text) };
  });
  // A term without conditions matches no node, while an affinity without terms asks for nothing.
  const isEmpty = terms.some((term) => term.matchExpressions.length + (term.matchFields?.length ?? 0) === 0);
  const left = { ...required, nodeSelectorTerms: terms };
  const own = isEmpty ? preferred : { ...preferred, requiredDuringSchedulingIgnoredDuringExecution: left };
  return { ...spec, affinity: { ...affinity, nodeAffinity: own } };
}

export function looserSpread({ spec }: Pod): readonly PodChange[] {
  const constraints = spec?.topologySpreadConstraints ?? [];
  return constraints.flatMap((constraint, i): PodChange[] => {
    if (constraint.whenUnsatisfiable !== 'DoNotSchedule') return [];
    const softer = { ...constraint, whenUnsatisfiable: 'ScheduleAnyway' };
    return [
      {
        kind: 'topologySpread',
        text: `spread over ${constraint.topologyKey} only where possible (whenUnsatisfiable: ScheduleAnyway)`,
        cost: i,
        spec: (old) => ({
          ...old,
          topologySpreadConstraints: (old.topologySpreadConstraints ?? []).map((each, k) => (k === i ? softer : each)),
        }),
      },
    ];
  });
}

export function looserPodAffinity({ spec }: Pod): readonly PodChange[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((side) => {
    const terms = spec?.affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const name = side === 'podAffinity' ? 'affinity to' : 'anti-affinity to';
    return terms.map((term, i): PodChange => {
      const text = `remove the required ${name} pods ${selectorText(term)}by ${term.topologyKey}`;
      return { kind: 'podAffinity', text, cost: i, spec: (old) => withoutTerm(old, side, term) };
    });
  });
}

function selectorText({ labelSelector }: PodAffinityTerm): string {
  const labels = Object.entries(labelSelector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const conditions = (labelSelector?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    return [key, operator, values.join(',')].filter((word) => word !== '').join(' ');
  });
  const all = [...labels, ...conditions];
  return all.length === 0 ? '' : `"${all.join(', ')}" `;
}

function withoutTerm(spec: PodSpec, side: 'podAffinity' | 'podAntiAffinity', term: PodAffinityTerm): PodSpec {
  const before = spec.affinity?.[side];
  const required = before?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const left = required.filter((each) => each !== term);
  const own = { ...before, requiredDuringSchedulingIgnoredDuringExecution: left };
  return { ...spec, affinity: { ...spec.affinity, [side]: own } };
}

export function withoutHostPorts({ spec: given }: Pod): readonly PodChange[] {
  const ports = (given?.containers ?? []).flatMap(({ ports: own = [] }) => own.flatMap((each) => each.hostPort || []));
  return [...new Set(ports)].map((port): PodChange => {
    const strip = (container: Container): Container => {
      return { ...container, ports: (container.ports ?? []).filter(({ hostPort }) => hostPort !== port) };
    };
    const spec = (old: PodSpec) => ({ ...old, containers: (old.containers ?? []).map(strip) });
    return { kind: 'hostPort', text: `give up host port ${port}`, cost: 1, spec };
  });
}

/** More nodes than these say nothing new about how much less the pod would have to request. */
const REDUCTIONS_MAX = 8;

/** Requests that fit into what is free on one of the nodes, those first that are the least reduced. */
export function smallerRequests(pod: Pod, nodes: readonly NodeState[]): readonly PodChange[] {
  const wanted = amountsOf(pod);
  const found = new Map<string, PodChange>();
  for (const { usage } of nodes) {
    const deficits = deficitsOf(wanted, usage);
    const change = deficits === null ? null : reduction(pod, wanted, deficits);
    if (change !== null) found.set(change.text, change);
  }
  return [...found.values()].sort((a, b) => a.cost - b.cost).slice(0, REDUCTIONS_MAX);
}

function amountsOf(pod: Pod): ReadonlyMap<string, number> {
  const { milliCPU, memoryBytes, ephemeralStorageBytes, scalar } = podRequests(pod);
  return new Map([
    ['cpu', toFloat64(milliCPU)],
    ['memory', toFloat64(memoryBytes)],
    ['ephemeral-storage', toFloat64(ephemeralStorageBytes)],
    ...[...scalar].map(([name, amount]) => [name, toFloat64(amount)] as const),
  ]);
}

/** What the pod requests beyond what is free, by resource; null when no request could be small enough. */
function deficitsOf(wanted: ReadonlyMap<string, number>, usage: Usage): ReadonlyMap<string, number> | null {
  const deficits = new Map<string, number>();
  for (const [name, amount] of wanted) {
    const free = toFloat64(usage[name]?.free ?? 0);
    if (amount <= free || amount === 0) continue;
    if (free <= 0) return null;
    deficits.set(name, amount - free);
  }
  return deficits.size === 0 || toFloat64(usage['pods']?.free ?? 0) < 1 ? null : deficits;
}

/** The requests less these amounts, each taken from the container that requests most. */
function reduction(
  pod: Pod,
  wanted: ReadonlyMap<string, number>,
  deficits: ReadonlyMap<string, number>,
): PodChange | null {
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
function lowered(resources: ResourceRequirements = {}, amounts: ResourceList): ResourceRequirements {
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

function amountIn(requests: ResourceList | undefined, name: string): number {
  const text = requests?.[name];
  if (text === undefined) return 0;
  const { value, milliValue } = parseQuantity(text);
  return toFloat64(name === 'cpu' ? milliValue : value);
}

/** Whole mebibytes, so that people can read the amount; it may be a little less than is free. */
function amountText(name: string, amount: number): string {
  if (name === 'cpu') return `${Math.floor(amount)}m`;
  const isBytes = name === 'memory' || name === 'ephemeral-storage';
  return isBytes && amount >= 2 ** 20 ? `${Math.floor(amount / 2 ** 20)}Mi` : String(Math.floor(amount));
}
