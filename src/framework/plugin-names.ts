/** Plugin names, in a leaf file so that nobody imports a plugin to say its name (upstream's names.go). */
export const SCHEDULING_GATES = 'SchedulingGates';
export const NODE_UNSCHEDULABLE = 'NodeUnschedulable';
export const NODE_NAME = 'NodeName';
export const TAINT_TOLERATION = 'TaintToleration';
export const NODE_AFFINITY = 'NodeAffinity';
export const NODE_PORTS = 'NodePorts';
export const NODE_RESOURCES_FIT = 'NodeResourcesFit';
export const NODE_RESOURCES_BALANCED_ALLOCATION = 'NodeResourcesBalancedAllocation';
export const IMAGE_LOCALITY = 'ImageLocality';
export const NODE_DECLARED_FEATURES = 'NodeDeclaredFeatures';
export const DYNAMIC_RESOURCES = 'DynamicResources';
export const POD_TOPOLOGY_SPREAD = 'PodTopologySpread';
export const INTER_POD_AFFINITY = 'InterPodAffinity';
export const DEFAULT_PREEMPTION = 'DefaultPreemption';
export const VOLUME_RESTRICTIONS = 'VolumeRestrictions';
export const NODE_VOLUME_LIMITS = 'NodeVolumeLimits';
export const VOLUME_BINDING = 'VolumeBinding';
export const VOLUME_ZONE = 'VolumeZone';
export const DEFAULT_BINDER = 'DefaultBinder';
/** Not a plugin: stands for all extenders where it says who rejected a pod. */
export const EXTENDER = 'Extender';
