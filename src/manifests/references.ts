import type { KubernetesObject } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import { type PriorityClass, SYSTEM_PRIORITY_CLASSES } from '../api/priority-class.ts';
import { quote, type UnknownObject } from '../api/validation/check.ts';
import { whole } from '../lib/shown-count.ts';
import { manifestError } from './source-document.ts';

/** A field of an object that names another object. */
interface Reference {
  readonly file: string;
  readonly title: string;
  readonly name: string;
}

/**
 * Checks how objects refer to each other: names are unique, a pod's priority class exists, its
 * node should. References
 * between volumes and claims are left to the scheduler, since a claim may be missing.
 */
export class References {
  /** The file of the first object with each title ("Node n1"). */
  readonly #firsts = new Map<string, { readonly file: string; readonly uid: unknown }>();
  readonly #nodes: Reference[] = [];
  readonly #classes: Reference[] = [];
  #globalDefault = '';

  /**
   * Adds a checked object. Returns false for one that was there before with the same uid, as `kubectl get all,pods` has
   * them. Throws when its name is taken by another one.
   */
  add(kind: string, value: UnknownObject, file: string, title: string): boolean {
    const uid = (value as KubernetesObject).metadata?.uid;
    const first = this.#firsts.get(title);
    if (first !== undefined) {
      if (uid !== undefined && first.uid === uid) return false;
      const where = first.file === file ? 'twice in this file' : `first in ${first.file}`;
      throw manifestError('DuplicateName', `${file}: ${title}: metadata.name: duplicate name (${where})`);
    }
    this.#firsts.set(title, { file, uid });
    if (kind === 'PriorityClass') this.#addPriorityClass(value as unknown as PriorityClass, file, title);
    if (kind === 'Pod') this.#addPod(value as Pod, file, title);
    return true;
  }

  /** Adds a pod that was made for an object; its references are told to be those of that object. */
  addMade(pod: Pod): void {
    const owner = pod.metadata?.ownerReferences?.[0];
    const title =
      owner === undefined ? `Pod ${pod.metadata?.name}` : `${owner.kind} ${pod.metadata?.namespace}/${owner.name}`;
    this.#addPod(pod, this.#firsts.get(title)?.file ?? 'a pod that was made', title);
  }

  /**
   * Checks the references when all objects have been added. Throws at the first one to a missing object. Pods on a
   * missing node are only a warning, unless `isStrict`: a cluster has them, too, for as long as its garbage collector
   * has not found them.
   */
  check(isStrict: boolean): string[] {
    const lost = this.#nodes.filter(({ name }) => !this.#firsts.has(`Node ${name}`));
    const [first] = lost;
    if (first !== undefined && isStrict) {
      const reason = `node "${first.name}" is not in the input`;
      throw manifestError('UnknownNode', `${first.file}: ${first.title}: spec.nodeName: ${reason}`);
    }
    for (const { file, title, name } of this.#classes) {
      if (SYSTEM_PRIORITY_CLASSES.has(name) || this.#firsts.has(`PriorityClass ${name}`)) continue;
      const reason = `priority class "${name}" is not in the input, and spec.priority is not set`;
      throw manifestError('UnknownPriorityClass', `${file}: ${title}: spec.priorityClassName: ${reason}`);
    }
    if (first === undefined) return [];
    const isOne = lost.length === 1;
    const pods = isOne ? '1 pod is on a node that is' : `${whole(lost.length)} pods are on nodes that are`;
    return [
      `${pods} not in the input, and ${isOne ? 'counts' : 'count'} nowhere (${first.title} on ${quote(first.name)})`,
    ];
  }

  #addPriorityClass({ globalDefault }: PriorityClass, file: string, title: string): void {
    if (globalDefault !== true) return;
    if (this.#globalDefault !== '') {
      const reason = `${this.#globalDefault} is the default already`;
      throw manifestError('InvalidObject', `${file}: ${title}: globalDefault: ${reason}`);
    }
    this.#globalDefault = title;
  }

  #addPod({ spec, status, metadata }: Pod, file: string, title: string): void {
    // A finished pod holds no resources, so its node and its class may be gone.
    if (isPodFinished({ status, metadata })) return;
    if (spec?.nodeName) this.#nodes.push({ file, title, name: spec.nodeName });
    const className = spec?.priorityClassName;
    if (className && spec.priority === undefined) this.#classes.push({ file, title, name: className });
  }
}
