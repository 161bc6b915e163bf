import type { KubernetesObject } from '../../api/meta.ts';
import type { Node } from '../../api/node.ts';
import type { Pod } from '../../api/pod.ts';
import type { UnknownObject } from '../../api/validation/check.ts';
import { type SubmittedObject, submittedObject } from '../../simulation/workload/submitted-object.ts';
import { newNodes } from '../add-nodes.ts';
import { copiesOfGroup } from '../fit-groups.ts';
import { copiesOf } from '../fit-more.ts';
import type { Answer, Search } from '../what-if.ts';

/** The change that a search has found. */
export interface FoundChange {
  /** Nodes that are removed: those of a step are cordoned together, and each is deleted as soon as it is empty. */
  readonly remove: readonly (readonly string[])[];
  /** Objects that are created. */
  readonly create: readonly SubmittedObject[];
}

export const NO_CHANGE: FoundChange = { remove: [], create: [] };

/**
 * What is done in time after a search: the nodes that can go are removed, those that are missing are added, the pods
 * that fit are created.
 *
 * @param present the nodes of which the search was asked
 */
export function foundChange(search: Search, answer: Partial<Answer>, present: readonly Node[]): FoundChange {
  switch (search.kind) {
    case 'removeNodes':
      return { ...NO_CHANGE, remove: answer.removal?.steps ?? [] };
    case 'addNodes': {
      const { nodes, slices } = newNodes(answer.addition?.count ?? 0, search.shapes, present);
      return { ...NO_CHANGE, create: [...nodes.map(asSubmitted('Node')), ...slices.map(asSubmitted('ResourceSlice'))] };
    }
    case 'fit': {
      const { count = 0, group } = answer.fit ?? {};
      const numbers = Array.from({ length: count }, (_, i) => i);
      const copies =
        group === undefined || search.group === undefined ? null : numbers.map(copiesOfGroup(search.group));
      const podGroups = (copies ?? []).map(({ podGroup }) => asSubmitted('PodGroup')(podGroup));
      const pods = (copies?.flatMap((each) => each.pods) ?? numbers.map(copiesOf(search.pod))).map(asSubmitted('Pod'));
      const namespace = asSubmitted('Namespace')({ metadata: { name: search.pod.metadata?.namespace ?? 'default' } });
      return { ...NO_CHANGE, create: [namespace, ...podGroups, ...pods.map((pod) => owned(pod, search.pod))] };
    }
  }
}

function asSubmitted(kind: string): (object: KubernetesObject) => SubmittedObject {
  return (object) => submittedObject(kind, object as unknown as UnknownObject) as SubmittedObject;
}

/** The copy with an owner that no controller knows: a workload would adopt pods with its labels, and delete them. */
function owned({ resource, object }: SubmittedObject, { metadata }: Pod): SubmittedObject {
  const owner = { apiVersion: 'berth.dev/v1', kind: 'Fit', name: metadata?.name ?? '', uid: 'fit', controller: true };
  return { resource, object: { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } } };
}
