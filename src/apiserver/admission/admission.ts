import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { forbidden, notFound } from '../../kinds/object/refusals.ts';
import type { ResourceRequest } from '../context/context.ts';
import { applyLimitDefaults, checkLimits } from './limit-ranges.ts';
import { addDefaultTolerations, admitPod, keepPriority } from './pod-admission.ts';
import { admitPodGroup, checkTemplate } from './pod-groups.ts';
import { chargeQuotas } from './resource-quotas.ts';

const POD_GROUPS = 'scheduling.k8s.io';
const NAMESPACES = { group: '', resource: 'namespaces' };

/** What admission does with a new object: refuse it, or change it in place. @throws StatusError NotFound, Forbidden */
export function admitCreate(asked: ResourceRequest, object: ApiObject): void {
  admitNamespace(asked, object);
  const { group, kind } = asked.served.resource;
  if (group === POD_GROUPS && kind === 'PodGroup') admitPodGroup(asked, object);
  if (group !== '' || kind !== 'Pod') return;
  applyLimitDefaults(asked, object);
  admitPod(asked, object);
}

/** @throws StatusError */
export function admitUpdate(asked: ResourceRequest, object: ApiObject, old: ApiObject): void {
  const { group, kind } = asked.served.resource;
  if (group !== '' || kind !== 'Pod' || asked.subresource !== '') return;
  addDefaultTolerations(object);
  keepPriority(object, old);
}

const PROTECTED_NAMESPACES = new Set(['default', 'kube-system', 'kube-public']);
const SYSTEM_PRIORITIES = new Set(['system-cluster-critical', 'system-node-critical']);

/** @throws StatusError Forbidden */
export function admitDelete({ served }: Pick<ResourceRequest, 'served'>, { metadata }: ApiObject): void {
  const { resource } = served;
  const name = metadata?.name ?? '';
  if (resource.resource === 'namespaces' && PROTECTED_NAMESPACES.has(name)) {
    throw forbidden(resource, name, 'this namespace may not be deleted');
  }
  if (resource.resource === 'priorityclasses' && SYSTEM_PRIORITIES.has(name)) {
    throw forbidden(resource, name, 'this is a system priority class and cannot be deleted');
  }
}

/**
 * Checks what a new object that was validated refers to, and its limits, and charges quotas with it.
 *
 * @throws StatusError Forbidden
 */
export function chargeCreate(asked: ResourceRequest, object: ApiObject, isDryRun: boolean): void {
  const { group, kind } = asked.served.resource;
  if (group === POD_GROUPS && kind === 'PodGroup') checkTemplate(asked, object);
  if (group === '' && (kind === 'Pod' || kind === 'PersistentVolumeClaim')) checkLimits(asked, object);
  chargeQuotas(asked, object, isDryRun);
}

/** Nothing is created in a namespace that does not exist, or that is being deleted. */
function admitNamespace({ modules, served, namespace }: ResourceRequest, { metadata }: ApiObject): void {
  if (!served.resource.isNamespaced) return;
  const found = modules.ledger.get('namespaces', '', namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  const { phase } = ((found as unknown as ApiObject)['status'] ?? {}) as JsonObject;
  if (phase !== 'Terminating') return;
  const message = `namespace ${namespace} is being terminated`;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(served.resource, metadata?.name ?? '', why, [
    { reason: 'NamespaceTerminating', message, field: 'metadata.namespace' },
  ]);
}
