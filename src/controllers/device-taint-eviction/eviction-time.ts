import type { AllocationResult, DeviceRequestAllocationResult, DeviceTaint } from '../../api/resource-claims.ts';
import { type Toleration, toleratesTaint } from '../../api/taints.ts';
import { millisOfTime } from '../../api/time.ts';

/**
 * When the pods of a claim with these devices have to go; Infinity if they may stay. A taint counts from the time when
 * it was added; one without a time, which no API server stores, evicts nobody.
 *
 * Upstream: claimEvictionTime in pkg/controller/devicetainteviction.
 */
export function claimEvictionMillis(
  { devices }: AllocationResult,
  taintsOf: (device: DeviceRequestAllocationResult) => readonly DeviceTaint[],
): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const device of devices?.results ?? []) {
    for (const taint of taintsOf(device)) {
      if (taint.timeAdded === undefined) continue;
      const due = millisOfTime(taint.timeAdded) + toleratedMillisOf(taint, device.tolerations ?? []);
      if (due < earliest) earliest = due;
    }
  }
  return earliest;
}

/** As upstream, a toleration without an effect, which lets a claim have the device, does not put off an eviction. */
function toleratedMillisOf(taint: DeviceTaint, tolerations: readonly Toleration[]): number {
  const used = tolerations.filter((each) => each.effect === 'NoExecute' && toleratesTaint(each, taint));
  if (used.length === 0) return 0;
  const seconds = used.map(({ tolerationSeconds }) => tolerationSeconds ?? Number.POSITIVE_INFINITY);
  // A toleration without a time is for ever, whatever the others say.
  return seconds.includes(Number.POSITIVE_INFINITY)
    ? Number.POSITIVE_INFINITY
    : Math.max(0, Math.min(...seconds)) * 1000;
}
