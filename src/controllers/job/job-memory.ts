import { Expectations, UidExpectations } from '../../client/expectations.ts';
import type { Clock } from '../../lib/clock.ts';
import type { BackOffRecord } from './back-off.ts';
import type { Observation } from './observe-job.ts';
import type { PodFacts } from './pod-state.ts';

/** The controller's state between syncs, by Job; it is lost when the controller is restarted. */
export class JobMemory {
  /** Pods whose creation or deletion the cache does not show yet. */
  readonly expectations: Expectations;
  /** Pods whose finalizer was removed although the cache still shows it. */
  readonly finalizerRemovals = new UidExpectations();
  /** Records of Jobs whose last pods failed. */
  readonly backOffRecords = new Map<string, BackOffRecord>();
  readonly observations = new Map<string, Observation>();
  /** Facts of the pods as they were at the last sync. */
  readonly podFacts = new Map<string, PodFacts>();
  /** Uids of Jobs whose end was written and not seen yet. */
  readonly finished = new Set<string>();

  constructor(clock: Clock) {
    this.expectations = new Expectations(clock);
  }

  setBackOff(key: string, record: BackOffRecord): void {
    if (record.failures > 0) this.backOffRecords.set(key, record);
    else this.backOffRecords.delete(key);
  }

  /** Drops the state of a Job that has ended, once its end is seen. */
  conclude(key: string): void {
    this.backOffRecords.delete(key);
    this.observations.delete(key);
    this.podFacts.delete(key);
  }

  /** Drops all state of a Job that is gone. */
  forget(key: string): void {
    this.expectations.delete(key);
    this.finalizerRemovals.delete(key);
    this.conclude(key);
  }
}
