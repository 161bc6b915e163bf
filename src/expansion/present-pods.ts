import { compileLabelSelector, type LabelSelector } from '../api/label-selector.ts';
import type { KubernetesObject, OwnerReference } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import { getOrMake } from '../lib/get-or-make.ts';

const NONE: readonly Pod[] = [];

/** The pods of the input by the objects that control them, or could. */
export class PresentPods {
  readonly #byController = new Map<string, Pod[]>();
  readonly #unowned = new Map<string, Pod[]>();

  constructor(pods: readonly Pod[]) {
    for (const pod of pods) {
      // A pod that is being deleted counts as gone, as for the controllers.
      if (isPodFinished(pod) || pod.metadata?.deletionTimestamp !== undefined) continue;
      const namespace = pod.metadata?.namespace ?? '';
      const owner = controllerOf(pod);
      const [map, key] =
        owner === undefined
          ? [this.#unowned, namespace]
          : [this.#byController, keyOf(namespace, owner.kind, owner.name)];
      getOrMake(map, key, () => []).push(pod);
    }
  }

  /** The pods that the object controls, and those without a controller that it would adopt. */
  of(kind: string, { metadata }: KubernetesObject, selector: LabelSelector | undefined): readonly Pod[] {
    const { namespace = '', name = '' } = metadata ?? {};
    const own = this.#byController.get(keyOf(namespace, kind, name)) ?? NONE;
    const compiled = compileLabelSelector(selector);
    const unowned = this.#unowned.get(namespace);
    if (unowned === undefined || selector === undefined || 'error' in compiled) return own;
    return [...own, ...unowned.filter((pod) => compiled.matches(pod.metadata?.labels))];
  }
}

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

function keyOf(namespace: string, kind: string, name: string): string {
  return `${kind} ${namespace}/${name}`;
}
