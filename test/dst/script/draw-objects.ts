import type { LabelSelector } from '../../../src/api/label-selector.ts';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Taint } from '../../../src/api/node.ts';
import type { PodSpec } from '../../../src/api/pod.ts';
import type { PodTemplate } from '../../../src/api/pod-template.ts';
import type { Resource } from '../../../src/store/objects/resources.ts';
import { ERRAND_LABEL } from '../errand-plugin.ts';
import type { Dice } from './dice.ts';

export const DEDICATED: Taint = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };

/** Lower and higher than what pods have that name none. */
export const PRIORITY_CLASSES = { low: -10, high: 1000 } as const;

const SHAPES = [
  { cpu: '2', memory: '4Gi', pods: '6' },
  { cpu: '4', memory: '16Gi', pods: '10' },
  { cpu: '8', memory: '8Gi', pods: '16' },
] as const;

/** A node: the same name is always the same shape, so that nothing shrinks under its pods. */
export function drawNode(dice: Dice, name: string): { readonly resource: Resource; readonly object: KubernetesObject } {
  const amounts = dice.pick(SHAPES);
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': dice.pick(['east', 'west']),
    disk: dice.pick(['ssd', 'hdd']),
  };
  const object = {
    metadata: { name, labels },
    spec: dice.oneIn(4) ? { taints: [DEDICATED] } : {},
    status: { capacity: amounts, allocatable: amounts },
  };
  return { resource: 'nodes', object };
}

/** What all pods of a world have in common. */
export interface PodTraits {
  /** What `errand` pods do is up to the plugin. */
  readonly hasErrands: boolean;
  /** Whether every pod has anti-affinity. */
  readonly allHaveTerms: boolean;
}

export interface PodDraw extends PodTraits {
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  /** Names without `berth.dev/`. */
  readonly behaviour: Readonly<Record<string, string>>;
}

/** The part of pods and of templates that says where they can go, and what they do there. */
export function drawTemplate(dice: Dice, draw: PodDraw): PodTemplate {
  const { restartPolicy, behaviour, hasErrands, allHaveTerms } = draw;
  const timings = {
    ...(dice.oneIn(3) && { 'pull-duration': `${dice.between(1, 20)}s` }),
    ...(dice.oneIn(3) && { 'start-latency': `${dice.between(1, 3000)}ms` }),
    ...(dice.oneIn(3) && { 'stop-duration': `uniform(0s, ${dice.between(1, 40)}s)` }),
    ...(dice.oneIn(4) && { 'ready-delay': `${dice.between(1, 10)}s` }),
    ...behaviour,
  };
  const annotations = Object.fromEntries(Object.entries(timings).map(([key, text]) => [`berth.dev/${key}`, text]));
  const labels = { app: dice.pick(['a', 'b']), ...(hasErrands && dice.oneIn(2) && { [ERRAND_LABEL]: 'yes' }) };
  const requests = { cpu: dice.pick(['250m', '500m', '1', '2', '3']), memory: dice.pick(['256Mi', '1Gi', '2Gi']) };
  const spec: PodSpec = {
    restartPolicy,
    terminationGracePeriodSeconds: dice.pick([0, 1, 5, 30]),
    containers: [{ name: 'main', image: dice.pick(['app:1', 'app:2']), resources: { requests } }],
    ...(dice.oneIn(3) && { priorityClassName: dice.pick(Object.keys(PRIORITY_CLASSES)) }),
    ...(dice.oneIn(5) && { nodeSelector: { disk: dice.pick(['ssd', 'hdd']) } }),
    ...(dice.oneIn(2) && { tolerations: [{ key: 'dedicated', operator: 'Exists' }] }),
    ...(dice.oneIn(8) && { initContainers: [{ name: 'init', image: 'init:1' }] }),
    ...(dice.oneIn(8) && (dice.oneIn(2) ? spread(labels.app) : spreadAmongLasting(labels.app))),
    ...(allHaveTerms ? apartFrom(dice.oneIn(4) ? labels.app : 'nobody') : dice.oneIn(12) && apart(labels.app)),
  };
  return { metadata: { labels, annotations }, spec };
}

/**
 * Pods that spread among pods which a controller replaces do not preempt: the place of a victim is kept free on its own
 * node only, here as upstream, so that one replacement after the other takes another node of the zone, each to be
 * evicted again, since the zone must have none of them.
 */
function spread(app: string): PodSpec {
  return { ...spreadAmong({ matchLabels: { app } }), preemptionPolicy: 'Never' };
}

/** Spreads pods among those of the app that nobody replaces. */
function spreadAmongLasting(app: string): PodSpec {
  const matchExpressions = ['workload', 'job-name'].map((key) => ({ key, operator: 'DoesNotExist' }));
  return spreadAmong({ matchLabels: { app }, matchExpressions });
}

function spreadAmong(labelSelector: LabelSelector): PodSpec {
  const rule = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' };
  return { topologySpreadConstraints: [{ ...rule, labelSelector }] };
}

/**
 * Pods that keep apart do not preempt where others have no terms: a nominated pod's own anti-affinity is not asked for
 * a pod without terms while no bound pod has any, here as upstream, where PreFilter then says Skip. Those that replace
 * its victims take the node again, and keep both of them busy for ever. Where all have terms, there is no Skip.
 */
function apart(app: string): PodSpec {
  return { ...apartFrom(app), preemptionPolicy: 'Never' };
}

function apartFrom(app: string): PodSpec {
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } };
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}
