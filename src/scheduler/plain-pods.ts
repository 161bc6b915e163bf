import type { Profile } from '../core/decision/profile.ts';
import { isBoundByExtender } from '../core/extenders/bind.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import type { BindingFramework } from '../framework/runtime/binding-framework.ts';
import { DefaultBinder } from '../plugins/default-binder/plugin.ts';

/** Whether the default binder is the only one who has anything to do for the pod once its node is chosen. */
export function isPlainPod({ framework, extenders }: Profile, pod: PodInfo): boolean {
  const { binding } = framework;
  if (!onlyBinds(binding) || binding.reserves(pod) || binding.preBinds(pod)) return false;
  return extenders.length === 0 || !isBoundByExtender(extenders, pod);
}

function onlyBinds({ permitPlugins, bindPlugins, postBindPlugins }: BindingFramework): boolean {
  if (permitPlugins.length > 0 || postBindPlugins.length > 0) return false;
  return bindPlugins.length === 1 && bindPlugins[0] instanceof DefaultBinder;
}
