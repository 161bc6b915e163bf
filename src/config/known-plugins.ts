import { type ExtensionPoint, implementsPoint, isInTree } from './extension-points.ts';

/** Which plugins a configuration may name: those that come with the scheduler, and those that the embedder brings. */
export class KnownPlugins {
  readonly #outOfTree: ReadonlySet<string>;

  constructor(outOfTree: Iterable<string> = []) {
    this.#outOfTree = new Set(outOfTree);
  }

  has(name: string): boolean {
    return isInTree(name) || this.#outOfTree.has(name);
  }

  isOutOfTree(name: string): boolean {
    return this.#outOfTree.has(name) && !isInTree(name);
  }

  /** Of a plugin that the embedder brings that is known only when it has been made. */
  mayImplement(name: string, point: ExtensionPoint): boolean {
    return this.isOutOfTree(name) || implementsPoint(name, point);
  }

  /** Whether multiPoint brings the plugin to the point. There is one queue order: who has another must be named. */
  isSpreadTo(name: string, point: ExtensionPoint): boolean {
    return this.mayImplement(name, point) && !(point === 'queueSort' && this.isOutOfTree(name));
  }
}
