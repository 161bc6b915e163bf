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

export type ExtensionPoint = (typeof EXTENSION_POINTS)[number];

/** The name of the point's interface, as errors show it: `PreFilterPlugin`. */
export function interfaceName(point: ExtensionPoint): string {
  return `${point.charAt(0).toUpperCase()}${point.slice(1)}Plugin`;
}

/** Every in-tree plugin of kube-scheduler v1.36 (plugins/registry.go), with the points that it implements. */
const IN_TREE_PLUGINS: Readonly<Record<string, readonly ExtensionPoint[]>> = {
  DefaultBinder: ['bind'],
  DefaultPreemption: ['preEnqueue', 'postFilter'],
  DynamicResources: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'score', 'reserve', 'preBind'],
  GangScheduling: ['preEnqueue', 'permit'],
  ImageLocality: ['score'],
  InterPodAffinity: ['preFilter', 'filter', 'preScore', 'score'],
  NodeAffinity: ['preFilter', 'filter', 'preScore', 'score'],
  NodeDeclaredFeatures: ['preFilter', 'filter'],
  NodeName: ['filter'],
  NodePorts: ['preFilter', 'filter'],
  NodeResourcesBalancedAllocation: ['preScore', 'score'],
  NodeResourcesFit: ['preFilter', 'filter', 'preScore', 'score', 'placementScore'],
  NodeUnschedulable: ['filter'],
  NodeVolumeLimits: ['preFilter', 'filter'],
  PodGroupPodsCount: ['placementScore'],
  PodTopologySpread: ['preFilter', 'filter', 'preScore', 'score'],
  PrioritySort: ['queueSort'],
  SchedulingGates: ['preEnqueue'],
  TaintToleration: ['filter', 'preScore', 'score'],
  TopologyPlacementGenerator: ['placementGenerate'],
  VolumeBinding: ['preFilter', 'filter', 'reserve', 'preBind', 'preScore', 'score'],
  VolumeRestrictions: ['preFilter', 'filter'],
  VolumeZone: ['preFilter', 'filter'],
};

export function isInTree(plugin: string): boolean {
  return Object.hasOwn(IN_TREE_PLUGINS, plugin);
}

export function implementsPoint(plugin: string, point: ExtensionPoint): boolean {
  return isInTree(plugin) && (IN_TREE_PLUGINS[plugin]?.includes(point) ?? false);
}

const REMOVED_PLUGINS = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];

/** Whether the plugin belonged to earlier versions, so that v1 documents must not name it. */
export function isRemoved(plugin: string): boolean {
  return REMOVED_PLUGINS.includes(plugin);
}
