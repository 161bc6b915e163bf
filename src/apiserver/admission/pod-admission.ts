import { withDefaultTolerations, withPriority } from '../../api/admission.ts';
import type { Pod, PodSpec } from '../../api/pod.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { forbidden } from '../../kinds/object/refusals.ts';
import type { ResourceRequest } from '../context/context.ts';
import { priorityClasses } from './priority-classes.ts';

/** Gives a new pod its priority and the tolerations that every pod has. @throws StatusError Forbidden */
export function admitPod(asked: ResourceRequest, pod: ApiObject): void {
  admitPriority(asked, pod);
  admitRuntimeClass(asked, pod);
  addDefaultTolerations(pod);
}

/** Pods tolerate for a while that their node is not ready, or cannot be reached. */
export function addDefaultTolerations(pod: ApiObject): void {
  pod['spec'] = withDefaultTolerations(pod['spec'] as unknown as PodSpec) as unknown as JsonObject;
}

/** A pod keeps the priority that it was given at create, unless an update names another, which is refused later. */
export function keepPriority(pod: ApiObject, old: ApiObject): void {
  const spec = (pod['spec'] ?? {}) as JsonObject;
  const before = (old['spec'] ?? {}) as JsonObject;
  for (const name of ['priority', 'preemptionPolicy']) {
    if (spec[name] === undefined && before[name] !== undefined) spec[name] = before[name];
  }
  pod['spec'] = spec;
}

function admitPriority({ modules, served }: ResourceRequest, pod: ApiObject): void {
  const name = pod.metadata?.name ?? '';
  const { byName, globalDefault } = priorityClasses(modules);
  const spec = pod['spec'] as JsonObject;
  const { priority: given, preemptionPolicy: policy, ...rest } = spec;
  const admitted = withPriority({ ...pod, spec: rest } as unknown as Pod, byName, globalDefault);
  if (admitted === null) {
    throw forbidden(served.resource, name, `no PriorityClass with name ${String(spec['priorityClassName'])} was found`);
  }
  const { priority = 0, priorityClassName, preemptionPolicy = 'PreemptLowerPriority' } = admitted.spec as PodSpec;
  if (given !== undefined && given !== null && given !== priority) {
    throw forbidden(served.resource, name, notYours(`integer value of priority (${given})`, priority));
  }
  if (policy !== undefined && policy !== null && policy !== preemptionPolicy) {
    throw forbidden(
      served.resource,
      name,
      notYours(`string value of PreemptionPolicy (${String(policy)})`, preemptionPolicy),
    );
  }
  spec['priority'] = priority;
  spec['preemptionPolicy'] = preemptionPolicy ?? 'PreemptLowerPriority';
  if (priorityClassName) spec['priorityClassName'] = priorityClassName;
}

/** Why a pod may not set what follows from its priority class. */
function notYours(given: string, computed: string | number): string {
  const rule = `the ${given} must not be provided in pod spec`;
  return `${rule}; priority admission controller computed ${computed} from the given PriorityClass name`;
}

/** A pod gets the overhead of its runtime class, and the places where that runs. */
function admitRuntimeClass({ modules, served }: ResourceRequest, pod: ApiObject): void {
  const spec = pod['spec'] as JsonObject;
  const { runtimeClassName, overhead } = spec;
  const name = pod.metadata?.name ?? '';
  if (typeof runtimeClassName !== 'string' || runtimeClassName === '') {
    if (overhead === undefined) return;
    throw forbidden(
      served.resource,
      name,
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
  }
  const shelf = modules.ledger.shelf('runtimeclasses.node.k8s.io');
  const found = shelf.objects.get('', runtimeClassName) as ApiObject | undefined;
  if (found === undefined) {
    throw forbidden(served.resource, name, `pod rejected: RuntimeClass ${JSON.stringify(runtimeClassName)} not found`);
  }
  const { podFixed } = (found['overhead'] ?? {}) as JsonObject;
  if (podFixed !== undefined) spec['overhead'] = podFixed;
  else if (overhead !== undefined) {
    throw forbidden(
      served.resource,
      name,
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    );
  }
}
