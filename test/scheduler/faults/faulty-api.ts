import type { Prng } from '../../../src/lib/prng.ts';
import type { SchedulerApi } from '../../../src/scheduler/scheduler-api.ts';
import { ApiError, type ApiReason } from '../../../src/store/objects/api-error.ts';

const REASONS: readonly ApiReason[] = [
  ...(['Conflict', 'NotFound', 'Timeout', 'InternalError', 'Forbidden', 'ServiceUnavailable'] as const),
];

/** An API that refuses some calls, with hooks before and after each call. */
export class FaultyApi implements SchedulerApi {
  readonly #api: SchedulerApi;
  readonly #prng: Prng;
  /** How many of 100 calls are refused. */
  refusedPercent = 0;
  refusals = 0;
  meanwhile: () => void = () => {};

  constructor(api: SchedulerApi, prng: Prng) {
    this.#api = api;
    this.#prng = prng;
  }

  bindPod(...args: Parameters<SchedulerApi['bindPod']>): ReturnType<SchedulerApi['bindPod']> {
    return this.#call(() => this.#api.bindPod(...args));
  }

  patchPodStatus(...args: Parameters<SchedulerApi['patchPodStatus']>): void {
    this.#call(() => this.#api.patchPodStatus(...args));
  }

  patchPodGroupStatus(...args: Parameters<SchedulerApi['patchPodGroupStatus']>): void {
    this.#call(() => this.#api.patchPodGroupStatus(...args));
  }

  deletePod(...args: Parameters<SchedulerApi['deletePod']>): void {
    this.#call(() => this.#api.deletePod(...args));
  }

  updatePersistentVolume(...[volume]: Parameters<SchedulerApi['updatePersistentVolume']>) {
    return this.#call(() => this.#api.updatePersistentVolume(volume));
  }

  updatePersistentVolumeClaim(...[claim]: Parameters<SchedulerApi['updatePersistentVolumeClaim']>) {
    return this.#call(() => this.#api.updatePersistentVolumeClaim(claim));
  }

  createResourceClaim(...[claim]: Parameters<SchedulerApi['createResourceClaim']>) {
    return this.#call(() => this.#api.createResourceClaim(claim));
  }

  deleteResourceClaim(...[namespace, name]: Parameters<SchedulerApi['deleteResourceClaim']>) {
    this.#call(() => this.#api.deleteResourceClaim(namespace, name));
  }

  getResourceClaim(...[namespace, name]: Parameters<SchedulerApi['getResourceClaim']>) {
    return this.#call(() => this.#api.getResourceClaim(namespace, name));
  }

  updateResourceClaim(...[claim]: Parameters<SchedulerApi['updateResourceClaim']>) {
    return this.#call(() => this.#api.updateResourceClaim(claim));
  }

  patchResourceClaimStatus(...[namespace, name, patch]: Parameters<SchedulerApi['patchResourceClaimStatus']>) {
    this.#call(() => this.#api.patchResourceClaimStatus(namespace, name, patch));
  }

  updateResourceClaimStatus(...[claim, before]: Parameters<SchedulerApi['updateResourceClaimStatus']>) {
    return this.#call(() => this.#api.updateResourceClaimStatus(claim, before));
  }

  #call<T>(call: () => T): T {
    this.meanwhile();
    if (this.#prng.below(100) < this.refusedPercent) {
      this.refusals++;
      throw new ApiError(REASONS[this.#prng.below(REASONS.length)] as ApiReason, 'refused by the test');
    }
    const result = call();
    this.meanwhile();
    return result;
  }
}
