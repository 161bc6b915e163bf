import type { ConfigurationError } from '../decode/field-error.ts';
import { API_VERSION } from '../decode/group-version.ts';
import type { Value } from '../decode/value.ts';
import type { ArgsKind } from './args-kind.ts';
import { balancedAllocationArgs, type NodeResourcesBalancedAllocationArgs } from './balanced-allocation.ts';
import { type DefaultPreemptionArgs, defaultPreemptionArgs } from './default-preemption.ts';
import { type DynamicResourcesArgs, dynamicResourcesArgs } from './dynamic-resources.ts';
import { type InterPodAffinityArgs, interPodAffinityArgs } from './inter-pod-affinity.ts';
import { type NodeAffinityArgs, nodeAffinityArgs } from './node-affinity.ts';
import { type NodeResourcesFitArgs, nodeResourcesFitArgs } from './node-resources-fit.ts';
import { type PodTopologySpreadArgs, podTopologySpreadArgs } from './pod-topology-spread.ts';
import { type VolumeBindingArgs, volumeBindingArgs } from './volume-binding.ts';

/** The plugins that take arguments, and the types of these with defaults. */
export interface PluginArgs {
  DefaultPreemption: DefaultPreemptionArgs;
  DynamicResources: DynamicResourcesArgs;
  InterPodAffinity: InterPodAffinityArgs;
  NodeAffinity: NodeAffinityArgs;
  NodeResourcesBalancedAllocation: NodeResourcesBalancedAllocationArgs;
  NodeResourcesFit: NodeResourcesFitArgs;
  PodTopologySpread: PodTopologySpreadArgs;
  VolumeBinding: VolumeBindingArgs;
}

export type PluginWithArgs = keyof PluginArgs;

const KINDS: { readonly [P in PluginWithArgs]: ArgsKind<PluginArgs[P]> } = {
  DefaultPreemption: defaultPreemptionArgs,
  DynamicResources: dynamicResourcesArgs,
  InterPodAffinity: interPodAffinityArgs,
  NodeAffinity: nodeAffinityArgs,
  NodeResourcesBalancedAllocation: balancedAllocationArgs,
  NodeResourcesFit: nodeResourcesFitArgs,
  PodTopologySpread: podTopologySpreadArgs,
  VolumeBinding: volumeBindingArgs,
};

/** One entry of `pluginConfig`: arguments of a known kind, or the raw arguments of another plugin. */
export type PluginConfig =
  | { readonly [P in PluginWithArgs]: { readonly name: P; readonly args: PluginArgs[P] } }[PluginWithArgs]
  | { readonly name: ''; readonly otherName: string; readonly raw: Value | undefined };

export function takesArgs(plugin: string): plugin is PluginWithArgs {
  return Object.hasOwn(KINDS, plugin);
}

/** Whether the kind is that of a plugin's arguments, as documents name it. */
export function isArgsKind(kind: string): boolean {
  return kind.endsWith('Args') && takesArgs(kind.slice(0, -'Args'.length));
}

/** Reads a document without apiVersion and kind. Throws DecodeFailure. */
export function readArgs(name: PluginWithArgs, value: Value, strict: ConfigurationError[]): PluginConfig {
  return { name, args: KINDS[name].read(value, { path: '', strict }) } as PluginConfig;
}

export function zeroArgs(name: PluginWithArgs): PluginConfig {
  return { name, args: KINDS[name].zero } as PluginConfig;
}

export function validateArgs<P extends PluginWithArgs>(
  name: P,
  args: PluginArgs[P],
  path: string,
): ConfigurationError[] {
  return KINDS[name].validate(args, path);
}

/** The arguments as v1 JSON; the caller drops undefined members. */
export function encodeArgs<P extends PluginWithArgs>(name: P, args: PluginArgs[P]): Record<string, unknown> {
  return { apiVersion: API_VERSION, kind: `${name}Args`, ...KINDS[name].encode(args) };
}
