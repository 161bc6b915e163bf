/** The controllers that there are, by the names of kube-controller-manager, with the names that they had before. */
const CONTROLLERS = {
  'job-controller': 'job',
  'pod-garbage-collector-controller': 'podgc',
  'garbage-collector-controller': 'garbagecollector',
  'ttl-after-finished-controller': 'ttl-after-finished',
  'replicaset-controller': 'replicaset',
  'disruption-controller': 'disruption',
  'deployment-controller': 'deployment',
  'statefulset-controller': 'statefulset',
  'daemonset-controller': 'daemonset',
  'persistentvolume-binder-controller': 'persistentvolume-binder',
  'cronjob-controller': 'cronjob',
  'resourceclaim-controller': 'resourceclaim',
  'node-lifecycle-controller': 'nodelifecycle',
  'taint-eviction-controller': 'taint-eviction',
  'device-taint-eviction-controller': 'device-taint-eviction',
  'podgroup-protection-controller': 'podgroup-protection',
  'namespace-controller': 'namespace',
} as const satisfies Readonly<Record<string, string>>;

export type ControllerName = keyof typeof CONTROLLERS;

export const CONTROLLER_NAMES = Object.keys(CONTROLLERS) as readonly ControllerName[];

/** Whether an item of a list of controllers means something: `*`, a name, or one that is excluded. */
export function isControllerItem(item: string): boolean {
  const name = item.replace(/^-/, '');
  return item === '*' || Object.entries(CONTROLLERS).some((names) => names.includes(name));
}

/** Upstream: IsControllerEnabled in controller-manager/app. The first item that names the controller decides. */
export function isControllerEnabled(name: ControllerName, items: readonly string[], isDefault: boolean): boolean {
  const names: readonly string[] = [name, CONTROLLERS[name]];
  const decisive = items.find((item) => names.includes(item.replace(/^-/, '')));
  return decisive === undefined ? isDefault && items.includes('*') : !decisive.startsWith('-');
}
