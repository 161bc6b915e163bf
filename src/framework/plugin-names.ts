/**
 * The names of plugins that kube-scheduler uses outside of its plugins. All other names are in the plugins' folders.
 */
export const DEFAULT_BINDER = 'DefaultBinder';
export const DEFAULT_PREEMPTION = 'DefaultPreemption';
export const NODE_DECLARED_FEATURES = 'NodeDeclaredFeatures';
/** The name that stands for all extenders in the list of plugins that rejected a pod. */
export const EXTENDER = 'Extender';
