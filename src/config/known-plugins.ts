import { type ExtensionPoint, implementsPoint, isInTree } from './extension-points.ts';

/** The plugins that a configuration may name: in-tree ones, and out-of-tree ones that the embedder adds. */
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

  /**
   * Whether the plugin may implement the point. For an out-of-tree plugin that is only known when it is instantiated.
   */
  mayImplement(name: string, point: ExtensionPoint): boolean {
    return this.isOutOfTree(name) || implementsPoint(name, point);
  }

  /**
   * Whether multiPoint adds the plugin to the point. There is only one queue order, so an out-of-tree queue sort must
   * be named at its point.
   */
  isSpreadTo(name: string, point: ExtensionPoint): boolean {
    return this.mayImplement(name, point) && !(point === 'queueSort' && this.isOutOfTree(name));
  }
}
