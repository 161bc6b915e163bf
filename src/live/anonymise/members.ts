export type Json = string | number | boolean | null | undefined | readonly Json[] | JsonMap;

export interface JsonMap {
  readonly [member: string]: Json;
}

/** Members that no decision reads, or that may hold secrets. */
export const REMOVED: ReadonlySet<string> = new Set([
  ...['managedFields', 'env', 'envFrom', 'command', 'args', 'workingDir', 'volumeMounts', 'volumeDevices'],
  ...['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'securityContext', 'imagePullSecrets'],
  ...['serviceAccount', 'serviceAccountName', 'hostAliases', 'dnsConfig', 'hostname', 'subdomain', 'selfLink'],
  ...['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses', 'message', 'nodeInfo', 'addresses'],
  ...['podIP', 'podIPs', 'hostIP', 'hostIPs', 'podCIDR', 'podCIDRs', 'clusterIP', 'clusterIPs', 'externalIPs'],
  ...['loadBalancer', 'externalName', 'parameters', 'mountOptions', 'volumeAttributes', 'terminationMessagePath'],
]);

/** Members whose values are words of the API, times or versions, and names of drivers, which decisions know by name. */
export const VERBATIM: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'operator', 'effect', 'phase', 'status', 'reason', 'protocol', 'restartPolicy'],
  ...['dnsPolicy', 'whenUnsatisfiable', 'nodeAffinityPolicy', 'nodeTaintsPolicy', 'preemptionPolicy', 'policyTypes'],
  ...['volumeBindingMode', 'reclaimPolicy', 'persistentVolumeReclaimPolicy', 'accessModes', 'volumeMode', 'fsType'],
  ...['imagePullPolicy', 'terminationMessagePolicy', 'qosClass', 'concurrencyPolicy', 'completionMode', 'schedule'],
  ...['timeZone', 'podManagementPolicy', 'unhealthyPodEvictionPolicy', 'maxSurge', 'maxUnavailable', 'minAvailable'],
  ...[
    'creationTimestamp',
    'deletionTimestamp',
    'lastTransitionTime',
    'lastProbeTime',
    'lastHeartbeatTime',
    'startTime',
  ],
  ...['timeAdded', 'completionTime', 'lastScheduleTime', 'lastSuccessfulTime', 'resourceVersion'],
  ...['provisioner', 'driver', 'attacher', 'expression', 'attributes', 'allocationMode', 'policy', 'sizeBytes'],
]);

/** Maps of amounts by the names of resources. */
export const QUANTITIES: ReadonlySet<string> = new Set([
  ...['requests', 'limits', 'capacity', 'allocatable', 'overhead', 'hard', 'used', 'allocatedResources'],
]);

/** Whether the member is a map of labels. A selector of a Service is one; that of a Deployment holds one. */
export function mapsOfLabels(member: string, value: Json): boolean {
  if (member === 'labels' || member === 'matchLabels' || member === 'nodeSelector') return !hasTerms(value);
  return member === 'selector' && Object.values(value ?? {}).every((each) => typeof each === 'string');
}

/** A node selector of a volume has terms; that of a pod is a map of labels. */
function hasTerms(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'nodeSelectorTerms' in value;
}
