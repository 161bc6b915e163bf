import type { ArgsKind } from './args/args-kind.ts';
import type { ExtensionPoint } from './extension-points.ts';

/** What a configuration has to know of a plugin that comes with the scheduler. */
export interface PluginFacts<Args extends object = object> {
  readonly name: string;
  /** Where the plugin can be called. */
  readonly points: readonly ExtensionPoint[];
  /** What its score counts in a profile that says nothing else. Absent: no weight is given there. */
  readonly defaultWeight?: number;
  /** How its arguments are read; absent: the plugin takes none. */
  readonly args?: ArgsKind<Args>;
}

/** The plugins that come with the scheduler. The table lives above this room, with the plugins. */
export interface PluginTable {
  /** The plugins of a profile that says nothing else, in calling order (apis/config/v1/default_plugins.go). */
  readonly defaults: readonly PluginFacts[];
  /** Plugins that a profile has to name. */
  readonly optional: readonly PluginFacts[];
}

/** The plugins that a configuration may name: in-tree ones, and out-of-tree ones that the embedder adds. */
export class KnownPlugins {
  readonly defaults: readonly PluginFacts[];
  readonly #inTree: ReadonlyMap<string, PluginFacts>;
  readonly #outOfTree: ReadonlySet<string>;

  constructor({ defaults, optional }: PluginTable, outOfTree: Iterable<string> = []) {
    this.defaults = defaults;
    this.#inTree = new Map([...defaults, ...optional].map((facts) => [facts.name, facts]));
    this.#outOfTree = new Set(outOfTree);
  }

  has(name: string): boolean {
    return this.#inTree.has(name) || this.#outOfTree.has(name);
  }

  isOutOfTree(name: string): boolean {
    return this.#outOfTree.has(name) && !this.#inTree.has(name);
  }

  /**
   * Whether the plugin may implement the point. For an out-of-tree plugin that is only known when it is instantiated.
   */
  mayImplement(name: string, point: ExtensionPoint): boolean {
    return this.isOutOfTree(name) || this.#inTree.get(name)?.points.includes(point) === true;
  }

  /**
   * Whether multiPoint adds the plugin to the point. There is only one queue order, so an out-of-tree queue sort must
   * be named at its point.
   */
  isSpreadTo(name: string, point: ExtensionPoint): boolean {
    return this.mayImplement(name, point) && !(point === 'queueSort' && this.isOutOfTree(name));
  }

  /** How the plugin's arguments are read; undefined: nobody here reads any. */
  argsKind(name: string): ArgsKind<object> | undefined {
    return this.#inTree.get(name)?.args;
  }

  /** Whether documents name the arguments of a plugin so: `NodeAffinityArgs`. */
  isArgsKind(kind: string): boolean {
    return kind.endsWith('Args') && this.argsKind(kind.slice(0, -'Args'.length)) !== undefined;
  }

  /** The plugins whose arguments say which resources others look after. */
  namesThatIgnoreResources(): string[] {
    return [...this.#inTree.values()].filter(({ args }) => args?.withIgnoredResources).map(({ name }) => name);
  }
}
