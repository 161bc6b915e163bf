import type { NodeSelectorRequirement } from '../../api/node-selector.ts';
import type { Container, Pod, PodSpec } from '../../api/pod.ts';
import type { PodAffinityTerm } from '../../api/pod-affinity.ts';
import { semanticallyEqual } from '../../api/semantic-equality.ts';
import { DO_NOT_SCHEDULE, toleratesAny } from '../../api/taints.ts';
import type { NodeState } from '../../caller/cluster-view.ts';
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
    const soften = (each: typeof constraint) => (semanticallyEqual(each, constraint) ? softer : each);
    return [
      {
        kind: 'topologySpread',
        text: `spread over ${constraint.topologyKey} only where possible (whenUnsatisfiable: ScheduleAnyway)`,
        cost: i,
        spec: (old) => ({
          ...old,
          topologySpreadConstraints: (old.topologySpreadConstraints ?? []).map(soften),
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
  const left = required.filter((each) => !semanticallyEqual(each, term));
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
