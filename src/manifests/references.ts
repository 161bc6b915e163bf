import type { Kind } from '../api/kinds.ts';
import type { Pod } from '../api/pod.ts';
import { isPodFinished } from '../api/pod-conditions.ts';
import { type PriorityClass, SYSTEM_PRIORITY_CLASSES } from '../api/priority-class.ts';
import type { UnknownObject } from '../api/validation/check.ts';
import { manifestError } from './source-document.ts';

/** A field of an object that names another object. */
interface Reference {
  readonly file: string;
  readonly title: string;
  readonly name: string;
}

/**
 * Checks how objects refer to each other: names are unique, a pod's node exists, its priority class exists. References
 * between volumes and claims are left to the scheduler, since a claim may be missing.
 */
export class References {
  /** The file of the first object with each title ("Node n1"). */
  readonly #fileByTitle = new Map<string, string>();
  readonly #nodes: Reference[] = [];
  readonly #classes: Reference[] = [];
  #globalDefault = '';

  /** Adds a checked object. Throws when its name is taken. */
  add(kind: Kind, value: UnknownObject, file: string, title: string): void {
    const first = this.#fileByTitle.get(title);
    if (first !== undefined) {
      const where = first === file ? 'twice in this file' : `first in ${first}`;
      throw manifestError('DuplicateName', `${file}: ${title}: metadata.name: duplicate name (${where})`);
    }
    this.#fileByTitle.set(title, file);
    if (kind === 'PriorityClass') this.#addPriorityClass(value as unknown as PriorityClass, file, title);
    if (kind === 'Pod') this.#addPod(value as Pod, file, title);
  }

  /** Throws at the first reference to a missing object. The caller calls it when all objects have been added. */
  check(): void {
    for (const { file, title, name } of this.#nodes) {
      if (this.#fileByTitle.has(`Node ${name}`)) continue;
      throw manifestError('UnknownNode', `${file}: ${title}: spec.nodeName: node "${name}" is not in the input`);
    }
    for (const { file, title, name } of this.#classes) {
      if (SYSTEM_PRIORITY_CLASSES.has(name) || this.#fileByTitle.has(`PriorityClass ${name}`)) continue;
      const reason = `priority class "${name}" is not in the input, and spec.priority is not set`;
      throw manifestError('UnknownPriorityClass', `${file}: ${title}: spec.priorityClassName: ${reason}`);
    }
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
