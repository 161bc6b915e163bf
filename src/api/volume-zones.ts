/** Labels for the location of volumes and nodes besides ZONE_LABEL; the beta labels are those of older clusters. */
export const REGION_LABEL = 'topology.kubernetes.io/region';
export const BETA_ZONE_LABEL = 'failure-domain.beta.kubernetes.io/zone';
export const BETA_REGION_LABEL = 'failure-domain.beta.kubernetes.io/region';

/** Separates the zones of a volume that is in several. */
export const ZONE_DELIMITER = '__';
