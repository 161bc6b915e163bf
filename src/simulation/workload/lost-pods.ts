import type { Pod } from '../../api/pod.ts';
import { quote } from '../../api/validation/check.ts';
import { CodedError } from '../../lib/errors.ts';
import type { NamedObject } from './submitted-object.ts';

/**
 * Says which pods are on nodes that are not in the input: PodGC removes them, and their controllers replace them
 * elsewhere. Nothing is said when nodes arrive later.
 *
 * @throws CodedError `UnknownNode` naming file, object, field and node, when `isStrict`
 */
export function lostPodsWarnings(
  objects: readonly NamedObject[],
  templates: readonly NamedObject[],
  isStrict: boolean,
): readonly string[] {
  if (templates.some(({ submitted }) => submitted.resource === 'nodes')) return [];
  const nodes = new Set(
    objects.flatMap(({ submitted: { resource, object } }) => (resource === 'nodes' ? [object.metadata?.name] : [])),
  );
  const lost = objects.filter(({ submitted }) => {
    const nodeName = nodeOf(submitted.object);
    return submitted.resource === 'pods' && nodeName !== '' && !nodes.has(nodeName);
  });
  const [first] = lost;
  if (first === undefined) return [];
  const name = quote(nodeOf(first.submitted.object));
  if (isStrict) throw new CodedError('UnknownNode', `${first.place}: spec.nodeName: node ${name} is not in the input`);
  const [pods, are] =
    lost.length === 1 ? ['1 pod is on a node that is', 'is'] : [`${lost.length} pods are on nodes that are`, 'are'];
  return [`${pods} not in the input, and ${are} removed as a cluster removes such pods (${first.place} on ${name})`];
}

function nodeOf(pod: Pod): string {
  return pod.spec?.nodeName ?? '';
}
