import type { PodGroup } from '../../api/pod-group.ts';
import { withGroupPriority, withProtection } from '../../api/pod-group-admission.ts';
import { objectAt, objectsAt, textAt } from '../../kinds/defaults/members.ts';
import type { ApiMetadata, ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { forbidden } from '../../kinds/object/refusals.ts';
import type { ResourceRequest } from '../context/context.ts';
import { priorityClasses } from './priority-classes.ts';

/** Gives a new group its priority, and the finalizer that keeps it while it has pods. @throws StatusError Forbidden */
export function admitPodGroup({ modules, served }: ResourceRequest, object: ApiObject): void {
  const group = object as unknown as PodGroup;
  if (modules.features.WorkloadAwarePreemption) {
    const { byName, globalDefault } = priorityClasses(modules);
    const admitted = withGroupPriority(group, byName, globalDefault);
    if (typeof admitted === 'string') throw forbidden(served.resource, object.metadata?.name ?? '', admitted);
    object['spec'] = admitted.spec as unknown as JsonObject;
  }
  // Others hold the metadata, too.
  Object.assign(object.metadata as ApiMetadata, { finalizers: withProtection(group).metadata?.finalizers });
}

/**
 * Refuses a group that names a template which is not there. Upstream: the admission plugin PodGroupWorkloadExists.
 *
 * @throws StatusError Forbidden
 */
export function checkTemplate({ modules, served, namespace }: ResourceRequest, group: ApiObject): void {
  const ref = objectAt(objectAt(objectAt(group, 'spec') ?? {}, 'podGroupTemplateRef') ?? {}, 'workload');
  if (ref === undefined) return;
  const [workloadName, templateName] = [textAt(ref, 'workloadName'), textAt(ref, 'podGroupTemplateName')];
  const refuse = (why: string) => forbidden(served.resource, group.metadata?.name ?? '', `PodGroup rejected: ${why}`);
  const workload = modules.ledger.get('workloads', namespace, workloadName) as ApiObject | undefined;
  const shownWorkload = `Workload ${JSON.stringify(workloadName)}`;
  if (workload === undefined) throw refuse(`${shownWorkload} not found`);
  const templates = objectsAt(objectAt(workload, 'spec') ?? {}, 'podGroupTemplates');
  if (templates.some((template) => textAt(template, 'name') === templateName)) return;
  throw refuse(`PodGroupTemplate ${JSON.stringify(templateName)} not found in ${shownWorkload}`);
}
