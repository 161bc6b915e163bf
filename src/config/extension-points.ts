/**
 * The points at which plugins are called, in the order in which upstream fills their lists
 * (framework/runtime/framework.go).
 */
export const EXTENSION_POINTS = [
  'preFilter',
  'filter',
  'postFilter',
  'reserve',
  'preScore',
  'score',
  'preBind',
  'bind',
  'postBind',
  'permit',
  'preEnqueue',
  'queueSort',
  'placementGenerate',
  'placementScore',
] as const;

/** The name of an extension point, such as `filter`. */
export type ExtensionPoint = (typeof EXTENSION_POINTS)[number];

/** The name of the point's interface, as errors show it: `PreFilterPlugin`. */
export function interfaceName(point: ExtensionPoint): string {
  return `${point.charAt(0).toUpperCase()}${point.slice(1)}Plugin`;
}

const REMOVED_PLUGINS = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];

/** Whether the plugin belonged to earlier versions, so that v1 documents must not name it. */
export function isRemoved(plugin: string): boolean {
  return REMOVED_PLUGINS.includes(plugin);
}
