import type { Pod } from '../../api/pod.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import { POD_INDEX_KEY, REVISION_HASH_KEY, STATEFUL_POD_NAME_KEY, type StatefulSet } from '../../api/stateful-set.ts';
import type { PersistentVolumeClaim } from '../../api/storage.ts';
import type { Volume } from '../../api/volumes.ts';
import { controllerReference } from '../pod-creation.ts';

const NAME = /^(.*)-(\d{1,10})$/;

/** The name and the ordinal of a pod's set, as its name has them; undefined for another name. */
function parentOf({ metadata }: Pod): readonly [name: string, ordinal: number] | undefined {
  const [, parent, ordinal] = NAME.exec(metadata?.name ?? '') ?? [];
  return parent === undefined ? undefined : [parent, Number(ordinal)];
}

export function isMemberOf(set: StatefulSet, pod: Pod): boolean {
  return parentOf(pod)?.[0] === set.metadata?.name;
}

export function ordinalOf(pod: Pod): number {
  return parentOf(pod)?.[1] ?? -1;
}

export function startOrdinalOf({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

export function isInRange(set: StatefulSet, ordinal: number): boolean {
  const start = startOrdinalOf(set);
  return ordinal >= start && ordinal < start + (set.spec?.replicas ?? 1);
}

export function podRevisionOf({ metadata }: Pod): string {
  return metadata?.labels?.[REVISION_HASH_KEY] ?? '';
}

/** The pod of this ordinal, of this template. Upstream: newStatefulSetPod in pkg/controller/statefulset. */
export function statefulPod(set: StatefulSet, template: PodTemplate, revisionName: string, ordinal: number): Pod {
  const { namespace, name: setName = '' } = set.metadata ?? {};
  const name = `${setName}-${ordinal}`;
  const { labels, annotations, finalizers } = template.metadata ?? {};
  const volumes = volumesOf(set, template, ordinal);
  return {
    metadata: {
      ...{ name, namespace },
      labels: { ...labels, ...identityLabels(name, ordinal), [REVISION_HASH_KEY]: revisionName },
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference('apps/v1', 'StatefulSet', set)],
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

export function identityLabels(name: string, ordinal: number): Readonly<Record<string, string>> {
  return { [STATEFUL_POD_NAME_KEY]: name, [POD_INDEX_KEY]: String(ordinal) };
}

/** The volumes of the template; those of the claims come first, and replace volumes of their names. */
function volumesOf({ metadata, spec }: StatefulSet, template: PodTemplate, ordinal: number): readonly Volume[] {
  const claimed = (spec?.volumeClaimTemplates ?? []).map((claim): Volume => {
    const { name = '' } = claim.metadata ?? {};
    return { name, persistentVolumeClaim: { claimName: `${name}-${metadata?.name}-${ordinal}` } };
  });
  const names = new Set(claimed.map(({ name }) => name));
  return [...claimed, ...(template.spec?.volumes ?? []).filter(({ name }) => !names.has(name))];
}

/** The claims of the pod of this ordinal. */
export function claimsOf(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const { metadata, spec } = set;
  return (spec?.volumeClaimTemplates ?? []).map((template) => {
    const { name, labels, annotations } = template.metadata ?? {};
    return {
      metadata: {
        name: `${name}-${metadata?.name}-${ordinal}`,
        namespace: metadata?.namespace,
        labels: { ...labels, ...spec?.selector?.matchLabels },
        ...(annotations && { annotations }),
      },
      spec: template.spec,
    };
  });
}
