import type { DeviceClass, ResourceClaim } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';

/** Why a claim cannot get devices on any node; null if it might. */
export function classProblem(
  { metadata, spec }: ResourceClaim,
  deviceClass: (name: string) => DeviceClass | undefined,
  { DRAPrioritizedList }: FeatureGates,
): string | null {
  const missing = (request: string, name: string): string | null =>
    deviceClass(name) === undefined ? `request ${request}: device class ${name} does not exist` : null;
  for (const { name, exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    const subject = `resource claim ${metadata?.namespace || 'default'}/${metadata?.name}, request ${name}`;
    if (exactly !== undefined) {
      const problem = missing(name, exactly.deviceClassName);
      if (problem !== null) return problem;
      continue;
    }
    if (firstAvailable.length === 0) return `${subject}: unknown request type`;
    if (!DRAPrioritizedList) return `${subject}: has subrequests, but the DRAPrioritizedList feature is disabled`;
    for (const alternative of firstAvailable) {
      const problem = missing(`${name}/${alternative.name}`, alternative.deviceClassName);
      if (problem !== null) return problem;
    }
  }
  return null;
}
