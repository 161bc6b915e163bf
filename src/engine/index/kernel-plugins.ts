import type { AllocationForm, BalanceForm, ResourceFilterForm } from '../../framework/column-forms.ts';
import type { Plugin } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import type { Framework } from '../../framework/runtime/framework.ts';
import { assert } from '../../lib/assert.ts';

interface KernelPlugin<Form> {
  readonly name: string;
  readonly form: Form;
}

/** The plugins of a profile whose work the resource kernels do; undefined where no plugin brings such work. */
export interface KernelPlugins {
  readonly filter: KernelPlugin<ResourceFilterForm> | undefined;
  readonly allocation: KernelPlugin<AllocationForm> | undefined;
  readonly balance: KernelPlugin<BalanceForm> | undefined;
}

/** Collects the work that plugins leave to kernels. A plugin that reads `kernel` must have described its work. */
export function kernelPluginsOf({ filterPlugins, scorePlugins }: Framework): KernelPlugins {
  const filters = filterPlugins.flatMap(({ name, filterReads, resourceFilter: form, topology }) => {
    assert(filterReads !== 'kernel' || form || topology, `${name} leaves its filter to kernels and does not say how`);
    return form ? [{ name, form }] : [];
  });
  const allocations: KernelPlugin<AllocationForm>[] = [];
  const balances: KernelPlugin<BalanceForm>[] = [];
  for (const { plugin } of scorePlugins) {
    const { name, scoreReads, resourceScore: form, topology } = plugin;
    assert(scoreReads !== 'kernel' || form || topology, `${name} leaves its score to kernels and does not say how`);
    if (form?.kind === 'allocation') allocations.push({ name, form });
    if (form?.kind === 'balance') balances.push({ name, form });
  }
  return { filter: theOnly(filters), allocation: theOnly(allocations), balance: theOnly(balances) };
}

/**
 * Returns a function that says whether kernels cannot do the work of some plugin for a pod: it counts what changes
 * without a change of nodes, and none of `readers`, which are asked in every attempt, keeps the pod out of runs. Only
 * pods that request more than cpu, memory and storage are asked about.
 */
export function methodsQuestion(
  { filterPlugins, scorePlugins }: Framework,
  readers: readonly Plugin[],
): (pod: PodInfo) => boolean {
  const all = [...filterPlugins, ...scorePlugins.map(({ plugin }) => plugin)];
  const plugins = [...new Set<Plugin>(all)].filter((plugin) => plugin.needsMethods !== undefined);
  return (pod) => {
    if (pod.requirements.requests.scalar.size === 0) return false;
    for (let i = 0; i < plugins.length; i++) {
      if (plugins[i]?.needsMethods?.(pod)) return !readers.some((reader) => reader.concerns?.(pod.pod) ?? true);
    }
    return false;
  };
}

/** Returns a function with a number that changes when some plugin's forms may answer otherwise than before. */
export function formsVersion({ filterPlugins, scorePlugins }: Framework): () => number {
  const all = [...filterPlugins, ...scorePlugins.map(({ plugin }) => plugin)];
  const plugins = [...new Set<Plugin>(all)].filter((plugin) => plugin.formsVersion !== undefined);
  return () => {
    let sum = 0;
    for (let i = 0; i < plugins.length; i++) sum += plugins[i]?.formsVersion?.() ?? 0;
    return sum;
  };
}

/** The columns of a pod signature have room for one plugin of each kind of work. */
function theOnly<T extends Pick<Plugin, 'name'>>(plugins: readonly T[]): T | undefined {
  const [only, second] = plugins;
  assert(second === undefined, `${only?.name} and ${second?.name} bring the same work for kernels`);
  return only;
}
