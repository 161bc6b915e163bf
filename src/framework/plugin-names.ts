/** Plugins that kube-scheduler itself names outside of its plugins. All other names stand in the plugins' folders. */
export const DEFAULT_BINDER = 'DefaultBinder';
export const DEFAULT_PREEMPTION = 'DefaultPreemption';
export const NODE_DECLARED_FEATURES = 'NodeDeclaredFeatures';
/** Not a plugin: stands for all extenders where it says who rejected a pod. */
export const EXTENDER = 'Extender';
