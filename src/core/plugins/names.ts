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
