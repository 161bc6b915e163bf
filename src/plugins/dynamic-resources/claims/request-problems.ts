import type { DeviceClass, DeviceRequest, ResourceClaim } from '../../../api/resource-claims.ts';
import type { FeatureGates } from '../../../config/feature-gates.ts';

/** Why a claim cannot get devices on any node; null if it might. */
export function classProblem(
  { metadata, spec }: ResourceClaim,
  deviceClass: (name: string) => DeviceClass | undefined,
  { DRAPrioritizedList }: FeatureGates,
): string | null {
  for (const { name, exactly, firstAvailable = NO_ALTERNATIVES } of spec?.devices?.requests ?? NO_REQUESTS) {
    if (exactly !== undefined) {
      if (deviceClass(exactly.deviceClassName) === undefined) return missingClass(name, exactly.deviceClassName);
      continue;
    }
    const subject = `resource claim ${metadata?.namespace || 'default'}/${metadata?.name}, request ${name}`;
    if (firstAvailable.length === 0) return `${subject}: unknown request type`;
    if (!DRAPrioritizedList) return `${subject}: has subrequests, but the DRAPrioritizedList feature is disabled`;
    for (const alternative of firstAvailable) {
      const { deviceClassName } = alternative;
      if (deviceClass(deviceClassName) === undefined)
        return missingClass(`${name}/${alternative.name}`, deviceClassName);
    }
  }
  return null;
}

const NO_REQUESTS: readonly DeviceRequest[] = [];
const NO_ALTERNATIVES: NonNullable<DeviceRequest['firstAvailable']> = [];

function missingClass(request: string, name: string): string {
  return `request ${request}: device class ${name} does not exist`;
}
