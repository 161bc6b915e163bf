import type { Pod } from '../../api/pod.ts';
import type { UnknownObject } from '../../api/validation/check.ts';
import { isTerminated } from '../pod-selection.ts';
import { manifestError } from './source-document.ts';

interface Binding {
  readonly file: string;
  readonly title: string;
  readonly nodeName: string;
}

/** What objects say of each other: names are unique, and a pod sits on a node that exists. */
export class References {
  /** Title ("Node n1") to the file that had it first. */
  readonly #fileByTitle = new Map<string, string>();
  readonly #bindings: Binding[] = [];

  /** Takes a checked object; throws when its name is taken. */
  add(kind: 'Node' | 'Pod', value: UnknownObject, file: string, title: string): void {
    const first = this.#fileByTitle.get(title);
    if (first !== undefined) {
      const where = first === file ? 'twice in this file' : `first in ${first}`;
      throw manifestError('DuplicateName', `${file}: ${title}: metadata.name: duplicate name (${where})`);
    }
    this.#fileByTitle.set(title, file);
    if (kind === 'Node') return;
    const pod = value as Pod;
    const nodeName = pod.spec?.nodeName;
    // A pod that is done holds nothing, and its node may be long gone.
    if (nodeName && !isTerminated(pod)) this.#bindings.push({ file, title, nodeName });
  }

  /** Throws at the first pod whose node is not there; call it when all objects are known. */
  check(): void {
    for (const { file, title, nodeName } of this.#bindings) {
      if (this.#fileByTitle.has(`Node ${nodeName}`)) continue;
      throw manifestError('UnknownNode', `${file}: ${title}: spec.nodeName: node "${nodeName}" is not in the input`);
    }
  }
}
