import {
  compileLabelSelector,
  type LabelSelector,
  SELECT_EVERYTHING,
  SELECT_NOTHING,
  type Selector,
  selectorFromSet,
} from '../../api/label-selector.ts';
import type { Labels, OwnerReference } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import { HOSTNAME_LABEL, type TopologySpreadConstraint, ZONE_LABEL } from '../../api/topology-spread.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import type { SpreadConstraint } from '../../framework/column-forms.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { type Action, compileConstraints, intersect } from './constraints.ts';
import { serviceSelectorsOf } from './service-selectors.ts';

/** The constraints of pods without constraints of their own, unless the configuration lists others. */
export const SYSTEM_DEFAULT_CONSTRAINTS: readonly TopologySpreadConstraint[] = [
  { topologyKey: HOSTNAME_LABEL, maxSkew: 3, whenUnsatisfiable: 'ScheduleAnyway' },
  { topologyKey: ZONE_LABEL, maxSkew: 5, whenUnsatisfiable: 'ScheduleAnyway' },
];

/**
 * The default constraints for a pod, which spread the pods of its services and its owner; none if there is no such
 * selector.
 */
export function buildDefaultConstraints(
  defaults: readonly TopologySpreadConstraint[],
  pod: Pod,
  action: Action,
  objects: ClusterObjects,
): SpreadConstraint[] | { readonly error: string } {
  const found = defaultSelector(pod, objects);
  // Without a label selector of its own no constraint can be malformed.
  if (found === null && !defaults.some(({ labelSelector }) => labelSelector)) return [];
  const constraints = compileConstraints(defaults, pod, action);
  if ('error' in constraints || constraints.length === 0) return constraints;
  if (found === null || found.selector === SELECT_EVERYTHING) return [];
  const { selector, selectorKey } = found;
  return constraints.map((constraint) => ({ ...constraint, selector, selectorKey }));
}

/**
 * The selectors of all services that select the pod and of the controller that owns it, combined (upstream's
 * plugins/helper/spread.go). Null if there are none, where upstream's selects everything.
 */
function defaultSelector(pod: Pod, objects: ClusterObjects): Pick<SpreadConstraint, 'selector' | 'selectorKey'> | null {
  const namespace = pod.metadata?.namespace || 'default';
  const services = serviceSelectorsOf(pod, objects);
  const owner = ownerOf(pod);
  const controlled = replicationControllerLabels(owner, namespace, objects);
  const ownerSelector = appsOwnerSelector(owner, namespace, objects);
  if (services.length === 0 && !controlled && !ownerSelector) return null;
  const labels: Record<string, string> = {};
  for (const selector of services) Object.assign(labels, selector);
  Object.assign(labels, controlled);
  return {
    selector: intersect(selectorFromSet(labels), compileOwnerSelector(ownerSelector)),
    selectorKey: `default ${JSON.stringify([labels, ownerSelector ?? null])}`,
  };
}

function ownerOf(pod: Pod): OwnerReference | undefined {
  return pod.metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

/** The selector object of the pod's controller, which default constraints read; undefined if they read none. */
export function ownerSelectorOf(pod: Pod, objects: ClusterObjects): object | undefined {
  const owner = ownerOf(pod);
  const namespace = pod.metadata?.namespace || 'default';
  return appsOwnerSelector(owner, namespace, objects) ?? replicationControllerLabels(owner, namespace, objects);
}

/** Whether the pod has spread constraints, so that none are built for it. */
export function hasOwnConstraints({ pod }: PodInfo): boolean {
  return (pod.spec?.topologySpreadConstraints?.length ?? 0) > 0;
}

function replicationControllerLabels(
  owner: OwnerReference | undefined,
  namespace: string,
  objects: ClusterObjects,
): Labels | undefined {
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'ReplicationController') return undefined;
  return objects.get('ReplicationController', owner.name, namespace)?.spec?.selector;
}

function appsOwnerSelector(
  owner: OwnerReference | undefined,
  namespace: string,
  objects: ClusterObjects,
): LabelSelector | undefined {
  if (owner?.apiVersion !== 'apps/v1') return undefined;
  if (owner.kind !== 'ReplicaSet' && owner.kind !== 'StatefulSet') return undefined;
  return objects.get(owner.kind, owner.name, namespace)?.spec?.selector;
}

/** The owner's selector; one that is missing or malformed selects everything. */
function compileOwnerSelector(ownerSelector: LabelSelector | undefined): Selector {
  const selector = compileLabelSelector(ownerSelector);
  return 'error' in selector || selector === SELECT_NOTHING ? SELECT_EVERYTHING : selector;
}
