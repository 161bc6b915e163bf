import type { CycleState } from '../../framework/cycle-state.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import type { FilterPlugin, ScorePlugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { ScoreFailure } from '../../framework/runtime/guarded-plugin.ts';
import type { Status } from '../../framework/status.ts';
import type { PluginColumnSets } from './plugin-columns.ts';

/**
 * The results of plugins' column functions for the pods that share verdicts, computed for many rows at once. A failure
 * of such a function is not reported, because the plugin's own methods are called then.
 */
export class ColumnVerdicts {
  readonly #pod: PodInfo;
  readonly #sets: PluginColumnSets;
  readonly #filters: readonly { readonly plugin: FilterPlugin; readonly statuses: readonly Status[] }[];
  readonly #scores: readonly ScorePlugin[];
  /** The codes by plugin name and slot: 0 accepts the node, n rejects it with the plugin's n-th status. */
  readonly #codes = new Map<string, Uint8Array>();
  readonly #raw = new Map<string, Int32Array>();

  /** Throws what the plugins throw. */
  constructor(pod: PodInfo, sets: PluginColumnSets, filters: readonly FilterPlugin[], scores: readonly ScorePlugin[]) {
    this.#pod = pod;
    this.#sets = sets;
    this.#scores = scores.filter((plugin) => plugin.scoreColumns !== undefined);
    const byColumns = filters.filter((plugin) => plugin.filterColumns !== undefined);
    this.#filters = byColumns.map((plugin) => ({
      plugin,
      statuses: (plugin.columnStatuses?.(pod) ?? []).map((status) => ({ ...status, plugin: plugin.name })),
    }));
  }

  /** Whether no plugin has column functions. */
  get isEmpty(): boolean {
    return this.#filters.length + this.#scores.length === 0;
  }

  /** Brings the columns up to date that the functions read. */
  sync(): void {
    for (const { plugin } of this.#filters) this.#sets.of(plugin).sync();
    for (const plugin of this.#scores) this.#sets.of(plugin).sync();
  }

  compute(from: number, to: number): void {
    const pod = this.#pod;
    for (const { plugin } of this.#filters) {
      const view = this.#sets.of(plugin);
      const codes = grown(this.#codes, plugin.name, view.slotCount, Uint8Array);
      codes.fill(0, from, to);
      plugin.filterColumns?.(pod, view, codes, from, to);
    }
    for (const plugin of this.#scores) {
      const view = this.#sets.of(plugin);
      const raw = grown(this.#raw, plugin.name, view.slotCount, Int32Array);
      raw.fill(0, from, to);
      plugin.scoreColumns?.(pod, view, raw, from, to);
    }
  }

  /** Returns undefined if the plugin's own method must be called. */
  verdict(plugin: FilterPlugin, slot: number): Status | null | undefined {
    const code = this.#codes.get(plugin.name)?.[slot];
    if (code === undefined || code === 0) return code === 0 ? null : undefined;
    return this.#filters.find((each) => each.plugin === plugin)?.statuses[code - 1];
  }

  score(plugin: ScorePlugin, slot: number): number | undefined {
    return this.#raw.get(plugin.name)?.[slot];
  }
}

interface ArrayType<T> {
  new (length: number): T;
}

/** Returns the array with this name, replaced by a longer copy if it has too few rows. */
function grown<T extends Uint8Array | Int32Array>(
  arrays: Map<string, T>,
  name: string,
  length: number,
  Type: ArrayType<T>,
): T {
  const known = arrays.get(name);
  if (known !== undefined && known.length >= length) return known;
  const array = new Type(Math.max(length, (known?.length ?? 0) * 2));
  if (known !== undefined) array.set(known);
  arrays.set(name, array);
  return array;
}

/** Returns the plugin's score; undefined if it failed. */
export function scoreOrUndefined(
  plugin: ScorePlugin,
  state: CycleState,
  pod: PodInfo,
  node: NodeInfo,
): number | undefined {
  try {
    return plugin.score(state, pod, node);
  } catch (error) {
    if (error instanceof ScoreFailure) return undefined;
    throw error;
  }
}
