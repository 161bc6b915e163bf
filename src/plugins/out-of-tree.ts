import type { SchedulerProfile } from '../config/configuration.ts';
import { type ExtensionPoint, interfaceName } from '../config/extension-points.ts';
import type { Plugin } from '../framework/plugin.ts';
import { guarded } from '../framework/runtime/guarded-plugin.ts';
import { described, textOf } from '../framework/runtime/plugin-answer.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import type { PluginHandle, PluginRegistry, UserPlugin } from '../framework/user-plugin.ts';
import { definitionOf } from './registry.ts';

/** The methods that a plugin must have to be called at an extension point. */
const METHODS: Readonly<Partial<Record<ExtensionPoint, readonly (keyof UserPlugin)[]>>> = {
  preEnqueue: ['preEnqueue'],
  queueSort: ['less'],
  preFilter: ['preFilter'],
  filter: ['filter'],
  postFilter: ['postFilter'],
  preScore: ['preScore'],
  score: ['score'],
  reserve: ['reserve', 'unreserve'],
  permit: ['permit'],
  preBind: ['preBind'],
  bind: ['bind'],
  postBind: ['postBind'],
};

/** The methods that each method requires beside it. */
const COMPANIONS: readonly (readonly [keyof UserPlugin, readonly (keyof UserPlugin)[]])[] = [
  ['reserve', ['unreserve']],
  ['unreserve', ['reserve']],
  ['addPod', ['removePod', 'preFilter']],
  ['removePod', ['addPod', 'preFilter']],
  ['preBindPreFlight', ['preBind']],
  ['normalizeScore', ['score']],
  ['filterColumns', ['filter', 'columnStatuses']],
  ['scoreColumns', ['score']],
];

/** Makes the plugins of the embedder. Errors: Invalid, with the name of the option. */
export class OutOfTree {
  readonly #registry: PluginRegistry;
  readonly #handle: PluginHandle;

  constructor(registry: PluginRegistry, handle: PluginHandle) {
    this.#registry = registry;
    this.#handle = handle;
    for (const [name, factory] of Object.entries(registry)) {
      if (definitionOf(name) !== undefined) throw invalid(name, 'a plugin of this name comes with the scheduler');
      if (typeof factory !== 'function') throw invalid(name, `${described(factory)} makes no plugin: give a function`);
    }
  }

  /** The out-of-tree plugins of the profile by name, each made once. */
  pluginsOf({ schedulerName, outOfTree, otherArgs }: SchedulerProfile): Map<string, Plugin> {
    const made = new Map<string, Plugin>();
    for (const [name, points] of outOfTree) {
      const factory = Object.hasOwn(this.#registry, name) ? this.#registry[name] : undefined;
      if (factory === undefined) {
        throw invalid(
          name,
          `profile ${JSON.stringify(schedulerName)} enables the plugin, but nobody has registered it`,
        );
      }
      const plugin = this.#make(name, () => factory(otherArgs.get(name), this.#handle));
      for (const point of points) {
        const missing = METHODS[point]?.every((method) => typeof plugin[method] === 'function') !== true;
        if (missing)
          throw invalid(name, `plugin ${JSON.stringify(name)} does not extend ${interfaceName(point)} plugin`);
      }
      made.set(name, guarded(plugin));
    }
    return made;
  }

  #make(name: string, create: () => UserPlugin): UserPlugin {
    let plugin: UserPlugin;
    try {
      plugin = create();
    } catch (error) {
      throw invalid(name, `initializing plugin ${JSON.stringify(name)}: ${textOf(error)}`);
    }
    const problem = problemOf(name, plugin);
    if (problem !== null) throw invalid(name, problem);
    return plugin;
  }
}

function problemOf(name: string, plugin: UserPlugin): string | null {
  if (typeof plugin !== 'object' || plugin === null) return `${described(plugin)} is no plugin`;
  if (plugin.name !== name) return `the plugin calls itself ${described(plugin.name)}`;
  const has = (method: keyof UserPlugin): boolean => typeof plugin[method] === 'function';
  const methods = Object.values(METHODS).flat();
  if (!methods.some(has)) return `the plugin has no method of an extension point: ${methods.join(', ')}`;
  for (const [method, companions] of COMPANIONS) {
    const missing = has(method) ? companions.find((companion) => !has(companion)) : undefined;
    if (missing !== undefined) return `${method} needs ${missing}`;
  }
  if (plugin.normalize && has('normalizeScore')) return 'normalize and normalizeScore exclude each other';
  return readsProblem(plugin);
}

function readsProblem(plugin: UserPlugin): string | null {
  const { filterReads = 'cluster', scoreReads = 'cluster' } = plugin;
  const given = [
    ['filterReads', filterReads],
    ['scoreReads', scoreReads],
  ] as const;
  for (const [field, reads] of given) {
    if (!['node', 'nodePods', 'cluster'].includes(reads)) {
      return `${field}: ${described(reads)} is none of node, nodePods, cluster`;
    }
    if (reads !== 'cluster' && plugin.dependsOn === undefined)
      return `${field} ${JSON.stringify(reads)} needs dependsOn`;
  }
  if (plugin.filterColumns && filterReads === 'cluster') return 'filterColumns needs filterReads "node" or "nodePods"';
  if (plugin.scoreColumns && scoreReads === 'cluster') return 'scoreColumns needs scoreReads "node" or "nodePods"';
  return null;
}

function invalid(name: string, reason: string): SchedulerError {
  return new SchedulerError('Invalid', `plugins.${name}: ${reason}`);
}
