import type { PluginStatus } from '../framework/plugin-status.ts';

/** The pod does not fit the node, or no node; evicting other pods may help. */
export function unschedulable(...reasons: string[]): PluginStatus {
  return { code: 'Unschedulable', reasons };
}

/** The pod does not fit, and evicting pods cannot help. */
export function unresolvable(...reasons: string[]): PluginStatus {
  return { code: 'UnschedulableAndUnresolvable', reasons };
}

/** The pod waits for an event that the plugin registered. */
export function pending(...reasons: string[]): PluginStatus {
  return { code: 'Pending', reasons };
}

/** The plugin does not apply to the pod: its later steps are not called. For PreFilter, PreScore and Bind. */
export function skip(): PluginStatus {
  return { code: 'Skip', reasons: [] };
}

/** The pod waits for approval for at most `timeoutMillis`. For Permit. */
export function wait(timeoutMillis: number, ...reasons: string[]): PluginStatus {
  return { code: 'Wait', reasons, timeoutMillis };
}

/** The attempt fails with this message, and the pod is retried after back-off. */
export function failure(message: string): PluginStatus {
  return { code: 'Error', reasons: [message] };
}
