/** Labels that tell where volumes and nodes are, beside ZONE_LABEL; the beta names are those of older clusters. */
export const REGION_LABEL = 'topology.kubernetes.io/region';
export const BETA_ZONE_LABEL = 'failure-domain.beta.kubernetes.io/zone';
export const BETA_REGION_LABEL = 'failure-domain.beta.kubernetes.io/region';

/** Between the zones of a volume that is in several. */
export const ZONE_DELIMITER = '__';
