/**
 * The structs whose members stand in another order inside of the API server than in its JSON, or that have members of
 * their own there: a pod's security context holds what the JSON has in the spec. All other structs are the same
 * inside and outside. Upstream: pkg/apis/core/types.go.
 */
export const INTERNAL_ORDER: Readonly<Record<string, readonly string[]>> = {
  'core/v1.PodSpec': [
    ...['Volumes', 'InitContainers', 'Containers', 'EphemeralContainers', 'RestartPolicy'],
    ...['TerminationGracePeriodSeconds', 'ActiveDeadlineSeconds', 'DNSPolicy', 'NodeSelector', 'ServiceAccountName'],
    ...['AutomountServiceAccountToken', 'NodeName', 'SecurityContext', 'ImagePullSecrets', 'Hostname', 'Subdomain'],
    ...['SetHostnameAsFQDN', 'Affinity', 'SchedulerName', 'Tolerations', 'HostAliases', 'PriorityClassName'],
    ...['Priority', 'PreemptionPolicy', 'DNSConfig', 'ReadinessGates', 'RuntimeClassName', 'Overhead'],
    ...['EnableServiceLinks', 'TopologySpreadConstraints', 'OS', 'SchedulingGates', 'ResourceClaims', 'Resources'],
    ...['HostnameOverride', 'SchedulingGroup'],
  ],
  'core/v1.PodSecurityContext': [
    ...['HostNetwork', 'HostPID', 'HostIPC', 'ShareProcessNamespace', 'HostUsers', 'SELinuxOptions'],
    ...['WindowsOptions', 'RunAsUser', 'RunAsGroup', 'RunAsNonRoot', 'SupplementalGroups'],
    ...['SupplementalGroupsPolicy', 'FSGroup', 'FSGroupChangePolicy', 'Sysctls', 'SeccompProfile'],
    ...['AppArmorProfile', 'SELinuxChangePolicy'],
  ],
  'core/v1.Volume': [
    ...['Name', 'HostPath', 'EmptyDir', 'GCEPersistentDisk', 'AWSElasticBlockStore', 'GitRepo', 'Secret', 'NFS'],
    ...['ISCSI', 'Glusterfs', 'PersistentVolumeClaim', 'RBD', 'Quobyte', 'FlexVolume', 'Cinder', 'CephFS', 'Flocker'],
    ...['DownwardAPI', 'FC', 'AzureFile', 'ConfigMap', 'VsphereVolume', 'AzureDisk', 'PhotonPersistentDisk'],
    ...['Projected', 'PortworxVolume', 'ScaleIO', 'StorageOS', 'CSI', 'Ephemeral', 'Image'],
  ],
};

/** The sources of a persistent volume: a struct of its own inside, members of the spec in JSON. */
export const VOLUME_SOURCES: readonly string[] = [
  ...['GCEPersistentDisk', 'AWSElasticBlockStore', 'HostPath', 'Glusterfs', 'NFS', 'RBD', 'Quobyte', 'ISCSI'],
  ...['FlexVolume', 'Cinder', 'CephFS', 'FC', 'Flocker', 'AzureFile', 'VsphereVolume', 'AzureDisk'],
  ...['PhotonPersistentDisk', 'PortworxVolume', 'ScaleIO', 'Local', 'StorageOS', 'CSI'],
];

/** The members of a pod's spec that stand in its security context inside. */
export const HOST_MEMBERS = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'] as const;
