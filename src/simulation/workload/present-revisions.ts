import type { DaemonSet } from '../../api/daemon-set.ts';
import { selects } from '../../api/label-selector.ts';
import type { KubernetesObject } from '../../api/meta.ts';
import { REVISION_HASH_KEY } from '../../api/stateful-set.ts';
import { isPlainSelector } from '../../api/validation/plain-selectors.ts';
import { defaultDaemonSet, defaultStatefulSet } from '../../api/workload-defaults.ts';
import type { NamedObject } from './submitted-object.ts';

/**
 * The ControllerRevisions of StatefulSets and DaemonSets that were exported with their pods, but without revisions, as
 * `kubectl get all` exports them. Without them the pods would seem to be of another template, and be replaced. The
 * present template is taken for that of the pods that most have; a name says which, since pods name their revision.
 */
export function revisionsOf(objects: readonly NamedObject[]): NamedObject[] {
  const submitted = objects.map((object) => object.submitted);
  const pods = submitted.filter(({ resource }) => resource === 'pods').map(({ object }) => object);
  const known = submitted.filter(({ resource }) => resource === 'controllerrevisions').map(({ object }) => object);
  return objects.flatMap((owner) => {
    const { resource, object } = owner.submitted;
    if (resource !== 'statefulsets' && resource !== 'daemonsets') return [];
    const { metadata, spec } = object as DaemonSet;
    if (spec?.template === undefined) return [];
    const isOwn = (other: KubernetesObject) =>
      (other.metadata?.namespace || 'default') === (metadata?.namespace || 'default') &&
      // Nothing has checked the objects of the files yet.
      isPlainSelector(spec.selector) &&
      selects(spec.selector, other.metadata?.labels);
    const name = known.some(isOwn) ? undefined : commonest(pods.filter(isOwn));
    if (name === undefined) return [];
    const filled = resource === 'daemonsets' ? defaultDaemonSet(object as DaemonSet) : defaultStatefulSet(object);
    // A pod of a StatefulSet names its revision in full, that of a DaemonSet only the end of the name.
    const revisionName = resource === 'daemonsets' ? `${metadata?.name}-${name}` : name;
    const labels = {
      ...spec.template.metadata?.labels,
      ...(resource === 'daemonsets' && { [REVISION_HASH_KEY]: name }),
    };
    const revision = {
      metadata: { name: revisionName, namespace: metadata?.namespace, labels },
      data: { spec: { template: { ...filled.spec?.template, $patch: 'replace' } } },
      revision: 1,
    };
    return [{ submitted: { resource: 'controllerrevisions' as const, object: revision }, place: owner.place }];
  });
}

/** The revision that most pods name; of equally many the first. */
function commonest(pods: readonly KubernetesObject[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { metadata } of pods) {
    const name = metadata?.labels?.[REVISION_HASH_KEY];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].reduce<readonly [string | undefined, number]>(
    (best, [name, count]) => (count > best[1] ? [name, count] : best),
    [undefined, 0],
  )[0];
}
